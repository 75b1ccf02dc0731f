package dev.jugg.vd.binder;

import android.content.AttributionSource;
import android.content.ContentProvider;
import android.content.ContentResolver;
import android.content.ContentValues;
import android.database.Cursor;
import android.net.Uri;
import android.os.Bundle;
import android.os.ParcelFileDescriptor;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.jugg.vd.BoundApp;
import dev.jugg.vd.host.protocol.Request;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.robolectric.shadows.ShadowContentResolver;
import org.robolectric.util.ReflectionHelpers;

/** What the shell's {@code content} asks of a provider of this process, with the output of AOSP's Content.java. */
final class ShellContent {
  private ShellContent() {}

  /** On a binder thread; what the provider throws is part of the answer. */
  static void answer(Request request) {
    JsonObject params = request.params();
    JsonObject result = new JsonObject();
    ProcessBinder.awaitProviders();
    Thread.currentThread().setContextClassLoader(BoundApp.current().loader());
    int uid = params.get("callerUid").getAsInt();
    BinderShadow.Caller before = BinderShadow.setCaller(new BinderShadow.Caller(0, uid));
    try {
      Uri uri = Uri.parse(params.get("uri").getAsString());
      ContentProvider provider = ShadowContentResolver.getProvider(uri);
      if (provider == null || provider instanceof RemoteProvider) {
        throw new IllegalStateException("Could not find provider: " + uri.getAuthority());
      }
      Object caller = ProviderCalls.setCaller(
          provider, new AttributionSource.Builder(uid).setPackageName("com.android.shell").build());
      try {
        String text = run(params.get("verb").getAsString(), provider, uri, params);
        if (text != null) {
          result.addProperty("text", text);
        }
      } finally {
        ProviderCalls.setCaller(provider, (AttributionSource) caller);
      }
    } catch (IOException | RuntimeException e) {
      result.addProperty("trouble", e.toString());
    } finally {
      BinderShadow.setCaller(before);
    }
    request.answer(result);
  }

  private static String run(String verb, ContentProvider provider, Uri uri, JsonObject params) throws IOException {
    Bundle extras = bundle(params.getAsJsonArray("extras"));
    switch (verb) {
      case "query" -> {
        put(extras, ContentResolver.QUERY_ARG_SQL_SELECTION, params, "where");
        put(extras, ContentResolver.QUERY_ARG_SQL_SORT_ORDER, params, "sort");
        try (Cursor cursor = provider.query(uri, strings(params, "projection"), extras, null)) {
          return rows(cursor);
        }
      }
      case "insert" -> provider.insert(uri, values(params), extras);
      case "update" -> {
        put(extras, ContentResolver.QUERY_ARG_SQL_SELECTION, params, "where");
        provider.update(uri, values(params), extras);
      }
      case "delete" -> {
        put(extras, ContentResolver.QUERY_ARG_SQL_SELECTION, params, "where");
        provider.delete(uri, extras);
      }
      case "call" -> {
        String method = params.get("method").getAsString();
        Bundle result = provider.call(uri.getAuthority(), method, Components.text(params, "argument"), extras);
        if (result != null) {
          result.size();
        }
        return "Result: " + result + "\n";
      }
      case "gettype" -> {
        return "Result: " + provider.getType(uri) + "\n";
      }
      case "read" -> read(provider, uri, params.get("file").getAsString());
      case "write" -> write(provider, uri, params.get("file").getAsString());
      default -> throw new IllegalArgumentException("Unsupported operation: " + verb);
    }
    return null;
  }

  private static void read(ContentProvider provider, Uri uri, String file) throws IOException {
    try (InputStream in = new ParcelFileDescriptor.AutoCloseInputStream(opened(provider, uri, "r"));
        OutputStream out = new FileOutputStream(file)) {
      in.transferTo(out);
    }
  }

  private static void write(ContentProvider provider, Uri uri, String file) throws IOException {
    try (InputStream in = new FileInputStream(file);
        OutputStream out = new ParcelFileDescriptor.AutoCloseOutputStream(opened(provider, uri, "w"))) {
      in.transferTo(out);
    }
  }

  private static ParcelFileDescriptor opened(ContentProvider provider, Uri uri, String mode) throws IOException {
    return Objects.requireNonNull(provider.openFile(uri, mode), "no file");
  }

  private static String rows(Cursor cursor) {
    if (cursor == null || !cursor.moveToFirst()) {
      return "No result found.\n";
    }
    StringBuilder text = new StringBuilder();
    int row = 0;
    do {
      text.append("Row: ").append(row++).append(' ');
      for (int column = 0; column < cursor.getColumnCount(); column++) {
        text.append(column > 0 ? ", " : "").append(cursor.getColumnName(column)).append('=').append(cell(cursor, column));
      }
      text.append('\n');
    } while (cursor.moveToNext());
    return text.toString();
  }

  private static String cell(Cursor cursor, int column) {
    return switch (cursor.getType(column)) {
      case Cursor.FIELD_TYPE_FLOAT -> String.valueOf(cursor.getFloat(column));
      case Cursor.FIELD_TYPE_INTEGER -> String.valueOf(cursor.getLong(column));
      case Cursor.FIELD_TYPE_STRING -> cursor.getString(column);
      case Cursor.FIELD_TYPE_BLOB -> "BLOB";
      default -> "NULL";
    };
  }

  private static void put(Bundle extras, String name, JsonObject params, String field) {
    String value = Components.text(params, field);
    if (value != null) {
      extras.putString(name, value);
    }
  }

  private static String[] strings(JsonObject params, String field) {
    if (!params.has(field)) {
      return null;
    }
    JsonArray all = params.getAsJsonArray(field);
    String[] values = new String[all.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = all.get(i).getAsString();
    }
    return values;
  }

  private static ContentValues values(JsonObject params) {
    ContentValues values = new ContentValues();
    bound(params.getAsJsonArray("values")).forEach((name, value) -> ReflectionHelpers.callInstanceMethod(
        values,
        "putObject",
        ReflectionHelpers.ClassParameter.from(String.class, name),
        ReflectionHelpers.ClassParameter.from(Object.class, value)));
    return values;
  }

  private static Bundle bundle(JsonArray bindings) {
    Bundle bundle = new Bundle();
    bound(bindings).forEach((name, value) -> ReflectionHelpers.callInstanceMethod(
        bundle,
        "putObject",
        ReflectionHelpers.ClassParameter.from(String.class, name),
        ReflectionHelpers.ClassParameter.from(Object.class, value)));
    return bundle;
  }

  private static Map<String, Object> bound(JsonArray bindings) {
    Map<String, Object> values = new TreeMap<>();
    for (JsonElement each : bindings) {
      JsonObject binding = each.getAsJsonObject();
      String value = binding.get("value").getAsString();
      values.put(binding.get("name").getAsString(), switch (binding.get("type").getAsString()) {
        case "b" -> Boolean.parseBoolean(value);
        case "i" -> Integer.parseInt(value);
        case "l" -> Long.parseLong(value);
        case "f" -> Float.parseFloat(value);
        case "d" -> Double.parseDouble(value);
        case "n" -> null;
        default -> value;
      });
    }
    return values;
  }
}
