package dev.jugg.sample.counter;

import android.content.res.Resources;

/** The line above the number. */
final class Greeting {

    private Greeting() {}

    static String of(Resources resources, String name) {
        String trimmed = name.trim();
        if (trimmed.isEmpty()) {
            return resources.getString(R.string.greeting_nobody);
        }
        return resources.getString(R.string.greeting, trimmed);
    }
}
