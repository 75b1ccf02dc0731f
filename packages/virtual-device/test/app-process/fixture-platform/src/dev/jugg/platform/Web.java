package dev.jugg.platform;

import android.app.Activity;
import android.util.Log;
import android.webkit.WebChromeClient;
import android.webkit.WebView;
import android.webkit.WebViewClient;

/** What nearly every app does with a web view. */
final class Web {
  private Web() {}

  static void show(Activity activity) {
    WebView view = new WebView(activity);
    view.getSettings().setJavaScriptEnabled(true);
    view.getSettings().setUserAgentString(view.getSettings().getUserAgentString() + " fixture");
    view.setWebViewClient(new WebViewClient());
    view.setWebChromeClient(new WebChromeClient());
    view.addJavascriptInterface(new Object(), "fixture");
    activity.setContentView(view);
    view.loadUrl("https://example.com/");
    view.loadDataWithBaseURL("https://example.com/", "<p>x</p>", "text/html", "utf-8", null);
    view.evaluateJavascript("1 + 1", null);
    Log.i(PlatformActivity.TAG, "web " + view.getUrl() + " " + view.canGoBack());
  }
}
