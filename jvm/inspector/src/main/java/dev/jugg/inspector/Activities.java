package dev.jugg.inspector;

import android.app.Activity;
import android.content.ComponentName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** The activities of this process, as its own ActivityThread knows them. */
final class Activities {
    private static final long BUDGET_MS = 3_000;

    private Activities() {}

    static JSONObject list() throws InspectorException {
        return MainThread.call(
                BUDGET_MS,
                () -> {
                    JSONArray activities = new JSONArray();
                    for (Object record : records()) {
                        activities.put(describe(record));
                    }
                    return new JSONObject().put("activities", activities);
                });
    }

    /** Makes every activity that is not on its way out anew, with its saved state. */
    static JSONObject recreate() throws InspectorException {
        return MainThread.call(
                BUDGET_MS,
                () -> {
                    int count = 0;
                    for (Object record : records()) {
                        Activity activity = (Activity) Hidden.get(record, "activity");
                        if (activity != null && !activity.isFinishing() && !activity.isDestroyed()) {
                            activity.recreate();
                            count++;
                        }
                    }
                    return new JSONObject().put("activities", count);
                });
    }

    private static JSONObject describe(Object record) throws InspectorException, JSONException {
        Activity activity = (Activity) Hidden.get(record, "activity");
        ComponentName name = activity.getComponentName();
        boolean paused = (Boolean) Hidden.get(record, "paused");
        boolean stopped = (Boolean) Hidden.get(record, "stopped");
        JSONObject result = new JSONObject();
        result.put("component", name == null ? activity.getClass().getName() : name.flattenToShortString());
        result.put("state", stopped ? "STOPPED" : paused ? "PAUSED" : "RESUMED");
        result.put("finishing", activity.isFinishing());
        return result.put("title", String.valueOf(activity.getTitle()));
    }

    private static List<Object> records() throws InspectorException {
        Object thread = Hidden.call("android.app.ActivityThread", null, "currentActivityThread");
        if (thread == null) {
            return new ArrayList<>();
        }
        return new ArrayList<>(((Map<?, ?>) Hidden.get(thread, "mActivities")).values());
    }
}
