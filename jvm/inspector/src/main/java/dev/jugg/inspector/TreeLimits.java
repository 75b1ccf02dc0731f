package dev.jugg.inspector;

/** What keeps a huge or endless tree from blocking the app; a tree that hit one of them says {@code truncated}. */
final class TreeLimits {
    static final int MAX_NODES = 20_000;
    static final int MAX_DEPTH = 200;
    static final int MAX_TEXT = 1_000;
    static final long MAX_MILLIS = 4_000;

    private final long deadlineNanos = System.nanoTime() + MAX_MILLIS * 1_000_000;
    private int nodes;
    private boolean truncated;

    /** Counts one more node; false when no more may be read. */
    boolean take(int depth) {
        boolean fits = nodes < MAX_NODES && depth <= MAX_DEPTH && System.nanoTime() < deadlineNanos;
        if (fits) {
            nodes++;
        } else {
            truncated = true;
        }
        return fits;
    }

    int nodes() {
        return nodes;
    }

    boolean truncated() {
        return truncated;
    }
}
