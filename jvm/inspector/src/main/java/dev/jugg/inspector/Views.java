package dev.jugg.inspector;

import android.graphics.Rect;
import android.util.DisplayMetrics;
import android.view.Display;
import android.view.View;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** The view trees of all windows. */
final class Views {
    final Refs refs;

    Views(Refs refs) {
        this.refs = refs;
    }

    JSONObject tree(boolean includeGone) throws InspectorException {
        return MainThread.call(TreeLimits.MAX_MILLIS + 1_000, () -> read(includeGone));
    }

    private JSONObject read(boolean includeGone) throws InspectorException, JSONException {
        long begun = System.nanoTime();
        TreeLimits limits = new TreeLimits();
        ViewReader reader = new ViewReader(refs, includeGone, limits);
        JSONArray windows = new JSONArray();
        JSONObject result = new JSONObject();
        for (Windows.Window window : Windows.list()) {
            View root = window.root;
            Rect screen = screen(root, result);
            Area area = Area.ofRoot(root, screen);
            boolean shown = root.getWindowVisibility() == View.VISIBLE;
            JSONObject node = reader.read(root, area, shown, 0);
            if (node == null) {
                continue;
            }
            JSONObject entry = new JSONObject();
            entry.put("type", window.type());
            entry.put("title", String.valueOf(window.params.getTitle()));
            entry.put("focused", root.hasWindowFocus());
            entry.put("px", Json.bounds(area.bounds));
            entry.put("root", node);
            windows.put(entry);
        }
        result.put("windows", windows).put("nodes", limits.nodes()).put("truncated", limits.truncated());
        return result.put("micros", (System.nanoTime() - begun) / 1_000);
    }

    /** The whole display, which is also what {@code screencap} shows; its facts are put into {@code result}. */
    private static Rect screen(View root, JSONObject result) throws JSONException {
        Display display = root.getDisplay();
        DisplayMetrics metrics = new DisplayMetrics();
        display.getRealMetrics(metrics);
        JSONObject screen = new JSONObject();
        screen.put("width", metrics.widthPixels);
        screen.put("height", metrics.heightPixels);
        screen.put("rotation", display.getRotation());
        screen.put("density", root.getResources().getConfiguration().densityDpi);
        result.put("screen", screen);
        return new Rect(0, 0, metrics.widthPixels, metrics.heightPixels);
    }
}
