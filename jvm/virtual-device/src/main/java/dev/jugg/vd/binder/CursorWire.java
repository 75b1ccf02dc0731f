package dev.jugg.vd.binder;

import android.content.ContentResolver;
import android.database.Cursor;
import android.database.MatrixCursor;
import android.net.Uri;
import android.os.Bundle;
import android.os.Parcel;
import dev.jugg.vd.BoundApp;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The rows of a cursor, copied: where a device shares memory. */
final class CursorWire {
  private CursorWire() {}

  static void write(Cursor cursor, Parcel parcel) {
    parcel.writeStringArray(cursor.getColumnNames());
    parcel.writeBundle(cursor.getExtras());
    parcel.writeParcelable(cursor.getNotificationUri(), 0);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int columns = cursor.getColumnCount();
    int rows = 0;
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      for (boolean more = cursor.moveToFirst(); more; more = cursor.moveToNext()) {
        for (int column = 0; column < columns; column++) {
          writeCell(cursor, column, out);
        }
        rows++;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    parcel.writeInt(rows);
    parcel.writeByteArray(bytes.toByteArray());
  }

  static Cursor read(Parcel parcel, ContentResolver resolver) {
    MatrixCursor cursor = new MatrixCursor(parcel.createStringArray());
    cursor.setExtras(parcel.readBundle(BoundApp.current().loader()));
    Uri notified = parcel.readParcelable(Uri.class.getClassLoader(), Uri.class);
    if (notified != null) {
      cursor.setNotificationUri(resolver, notified);
    }
    int rows = parcel.readInt();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(parcel.createByteArray()))) {
      for (int row = 0; row < rows; row++) {
        Object[] cells = new Object[cursor.getColumnCount()];
        for (int column = 0; column < cells.length; column++) {
          cells[column] = readCell(in);
        }
        cursor.addRow(cells);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return cursor;
  }

  private static void writeCell(Cursor cursor, int column, DataOutputStream out) throws IOException {
    int type = cursor.getType(column);
    out.writeByte(type);
    switch (type) {
      case Cursor.FIELD_TYPE_INTEGER -> out.writeLong(cursor.getLong(column));
      case Cursor.FIELD_TYPE_FLOAT -> out.writeDouble(cursor.getDouble(column));
      case Cursor.FIELD_TYPE_STRING -> {
        String text = cursor.getString(column);
        out.writeInt(text.length());
        out.writeChars(text);
      }
      case Cursor.FIELD_TYPE_BLOB -> {
        byte[] blob = cursor.getBlob(column);
        out.writeInt(blob.length);
        out.write(blob);
      }
      default -> {
        // Null has no value.
      }
    }
  }

  private static Object readCell(DataInputStream in) throws IOException {
    return switch (in.readByte()) {
      case Cursor.FIELD_TYPE_INTEGER -> in.readLong();
      case Cursor.FIELD_TYPE_FLOAT -> in.readDouble();
      case Cursor.FIELD_TYPE_BLOB -> in.readNBytes(in.readInt());
      case Cursor.FIELD_TYPE_STRING -> {
        char[] text = new char[in.readInt()];
        for (int i = 0; i < text.length; i++) {
          text[i] = in.readChar();
        }
        yield new String(text);
      }
      default -> null;
    };
  }
}
