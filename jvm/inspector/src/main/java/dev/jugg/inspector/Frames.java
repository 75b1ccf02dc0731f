package dev.jugg.inspector;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Messages on the wire: length (unsigned 32 bit, big endian, bytes), then UTF-8 text. */
final class Frames {
    /** Dex files arrive in one message; nothing else comes near. */
    static final int MAX_BYTES = 64 << 20;

    private final DataInputStream in;
    private final DataOutputStream out;

    Frames(InputStream in, OutputStream out) {
        this.in = new DataInputStream(in);
        this.out = new DataOutputStream(out);
    }

    /** The next message, or {@code null} when the other side has closed the connection between two messages. */
    String read() throws IOException {
        int length;
        try {
            length = in.readInt();
        } catch (EOFException e) {
            return null;
        }
        if (length < 0 || length > MAX_BYTES) {
            throw new IOException("message of " + Integer.toUnsignedString(length) + " bytes");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    void write(String message) throws IOException {
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        byte[] frame = new byte[bytes.length + 4];
        for (int i = 0; i < 4; i++) {
            frame[i] = (byte) (bytes.length >>> (24 - 8 * i));
        }
        System.arraycopy(bytes, 0, frame, 4, bytes.length);
        out.write(frame);
        out.flush();
    }
}
