package dev.jugg.inspector;

import android.os.Handler;
import android.os.Looper;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Work with views happens on the main thread, within a budget: a hung app is answered with BUSY, never waited for. */
final class MainThread {
    private static final Handler HANDLER = new Handler(Looper.getMainLooper());

    private MainThread() {}

    /** A plain message: it runs behind a layout that is due, so what it reads has been laid out. */
    static <T> T call(long budgetMs, Callable<T> work) throws InspectorException {
        FutureTask<T> task = new FutureTask<>(work);
        HANDLER.post(task);
        try {
            return task.get(budgetMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            HANDLER.removeCallbacks(task);
            throw new InspectorException("BUSY", "the main thread did not answer within " + budgetMs + " ms");
        } catch (InterruptedException e) {
            throw new InspectorException("BUSY", "interrupted");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof InspectorException) {
                throw (InspectorException) e.getCause();
            }
            if (e.getCause() instanceof RuntimeException) {
                throw (RuntimeException) e.getCause();
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    static void postDelayed(Runnable work, long delayMs) {
        HANDLER.postDelayed(work, delayMs);
    }

    static void await(CountDownLatch done, long budgetMs) throws InspectorException {
        try {
            if (done.await(budgetMs, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new InspectorException("BUSY", "the main thread did not finish within " + budgetMs + " ms");
    }
}
