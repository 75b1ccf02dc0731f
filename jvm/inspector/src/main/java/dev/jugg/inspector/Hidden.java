package dev.jugg.inspector;

import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** Reflection on members that Android hides; a missing one is UNSUPPORTED and named. */
final class Hidden {
    private Hidden() {}

    static Object call(String className, Object target, String method) throws InspectorException {
        try {
            Method found = Class.forName(className).getDeclaredMethod(method);
            found.setAccessible(true);
            return found.invoke(target);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new InspectorException("UNSUPPORTED", className + "." + method + ": " + e);
        }
    }

    static Object get(Object target, String field) throws InspectorException {
        for (Class<?> type = target.getClass(); type != null; type = type.getSuperclass()) {
            try {
                Field found = type.getDeclaredField(field);
                found.setAccessible(true);
                return found.get(target);
            } catch (NoSuchFieldException e) {
                continue;
            } catch (IllegalAccessException | RuntimeException e) {
                throw new InspectorException("UNSUPPORTED", type.getName() + "." + field + ": " + e);
            }
        }
        throw new InspectorException("UNSUPPORTED", target.getClass().getName() + "." + field + " is not there");
    }
}
