package dev.jugg.vd.files;

import android.os.Parcel;
import android.os.ParcelFileDescriptor;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What another process needs to know to open the same file or pipe: no descriptor can go there. */
record Description(String path, boolean isPipe, int mode, long position) {
  private static final int ACCESS =
      ParcelFileDescriptor.MODE_READ_ONLY | ParcelFileDescriptor.MODE_WRITE_ONLY | ParcelFileDescriptor.MODE_READ_WRITE;

  void write(Parcel parcel) {
    parcel.writeString(path);
    parcel.writeInt(isPipe ? 1 : 0);
    parcel.writeInt(mode & (ACCESS | ParcelFileDescriptor.MODE_APPEND));
    parcel.writeLong(position);
  }

  static Description read(Parcel parcel) {
    return new Description(parcel.readString(), parcel.readInt() != 0, parcel.readInt(), parcel.readLong());
  }

  /** The same file or pipe, with a position of its own from now on. */
  ParcelFileDescriptor open() throws IOException {
    if (isPipe) {
      return ParcelFileDescriptorShadow.end(Fifo.of(Path.of(path)), mode);
    }
    File file = new File(path);
    if (!Files.isRegularFile(file.toPath())) {
      throw new FileNotFoundException(path + ": the virtual device hands files on by their names, and this one is gone");
    }
    int access = mode & (ACCESS | ParcelFileDescriptor.MODE_APPEND);
    return ParcelFileDescriptorShadow.openAt(file, access, position);
  }
}
