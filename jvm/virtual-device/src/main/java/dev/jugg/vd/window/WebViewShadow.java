package dev.jugg.vd.window;

import android.util.Log;
import java.util.Map;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowWebView;

/** There is no web engine: an empty view that remembers what it was told. The log says so. */
@Implements(className = "android.webkit.WebView", isInAndroidSdk = false)
public class WebViewShadow extends ShadowWebView {
  @Override
  @Implementation
  protected void loadUrl(String url) {
    tell(url);
    super.loadUrl(url);
  }

  @Override
  @Implementation
  protected void loadUrl(String url, Map<String, String> headers) {
    tell(url);
    super.loadUrl(url, headers);
  }

  @Override
  @Implementation
  protected void loadData(String data, String mimeType, String encoding) {
    tell("data of type " + mimeType);
    super.loadData(data, mimeType, encoding);
  }

  @Override
  @Implementation
  protected void loadDataWithBaseURL(
      String baseUrl, String data, String mimeType, String encoding, String historyUrl) {
    tell("data of type " + mimeType + " for " + baseUrl);
    super.loadDataWithBaseURL(baseUrl, data, mimeType, encoding, historyUrl);
  }

  private static void tell(String what) {
    Log.w(
        "JuggVirtualDevice",
        "There is no web engine on the virtual device: the WebView stays empty, and nobody hears of " + what);
  }
}
