package dev.jugg.vd.window;

import android.graphics.FrameInfo;
import android.graphics.HardwareRenderer;
import android.graphics.HardwareRenderer.FrameCommitCallback;
import android.graphics.HardwareRenderer.FrameCompleteCallback;
import android.graphics.HardwareRenderer.FrameDrawingCallback;
import android.graphics.HardwareRendererObserver;
import android.os.Handler;
import android.view.FrameMetrics;
import android.view.FrameMetricsObserver;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowNativeHardwareRenderer;
import org.robolectric.util.ReflectionHelpers;

/**
 * Draws fewer frames than a screen would ask for. There is no screen: a picture is drawn when somebody takes one, and
 * what these frames draw is thrown away. On a device another thread and a GPU draw them; here it is the main thread's
 * processor, and an animation over the whole window would leave the app no time for anything else.
 *
 * <p>Tells who waits for a frame of it, which the native renderer does not without a surface; those frames are drawn.
 */
@Implements(className = "android.graphics.HardwareRenderer", callNativeMethodsByDefault = true)
public class HardwareRendererShadow extends ShadowNativeHardwareRenderer {
  /** Of the main thread's time at most one part in this many goes into frames. */
  private static final int SHARE = 10;

  /** Of android.view.FrameMetrics.Index: the times that the renderer adds, from here to the end. */
  private static final int SYNC_QUEUED = 12;
  private static final int SWAP_BUFFERS = 15;

  private final List<HardwareRendererObserver> observers = new ArrayList<>();
  private FrameDrawingCallback drawing;
  private FrameCommitCallback commit;
  private FrameCompleteCallback complete;
  private long restUntilNanos = System.nanoTime();
  private int lastResult = HardwareRenderer.SYNC_OK;
  private long frames;

  @Override
  @Implementation
  protected int syncAndDrawFrame(FrameInfo frame) {
    long begin = System.nanoTime();
    if (!isAwaited() && begin - restUntilNanos < 0) {
      // An animation of the renderer's own (a circular reveal) goes on with later frames.
      return lastResult & HardwareRenderer.SYNC_REDRAW_REQUESTED;
    }
    lastResult = super.syncAndDrawFrame(frame);
    long end = System.nanoTime();
    restUntilNanos = end + (end - begin) * (SHARE - 1);
    frames++;
    tellWaiting();
    for (HardwareRendererObserver observer : observers) {
      measured(observer, frame, begin, end);
    }
    return lastResult;
  }

  private boolean isAwaited() {
    return drawing != null || commit != null || complete != null || !observers.isEmpty();
  }

  /** Each is for one frame; what they call may ask for the next. */
  private void tellWaiting() {
    FrameDrawingCallback asked = drawing;
    FrameCommitCallback committed = commit;
    FrameCompleteCallback completed = complete;
    drawing = null;
    commit = null;
    complete = null;
    FrameCommitCallback further = asked == null ? null : asked.onFrameDraw(HardwareRenderer.SYNC_OK, frames);
    for (FrameCommitCallback each : Arrays.asList(further, committed)) {
      if (each != null) {
        each.onFrameCommit(true);
      }
    }
    if (completed != null) {
      completed.onFrameComplete();
    }
  }

  @Implementation
  protected void setFrameCallback(FrameDrawingCallback callback) {
    drawing = callback;
  }

  @Implementation
  protected void setFrameCommitCallback(FrameCommitCallback callback) {
    commit = callback;
  }

  @Implementation
  protected void setFrameCompleteCallback(FrameCompleteCallback callback) {
    complete = callback;
  }

  /** Each window has one of its own, for statistics that nobody reads here; others belong to who listens. */
  @Implementation
  protected void addObserver(HardwareRendererObserver observer) {
    if (ReflectionHelpers.getField(observer, "mListener") instanceof FrameMetricsObserver) {
      observers.add(observer);
    }
  }

  @Implementation
  protected void removeObserver(HardwareRendererObserver observer) {
    observers.remove(observer);
  }

  private static void measured(HardwareRendererObserver observer, FrameInfo frame, long begin, long end) {
    FrameMetricsObserver listener = ReflectionHelpers.getField(observer, "mListener");
    Handler handler = ReflectionHelpers.getField(observer, "mHandler");
    long[] known = frame.frameInfo.clone();
    handler.post(() -> {
      FrameMetrics metrics = ReflectionHelpers.getField(listener, "mFrameMetrics");
      long[] times = metrics.mTimingData;
      System.arraycopy(known, 0, times, 0, Math.min(known.length, SYNC_QUEUED));
      Arrays.fill(times, SYNC_QUEUED, SWAP_BUFFERS, begin);
      Arrays.fill(times, SWAP_BUFFERS, times.length, end);
      listener.onFrameMetricsAvailable(0);
    });
  }
}
