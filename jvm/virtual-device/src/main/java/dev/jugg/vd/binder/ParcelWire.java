package dev.jugg.vd.binder;

import android.os.IBinder;
import android.os.Parcel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.robolectric.res.android.NativeObjRegistry;
import org.robolectric.shadows.ShadowParcel;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/**
 * The content of a parcel as bytes. Robolectric keeps a parcel as typed items at the positions that they have on a
 * device; these are written one by one, so the other side reads what was written, at the same positions. Binders stand
 * beside the bytes, in their order.
 */
final class ParcelWire {
  private static final int INT_BYTES = 4;

  private static final int NULL = 0;
  private static final int INT = 1;
  private static final int LONG = 2;
  private static final int FLOAT = 3;
  private static final int DOUBLE = 4;
  private static final int STRING = 5;
  private static final int BYTES = 6;
  private static final int BINDER = 7;

  /** What a parcel holds. */
  record Content(String data, List<IBinder> binders) {}

  private ParcelWire() {}

  static Content write(Parcel parcel) {
    if (ParcelShadow.hasDescriptors(parcel)) {
      // The words of a device for a receiver that takes none.
      throw new RuntimeException("Not allowed to write file descriptors here");
    }
    Object buffer = bufferOf(parcel);
    Object[] items = ReflectionHelpers.getField(buffer, "data");
    int size = parcel.dataSize();
    List<IBinder> binders = new ArrayList<>();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      for (int position = 0; position < size; ) {
        Object item = items[position];
        // Made longer, and never written to: zeros.
        int itemBytes = item == null ? INT_BYTES : (int) ReflectionHelpers.getField(item, "sizeBytes");
        Object value = item == null ? Integer.valueOf(0) : ReflectionHelpers.getField(item, "value");
        out.writeInt(itemBytes);
        writeValue(out, value, binders);
        position += itemBytes;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Content(Base64.getEncoder().encodeToString(bytes.toByteArray()), binders);
  }

  /** Fills an empty parcel and puts its position to the start. */
  static void read(Content content, Parcel parcel) {
    Object buffer = bufferOf(parcel);
    byte[] bytes = Base64.getDecoder().decode(content.data());
    int nextBinder = 0;
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      while (in.available() > 0) {
        int itemBytes = in.readInt();
        int kind = in.readUnsignedByte();
        Object value = kind == BINDER ? content.binders().get(nextBinder++) : readValue(in, kind);
        Object item = newItem(itemBytes, value);
        ReflectionHelpers.callInstanceMethod(buffer, "writeItem", ClassParameter.from(item.getClass(), item));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    parcel.setDataPosition(0);
  }

  private static void writeValue(DataOutputStream out, Object value, List<IBinder> binders) throws IOException {
    if (value == null) {
      out.writeByte(NULL);
    } else if (value instanceof Integer number) {
      out.writeByte(INT);
      out.writeInt(number);
    } else if (value instanceof Long number) {
      out.writeByte(LONG);
      out.writeLong(number);
    } else if (value instanceof Float number) {
      out.writeByte(FLOAT);
      out.writeFloat(number);
    } else if (value instanceof Double number) {
      out.writeByte(DOUBLE);
      out.writeDouble(number);
    } else if (value instanceof String text) {
      // Not as UTF-8: a string may hold half of a surrogate pair.
      out.writeByte(STRING);
      out.writeInt(text.length());
      out.writeChars(text);
    } else if (value instanceof byte[] bytes) {
      out.writeByte(BYTES);
      out.writeInt(bytes.length);
      out.write(bytes);
    } else if (value instanceof IBinder binder) {
      out.writeByte(BINDER);
      binders.add(binder);
    } else {
      throw new IllegalStateException("a parcel with " + value.getClass().getName());
    }
  }

  private static Object readValue(DataInputStream in, int kind) throws IOException {
    return switch (kind) {
      case NULL -> null;
      case INT -> in.readInt();
      case LONG -> in.readLong();
      case FLOAT -> in.readFloat();
      case DOUBLE -> in.readDouble();
      case BYTES -> in.readNBytes(in.readInt());
      case STRING -> {
        char[] text = new char[in.readInt()];
        for (int i = 0; i < text.length; i++) {
          text[i] = in.readChar();
        }
        yield new String(text);
      }
      default -> throw new IOException("unknown kind of item: " + kind);
    };
  }

  private static Object bufferOf(Parcel parcel) {
    NativeObjRegistry<?> buffers = ReflectionHelpers.getStaticField(ShadowParcel.class, "NATIVE_BYTE_BUFFER_REGISTRY");
    return buffers.getNativeObject((long) ReflectionHelpers.getField(parcel, "mNativePtr"));
  }

  private static Object newItem(int itemBytes, Object value) {
    Class<?> type = ReflectionHelpers.loadClass(
        ParcelWire.class.getClassLoader(), "org.robolectric.shadows.ShadowParcel$ByteBuffer$FakeEncodedItem");
    return ReflectionHelpers.callConstructor(
        type, ClassParameter.from(int.class, itemBytes), ClassParameter.from(Object.class, value));
  }
}
