package dev.jugg.inspector;

import android.util.Base64;
import android.view.View;
import android.view.ViewGroup;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Hands new code to what loaded the inspector: an object with {@code int redefine(String[] names, byte[][] dexFiles)}
 * (0 for done, else nothing was changed) and {@code String lastError()}.
 */
final class Redefiner {
    private final Object host;

    Redefiner(Object host) {
        this.host = host;
    }

    JSONObject redefine(JSONArray classes) throws InspectorException, JSONException {
        String[] names = new String[classes.length()];
        byte[][] dexFiles = new byte[names.length][];
        for (int i = 0; i < names.length; i++) {
            JSONObject one = classes.getJSONObject(i);
            names[i] = one.getString("name");
            dexFiles[i] = Base64.decode(one.getString("dex"), Base64.DEFAULT);
        }
        long begun = System.nanoTime();
        int code = (Integer) call("redefine", new Class<?>[] {String[].class, byte[][].class}, names, dexFiles);
        if (code != 0) {
            throw new InspectorException("REDEFINE_FAILED", code + ": " + call("lastError", new Class<?>[0]));
        }
        long micros = (System.nanoTime() - begun) / 1_000;
        redraw();
        return new JSONObject().put("classes", names.length).put("micros", micros);
    }

    private Object call(String name, Class<?>[] types, Object... arguments) throws InspectorException {
        if (host == null) {
            throw new InspectorException("UNSUPPORTED", "nothing in this process can redefine classes");
        }
        try {
            Method method = host.getClass().getMethod(name, types);
            method.setAccessible(true);
            return method.invoke(host, arguments);
        } catch (InvocationTargetException e) {
            throw new InspectorException("REDEFINE_FAILED", String.valueOf(e.getCause()));
        } catch (ReflectiveOperationException e) {
            throw new InspectorException("UNSUPPORTED", e.toString());
        }
    }

    /** Code that draws and measures shall show what it does now; nothing else is run again. */
    private static void redraw() throws InspectorException {
        MainThread.call(
                3_000,
                () -> {
                    for (Windows.Window window : Windows.list()) {
                        invalidate(window.root);
                    }
                    return null;
                });
    }

    private static void invalidate(View view) {
        view.invalidate();
        view.requestLayout();
        if (view instanceof ViewGroup) {
            ViewGroup group = (ViewGroup) view;
            for (int i = 0; i < group.getChildCount(); i++) {
                invalidate(group.getChildAt(i));
            }
        }
    }
}
