package dev.jugg.client;

import android.app.Activity;
import android.content.ContentResolver;
import android.content.Intent;
import android.content.UriPermission;
import android.database.Cursor;
import android.net.Uri;
import android.os.ParcelFileDescriptor;
import android.provider.OpenableColumns;
import android.util.Log;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;

/** Does with a file of another app what it may, and tries what it may not. */
final class Shared {
  private static final Uri FILES = Uri.parse("content://dev.jugg.fixture.files/files");
  private static final Uri OPEN = Uri.parse("content://dev.jugg.fixture.open");

  private final ContentResolver resolver;

  Shared(Activity activity) {
    resolver = activity.getContentResolver();
  }

  void use(Intent intent) {
    final Uri stream = intent.getParcelableExtra(Intent.EXTRA_STREAM);
    final Uri kept = Uri.withAppendedPath(FILES, "kept.txt");
    say("stream", () -> text(stream));
    say("columns", () -> columns(stream));
    say("position", () -> position(stream));
    say("pipe", () -> lines(intent.getClipData().getItemAt(0).getUri()));
    say("write", () -> write(stream, "w"));
    say("other", () -> text(Uri.withAppendedPath(FILES, "secret.txt")));
    say("kept", () -> write(kept, "wa") + text(kept));
    say("take", () -> {
      resolver.takePersistableUriPermission(kept, Intent.FLAG_GRANT_READ_URI_PERMISSION);
      return "taken";
    });
    say("takeOther", () -> {
      resolver.takePersistableUriPermission(stream, Intent.FLAG_GRANT_READ_URI_PERMISSION);
      return "taken";
    });
    say("missing", () -> text(Uri.withAppendedPath(OPEN, "missing.txt")));
    say("path", () -> text(Uri.withAppendedPath(OPEN, "secret/read.txt")));
    say("open", () -> text(Uri.withAppendedPath(OPEN, "read.txt")));
    say("openWrite", () -> write(Uri.withAppendedPath(OPEN, "read.txt"), "w"));
    later();
  }

  /** In a process that was given nothing. */
  void later() {
    say("persisted", () -> {
      String all = "";
      for (UriPermission permission : resolver.getPersistedUriPermissions()) {
        all += permission.getUri() + " " + permission.isReadPermission() + " " + permission.isWritePermission();
      }
      return all;
    });
    say("keptLater", () -> text(Uri.withAppendedPath(FILES, "kept.txt")));
    say("last", () -> text(Uri.withAppendedPath(FILES, "read.txt")));
  }

  private String text(Uri uri) throws IOException {
    try (InputStream in = resolver.openInputStream(uri)) {
      byte[] bytes = new byte[100];
      int length = in.read(bytes);
      return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
  }

  private String lines(Uri uri) throws IOException {
    int count = 0;
    String last = null;
    try (BufferedReader in = new BufferedReader(new InputStreamReader(resolver.openInputStream(uri)))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        count++;
        last = line;
      }
    }
    return count + " " + last;
  }

  private String position(Uri uri) throws IOException {
    try (ParcelFileDescriptor descriptor = resolver.openFileDescriptor(uri, "r")) {
      FileInputStream in = new FileInputStream(descriptor.getFileDescriptor());
      return descriptor.getStatSize() + " " + in.skip(5) + " " + (char) in.read();
    }
  }

  private String write(Uri uri, String mode) throws IOException {
    try (OutputStream out = resolver.openOutputStream(uri, mode)) {
      out.write(" changed".getBytes(StandardCharsets.UTF_8));
    }
    return "written ";
  }

  private String columns(Uri uri) {
    try (Cursor cursor = resolver.query(uri, new String[] {OpenableColumns.DISPLAY_NAME, OpenableColumns.SIZE}, null, null, null)) {
      cursor.moveToFirst();
      return cursor.getString(0) + " " + cursor.getLong(1) + " " + resolver.getType(uri);
    }
  }

  private static void say(String what, Callable<String> work) {
    String result;
    try {
      result = work.call();
    } catch (Exception e) {
      result = e.getClass().getSimpleName() + " " + e.getMessage();
    }
    Log.i("Fixture", "client " + what + ": " + result);
  }
}
