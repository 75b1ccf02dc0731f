package dev.jugg.inspector;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** Finds members of classes by name, and turns a literal into what a parameter wants. */
final class Members {
    /** Of overloads the narrowest type that a literal fits wins. */
    private static final Class<?>[] PARAMETERS = {
        boolean.class, int.class, long.class, float.class, double.class, String.class, CharSequence.class, Object.class
    };

    private Members() {}

    /** A public method without parameters, or with one that the literal fits; {@code null} when there is none. */
    static Method method(Class<?> type, String name, Object literal) {
        if (literal == null) {
            return callable(type, name);
        }
        for (Class<?> parameter : PARAMETERS) {
            if (fits(literal, parameter)) {
                Method found = callable(type, name, parameter);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    /** Declared where everybody may call it, if it is anywhere: in a public class or an interface. */
    private static Method callable(Class<?> type, String name, Class<?>... parameters) {
        Method method;
        try {
            method = type.getMethod(name, parameters);
        } catch (NoSuchMethodException e) {
            return null;
        }
        if (Modifier.isStatic(method.getModifiers())) {
            return null;
        }
        if (Modifier.isPublic(method.getDeclaringClass().getModifiers())) {
            return method;
        }
        Method open = inPublicType(type, name, parameters);
        return open == null ? method : open;
    }

    private static Method inPublicType(Class<?> type, String name, Class<?>... parameters) {
        if (type == null) {
            return null;
        }
        if (Modifier.isPublic(type.getModifiers())) {
            try {
                return type.getDeclaredMethod(name, parameters);
            } catch (NoSuchMethodException e) {
                // It may be further up.
            }
        }
        for (Class<?> parent : type.getInterfaces()) {
            Method found = inPublicType(parent, name, parameters);
            if (found != null) {
                return found;
            }
        }
        return inPublicType(type.getSuperclass(), name, parameters);
    }

    static Field publicField(Class<?> type, String name) {
        try {
            return type.getField(name);
        } catch (NoSuchFieldException e) {
            return null;
        }
    }

    /** The field that a getter like {@code getStep} returns by convention: {@code step}, {@code mStep} or {@code isStep}. */
    static Field backingField(Method getter) {
        String name = getter.getName();
        int prefix = name.startsWith("is") ? 2 : 3;
        if (name.length() <= prefix) {
            return null;
        }
        String rest = name.substring(prefix);
        String lower = Character.toLowerCase(rest.charAt(0)) + rest.substring(1);
        for (String candidate : new String[] {lower, "m" + rest, "is" + rest, name}) {
            try {
                Field field = getter.getDeclaringClass().getDeclaredField(candidate);
                if (field.getType() == getter.getReturnType()) {
                    return field;
                }
            } catch (NoSuchFieldException e) {
                // The next convention.
            }
        }
        return null;
    }

    static Object convert(Object literal, Class<?> type) {
        if (!(literal instanceof Number)) {
            return literal;
        }
        Number number = (Number) literal;
        if (type == int.class) {
            return number.intValue();
        }
        if (type == long.class) {
            return number.longValue();
        }
        if (type == float.class) {
            return number.floatValue();
        }
        return type == double.class ? (Object) number.doubleValue() : number;
    }

    private static boolean fits(Object literal, Class<?> type) {
        if (literal instanceof Boolean) {
            return type == boolean.class || type == Object.class;
        }
        if (literal instanceof String) {
            return type == String.class || type == CharSequence.class || type == Object.class;
        }
        boolean isWhole = literal instanceof Integer || literal instanceof Long;
        if (type == int.class) {
            return literal instanceof Integer;
        }
        return type == long.class ? isWhole : type == float.class || type == double.class || type == Object.class;
    }
}
