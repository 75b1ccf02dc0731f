package dev.jugg.inspector;

import android.graphics.Rect;
import android.view.View;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeProvider;
import java.lang.reflect.Method;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Nodes that a view draws by itself and tells accessibility about; they are read as children of that view. */
final class VirtualReader {
    private final Refs refs;
    private final TreeLimits limits;

    VirtualReader(Refs refs, TreeLimits limits) {
        this.refs = refs;
        this.limits = limits;
    }

    void addNodes(JSONArray into, JSONObject owner, View view, Area area, boolean shown, int depth) throws JSONException {
        try {
            AccessibilityNodeProvider provider = view.getAccessibilityNodeProvider();
            AccessibilityNodeInfo host =
                    provider == null ? null : provider.createAccessibilityNodeInfo(AccessibilityNodeProvider.HOST_VIEW_ID);
            if (host != null) {
                addChildren(into, view, provider, host, area, shown, depth);
            }
        } catch (RuntimeException | LinkageError | ReflectiveOperationException e) {
            String before = owner.optString("error");
            owner.put("error", (before.isEmpty() ? "" : before + "; ") + "virtual nodes: " + e);
        }
    }

    private void addChildren(
            JSONArray into,
            View view,
            AccessibilityNodeProvider provider,
            AccessibilityNodeInfo parent,
            Area area,
            boolean shown,
            int depth)
            throws JSONException, ReflectiveOperationException {
        for (int i = 0; i < parent.getChildCount(); i++) {
            int id = childId(parent, i);
            // A child without a virtual id is a real view; it is read as one.
            if (id == AccessibilityNodeProvider.HOST_VIEW_ID) {
                continue;
            }
            AccessibilityNodeInfo info = provider.createAccessibilityNodeInfo(id);
            if (info == null || !limits.take(depth)) {
                continue;
            }
            JSONObject node = node(view, id, info, area, shown);
            JSONArray children = new JSONArray();
            addChildren(children, view, provider, info, area, shown, depth + 1);
            if (children.length() > 0) {
                node.put("children", children);
            }
            into.put(node);
        }
    }

    /** Ids are hidden in a long that holds the view's id as well. */
    private static int childId(AccessibilityNodeInfo parent, int index) throws ReflectiveOperationException {
        Method getChildId = AccessibilityNodeInfo.class.getMethod("getChildId", int.class);
        Method getVirtualId = AccessibilityNodeInfo.class.getMethod("getVirtualDescendantId", long.class);
        Object packed = getChildId.invoke(parent, index);
        return (Integer) getVirtualId.invoke(null, packed);
    }

    private JSONObject node(View view, int id, AccessibilityNodeInfo info, Area area, boolean shown) throws JSONException {
        Rect bounds = new Rect();
        info.getBoundsInScreen(bounds);
        JSONObject node = new JSONObject();
        node.put("ref", refs.of(view, id));
        node.put("kind", "virtual");
        node.put("class", info.getClassName() == null ? "android.view.View" : info.getClassName().toString());
        node.put("px", Json.bounds(bounds));
        if (info.getViewIdResourceName() != null) {
            node.put("id", info.getViewIdResourceName());
        }
        Texts.put(node, "text", info.getText());
        Texts.put(node, "desc", info.getContentDescription());
        JSONArray flags = new JSONArray();
        Json.flag(flags, "visible", shown && info.isVisibleToUser() && area.onScreen(bounds));
        Json.flag(flags, "enabled", info.isEnabled());
        Json.flag(flags, "clickable", info.isClickable());
        Json.flag(flags, "longClickable", info.isLongClickable());
        Json.flag(flags, "focusable", info.isFocusable());
        Json.flag(flags, "focused", info.isFocused());
        Json.flag(flags, "selected", info.isSelected());
        Json.flag(flags, "checkable", info.isCheckable());
        Json.flag(flags, "checked", info.isChecked());
        Json.flag(flags, "password", info.isPassword());
        Json.flag(flags, "editable", info.isEditable());
        Json.flag(flags, "scrollable", info.isScrollable());
        node.put("flags", flags);
        return node;
    }
}
