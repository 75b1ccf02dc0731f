package dev.jugg.inspector;

import java.util.HashMap;
import java.util.Map;

/** The text given to the agent: {@code key=value} pairs joined by {@code &}. */
final class Arguments {
    private final Map<String, String> values;

    private Arguments(Map<String, String> values) {
        this.values = values;
    }

    static Arguments parse(String text) {
        Map<String, String> values = new HashMap<>();
        for (String pair : text.split("&")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                values.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        return new Arguments(values);
    }

    int getInt(String key, int otherwise) {
        String value = values.get(key);
        return value == null ? otherwise : Integer.parseInt(value);
    }

    String get(String key) {
        String value = values.get(key);
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException("missing argument: " + key);
        }
        return value;
    }
}
