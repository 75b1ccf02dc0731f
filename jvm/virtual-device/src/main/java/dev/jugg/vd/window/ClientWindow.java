package dev.jugg.vd.window;

import android.os.IBinder;
import android.view.IWindow;
import android.view.InsetsState;
import android.view.WindowInsets;
import android.view.WindowManager.LayoutParams;
import android.window.ClientWindowFrames;

/** What the window manager knows of one window. */
final class ClientWindow {
  final IWindow window;
  final LayoutParams attributes = new LayoutParams();
  final ClientWindowFrames frames = new ClientWindowFrames();
  /** In px; {@code WindowLayout.UNSPECIFIED_LENGTH} before the first layout. */
  int requestedWidth;

  int requestedHeight;
  /** Types of insets that the window wants to see, and hides else. */
  int requestedTypes = WindowInsets.Type.defaultVisible();
  /** What the window was told last. */
  InsetsState told = new InsetsState();

  ClientWindow(IWindow window, int length) {
    this.window = window;
    requestedWidth = length;
    requestedHeight = length;
  }

  IBinder token() {
    return window.asBinder();
  }

  /** The window whose wishes decide whether the system bars are shown while it is in front. */
  boolean isMain() {
    return attributes.type == LayoutParams.TYPE_BASE_APPLICATION;
  }

  boolean isChild() {
    return attributes.type >= LayoutParams.FIRST_SUB_WINDOW && attributes.type <= LayoutParams.LAST_SUB_WINDOW;
  }
}
