package dev.jugg.vd.window;

import android.os.IBinder;
import android.view.IWindow;
import android.view.View;
import android.view.ViewRootImpl;
import android.view.WindowManager.LayoutParams;
import android.view.WindowManagerGlobal;
import dev.jugg.vd.am.ActivityRecord;
import dev.jugg.vd.am.ActivityTasks;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.util.ReflectionHelpers;

/** The windows of this process as a window manager sees them. Main thread only. */
public final class Windows {
  private final ActivityTasks tasks;
  private ViewRootImpl focused;
  private long focusedSince;

  public Windows(ActivityTasks tasks) {
    this.tasks = tasks;
  }

  /** Those on the screen, bottom first. */
  public List<ShownWindow> shown() {
    List<ViewRootImpl> roots = roots();
    List<ShownWindow> shown = new ArrayList<>();
    for (ViewRootImpl root : roots) {
      View view = root.getView();
      if (view == null || view.getVisibility() != View.VISIBLE) {
        continue;
      }
      LayoutParams attributes = root.mWindowAttributes;
      ActivityRecord activity = activityOf(attributes, roots);
      boolean belongsToActivity = attributes.type <= LayoutParams.LAST_SUB_WINDOW;
      if (!belongsToActivity || (activity != null && activity.isVisible())) {
        shown.add(new ShownWindow(root, attributes, activity));
      }
    }
    return shown;
  }

  /** The one that gets keys, or null. */
  public ShownWindow focusedWindow() {
    for (ShownWindow window : shown()) {
      if (window.root() == focused) {
        return window;
      }
    }
    return null;
  }

  /** The window manager's policy: the topmost focusable window that has been laid out has the focus. */
  public void updateFocus() {
    ViewRootImpl wanted = null;
    ViewRootImpl main = null;
    for (ShownWindow window : shown()) {
      if (window.isFocusable() && window.view().getWidth() > 0) {
        wanted = window.root();
      }
      main = window.attributes().type == LayoutParams.TYPE_BASE_APPLICATION ? window.root() : main;
    }
    ScreenLayout.instance().setInFront(main == null ? null : tokenOf(main));
    if (wanted == focused) {
      return;
    }
    if (focused != null && roots().contains(focused)) {
      focused.windowFocusChanged(false);
    }
    if (wanted != null) {
      wanted.windowFocusChanged(true);
    }
    focused = wanted;
    SoftKeyboard.instance().focusMoved(wanted);
    focusedSince = System.nanoTime();
  }

  /** Since when, in {@code System.nanoTime()}, the window that has the focus has it: it is laid out then. */
  public long focusedSinceNanos() {
    return focusedSince;
  }

  /**
   * The window under the point that a touch goes to; modal windows take touches beside them too. Null when there is none,
   * and on the soft keyboard.
   */
  public ShownWindow at(float x, float y) {
    if (ScreenLayout.instance().isKeyboardShown() && SystemBars.now().keyboard().contains((int) x, (int) y)) {
      return null;
    }
    List<ShownWindow> shown = shown();
    for (int i = shown.size() - 1; i >= 0; i--) {
      ShownWindow window = shown.get(i);
      if (window.has(LayoutParams.FLAG_NOT_TOUCHABLE)) {
        continue;
      }
      boolean modal = window.isFocusable() && !window.has(LayoutParams.FLAG_NOT_TOUCH_MODAL);
      if (modal || window.bounds().contains((int) x, (int) y)) {
        return window;
      }
    }
    return null;
  }

  /** Windows above {@code target} that want to hear of touches beside them. */
  public List<ShownWindow> watchingOutside(ShownWindow target) {
    List<ShownWindow> watching = new ArrayList<>();
    boolean above = false;
    for (ShownWindow window : shown()) {
      if (above && window.has(LayoutParams.FLAG_WATCH_OUTSIDE_TOUCH)) {
        watching.add(window);
      }
      above = above || window.root() == target.root();
    }
    return watching;
  }

  private static List<ViewRootImpl> roots() {
    List<ViewRootImpl> roots = ReflectionHelpers.getField(WindowManagerGlobal.getInstance(), "mRoots");
    return new ArrayList<>(roots);
  }

  /** By token: that of the activity, or for sub-windows that of the parent window. */
  private ActivityRecord activityOf(LayoutParams attributes, List<ViewRootImpl> roots) {
    IBinder token = attributes.token;
    for (int depth = 0; depth < roots.size() && token != null; depth++) {
      ActivityRecord record = tasks.find(token);
      if (record != null) {
        return record;
      }
      token = parentToken(token, roots);
    }
    return null;
  }

  private static IBinder parentToken(IBinder windowToken, List<ViewRootImpl> roots) {
    for (ViewRootImpl root : roots) {
      if (hasToken(root, windowToken)) {
        return root.mWindowAttributes.token;
      }
    }
    return null;
  }

  private static boolean hasToken(ViewRootImpl root, IBinder windowToken) {
    return tokenOf(root) == windowToken;
  }

  /** By which the window manager knows the window. */
  static IBinder tokenOf(ViewRootImpl root) {
    IWindow window = ReflectionHelpers.getField(root, "mWindow");
    return window.asBinder();
  }
}
