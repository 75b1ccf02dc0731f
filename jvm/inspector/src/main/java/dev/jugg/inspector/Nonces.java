package dev.jugg.inspector;

import java.security.MessageDigest;
import java.nio.charset.StandardCharsets;

/**
 * The secrets of all who attached to this process. They are kept as a system property because a second attach loads
 * these classes anew, in a loader of its own, while the first one's socket goes on serving both.
 */
final class Nonces {
    private static final String PROPERTY = "dev.jugg.inspector.nonces";

    private Nonces() {}

    static void add(String nonce) {
        synchronized (System.class) {
            String known = System.getProperty(PROPERTY, "");
            if (!accepts(nonce)) {
                System.setProperty(PROPERTY, known.isEmpty() ? nonce : known + "," + nonce);
            }
        }
    }

    static boolean accepts(String nonce) {
        byte[] given = nonce.getBytes(StandardCharsets.UTF_8);
        boolean found = false;
        for (String known : System.getProperty(PROPERTY, "").split(",")) {
            // Compares in constant time, so that nobody can guess a nonce letter by letter.
            found |= !known.isEmpty() && MessageDigest.isEqual(known.getBytes(StandardCharsets.UTF_8), given);
        }
        return found;
    }
}
