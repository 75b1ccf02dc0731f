package dev.jugg.inspector;

import android.net.LocalServerSocket;
import android.net.LocalSocket;
import android.system.ErrnoException;
import android.system.Os;
import android.system.OsConstants;
import android.util.Log;
import java.io.IOException;

/** Accepts connections of the shell and root users; others are dropped before a byte of theirs is read. */
final class Server implements Runnable {
    private static final int ROOT_UID = 0;
    private static final int SHELL_UID = 2000;

    private final LocalServerSocket socket;
    private final Operations operations;

    Server(LocalServerSocket socket, Operations operations) {
        this.socket = socket;
        this.operations = operations;
    }

    @Override
    public void run() {
        try {
            while (true) {
                serve(socket.accept());
            }
        } catch (IOException e) {
            Log.i(Inspector.TAG, "stopped: " + e.getMessage());
        }
    }

    private void serve(LocalSocket client) {
        try {
            int uid = client.getPeerCredentials().getUid();
            if (uid != ROOT_UID && uid != SHELL_UID) {
                Log.w(Inspector.TAG, "refused uid " + uid);
                client.close();
                return;
            }
            Thread thread = new Thread(new Connection(client, operations, this::stop), "jugg-inspector-connection");
            thread.setDaemon(true);
            thread.start();
        } catch (IOException e) {
            Log.i(Inspector.TAG, "connection lost: " + e.getMessage());
        }
    }

    /** Gives the name free for another version of the inspector. */
    private void stop() {
        try {
            // Closing alone leaves a thread that waits in accept, and the name taken, until the next client comes.
            Os.shutdown(socket.getFileDescriptor(), OsConstants.SHUT_RDWR);
        } catch (ErrnoException | RuntimeException e) {
            Log.i(Inspector.TAG, "shutdown: " + e.getMessage());
        }
        try {
            socket.close();
        } catch (IOException e) {
            Log.i(Inspector.TAG, "close: " + e.getMessage());
        }
    }
}
