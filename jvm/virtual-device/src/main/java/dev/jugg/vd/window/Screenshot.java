package dev.jugg.vd.window;

import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import android.graphics.Rect;
import android.view.WindowManager.LayoutParams;
import com.google.gson.JsonObject;
import dev.jugg.vd.config.ScreenConfiguration;
import java.util.Base64;

/** Composes the shown windows into a picture. {@link #draw} on the main thread, {@link #encode} on any. */
public final class Screenshot {
  private static final int OPAQUE = 255;
  private static final int KEYBOARD_COLOR = 0xffd0d4da;
  private static final int KEY_COLOR = 0xfff4f5f7;
  private static final int KEYS_IN_ROW = 10;
  private static final int KEY_ROWS = 4;
  private static final int KEY_GAP_PX = 8;
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
        canvas.translate(0, -window.pannedBy());
        window.view().draw(canvas);
      }
      canvas.restore();
    }
    if (ScreenLayout.instance().isKeyboardShown()) {
      drawKeyboard(canvas, SystemBars.now().keyboard());
    }
    return new Screenshot(bitmap, secure);
  }

  /** A pad with four rows of empty keys: it shows what is covered. */
  private static void drawKeyboard(Canvas canvas, Rect bounds) {
    Paint paint = new Paint();
    paint.setColor(KEYBOARD_COLOR);
    canvas.drawRect(bounds, paint);
    paint.setColor(KEY_COLOR);
    float width = bounds.width() / (float) KEYS_IN_ROW;
    float height = bounds.height() / (float) KEY_ROWS;
    for (int key = 0; key < KEYS_IN_ROW * KEY_ROWS; key++) {
      float left = bounds.left + key % KEYS_IN_ROW * width;
      float top = bounds.top + key / KEYS_IN_ROW * height;
      canvas.drawRect(left + KEY_GAP_PX, top + KEY_GAP_PX, left + width - KEY_GAP_PX, top + height - KEY_GAP_PX, paint);
    }
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
