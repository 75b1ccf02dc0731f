package dev.jugg.vd.window;

import android.view.View;
import android.view.ViewGroup;
import android.widget.TextView;
import android.widget.Toast;
import com.google.gson.JsonObject;
import dev.jugg.vd.Device;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowToast;
import org.robolectric.util.ReflectionHelpers;

/** Since Android 11 the system, not the app, draws text toasts: the daemon hears of them. */
@Implements(className = "android.widget.Toast", isInAndroidSdk = false)
public class ToastShadow extends ShadowToast {
  @RealObject private Toast toast;

  @Override
  @Implementation
  protected void show() {
    super.show();
    JsonObject params = new JsonObject();
    params.addProperty("text", text());
    Device.host().channel().event("toast", params);
  }

  private String text() {
    String text = ReflectionHelpers.getField(this, "text");
    if (text != null) {
      return text;
    }
    View view = getView();
    return view == null ? "" : firstText(view);
  }

  private static String firstText(View view) {
    if (view instanceof TextView label) {
      return label.getText().toString();
    }
    if (view instanceof ViewGroup group) {
      for (int i = 0; i < group.getChildCount(); i++) {
        String text = firstText(group.getChildAt(i));
        if (!text.isEmpty()) {
          return text;
        }
      }
    }
    return "";
  }
}
