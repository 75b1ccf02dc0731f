package dev.jugg.sample.parts;

import android.content.Context;
import android.content.res.TypedArray;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import android.graphics.RectF;
import android.os.Bundle;
import android.os.Parcelable;
import android.util.AttributeSet;
import android.util.TypedValue;
import android.view.MotionEvent;
import android.view.ViewGroup;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityNodeProvider;

/**
 * A row of step sizes to choose from. It draws them itself: for the view system it is one view without children, for
 * accessibility it has one virtual node a step.
 */
public final class StepBar extends ViewGroup {

    /** Is told which step was chosen. */
    public interface OnStepListener {
        void onStep(int step);
    }

    private static final int[] STEPS = {1, 2, 5, 10};
    private static final String KEY_PARENT = "parent";
    private static final String KEY_CHOSEN = "chosen";

    private final Paint fill = new Paint(Paint.ANTI_ALIAS_FLAG);
    private final Paint text = new Paint(Paint.ANTI_ALIAS_FLAG);
    private final RectF chip = new RectF();
    private final int color;
    private final StepNodes nodes = new StepNodes(this);
    private OnStepListener listener;
    private int chosen;

    public StepBar(Context context, AttributeSet attributes) {
        super(context, attributes);
        TypedArray values = context.obtainStyledAttributes(attributes, R.styleable.StepBar);
        color = values.getColor(R.styleable.StepBar_stepColor, Color.DKGRAY);
        values.recycle();
        text.setTextAlign(Paint.Align.CENTER);
        text.setTextSize(px(TypedValue.COMPLEX_UNIT_SP, 16));
        setWillNotDraw(false);
    }

    public int getStep() {
        return STEPS[chosen];
    }

    public void setOnStepListener(OnStepListener listener) {
        this.listener = listener;
    }

    int size() {
        return STEPS.length;
    }

    int stepAt(int index) {
        return STEPS[index];
    }

    boolean isChosen(int index) {
        return index == chosen;
    }

    /** Where the step is drawn, in px of this view. */
    void bounds(int index, RectF out) {
        float gap = px(TypedValue.COMPLEX_UNIT_DIP, 8);
        float width = (getWidth() - gap * (STEPS.length - 1)) / STEPS.length;
        float left = index * (width + gap);
        out.set(left, 0, left + width, getHeight());
    }

    void choose(int index) {
        chosen = index;
        invalidate();
        sendAccessibilityEvent(AccessibilityEvent.TYPE_WINDOW_CONTENT_CHANGED);
        if (listener != null) {
            listener.onStep(STEPS[index]);
        }
    }

    @Override
    protected void onDraw(Canvas canvas) {
        float radius = px(TypedValue.COMPLEX_UNIT_DIP, 12);
        for (int index = 0; index < STEPS.length; index++) {
            boolean isChosen = index == chosen;
            bounds(index, chip);
            fill.setColor(isChosen ? color : Color.WHITE);
            text.setColor(isChosen ? Color.WHITE : color);
            canvas.drawRoundRect(chip, radius, radius, fill);
            float baseline = chip.centerY() - (text.ascent() + text.descent()) / 2;
            canvas.drawText(label(index), chip.centerX(), baseline, text);
        }
    }

    String label(int index) {
        return getResources().getString(R.string.step_text, STEPS[index]);
    }

    @Override
    public boolean onTouchEvent(MotionEvent event) {
        if (event.getActionMasked() == MotionEvent.ACTION_UP) {
            for (int index = 0; index < STEPS.length; index++) {
                bounds(index, chip);
                if (chip.contains(event.getX(), event.getY())) {
                    performClick();
                    choose(index);
                }
            }
        }
        return true;
    }

    @Override
    public boolean performClick() {
        return super.performClick();
    }

    @Override
    public AccessibilityNodeProvider getAccessibilityNodeProvider() {
        return nodes;
    }

    @Override
    protected void onLayout(boolean changed, int left, int top, int right, int bottom) {
        // There are no children to place.
    }

    @Override
    protected Parcelable onSaveInstanceState() {
        Bundle state = new Bundle();
        state.putParcelable(KEY_PARENT, super.onSaveInstanceState());
        state.putInt(KEY_CHOSEN, chosen);
        return state;
    }

    @Override
    protected void onRestoreInstanceState(Parcelable state) {
        Bundle saved = (Bundle) state;
        super.onRestoreInstanceState(saved.getParcelable(KEY_PARENT));
        chosen = saved.getInt(KEY_CHOSEN);
    }

    private float px(int unit, float value) {
        return TypedValue.applyDimension(unit, value, getResources().getDisplayMetrics());
    }
}
