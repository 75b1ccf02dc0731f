package dev.jugg.inspector;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What of the framework may be called: getters of classes that describe what is on the screen, without those that make
 * something, ask other processes, or lead out of the user interface.
 */
final class ReadOnlyApi {
    private static final Set<String> NAMES = set("toString length size isEmpty name ordinal hashCode");
    private static final String[] PREFIXES = {"get", "is", "has", "can", "should"};

    /** Classes whose getters all count, but for {@link #NEVER}. */
    private static final String[] PACKAGES = {"android.widget.", "android.graphics.", "android.text."};
    private static final Set<String> CLASSES = set(
            "android.view.View android.view.ViewGroup android.view.ViewGroup$LayoutParams"
                    + " android.view.ViewGroup$MarginLayoutParams android.view.TextureView android.view.SurfaceView"
                    + " android.view.accessibility.AccessibilityNodeInfo android.content.res.ColorStateList"
                    + " android.content.res.Configuration android.util.DisplayMetrics android.util.Size android.util.SizeF"
                    + " android.util.TypedValue android.os.LocaleList java.util.Locale java.lang.CharSequence"
                    + " java.lang.String java.lang.Enum java.lang.Object java.lang.Number java.lang.Integer"
                    + " java.lang.Long java.lang.Float java.lang.Double java.lang.Boolean java.lang.Character"
                    + " android.view.animation.Animation android.animation.Animator android.animation.ValueAnimator"
                    + " android.animation.ObjectAnimator");

    /** Getters that make something, wake something up, ask another process or hand out more than a value. */
    private static final Set<String> NEVER = set(
            "getDrawingCache getHandler getOverlay getViewTreeObserver getWindowInsetsController getAnimationMatrix"
                    + " getTextClassifier getTextClassificationContext getInputExtras getAudioSessionId getFilter"
                    + " getItemAtPosition getItemIdAtPosition getSelectedItem getSelectedItemId getItem getBitmap getSurfaceTexture getHolder getSurfaceControl"
                    + " getParent getChild getTraversalBefore getTraversalAfter getLabelFor getLabeledBy getWindow"
                    + " getExtraRenderingInfo getContentCaptureSession getAccessibilityNodeProvider"
                    + " getNextLocationOffset getViewTranslationResponse getPixel getNinePatchChunk getRunCharacterAdvance");

    /** Classes of which only these are called. */
    private static final Map<String, Set<String>> ONLY = new HashMap<>();

    static {
        ONLY.put("java.lang.Class", set("getName getSimpleName getTypeName toString isEnum isArray isInterface"));
        ONLY.put("android.content.Context", set("getPackageName getResources"));
        ONLY.put("android.content.ContextWrapper", set("getPackageName getResources getBaseContext"));
        ONLY.put("android.view.ContextThemeWrapper", set("getResources"));
        ONLY.put("android.app.Activity", set("getTitle getLocalClassName getTaskId isFinishing isDestroyed hasWindowFocus"));
        ONLY.put(
                "android.content.res.Resources",
                set(
                        "getDisplayMetrics getConfiguration getResourceName getResourceEntryName getResourceTypeName"
                                + " getResourcePackageName getString getText getInteger getBoolean getDimension"
                                + " getDimensionPixelSize getDimensionPixelOffset getColor"));
        ONLY.put(
                "android.webkit.WebView",
                set("getUrl getOriginalUrl getTitle getProgress getContentHeight canGoBack canGoForward"));
        for (String collection : new String[] {"java.util.Collection", "java.util.List", "java.util.Map"}) {
            ONLY.put(collection, set("size isEmpty get"));
        }
    }

    private ReadOnlyApi() {}

    static boolean isGetterName(String name) {
        if (NAMES.contains(name)) {
            return true;
        }
        for (String prefix : PREFIXES) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /** Nothing else can be in these packages: the system's loader comes before the app's. */
    static boolean isFramework(Class<?> type) {
        String name = type.getName();
        return name.startsWith("android.") || name.startsWith("java.") || name.startsWith("javax.")
                || name.startsWith("com.android.");
    }

    /** Whether the framework itself declares this method for {@code type}, in a class where it only reads. */
    static boolean allows(Class<?> type, Method method) {
        if (!isGetterName(method.getName())) {
            return false;
        }
        if (isFramework(type) && listed(type, method)) {
            return true;
        }
        for (Class<?> parent : type.getInterfaces()) {
            if (allows(parent, method)) {
                return true;
            }
        }
        return type.getSuperclass() != null && allows(type.getSuperclass(), method);
    }

    private static boolean listed(Class<?> type, Method method) {
        try {
            type.getDeclaredMethod(method.getName(), method.getParameterTypes());
        } catch (NoSuchMethodException e) {
            return false;
        }
        Set<String> only = ONLY.get(type.getName());
        if (only != null) {
            return only.contains(method.getName());
        }
        return !NEVER.contains(method.getName()) && (CLASSES.contains(type.getName()) || inPackage(type));
    }

    private static boolean inPackage(Class<?> type) {
        for (String name : PACKAGES) {
            if (type.getName().startsWith(name)) {
                return true;
            }
        }
        return false;
    }

    private static Set<String> set(String words) {
        return new HashSet<>(Arrays.asList(words.split(" ")));
    }
}
