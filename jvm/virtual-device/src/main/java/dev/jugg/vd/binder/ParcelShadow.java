package dev.jugg.vd.binder;

import android.os.Parcel;
import java.io.FileDescriptor;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowParcel;
import org.robolectric.util.ReflectionHelpers;

/** Parcels know whether they hold a file descriptor, which no other process could use. */
@Implements(className = "android.os.Parcel", isInAndroidSdk = false)
public class ParcelShadow extends ShadowParcel {
  private static final Set<Long> WITH_DESCRIPTORS = ConcurrentHashMap.newKeySet();

  static boolean hasDescriptors(Parcel parcel) {
    return WITH_DESCRIPTORS.contains((long) ReflectionHelpers.getField(parcel, "mNativePtr"));
  }

  @Implementation
  protected static long nativeWriteFileDescriptor(long pointer, FileDescriptor descriptor) {
    WITH_DESCRIPTORS.add(pointer);
    return ShadowParcel.nativeWriteFileDescriptor(pointer, descriptor);
  }

  @Implementation
  protected static void nativeAppendFrom(long pointer, long other, int offset, int length) {
    if (WITH_DESCRIPTORS.contains(other)) {
      WITH_DESCRIPTORS.add(pointer);
    }
    ShadowParcel.nativeAppendFrom(pointer, other, offset, length);
  }

  @Implementation
  protected static void nativeFreeBuffer(long pointer) {
    WITH_DESCRIPTORS.remove(pointer);
    ShadowParcel.nativeFreeBuffer(pointer);
  }

  @Implementation
  protected static void nativeDestroy(long pointer) {
    WITH_DESCRIPTORS.remove(pointer);
    ShadowParcel.nativeDestroy(pointer);
  }
}
