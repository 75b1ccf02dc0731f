package dev.jugg.inspector;

import android.os.SystemClock;
import android.text.Editable;
import android.text.Selection;
import android.view.KeyEvent;
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

    /** Gives a view the focus, as a key of a keyboard needs it. */
    static JSONObject focus(JSONObject params, Refs refs) throws InspectorException {
        return MainThread.call(
                BUDGET_MS,
                () -> {
                    View view = refs.find(params.getInt("ref")).view();
                    return new JSONObject().put("focused", view != null && (view.isFocused() || view.requestFocus()));
                });
    }

    private static JSONObject type(JSONObject params, Refs refs) throws InspectorException, JSONException {
        View field = params.has("ref") ? refs.find(params.getInt("ref")).view() : focused();
        check(field);
        boolean wasFocused = field.isFocused();
        field.requestFocus();
        EditorInfo info = new EditorInfo();
        InputConnection connection = field.onCreateInputConnection(info);
        if (connection == null) {
            throw new InspectorException("NO_FIELD", field.getClass().getName() + " takes no text");
        }
        Editable content = field instanceof TextView ? ((TextView) field).getEditableText() : null;
        if (params.optBoolean("clear")) {
            clear(content, connection);
        } else if (!wasFocused && content != null) {
            // Nobody has put the cursor anywhere yet: people go on where the text ends.
            Selection.setSelection(content, content.length());
        }
        String text = params.optString("text");
        String expected = content == null ? null : inserted(content, text);
        if (!text.isEmpty()) {
            connection.commitText(text, 1);
        }
        connection.finishComposingText();
        JSONObject result = new JSONObject();
        if (content != null) {
            String holds = String.valueOf(((TextView) field).getText());
            result.put("verified", holds.equals(expected));
            result.put("password", Texts.isPassword(field));
            if (!Texts.isPassword(field)) {
                Texts.put(result, "text", holds);
            }
        }
        // Behind the reading: many apps empty the field when it is sent.
        if (params.optBoolean("submit")) {
            submit(field, info, connection);
        }
        return result;
    }

    private static void check(View field) throws InspectorException {
        if (field == null) {
            throw new InspectorException("NO_FIELD", "no text field has the focus");
        }
        String name = field.getClass().getName();
        if (!field.onCheckIsTextEditor()) {
            throw new InspectorException("NO_FIELD", name + " is not a text field");
        }
        if (!field.isEnabled() || !field.isShown()) {
            throw new InspectorException("NO_FIELD", name + (field.isEnabled() ? " is not shown" : " is disabled"));
        }
    }

    /** What the field holds when the text takes the place of the selection. */
    private static String inserted(Editable content, String text) {
        int length = content.length();
        int start = Selection.getSelectionStart(content);
        int end = Selection.getSelectionEnd(content);
        int from = start < 0 ? length : Math.min(start, end);
        int to = start < 0 ? length : Math.max(start, end);
        return content.subSequence(0, from) + text + content.subSequence(to, length);
    }

    private static void clear(Editable content, InputConnection connection) {
        if (content != null) {
            content.clear();
        } else {
            connection.deleteSurroundingText(Integer.MAX_VALUE, Integer.MAX_VALUE);
        }
    }

    /** The field's own action (search, send, done); a field without one gets the ENTER key. */
    private static void submit(View field, EditorInfo info, InputConnection connection) {
        int action = info.actionId != 0 ? info.actionId : info.imeOptions & EditorInfo.IME_MASK_ACTION;
        boolean hasAction = action != EditorInfo.IME_ACTION_UNSPECIFIED && action != EditorInfo.IME_ACTION_NONE;
        if (hasAction && (info.imeOptions & EditorInfo.IME_FLAG_NO_ENTER_ACTION) == 0) {
            connection.performEditorAction(action);
            return;
        }
        long now = SystemClock.uptimeMillis();
        field.dispatchKeyEvent(new KeyEvent(now, now, KeyEvent.ACTION_DOWN, KeyEvent.KEYCODE_ENTER, 0));
        field.dispatchKeyEvent(new KeyEvent(now, now, KeyEvent.ACTION_UP, KeyEvent.KEYCODE_ENTER, 0));
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
