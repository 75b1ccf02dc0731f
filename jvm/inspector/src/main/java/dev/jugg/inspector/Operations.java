package dev.jugg.inspector;

import android.app.Application;
import android.os.Build;
import android.os.Process;
import org.json.JSONException;
import org.json.JSONObject;

/** What can be asked, by name. */
final class Operations {
    private final String version;
    private final Views views;
    private final Redefiner redefiner;

    Operations(String version, Views views, Redefiner redefiner) {
        this.version = version;
        this.views = views;
        this.redefiner = redefiner;
    }

    JSONObject run(String method, JSONObject params) throws InspectorException, JSONException {
        switch (method) {
            case "hello":
                return hello();
            case "ping":
                return MainThread.call(2_000, () -> new JSONObject().put("pid", Process.myPid()));
            case "tree":
                return views.tree(params.optBoolean("includeGone"));
            case "touch":
                return Touch.perform(params);
            case "text":
                return TextEntry.enter(params, views.refs);
            case "focus":
                return TextEntry.focus(params, views.refs);
            case "inspect":
                return Inspection.read(params, views.refs);
            case "activities":
                return Activities.list();
            case "recreateActivities":
                return Activities.recreate();
            case "redefine":
                return redefiner.redefine(params.getJSONArray("classes"));
            case "shutdown":
                return new JSONObject();
            default:
                throw new InspectorException("BAD_REQUEST", "no such method: " + method);
        }
    }

    private JSONObject hello() throws InspectorException, JSONException {
        Application app = (Application) Hidden.call("android.app.ActivityThread", null, "currentApplication");
        JSONObject result = new JSONObject();
        result.put("version", version);
        result.put("pid", Process.myPid());
        result.put("api", Build.VERSION.SDK_INT);
        result.put("package", app == null ? "" : app.getPackageName());
        return result.put("process", Hidden.call("android.app.ActivityThread", null, "currentProcessName"));
    }
}
