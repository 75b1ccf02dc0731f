package dev.jugg.vd.window;

import android.view.View;
import android.view.ViewGroup;
import android.widget.TextView;

/** A number that changes with what the windows show: places, sizes, visibility, texts; not with pure drawing. */
public final class TreeSignature {
  private final Windows windows;

  public TreeSignature(Windows windows) {
    this.windows = windows;
  }

  public long get() {
    long hash = 1;
    for (ShownWindow window : windows.shown()) {
      hash = add(hash * 31 + System.identityHashCode(window.root()), window.view());
    }
    return hash;
  }

  private static long add(long before, View view) {
    long hash = before * 31 + view.getVisibility();
    hash = hash * 31 + view.getWidth();
    hash = hash * 31 + view.getHeight();
    hash = hash * 31 + Float.floatToIntBits(view.getX());
    hash = hash * 31 + Float.floatToIntBits(view.getY());
    hash = hash * 31 + Float.floatToIntBits(view.getAlpha());
    // What a transition fades out, as a popup that was dismissed, is gone only at its end.
    hash = hash * 31 + Float.floatToIntBits(view.getTransitionAlpha());
    hash = hash * 31 + view.getScrollY();
    hash = hash * 31 + view.getScrollX();
    if (view instanceof TextView text && text.getText() != null) {
      hash = hash * 31 + text.getText().toString().hashCode();
    }
    if (view instanceof ViewGroup group) {
      for (int i = 0; i < group.getChildCount(); i++) {
        hash = add(hash, group.getChildAt(i));
      }
    }
    return hash;
  }
}
