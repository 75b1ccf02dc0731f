package dev.jugg.inspector;

import android.graphics.Matrix;
import android.graphics.Rect;
import android.graphics.RectF;
import android.view.View;
import android.view.ViewGroup;

/** Where a view lies on the screen, scaling, rotation and scrolling above it included, and what of it is not cut off. */
final class Area {
    final Rect bounds;
    private final Matrix toScreen;
    private final Rect clip;

    private Area(Matrix toScreen, Rect clip, int width, int height) {
        this.toScreen = toScreen;
        this.clip = clip;
        RectF mapped = new RectF(0, 0, width, height);
        toScreen.mapRect(mapped);
        this.bounds = new Rect();
        mapped.round(bounds);
    }

    static Area ofRoot(View root, Rect screen) {
        int[] at = new int[2];
        root.getLocationOnScreen(at);
        Matrix toScreen = new Matrix();
        toScreen.setTranslate(at[0], at[1]);
        return new Area(toScreen, screen, root.getWidth(), root.getHeight());
    }

    Area ofChild(ViewGroup parent, View child) {
        Matrix matrix = new Matrix(toScreen);
        matrix.preTranslate(child.getLeft() - parent.getScrollX(), child.getTop() - parent.getScrollY());
        if (!child.getMatrix().isIdentity()) {
            matrix.preConcat(child.getMatrix());
        }
        Rect inner = clip;
        if (parent.getClipChildren()) {
            inner = new Rect(clip);
            if (!inner.intersect(bounds)) {
                inner.setEmpty();
            }
        }
        return new Area(matrix, inner, child.getWidth(), child.getHeight());
    }

    /** Whether at least a part is on the screen and not cut off by a view above. */
    boolean onScreen() {
        return onScreen(bounds);
    }

    boolean onScreen(Rect part) {
        return !part.isEmpty() && Rect.intersects(part, clip);
    }
}
