package dev.jugg.inspector;

import android.graphics.Rect;
import org.json.JSONArray;

final class Json {
    private Json() {}

    static JSONArray bounds(Rect rect) {
        return new JSONArray().put(rect.left).put(rect.top).put(rect.right).put(rect.bottom);
    }

    static void flag(JSONArray flags, String name, boolean set) {
        if (set) {
            flags.put(name);
        }
    }
}
