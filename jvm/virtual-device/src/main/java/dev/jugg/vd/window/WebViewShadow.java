package dev.jugg.vd.window;

import android.graphics.Canvas;
import android.graphics.Paint;
import android.graphics.Rect;
import android.util.Log;
import android.view.KeyEvent;
import android.view.View;
import android.view.ViewGroup;
import android.webkit.WebView;
import java.util.Map;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowWebView;

/** There is no web engine: a grey area with the name of what was to be shown. The log says so too. */
@Implements(className = "android.webkit.WebView", isInAndroidSdk = false)
public class WebViewShadow extends ShadowWebView {
  private static final int GREY = 0xffe8eaed;
  private static final int DARK = 0xff5f6368;
  private static final float TEXT_DP = 14;
  private static final float MARGIN_DP = 16;

  @RealObject private WebView view;
  private String shown = "";

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

  // Of all that the engine does for its view, what any view does: without it the view has no size and takes no focus.

  @Implementation
  protected void setLayoutParams(ViewGroup.LayoutParams params) {
    view.new PrivateAccess().super_setLayoutParams(params);
  }

  @Implementation
  protected void onMeasure(int widthSpec, int heightSpec) {
    view.new PrivateAccess()
        .setMeasuredDimension(View.getDefaultSize(0, widthSpec), View.getDefaultSize(0, heightSpec));
  }

  @Implementation
  protected boolean setFrame(int left, int top, int right, int bottom) {
    return view.new PrivateAccess().super_setFrame(left, top, right, bottom);
  }

  @Implementation
  protected boolean requestFocus(int direction, Rect previouslyFocused) {
    return view.new PrivateAccess().super_requestFocus(direction, previouslyFocused);
  }

  @Implementation
  protected boolean dispatchKeyEvent(KeyEvent event) {
    return view.new PrivateAccess().super_dispatchKeyEvent(event);
  }

  @Implementation
  protected void onDraw(Canvas canvas) {
    if (shown.isEmpty()) {
      return;
    }
    float dp = view.getResources().getDisplayMetrics().density;
    Paint paint = new Paint(Paint.ANTI_ALIAS_FLAG);
    paint.setColor(DARK);
    paint.setTextSize(TEXT_DP * dp);
    canvas.drawColor(GREY);
    canvas.drawText("WebView: no web engine on the virtual device", MARGIN_DP * dp, 2 * TEXT_DP * dp, paint);
    canvas.drawText(shown, MARGIN_DP * dp, 4 * TEXT_DP * dp, paint);
  }

  private void tell(String what) {
    shown = what;
    // A group of views draws nothing of its own unless it says so.
    view.setWillNotDraw(false);
    view.invalidate();
    Log.w(
        "JuggVirtualDevice",
        "There is no web engine on the virtual device: the WebView stays empty, and nobody hears of " + what);
  }
}
