package dev.jugg.vd.window;

import android.graphics.Rect;
import android.util.DisplayMetrics;
import android.view.InsetsSource;
import android.view.InsetsState;
import android.view.WindowInsets.Type;
import dev.jugg.vd.config.ScreenConfiguration;

/** Where the system's own parts of the screen are: status bar, gesture navigation bar, soft keyboard; no cutout. */
public final class SystemBars {
  /** AOSP: {@code status_bar_height_default}. */
  private static final int STATUS_BAR_DP = 24;
  /** AOSP: {@code navigation_bar_height} of the overlay for gesture navigation. */
  private static final int NAVIGATION_BAR_DP = 24;
  /** Of a gesture that begins at the side of the screen, {@code config_backGestureInset}. */
  private static final int BACK_GESTURE_DP = 30;
  /** About what keyboards of phones take, the navigation bar included. */
  private static final int KEYBOARD_DP = 270;

  private static final int KEYBOARD_LANDSCAPE_DP = 200;

  private final int width;
  private final int height;
  private final int densityDpi;

  private SystemBars(ScreenConfiguration screen) {
    width = screen.widthPx();
    height = screen.heightPx();
    densityDpi = screen.densityDpi();
  }

  /** Of the screen as it is now. */
  public static SystemBars now() {
    return new SystemBars(ScreenConfiguration.current());
  }

  Rect screen() {
    return new Rect(0, 0, width, height);
  }

  public Rect statusBar() {
    return new Rect(0, 0, width, px(STATUS_BAR_DP));
  }

  public Rect navigationBar() {
    return new Rect(0, height - px(NAVIGATION_BAR_DP), width, height);
  }

  public Rect keyboard() {
    return new Rect(0, height - px(height > width ? KEYBOARD_DP : KEYBOARD_LANDSCAPE_DP), width, height);
  }

  /** {@code visibleTypes}: of {@code WindowInsets.Type}; what is not among them takes no room. */
  InsetsState insets(int visibleTypes) {
    InsetsState state = new InsetsState();
    state.setDisplayFrame(screen());
    boolean status = (visibleTypes & Type.statusBars()) != 0;
    boolean navigation = (visibleTypes & Type.navigationBars()) != 0;
    add(state, 0, Type.statusBars(), statusBar(), status);
    // Gesture navigation draws nothing behind its handle.
    add(state, 0, Type.navigationBars(), navigationBar(), navigation).setFlags(InsetsSource.FLAG_SUPPRESS_SCRIM);
    add(state, 0, Type.tappableElement(), statusBar(), status);
    add(state, 0, Type.mandatorySystemGestures(), statusBar(), true);
    add(state, 1, Type.mandatorySystemGestures(), navigationBar(), true);
    add(state, 0, Type.systemGestures(), new Rect(0, 0, px(BACK_GESTURE_DP), height), true);
    add(state, 1, Type.systemGestures(), new Rect(width - px(BACK_GESTURE_DP), 0, width, height), true);
    InsetsSource keyboard = new InsetsSource(InsetsSource.ID_IME, Type.ime());
    state.addSource(keyboard.setFrame(keyboard()).setVisible((visibleTypes & Type.ime()) != 0));
    return state;
  }

  private static InsetsSource add(InsetsState state, int index, int type, Rect frame, boolean visible) {
    InsetsSource source = new InsetsSource(InsetsSource.createId(null, index, type), type);
    state.addSource(source.setFrame(frame).setVisible(visible));
    return source;
  }

  private int px(int dp) {
    return Math.round(dp * densityDpi / (float) DisplayMetrics.DENSITY_DEFAULT);
  }
}
