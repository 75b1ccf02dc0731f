package dev.jugg.inspector;

import android.graphics.Typeface;
import android.view.View;
import java.lang.reflect.Array;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONObject;

/** What an expression came to, as JSON: numbers, booleans and texts as such, short lists, anything else by its name. */
final class Values {
    private static final int MAX_TEXT = 500;
    private static final int MAX_ELEMENTS = 50;

    private Values() {}

    static String typeName(Getters.Value value) {
        if (value.object == null || value.declared.isPrimitive()) {
            return value.declared.getName();
        }
        Class<?> type = value.object.getClass();
        return type.isArray() ? type.getComponentType().getName() + "[]" : type.getName();
    }

    static Object toJson(Object value) {
        if (value == null) {
            return JSONObject.NULL;
        }
        if (value instanceof Boolean || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return value;
        }
        if (value instanceof Long) {
            // JSON numbers are doubles to those who read this.
            long number = (Long) value;
            return Math.abs(number) < 1L << 53 ? value : Long.toString(number);
        }
        if (value instanceof Float || value instanceof Double) {
            double number = ((Number) value).doubleValue();
            // By its digits: 16.8f is 16.799999237… as a double.
            return Double.isNaN(number) || Double.isInfinite(number) ? value.toString() : Double.valueOf(value.toString());
        }
        if (value instanceof CharSequence || value instanceof Character) {
            return cut(value.toString());
        }
        if (value instanceof Enum) {
            return ((Enum<?>) value).name();
        }
        if (value instanceof Class) {
            return ((Class<?>) value).getName();
        }
        if (value.getClass().isArray()) {
            return elements(value, Array.getLength(value));
        }
        if (value instanceof List && ReadOnlyApi.isFramework(value.getClass())) {
            return elements(((List<?>) value).toArray(), ((List<?>) value).size());
        }
        return cut(describe(value));
    }

    private static JSONArray elements(Object array, int length) {
        JSONArray result = new JSONArray();
        for (int i = 0; i < Math.min(length, MAX_ELEMENTS); i++) {
            Object element = Array.get(array, i);
            boolean nested = element != null && (element.getClass().isArray() || element instanceof List);
            result.put(nested ? describe(element) : toJson(element));
        }
        return result;
    }

    /** The framework's own words for its values; code of the app is not run to describe it. */
    private static String describe(Object value) {
        boolean isPlain = ReadOnlyApi.isFramework(value.getClass())
                && !(value instanceof View)
                && !(value instanceof Typeface)
                && !(value instanceof List);
        return isPlain ? value.toString() : value.getClass().getName() + "@" + Integer.toHexString(System.identityHashCode(value));
    }

    static String cut(String text) {
        if (text.length() <= MAX_TEXT) {
            return text;
        }
        // Half a character would be no text.
        int end = Character.isHighSurrogate(text.charAt(MAX_TEXT - 1)) ? MAX_TEXT - 1 : MAX_TEXT;
        return text.substring(0, end);
    }
}
