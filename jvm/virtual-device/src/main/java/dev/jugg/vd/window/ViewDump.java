package dev.jugg.vd.window;

import android.graphics.Rect;
import android.view.View;
import android.view.ViewGroup;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeProvider;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.jugg.vd.permission.SystemViewName;

/** The view trees of the shown windows as accessibility services see them, for uiautomator and dumpsys. Main thread only. */
public final class ViewDump {
  /** Of View.PFLAG_HAS_BOUNDS. */
  private static final int HAS_BOUNDS = 0x10;

  private String packageName;

  private ViewDump(String packageName) {
    this.packageName = packageName;
  }

  public static JsonObject of(Windows windows, String packageName) {
    ViewDump dump = new ViewDump(packageName);
    JsonArray all = new JsonArray();
    for (ShownWindow window : windows.shown()) {
      JsonObject entry = new JsonObject();
      entry.addProperty("title", window.title());
      entry.addProperty("type", window.type());
      dump.packageName = window.activity() == null ? packageName : window.activity().component().getPackageName();
      entry.add("root", dump.node(window.view(), true));
      all.add(entry);
    }
    JsonObject result = new JsonObject();
    result.add("windows", all);
    return result;
  }

  private JsonObject node(View view, boolean ancestorsVisible) {
    boolean visible = ancestorsVisible && view.getVisibility() == View.VISIBLE;
    JsonObject node = new JsonObject();
    AccessibilityNodeInfo info = infoOf(view);
    facts(node, info);
    node.add("boundsPx", bounds(view));
    node.addProperty("visible", visible);
    String id = resourceId(view);
    if (id != null) {
      node.addProperty("resourceId", id);
    }
    JsonArray children = new JsonArray();
    if (view instanceof ViewGroup group) {
      for (int i = 0; i < group.getChildCount(); i++) {
        children.add(node(group.getChildAt(i), visible));
      }
    }
    AccessibilityNodeProvider provider = view.getAccessibilityNodeProvider();
    if (provider != null) {
      addVirtual(children, provider, AccessibilityNodeProvider.HOST_VIEW_ID);
    }
    node.add("children", children);
    return node;
  }

  /**
   * Without the place among its siblings in the order of drawing, which nobody reads: to find it, each view looks at all
   * below all its siblings, most of the time of a dump. A view that has no bounds yet leaves it out.
   */
  private static AccessibilityNodeInfo infoOf(View view) {
    int bounds = view.mPrivateFlags & HAS_BOUNDS;
    view.mPrivateFlags &= ~HAS_BOUNDS;
    try {
      return view.createAccessibilityNodeInfo();
    } finally {
      view.mPrivateFlags |= bounds;
    }
  }

  /** Children that exist for accessibility only: Compose, and views that draw their parts themselves. */
  private void addVirtual(JsonArray children, AccessibilityNodeProvider provider, int parentId) {
    AccessibilityNodeInfo parent = provider.createAccessibilityNodeInfo(parentId);
    if (parent == null) {
      return;
    }
    for (int i = 0; i < parent.getChildCount(); i++) {
      int id = AccessibilityNodeInfo.getVirtualDescendantId(parent.getChildId(i));
      AccessibilityNodeInfo info =
          id == AccessibilityNodeProvider.HOST_VIEW_ID ? null : provider.createAccessibilityNodeInfo(id);
      if (info == null) {
        continue;
      }
      JsonObject node = new JsonObject();
      facts(node, info);
      Rect bounds = new Rect();
      info.getBoundsInScreen(bounds);
      node.add("boundsPx", array(bounds));
      node.addProperty("visible", info.isVisibleToUser());
      if (info.getViewIdResourceName() != null) {
        node.addProperty("resourceId", info.getViewIdResourceName());
      }
      JsonArray own = new JsonArray();
      addVirtual(own, provider, id);
      node.add("children", own);
      children.add(node);
    }
  }

  private void facts(JsonObject node, AccessibilityNodeInfo info) {
    node.addProperty("className", info.getClassName() == null ? "android.view.View" : info.getClassName().toString());
    if (info.getText() != null && info.getText().length() > 0) {
      node.addProperty("text", info.getText().toString());
    }
    if (info.getContentDescription() != null && info.getContentDescription().length() > 0) {
      node.addProperty("contentDesc", info.getContentDescription().toString());
    }
    node.addProperty("enabled", info.isEnabled());
    node.addProperty("clickable", info.isClickable());
    node.addProperty("longClickable", info.isLongClickable());
    node.addProperty("checkable", info.isCheckable());
    node.addProperty("checked", info.isChecked());
    node.addProperty("focusable", info.isFocusable());
    node.addProperty("focused", info.isFocused());
    node.addProperty("scrollable", info.isScrollable());
    node.addProperty("selected", info.isSelected());
    node.addProperty("password", info.isPassword());
    node.addProperty("package", packageName);
  }

  private static JsonArray bounds(View view) {
    int[] corner = new int[2];
    view.getLocationOnScreen(corner);
    return array(new Rect(corner[0], corner[1], corner[0] + view.getWidth(), corner[1] + view.getHeight()));
  }

  static JsonArray array(Rect rect) {
    JsonArray array = new JsonArray();
    array.add(rect.left);
    array.add(rect.top);
    array.add(rect.right);
    array.add(rect.bottom);
    return array;
  }

  /** {@code package:id/name}, or null for views without an id from a resource. */
  private static String resourceId(View view) {
    if (view.getTag() instanceof SystemViewName name) {
      return name.full();
    }
    int id = view.getId();
    boolean fromResource = id != View.NO_ID && (id >>> 24) != 0;
    if (!fromResource) {
      return null;
    }
    try {
      return view.getResources().getResourceName(id);
    } catch (android.content.res.Resources.NotFoundException e) {
      return null;
    }
  }
}
