package dev.jugg.inspector;

import android.text.Editable;
import android.view.View;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.InputConnection;
import android.widget.TextView;
import org.json.JSONException;
import org.json.JSONObject;

/** Text committed to a field as an input method does it, so filters and watchers of the app see it. */
final class TextEntry {
    private static final long BUDGET_MS = 3_000;

    private TextEntry() {}

    static JSONObject enter(JSONObject params, Refs refs) throws InspectorException {
        return MainThread.call(BUDGET_MS, () -> type(params, refs));
    }

    private static JSONObject type(JSONObject params, Refs refs) throws InspectorException, JSONException {
        View field = params.has("ref") ? refs.find(params.getInt("ref")).view() : focused();
        if (field == null || !field.onCheckIsTextEditor()) {
            throw new InspectorException("NO_FIELD", "no text field has the focus");
        }
        field.requestFocus();
        EditorInfo info = new EditorInfo();
        InputConnection connection = field.onCreateInputConnection(info);
        if (connection == null) {
            throw new InspectorException("NO_FIELD", field.getClass().getName() + " takes no text");
        }
        if (params.optBoolean("clear")) {
            clear(field, connection);
        }
        connection.commitText(params.optString("text"), 1);
        if (params.optBoolean("submit")) {
            connection.performEditorAction(info.imeOptions & EditorInfo.IME_MASK_ACTION);
        }
        JSONObject result = new JSONObject();
        if (field instanceof TextView && !Texts.isPassword(field)) {
            result.put("text", String.valueOf(((TextView) field).getText()));
        }
        return result;
    }

    private static void clear(View field, InputConnection connection) {
        Editable editable = field instanceof TextView ? ((TextView) field).getEditableText() : null;
        if (editable != null) {
            editable.clear();
        } else {
            connection.deleteSurroundingText(Integer.MAX_VALUE, Integer.MAX_VALUE);
        }
    }

    private static View focused() throws InspectorException {
        View found = null;
        for (Windows.Window window : Windows.list()) {
            View here = window.root.findFocus();
            if (here != null && (found == null || window.root.hasWindowFocus())) {
                found = here;
            }
        }
        return found;
    }
}
