package dev.jugg.inspector;

import android.net.LocalSocket;
import android.util.Log;
import java.io.IOException;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * One client: requests {@code {id, method, params}}, answers {@code {id, result}} or {@code {id, error: {code, message}}},
 * one after the other. The first request is {@code hello} with the nonce; anything else ends the connection.
 */
final class Connection implements Runnable {
    private final LocalSocket socket;
    private final Operations operations;
    private final Runnable stopServer;

    Connection(LocalSocket socket, Operations operations, Runnable stopServer) {
        this.socket = socket;
        this.operations = operations;
        this.stopServer = stopServer;
    }

    @Override
    public void run() {
        try (LocalSocket open = socket) {
            Frames frames = new Frames(open.getInputStream(), open.getOutputStream());
            boolean known = false;
            for (String text = frames.read(); text != null; text = frames.read()) {
                JSONObject request = new JSONObject(text);
                if (!known) {
                    known = greets(request);
                    if (!known) {
                        frames.write(error(request, "UNAUTHORIZED", "the first request must be hello with the nonce"));
                        return;
                    }
                }
                frames.write(answer(request));
            }
        } catch (IOException | JSONException e) {
            Log.i(Inspector.TAG, "connection ended: " + e.getMessage());
        }
    }

    private static boolean greets(JSONObject request) {
        JSONObject params = request.optJSONObject("params");
        return "hello".equals(request.optString("method"))
                && params != null
                && Nonces.accepts(params.optString("nonce"));
    }

    private String answer(JSONObject request) throws JSONException {
        String method = request.optString("method");
        JSONObject params = request.optJSONObject("params");
        try {
            if (method.equals("shutdown")) {
                stopServer.run();
            }
            JSONObject result = operations.run(method, params == null ? new JSONObject() : params);
            return new JSONObject().put("id", request.opt("id")).put("result", result).toString();
        } catch (InspectorException e) {
            return error(request, e.code, e.getMessage());
        } catch (JSONException e) {
            return error(request, "BAD_REQUEST", e.getMessage());
        } catch (RuntimeException | LinkageError e) {
            // Views of apps throw what they like; the answer says so and the connection goes on.
            return error(request, "FAILED", e.toString());
        }
    }

    private static String error(JSONObject request, String code, String message) throws JSONException {
        JSONObject error = new JSONObject().put("code", code).put("message", message);
        return new JSONObject().put("id", request.opt("id")).put("error", error).toString();
    }
}
