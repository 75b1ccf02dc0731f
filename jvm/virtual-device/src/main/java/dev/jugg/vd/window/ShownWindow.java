package dev.jugg.vd.window;

import android.graphics.Rect;
import android.view.View;
import android.view.ViewRootImpl;
import android.view.WindowManager.LayoutParams;
import dev.jugg.vd.am.ActivityRecord;
import dev.jugg.vd.permission.PermissionRequest;
import org.robolectric.util.ReflectionHelpers;

/** One window on the screen. {@code activity} is the activity that it belongs to, or null (toasts, overlays). */
public record ShownWindow(ViewRootImpl root, LayoutParams attributes, ActivityRecord activity) {
  public View view() {
    return root.getView();
  }

  /** {@code activity|dialog|popup|toast}. */
  public String type() {
    int type = attributes.type;
    if (type == LayoutParams.TYPE_BASE_APPLICATION) {
      return "activity";
    }
    if (type == LayoutParams.TYPE_TOAST) {
      return "toast";
    }
    return type < LayoutParams.FIRST_SUB_WINDOW ? "dialog" : "popup";
  }

  /** As the window manager names windows: what the window calls itself, else the component of its activity. */
  public String title() {
    CharSequence title = attributes.getTitle();
    boolean isSystem = activity != null && activity.component().getPackageName().equals(PermissionRequest.CONTROLLER);
    if (!isSystem && title != null && title.length() > 0) {
      return title.toString();
    }
    return activity == null ? "" : activity.component().flattenToString();
  }

  public boolean isSecure() {
    return has(LayoutParams.FLAG_SECURE);
  }

  public boolean isFocusable() {
    return !has(LayoutParams.FLAG_NOT_FOCUSABLE);
  }

  boolean has(int flag) {
    return (attributes.flags & flag) != 0;
  }

  /** How far the content is moved up, in px, so that the soft keyboard does not cover what is typed into. */
  int pannedBy() {
    return ReflectionHelpers.<Integer>getField(root, "mCurScrollY");
  }

  /** On the screen, in px. */
  public Rect bounds() {
    int[] corner = new int[2];
    view().getLocationOnScreen(corner);
    corner[1] += pannedBy();
    return new Rect(corner[0], corner[1], corner[0] + view().getWidth(), corner[1] + view().getHeight());
  }
}
