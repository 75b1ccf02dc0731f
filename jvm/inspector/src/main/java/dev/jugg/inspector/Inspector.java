package dev.jugg.inspector;

import android.net.LocalServerSocket;
import android.util.Log;
import java.io.IOException;

/**
 * Entry of Jugg's code in an app's process. The agent that loads it calls {@link #start}; from then on it answers the
 * shell and root users over an abstract socket, as long as the process lives.
 */
public final class Inspector {
    static final String TAG = "JuggInspector";

    private Inspector() {}

    /**
     * @param args {@code socket=<abstract name>&nonce=<secret>&version=<any text>&base=<number>}; see {@link Refs} for the base
     * @param host what can redefine classes in this process; see {@link Redefiner}
     */
    public static void start(String args, Object host) throws IOException {
        Arguments arguments = Arguments.parse(args);
        Nonces.add(arguments.get("nonce"));
        LocalServerSocket socket;
        try {
            socket = new LocalServerSocket(arguments.get("socket"));
        } catch (IOException e) {
            // An earlier start in this process holds the name. It reads the same list of nonces, so it serves this caller too.
            Log.i(TAG, "already listening: " + e.getMessage());
            return;
        }
        Views views = new Views(new Refs(arguments.getInt("base", 0)));
        Operations operations = new Operations(arguments.get("version"), views, new Redefiner(host));
        Thread thread = new Thread(new Server(socket, operations), "jugg-inspector");
        thread.setDaemon(true);
        thread.start();
    }
}
