package dev.jugg.vd.window;

import android.app.WindowConfiguration;
import android.graphics.Rect;
import android.os.IBinder;
import android.os.RemoteException;
import android.util.MergedConfiguration;
import android.view.Display;
import android.view.IWindow;
import android.view.InsetsSourceControl;
import android.view.InsetsState;
import android.view.WindowInsets.Type;
import android.view.WindowLayout;
import android.view.WindowManager.LayoutParams;
import android.window.ActivityWindowInfo;
import android.window.ClientWindowFrames;
import java.util.LinkedHashMap;
import java.util.Map;
import org.robolectric.RuntimeEnvironment;

/**
 * Gives windows their frames and insets, as the window manager does: with the framework's own {@code WindowLayout}. The
 * client controls no insets itself ({@code InsetsSourceControl}): what it hides or shows is asked for here and comes
 * without an animation, see {@link InsetsAnimations}. May be called from any thread.
 */
public final class ScreenLayout {
  private static final ScreenLayout INSTANCE = new ScreenLayout();
  private static final int ALL_BARS = Type.defaultVisible();

  private final Map<IBinder, ClientWindow> windows = new LinkedHashMap<>();
  /** What the main window in front wants to be visible. */
  private int barTypes = ALL_BARS;
  /** The window that the soft keyboard types into while it is shown, else null. */
  private IBinder keyboardTarget;

  private ScreenLayout() {}

  public static ScreenLayout instance() {
    return INSTANCE;
  }

  synchronized ClientWindow add(IWindow window, LayoutParams attributes, int requestedTypes) {
    ClientWindow client = new ClientWindow(window, WindowLayout.UNSPECIFIED_LENGTH);
    client.attributes.copyFrom(attributes);
    client.requestedTypes = requestedTypes;
    windows.put(client.token(), client);
    lay(client);
    client.told = insetsOf(client);
    return client;
  }

  /** {@code attributes} is null when they have not changed; answers null for a window that is gone. */
  synchronized ClientWindow relayout(IWindow window, LayoutParams attributes, int width, int height) {
    ClientWindow client = windows.get(window.asBinder());
    if (client == null) {
      return null;
    }
    if (attributes != null) {
      client.attributes.copyFrom(attributes);
    }
    client.requestedWidth = width;
    client.requestedHeight = height;
    lay(client);
    client.told = insetsOf(client);
    return client;
  }

  synchronized void remove(IBinder window) {
    windows.remove(window);
    if (window == keyboardTarget) {
      keyboardTarget = null;
    }
  }

  /** The window asks for types of insets to be shown, and others not. */
  synchronized void request(IWindow window, int types) {
    ClientWindow client = windows.get(window.asBinder());
    if (client != null) {
      client.requestedTypes = types;
      update();
    }
  }

  synchronized boolean requestsKeyboard(IBinder window) {
    ClientWindow client = windows.get(window);
    return client != null && (client.requestedTypes & Type.ime()) != 0;
  }

  /** The main window in front, or null: its wishes decide whether the bars are shown. */
  synchronized void setInFront(IBinder mainWindow) {
    ClientWindow client = windows.get(mainWindow);
    int types = client == null ? ALL_BARS : client.requestedTypes & ALL_BARS;
    if (types != barTypes) {
      barTypes = types;
      update();
    }
  }

  /** {@code window}: into which it types; null hides it. */
  synchronized void setKeyboardTarget(IBinder window) {
    if (window != keyboardTarget) {
      keyboardTarget = window;
      update();
    }
  }

  public synchronized boolean isKeyboardShown() {
    return keyboardTarget != null;
  }

  synchronized IBinder keyboardTarget() {
    return keyboardTarget;
  }

  public synchronized boolean isShown(int barType) {
    return (barTypes & barType) != 0;
  }

  /** Tells every window whose frame or insets are not as it knows them. */
  public synchronized void update() {
    for (ClientWindow client : windows.values().toArray(new ClientWindow[0])) {
      ClientWindowFrames before = new ClientWindowFrames(client.frames);
      InsetsState insets = insetsOf(client);
      lay(client);
      boolean sameFrame = before.frame.equals(client.frames.frame);
      if (sameFrame && insets.equals(client.told)) {
        continue;
      }
      InsetsAnimations.begin(client.token(), client.told, insets);
      client.told = insets;
      try {
        if (sameFrame) {
          client.window.insetsControlChanged(copy(insets), new InsetsSourceControl.Array());
        } else {
          tellFrame(client);
        }
      } catch (RemoteException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static void tellFrame(ClientWindow client) throws RemoteException {
    android.content.res.Configuration now =
        RuntimeEnvironment.getApplication().getResources().getConfiguration();
    client.window.resized(
        new ClientWindowFrames(client.frames),
        false,
        new MergedConfiguration(now, now),
        copy(client.told),
        false,
        false,
        Display.DEFAULT_DISPLAY,
        0,
        false,
        new ActivityWindowInfo());
  }

  /** The receiver may keep and change what it gets. */
  static InsetsState copy(InsetsState state) {
    return new InsetsState(state, true);
  }

  private InsetsState insetsOf(ClientWindow client) {
    int types = client.isMain() ? client.requestedTypes & ALL_BARS : barTypes;
    return SystemBars.now().insets(types | (client.token() == keyboardTarget ? Type.ime() : 0));
  }

  private void lay(ClientWindow client) {
    InsetsState insets = insetsOf(client);
    Rect cutoutSafe = new Rect();
    insets.getDisplayCutoutSafe(cutoutSafe);
    ClientWindow parent = client.isChild() ? windows.get(client.attributes.token) : null;
    client.frames.attachedFrame = parent == null ? null : new Rect(parent.frames.frame);
    new WindowLayout().computeFrames(
        client.attributes.forRotation(0),
        insets,
        cutoutSafe,
        SystemBars.now().screen(),
        WindowConfiguration.WINDOWING_MODE_FULLSCREEN,
        client.requestedWidth,
        client.requestedHeight,
        client.requestedTypes,
        1f,
        client.frames);
  }
}
