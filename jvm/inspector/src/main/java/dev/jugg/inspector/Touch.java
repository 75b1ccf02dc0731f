package dev.jugg.inspector;

import android.os.SystemClock;
import android.view.InputDevice;
import android.view.MotionEvent;
import android.view.View;
import android.view.ViewConfiguration;
import android.view.WindowManager;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * One gesture of one finger, dispatched to the window that the system would give it to. It takes its real time, since
 * apps measure it: long presses, flings and double taps come from clocks and handlers.
 */
final class Touch {
    /** Distance in time between two moves: a frame at 60 Hz. */
    private static final long FRAME_MS = 16;
    /** A tap shorter than this would be no tap to a person. */
    private static final long TAP_MS = 40;
    private static final long BUDGET_MS = 5_000;

    private final float x;
    private final float y;
    private final float endX;
    private final float endY;
    private final long holdMs;
    private final long moveMs;
    private final CountDownLatch done = new CountDownLatch(1);
    private long downTime;
    private View root;
    private float offsetX;
    private float offsetY;
    private volatile boolean handled;
    private volatile String problem;

    private Touch(JSONObject params) throws JSONException, InspectorException {
        x = (float) params.getDouble("x");
        y = (float) params.getDouble("y");
        endX = (float) params.optDouble("endX", x);
        endY = (float) params.optDouble("endY", y);
        long duration = params.optLong("durationMs", TAP_MS);
        switch (params.getString("action")) {
            case "tap":
            case "long-press":
                holdMs = duration;
                moveMs = 0;
                break;
            case "swipe":
                holdMs = 0;
                moveMs = duration;
                break;
            case "drag":
                // A drag begins with a long press on what is dragged.
                holdMs = ViewConfiguration.getLongPressTimeout() + 100L;
                moveMs = duration;
                break;
            default:
                throw new InspectorException("BAD_REQUEST", "action " + params.getString("action"));
        }
    }

    static JSONObject perform(JSONObject params) throws InspectorException, JSONException {
        Touch touch = new Touch(params);
        MainThread.postDelayed(touch::down, 0);
        MainThread.await(touch.done, touch.holdMs + touch.moveMs + BUDGET_MS);
        if (touch.problem != null) {
            throw new InspectorException("NO_WINDOW", touch.problem);
        }
        return new JSONObject().put("handled", touch.handled);
    }

    private void down() {
        try {
            choose(Windows.list());
        } catch (InspectorException e) {
            problem = e.getMessage();
        }
        if (root == null) {
            problem = problem == null ? "no window takes touches at " + x + ", " + y : problem;
            done.countDown();
            return;
        }
        downTime = SystemClock.uptimeMillis();
        send(MotionEvent.ACTION_DOWN, x, y);
        MainThread.postDelayed(this::next, moveMs > 0 ? holdMs : Math.max(holdMs, TAP_MS));
    }

    /** One move, or the end when the time is over. */
    private void next() {
        long moved = SystemClock.uptimeMillis() - downTime - holdMs;
        if (moveMs == 0 || moved >= moveMs) {
            if (moveMs > 0) {
                send(MotionEvent.ACTION_MOVE, endX, endY);
            }
            send(MotionEvent.ACTION_UP, endX, endY);
            done.countDown();
            return;
        }
        float part = (float) moved / moveMs;
        send(MotionEvent.ACTION_MOVE, x + (endX - x) * part, y + (endY - y) * part);
        MainThread.postDelayed(this::next, FRAME_MS);
    }

    private void send(int action, float atX, float atY) {
        MotionEvent event =
                MotionEvent.obtain(downTime, SystemClock.uptimeMillis(), action, atX - offsetX, atY - offsetY, 0);
        event.setSource(InputDevice.SOURCE_TOUCHSCREEN);
        boolean sent = false;
        try {
            handled |= root.dispatchTouchEvent(event);
            sent = true;
        } finally {
            event.recycle();
            if (!sent) {
                // What the app throws must end it, as it would have without us; the caller is told first.
                problem = "the app threw an exception while it handled the touch";
                done.countDown();
            }
        }
    }

    /** The topmost window that is shown and takes touches here; a modal one takes also those beside it. */
    private void choose(List<Windows.Window> windows) {
        for (int i = windows.size() - 1; i >= 0; i--) {
            Windows.Window window = windows.get(i);
            int[] at = new int[2];
            window.root.getLocationOnScreen(at);
            boolean inside =
                    x >= at[0] && y >= at[1] && x < at[0] + window.root.getWidth() && y < at[1] + window.root.getHeight();
            boolean modal = !window.has(WindowManager.LayoutParams.FLAG_NOT_TOUCH_MODAL);
            if (window.root.isShown()
                    && !window.has(WindowManager.LayoutParams.FLAG_NOT_TOUCHABLE)
                    && !window.type().equals("toast")
                    && (inside || modal)) {
                root = window.root;
                offsetX = at[0];
                offsetY = at[1];
                return;
            }
        }
    }
}
