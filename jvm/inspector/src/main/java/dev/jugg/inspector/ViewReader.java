package dev.jugg.inspector;

import android.content.res.Resources;
import android.view.View;
import android.view.ViewGroup;
import android.widget.Checkable;
import java.util.HashMap;
import java.util.Map;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Reads views as JSON; see the inspector's protocol in the host's {@code inspector-wire.ts} for the keys. */
final class ViewReader {
    private final Refs refs;
    private final boolean includeGone;
    private final TreeLimits limits;
    private final VirtualReader virtual;
    private final Map<Integer, String> idNames = new HashMap<>();

    ViewReader(Refs refs, boolean includeGone, TreeLimits limits) {
        this.refs = refs;
        this.includeGone = includeGone;
        this.limits = limits;
        this.virtual = new VirtualReader(refs, limits);
    }

    /** The view with all below it, or {@code null} when it is left out. */
    JSONObject read(View view, Area area, boolean shownAbove, int depth) throws JSONException {
        boolean shown = shownAbove && view.getVisibility() == View.VISIBLE && view.getAlpha() > 0;
        if (!includeGone && view.getVisibility() != View.VISIBLE || !limits.take(depth)) {
            return null;
        }
        JSONObject node = new JSONObject();
        node.put("ref", refs.of(view, -1));
        node.put("class", view.getClass().getName());
        node.put("px", Json.bounds(area.bounds));
        JSONArray flags = new JSONArray();
        node.put("flags", flags);
        if (shown && area.onScreen()) {
            flags.put("visible");
        }
        try {
            describe(node, view, flags);
        } catch (RuntimeException | LinkageError e) {
            // Getters are the app's code: what one of them throws costs this node some fields, nothing more.
            node.put("error", e.toString());
        }
        JSONArray children = new JSONArray();
        if (view instanceof ViewGroup) {
            addChildren(children, (ViewGroup) view, area, shown, depth + 1);
        }
        virtual.addNodes(children, node, view, area, shown, depth + 1);
        if (children.length() > 0) {
            node.put("children", children);
        }
        return node;
    }

    private void addChildren(JSONArray into, ViewGroup group, Area area, boolean shown, int depth) throws JSONException {
        for (int i = 0; i < group.getChildCount(); i++) {
            View child = group.getChildAt(i);
            JSONObject node = child == null ? null : read(child, area.ofChild(group, child), shown, depth);
            if (node != null) {
                into.put(node);
            }
        }
    }

    private void describe(JSONObject node, View view, JSONArray flags) throws JSONException {
        if (view.getId() != View.NO_ID) {
            String name = idName(view);
            if (name != null) {
                node.put("id", name);
            }
        }
        if (view.getVisibility() != View.VISIBLE) {
            node.put("visibility", view.getVisibility() == View.GONE ? "gone" : "invisible");
        }
        if (view.getAlpha() != 1) {
            node.put("alpha", view.getAlpha());
        }
        Json.flag(flags, "enabled", view.isEnabled());
        Json.flag(flags, "clickable", view.isClickable());
        Json.flag(flags, "longClickable", view.isLongClickable());
        Json.flag(flags, "focusable", view.isFocusable());
        Json.flag(flags, "focused", view.isFocused());
        Json.flag(flags, "selected", view.isSelected());
        if (view instanceof Checkable) {
            flags.put("checkable");
            Json.flag(flags, "checked", ((Checkable) view).isChecked());
        }
        Json.flag(flags, "password", Texts.isPassword(view));
        Json.flag(flags, "editable", view.onCheckIsTextEditor());
        Texts.put(node, view);
        Json.flag(
                flags,
                "scrollable",
                view.canScrollVertically(1)
                        || view.canScrollVertically(-1)
                        || view.canScrollHorizontally(1)
                        || view.canScrollHorizontally(-1));
    }

    private String idName(View view) {
        int id = view.getId();
        if (!idNames.containsKey(id)) {
            String name = null;
            // Without a package in its highest byte an id is no resource; the framework would log a warning for each.
            boolean isResource = id >>> 24 != 0 && view.getResources() != null;
            try {
                name = isResource ? view.getResources().getResourceName(id) : null;
            } catch (Resources.NotFoundException e) {
                // Ids made by View.generateViewId have no name.
            }
            idNames.put(id, name);
        }
        return idNames.get(id);
    }
}
