package dev.jugg.inspector;

import android.view.View;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeProvider;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Reads values of one view by chains of getters: {@code {ref, expressions: [[{name, call, arg?}]], allowAppGetters?}} is
 * answered with {@code {values: [{value, type} | {error, missing}]}}, one for each chain, in order.
 */
final class Inspection {
    private static final long BUDGET_MS = 3_000;
    private static final int MAX_ERROR = 300;

    private Inspection() {}

    static JSONObject read(JSONObject params, Refs refs) throws InspectorException, JSONException {
        JSONArray expressions = params.getJSONArray("expressions");
        boolean allowAppGetters = params.optBoolean("allowAppGetters");
        Refs.Target target = refs.find(params.getInt("ref"));
        return MainThread.call(
                BUDGET_MS,
                () -> {
                    Object root = root(target);
                    JSONArray values = new JSONArray();
                    for (int i = 0; i < expressions.length(); i++) {
                        values.put(evaluate(root, expressions.getJSONArray(i), new Getters(allowAppGetters)));
                    }
                    return new JSONObject().put("values", values);
                });
    }

    /** The view, or the accessibility node of something that the view draws by itself. */
    private static Object root(Refs.Target target) throws InspectorException {
        View view = target.view();
        if (view == null) {
            throw new InspectorException("STALE_REF", "the view is gone");
        }
        if (target.virtualId < 0) {
            return view;
        }
        AccessibilityNodeProvider provider = view.getAccessibilityNodeProvider();
        AccessibilityNodeInfo node = provider == null ? null : provider.createAccessibilityNodeInfo(target.virtualId);
        if (node == null) {
            throw new InspectorException("STALE_REF", "the node is gone");
        }
        return node;
    }

    private static JSONObject evaluate(Object root, JSONArray steps, Getters getters) throws JSONException {
        Getters.Value value = new Getters.Value(root, root.getClass());
        for (int i = 0; i < steps.length(); i++) {
            JSONObject step = steps.getJSONObject(i);
            String name = step.getString("name");
            if (value.object == null) {
                return failed("null has no " + name, false);
            }
            try {
                value = getters.read(value.object, name, step.getBoolean("call"), step.opt("arg"));
            } catch (Getters.Refused e) {
                return failed(e.getMessage(), e.missing);
            } catch (RuntimeException | LinkageError e) {
                return failed(e.toString(), false);
            }
        }
        return new JSONObject().put("value", Values.toJson(value.object)).put("type", Values.typeName(value));
    }

    private static JSONObject failed(String message, boolean missing) throws JSONException {
        String cut = message.length() > MAX_ERROR ? message.substring(0, MAX_ERROR) : message;
        return new JSONObject().put("error", cut).put("missing", missing);
    }
}
