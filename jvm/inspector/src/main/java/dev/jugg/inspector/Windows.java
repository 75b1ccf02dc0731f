package dev.jugg.inspector;

import android.view.View;
import android.view.ViewGroup;
import android.view.WindowManager;
import java.util.ArrayList;
import java.util.List;

/** The windows of this process, in the order in which they were added: the topmost last. */
final class Windows {
    static final class Window {
        final View root;
        final WindowManager.LayoutParams params;

        Window(View root, WindowManager.LayoutParams params) {
            this.root = root;
            this.params = params;
        }

        /** activity, dialog, popup, toast or system. */
        String type() {
            int type = params.type;
            if (type == WindowManager.LayoutParams.TYPE_BASE_APPLICATION
                    || type == WindowManager.LayoutParams.TYPE_APPLICATION_STARTING) {
                return "activity";
            }
            // TYPE_APPLICATION_ATTACHED_DIALOG is a sub window that a dialog makes.
            if (type <= WindowManager.LayoutParams.LAST_APPLICATION_WINDOW
                    || type == WindowManager.LayoutParams.TYPE_APPLICATION_ATTACHED_DIALOG) {
                return "dialog";
            }
            if (type <= WindowManager.LayoutParams.LAST_SUB_WINDOW) {
                return "popup";
            }
            return type == WindowManager.LayoutParams.TYPE_TOAST ? "toast" : "system";
        }

        boolean has(int flag) {
            return (params.flags & flag) != 0;
        }
    }

    private Windows() {}

    static List<Window> list() throws InspectorException {
        Object global = Hidden.call("android.view.WindowManagerGlobal", null, "getInstance");
        List<Window> windows = new ArrayList<>();
        for (View root : roots(global)) {
            ViewGroup.LayoutParams params = root.getLayoutParams();
            if (params instanceof WindowManager.LayoutParams && root.isAttachedToWindow()) {
                windows.add(new Window(root, (WindowManager.LayoutParams) params));
            }
        }
        return windows;
    }

    @SuppressWarnings("unchecked")
    private static List<View> roots(Object global) throws InspectorException {
        return new ArrayList<>((List<View>) Hidden.get(global, "mViews"));
    }
}
