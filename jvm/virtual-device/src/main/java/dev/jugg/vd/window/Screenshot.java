package dev.jugg.vd.window;

import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Rect;
import android.view.WindowManager.LayoutParams;
import com.google.gson.JsonObject;
import dev.jugg.vd.config.ScreenConfiguration;
import java.util.Base64;

/** Composes the shown windows into a picture. {@link #draw} on the main thread, {@link #encode} on any. */
public final class Screenshot {
  private static final int OPAQUE = 255;
  private final Bitmap bitmap;
  private final boolean secure;

  private Screenshot(Bitmap bitmap, boolean secure) {
    this.bitmap = bitmap;
    this.secure = secure;
  }

  public static Screenshot draw(Windows windows) {
    ScreenConfiguration screen = ScreenConfiguration.current();
    Bitmap bitmap = Bitmap.createBitmap(screen.widthPx(), screen.heightPx(), Bitmap.Config.ARGB_8888);
    Canvas canvas = new Canvas(bitmap);
    canvas.drawColor(Color.BLACK);
    boolean secure = false;
    for (ShownWindow window : windows.shown()) {
      Rect bounds = window.bounds();
      if (bounds.isEmpty()) {
        continue;
      }
      if (window.has(LayoutParams.FLAG_DIM_BEHIND)) {
        canvas.drawColor(Color.argb((int) (window.attributes().dimAmount * OPAQUE), 0, 0, 0));
      }
      canvas.save();
      canvas.translate(bounds.left, bounds.top);
      if (window.isSecure()) {
        // The content of a secure window never leaves it: a device shows black in its place.
        secure = true;
        canvas.clipRect(0, 0, bounds.width(), bounds.height());
        canvas.drawColor(Color.BLACK);
      } else {
        window.view().draw(canvas);
      }
      canvas.restore();
    }
    return new Screenshot(bitmap, secure);
  }

  /** The result of the protocol's {@code screenshot}. */
  public JsonObject encode() {
    int width = bitmap.getWidth();
    int height = bitmap.getHeight();
    int[] pixels = new int[width * height];
    bitmap.getPixels(pixels, 0, width, 0, 0, width, height);
    bitmap.recycle();
    JsonObject result = new JsonObject();
    result.addProperty("png", Base64.getEncoder().encodeToString(PngWriter.write(pixels, width, height)));
    result.addProperty("width", width);
    result.addProperty("height", height);
    result.addProperty("secure", secure);
    return result;
  }
}
