package dev.jugg.inspector;

import android.view.View;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Numbers of views and of the virtual nodes in them: the same as long as the view lives, never given twice. Views are
 * held weakly, so that a ref keeps nothing alive.
 */
final class Refs {
    /** A view, or one of its virtual nodes. */
    static final class Target {
        private final WeakReference<View> view;
        /** Id of the virtual node, or -1 for the view itself. */
        final int virtualId;

        Target(View view, int virtualId) {
            this.view = new WeakReference<>(view);
            this.virtualId = virtualId;
        }

        View view() {
            return view.get();
        }
    }

    private final Map<View, Map<Integer, Integer>> numbers = new WeakHashMap<>();
    private final Map<Integer, Target> targets = new HashMap<>();
    private int last;
    private int sweepAt = 10_000;

    /** @param base the first number is one more: those that an earlier process of the app gave must not come again */
    Refs(int base) {
        last = base;
    }

    synchronized int of(View view, int virtualId) {
        Map<Integer, Integer> own = numbers.get(view);
        if (own == null) {
            own = new HashMap<>();
            numbers.put(view, own);
        }
        Integer known = own.get(virtualId);
        if (known != null) {
            return known;
        }
        sweep();
        last++;
        own.put(virtualId, last);
        targets.put(last, new Target(view, virtualId));
        return last;
    }

    /** The view that has this number, attached to a window; else STALE_REF. */
    synchronized Target find(int number) throws InspectorException {
        Target target = targets.get(number);
        View view = target == null ? null : target.view();
        if (view == null || !view.isAttachedToWindow()) {
            throw new InspectorException("STALE_REF", "e" + number + " is gone");
        }
        return target;
    }

    /** Long-lived screens make views without end (lists); entries of collected views must not pile up. */
    private void sweep() {
        if (targets.size() < sweepAt) {
            return;
        }
        targets.values().removeIf(target -> target.view() == null);
        sweepAt = Math.max(10_000, targets.size() * 2);
    }
}
