package dev.jugg.sample.parts;

import android.graphics.Rect;
import android.graphics.RectF;
import android.os.Bundle;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeProvider;

/** The accessibility nodes of a {@link StepBar}: the bar itself, and one virtual node a step. */
final class StepNodes extends AccessibilityNodeProvider {

    private final StepBar bar;

    StepNodes(StepBar bar) {
        this.bar = bar;
    }

    @Override
    public AccessibilityNodeInfo createAccessibilityNodeInfo(int virtualViewId) {
        return virtualViewId == HOST_VIEW_ID ? host() : step(virtualViewId);
    }

    @Override
    public boolean performAction(int virtualViewId, int action, Bundle arguments) {
        if (virtualViewId == HOST_VIEW_ID) {
            return bar.performAccessibilityAction(action, arguments);
        }
        if (action != AccessibilityNodeInfo.ACTION_CLICK || virtualViewId >= bar.size()) {
            return false;
        }
        bar.choose(virtualViewId);
        return true;
    }

    private AccessibilityNodeInfo host() {
        AccessibilityNodeInfo node = AccessibilityNodeInfo.obtain(bar);
        bar.onInitializeAccessibilityNodeInfo(node);
        for (int index = 0; index < bar.size(); index++) {
            node.addChild(bar, index);
        }
        return node;
    }

    private AccessibilityNodeInfo step(int index) {
        if (index < 0 || index >= bar.size()) {
            return null;
        }
        AccessibilityNodeInfo node = AccessibilityNodeInfo.obtain(bar, index);
        node.setPackageName(bar.getContext().getPackageName());
        node.setClassName("android.widget.RadioButton");
        node.setParent(bar);
        node.setText(bar.label(index));
        node.setContentDescription(bar.getResources().getString(R.string.step_description, bar.stepAt(index)));
        node.setCheckable(true);
        node.setChecked(bar.isChosen(index));
        node.setClickable(true);
        node.setFocusable(true);
        node.setEnabled(bar.isEnabled());
        node.setVisibleToUser(bar.isShown());
        node.addAction(AccessibilityNodeInfo.AccessibilityAction.ACTION_CLICK);
        node.setBoundsInScreen(onScreen(index));
        return node;
    }

    private Rect onScreen(int index) {
        RectF inBar = new RectF();
        bar.bounds(index, inBar);
        int[] origin = new int[2];
        bar.getLocationOnScreen(origin);
        inBar.offset(origin[0], origin[1]);
        Rect result = new Rect();
        inBar.roundOut(result);
        return result;
    }
}
