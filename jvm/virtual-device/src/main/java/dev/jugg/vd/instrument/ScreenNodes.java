package dev.jugg.vd.instrument;

import android.graphics.Rect;
import android.os.Bundle;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowAccessibilityNodeInfo;
import org.robolectric.shadows.ShadowAccessibilityWindowInfo;

/** The windows of the app in front as accessibility nodes, out of its view dump. */
final class ScreenNodes {
  private ScreenNodes() {}

  /** Topmost first, as UiAutomation.getWindows answers them. */
  static List<AccessibilityWindowInfo> windows() {
    JsonObject dump = Outside.ask("viewDump", new JsonObject());
    List<AccessibilityWindowInfo> windows = new ArrayList<>();
    if (dump == null || !dump.has("windows")) {
      return windows;
    }
    int layer = 0;
    for (JsonElement element : dump.getAsJsonArray("windows")) {
      windows.add(window(element.getAsJsonObject(), layer++));
    }
    Collections.reverse(windows);
    if (!windows.isEmpty()) {
      ShadowAccessibilityWindowInfo top = Shadow.extract(windows.get(0));
      top.setActive(true);
      top.setFocused(true);
    }
    return windows;
  }

  private static AccessibilityWindowInfo window(JsonObject json, int layer) {
    AccessibilityWindowInfo window = new AccessibilityWindowInfo();
    ShadowAccessibilityWindowInfo shadow = Shadow.extract(window);
    AccessibilityNodeInfo root = node(json.getAsJsonObject("root"));
    Rect bounds = new Rect();
    root.getBoundsInScreen(bounds);
    shadow.setRoot(root);
    shadow.setType(AccessibilityWindowInfo.TYPE_APPLICATION);
    shadow.setTitle(json.get("title").getAsString());
    shadow.setBoundsInScreen(bounds);
    shadow.setId(layer + 1);
    shadow.setLayer(layer);
    return window;
  }

  private static AccessibilityNodeInfo node(JsonObject json) {
    AccessibilityNodeInfo node = AccessibilityNodeInfo.obtain();
    JsonArray px = json.getAsJsonArray("boundsPx");
    Rect bounds = new Rect(px.get(0).getAsInt(), px.get(1).getAsInt(), px.get(2).getAsInt(), px.get(3).getAsInt());
    node.setBoundsInScreen(bounds);
    node.setClassName(json.get("className").getAsString());
    node.setPackageName(json.get("package").getAsString());
    node.setText(text(json, "text"));
    node.setContentDescription(text(json, "contentDesc"));
    node.setViewIdResourceName(text(json, "resourceId"));
    node.setVisibleToUser(flag(json, "visible"));
    node.setEnabled(flag(json, "enabled"));
    node.setClickable(flag(json, "clickable"));
    node.setLongClickable(flag(json, "longClickable"));
    node.setCheckable(flag(json, "checkable"));
    node.setChecked(flag(json, "checked"));
    node.setFocusable(flag(json, "focusable"));
    node.setFocused(flag(json, "focused"));
    node.setScrollable(flag(json, "scrollable"));
    node.setSelected(flag(json, "selected"));
    node.setPassword(flag(json, "password"));
    ShadowAccessibilityNodeInfo shadow = Shadow.extract(node);
    shadow.setOnPerformActionListener((action, arguments) -> perform(action, arguments, bounds));
    for (JsonElement child : json.getAsJsonArray("children")) {
      shadow.addChild(node(child.getAsJsonObject()));
    }
    return node;
  }

  /** Actions are touches and keys: what a finger could not do is not done. */
  private static boolean perform(int action, Bundle arguments, Rect bounds) {
    switch (action) {
      case AccessibilityNodeInfo.ACTION_CLICK:
      case AccessibilityNodeInfo.ACTION_FOCUS:
        return touch(bounds.exactCenterX(), bounds.exactCenterY(), 0);
      case AccessibilityNodeInfo.ACTION_LONG_CLICK:
        return touch(bounds.exactCenterX(), bounds.exactCenterY(), 600);
      default:
        return false;
    }
  }

  static boolean touch(float x, float y, long durationMillis) {
    JsonObject params = new JsonObject();
    params.addProperty("x", x);
    params.addProperty("y", y);
    params.addProperty("durationMs", durationMillis);
    return handled(Outside.ask("tap", params));
  }

  static boolean handled(JsonObject answer) {
    return answer != null && flag(answer, "handled");
  }

  private static String text(JsonObject json, String name) {
    return json.has(name) ? json.get(name).getAsString() : null;
  }

  private static boolean flag(JsonObject json, String name) {
    return json.has(name) && json.get(name).getAsBoolean();
  }
}
