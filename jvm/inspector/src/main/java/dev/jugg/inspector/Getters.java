package dev.jugg.inspector;

import android.text.Layout;
import android.view.View;
import android.widget.TextView;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** One step of an expression: a public field or a getter that only reads. */
final class Getters {
    /** What a step came to, and the type it was declared with. */
    static final class Value {
        final Object object;
        final Class<?> declared;

        Value(Object object, Class<?> declared) {
            this.object = object;
            this.declared = declared;
        }
    }

    /** Why a step was not taken. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;
        /** True when there is no such member; false when it may not be read, or threw. */
        final boolean missing;

        Refused(String message, boolean missing) {
            super(message);
            this.missing = missing;
        }
    }

    private final boolean allowAppGetters;

    Getters(boolean allowAppGetters) {
        this.allowAppGetters = allowAppGetters;
    }

    /**
     * @param isCall written with parentheses: a method of this very name; else a field, or the getter of a property
     * @param literal {@code null} without an argument
     */
    Value read(Object object, String name, boolean isCall, Object literal) throws Refused {
        Value found = isCall ? null : readField(object, name);
        if (found == null) {
            found = callFirst(object, isCall ? new String[] {name} : names(name), literal);
        }
        return guardPassword(object, found);
    }

    /** {@code text} means getText or isText; {@code getText} and {@code isShown} are taken as they are. */
    private static String[] names(String name) {
        String rest = Character.toUpperCase(name.charAt(0)) + name.substring(1);
        return ReadOnlyApi.isGetterName(name)
                ? new String[] {name, "get" + rest, "is" + rest}
                : new String[] {"get" + rest, "is" + rest};
    }

    private Value callFirst(Object object, String[] names, Object literal) throws Refused {
        for (String name : names) {
            Method method = Members.method(object.getClass(), name, literal);
            if (method != null) {
                if (!mayCall(object.getClass(), method)) {
                    throw new Refused(refusal(method), false);
                }
                return invoke(method, object, literal);
            }
        }
        String argument = literal == null ? "" : " with such an argument";
        throw new Refused(object.getClass().getName() + " has no " + String.join(" or ", names) + argument, true);
    }

    private static Value readField(Object object, String name) {
        Field field = Members.publicField(object.getClass(), name);
        if (field == null || Modifier.isStatic(field.getModifiers())) {
            return null;
        }
        try {
            field.setAccessible(true);
            return new Value(field.get(object), field.getType());
        } catch (IllegalAccessException | RuntimeException e) {
            return null;
        }
    }

    /**
     * The framework's own by the list; what an app overrides of it too, since the framework calls that itself. Of the
     * app's own methods those that a field of the same name and type stands behind.
     */
    private boolean mayCall(Class<?> type, Method method) {
        if (ReadOnlyApi.allows(type, method)) {
            return true;
        }
        boolean isApps = !ReadOnlyApi.isFramework(method.getDeclaringClass());
        boolean isGetter = method.getParameterTypes().length == 0 && method.getReturnType() != void.class;
        return isApps && isGetter && (allowAppGetters || Members.backingField(method) != null);
    }

    private static String refusal(Method method) {
        String name = method.getDeclaringClass().getName() + "." + method.getName();
        return ReadOnlyApi.isFramework(method.getDeclaringClass())
                ? name + " is not on the list of what only reads"
                : name + " is code of the app, not a plain getter";
    }

    private static Value invoke(Method method, Object object, Object literal) throws Refused {
        Class<?>[] types = method.getParameterTypes();
        try {
            method.setAccessible(true);
        } catch (RuntimeException e) {
            // A public method of a public class can be called all the same.
        }
        try {
            Object result = types.length == 0
                    ? method.invoke(object)
                    : method.invoke(object, Members.convert(literal, types[0]));
            return new Value(result, method.getReturnType());
        } catch (InvocationTargetException e) {
            throw new Refused(method.getName() + " threw " + e.getCause(), false);
        } catch (IllegalAccessException e) {
            throw new Refused(e.toString(), false);
        }
    }

    /** What is typed into a password field is shown as bullets, whichever way leads to it. */
    private static Value guardPassword(Object object, Value value) throws Refused {
        if (!(object instanceof View) || !Texts.isPassword((View) object)) {
            return value;
        }
        if (value.object instanceof Layout) {
            throw new Refused("the layout of a password is not shown", false);
        }
        boolean isText = value.object instanceof CharSequence
                && value.object.toString().contentEquals(((TextView) object).getText());
        return isText ? new Value(Texts.bullets(((TextView) object).length()), value.declared) : value;
    }
}
