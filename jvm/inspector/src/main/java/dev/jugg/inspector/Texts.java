package dev.jugg.inspector;

import android.text.method.PasswordTransformationMethod;
import android.view.View;
import android.widget.TextView;
import org.json.JSONException;
import org.json.JSONObject;

/** The texts of a view. Passwords are shown as bullets, as accessibility does. */
final class Texts {
    private Texts() {}

    static boolean isPassword(View view) {
        return view instanceof TextView
                && ((TextView) view).getTransformationMethod() instanceof PasswordTransformationMethod;
    }

    static void put(JSONObject node, View view) throws JSONException {
        put(node, "desc", view.getContentDescription());
        if (view instanceof TextView) {
            TextView field = (TextView) view;
            put(node, "text", isPassword(view) ? bullets(field.length()) : field.getText());
            put(node, "hint", field.getHint());
        }
    }

    /** Nothing is put for {@code null}; an empty text is a text. */
    static void put(JSONObject node, String key, CharSequence text) throws JSONException {
        if (text != null) {
            String whole = text.toString();
            node.put(key, whole.length() > TreeLimits.MAX_TEXT ? whole.substring(0, TreeLimits.MAX_TEXT) : whole);
        }
    }

    static String bullets(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append('\u2022');
        }
        return text.toString();
    }
}
