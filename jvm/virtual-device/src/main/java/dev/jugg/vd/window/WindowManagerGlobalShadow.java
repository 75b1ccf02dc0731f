package dev.jugg.vd.window;

import android.graphics.Rect;
import android.os.IBinder;
import android.view.IWindow;
import android.view.IWindowSession;
import android.view.InsetsState;
import android.view.WindowManager.LayoutParams;
import android.view.WindowRelayoutResult;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowWindowManagerGlobal;

/**
 * The process's session with the window manager: windows get their frames and insets from {@link ScreenLayout};
 * Robolectric's session knows neither system bars for each window, nor windows that belong to windows.
 */
@Implements(className = "android.view.WindowManagerGlobal", isInAndroidSdk = false)
public class WindowManagerGlobalShadow extends ShadowWindowManagerGlobal {
  @Override
  protected WindowSessionDelegate createWindowSessionDelegate() {
    return new Session();
  }

  @Implementation
  protected static synchronized IWindowSession getWindowSession() {
    if (windowSession == null) {
      windowSession = withAsynchronousLayout(createWindowSession());
    }
    return windowSession;
  }

  /** Layouts whose answer the client has worked out itself; Robolectric's session does not hear of them. */
  private static IWindowSession withAsynchronousLayout(IWindowSession session) {
    InvocationHandler known = Proxy.getInvocationHandler(session);
    InvocationHandler all = (proxy, method, arguments) -> {
      if (!method.getName().equals("relayoutAsync")) {
        return known.invoke(session, method, arguments);
      }
      ScreenLayout.instance().relayout(
          (IWindow) arguments[0], (LayoutParams) arguments[1], (Integer) arguments[2], (Integer) arguments[3]);
      return null;
    };
    return (IWindowSession) Proxy.newProxyInstance(
        IWindowSession.class.getClassLoader(), new Class<?>[] {IWindowSession.class}, all);
  }

  private static final class Session extends WindowSessionDelegate {
    /** Of IWindowSession.addToDisplayAsUser: the types of insets that the window wants to see. */
    private static final int REQUESTED_TYPES = 5;

    @Override
    protected int addToDisplay(Object[] arguments) {
      int result = super.addToDisplay(arguments);
      ClientWindow added = ScreenLayout.instance().add(
          (IWindow) arguments[0], (LayoutParams) arguments[1], (Integer) arguments[REQUESTED_TYPES]);
      first(InsetsState.class, arguments).set(added.told, true);
      Rect attachedFrame = first(Rect.class, arguments);
      if (added.frames.attachedFrame != null) {
        // The client lays some changes out itself and wants to know this for it.
        attachedFrame.set(added.frames.attachedFrame);
      }
      return result;
    }

    @Override
    protected int relayout(Object[] arguments) {
      int result = super.relayout(arguments);
      ClientWindow client = ScreenLayout.instance().relayout(
          (IWindow) arguments[0], first(LayoutParams.class, arguments), (Integer) arguments[2], (Integer) arguments[3]);
      WindowRelayoutResult answer = first(WindowRelayoutResult.class, arguments);
      if (client != null && answer != null) {
        answer.frames.setTo(client.frames);
        answer.insetsState.set(client.told, true);
      }
      return result;
    }

    @Override
    protected void remove(Object[] arguments) {
      super.remove(arguments);
      ScreenLayout.instance().remove((IBinder) arguments[0]);
    }

    @Override
    public void updateInsets(Object[] arguments) {
      SoftKeyboard.instance().requested((IWindow) arguments[0], (Integer) arguments[1]);
    }

    private static <T> T first(Class<T> type, Object[] arguments) {
      for (Object argument : arguments) {
        if (type.isInstance(argument)) {
          return type.cast(argument);
        }
      }
      return null;
    }
  }
}
