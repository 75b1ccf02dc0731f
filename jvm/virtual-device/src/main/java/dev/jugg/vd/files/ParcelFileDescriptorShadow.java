package dev.jugg.vd.files;

import android.os.Parcel;
import android.os.ParcelFileDescriptor;
import android.os.Parcelable;
import dev.jugg.vd.BoundApp;
import java.io.Closeable;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowParcelFileDescriptor;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/**
 * Descriptors that are more than Robolectric's: pipes are pipes, not files, and what is written to a parcel can be read
 * in another process.
 */
@Implements(className = "android.os.ParcelFileDescriptor", isInAndroidSdk = false)
public class ParcelFileDescriptorShadow extends ShadowParcelFileDescriptor {
  @RealObject private ParcelFileDescriptor real;

  /** Of an end of a pipe; null for a file. */
  private Fifo fifo;

  private FileDescriptor pipe;
  private Closeable stream;
  private boolean closed;
  /** What this one wraps. */
  private ParcelFileDescriptor wrapped;

  @Implementation
  protected static void __staticInitializer__() {
    Shadow.directInitialize(ParcelFileDescriptor.class);
    ReflectionHelpers.setStaticField(ParcelFileDescriptor.class, "CREATOR", new Parcelable.Creator<ParcelFileDescriptor>() {
      @Override
      public ParcelFileDescriptor createFromParcel(Parcel source) {
        try {
          return DescriptorBinder.open(source.readStrongBinder());
        } catch (IOException e) {
          throw new IllegalStateException(e.getMessage(), e);
        }
      }

      @Override
      public ParcelFileDescriptor[] newArray(int size) {
        return new ParcelFileDescriptor[size];
      }
    });
  }

  @Override
  @Implementation
  protected void __constructor__(ParcelFileDescriptor wrapped) {
    super.__constructor__(wrapped);
    this.wrapped = wrapped;
  }

  /** Both ends; where there are no named pipes (Windows), Robolectric's file. */
  @Implementation
  protected static ParcelFileDescriptor[] createPipe() throws IOException {
    if (File.separatorChar == '\\' || BoundApp.current() == null) {
      return ShadowParcelFileDescriptor.createPipe();
    }
    Fifo fifo = Fifo.make();
    return new ParcelFileDescriptor[] {
      end(fifo, ParcelFileDescriptor.MODE_READ_ONLY), end(fifo, ParcelFileDescriptor.MODE_WRITE_ONLY)
    };
  }

  @Implementation
  protected static ParcelFileDescriptor[] createReliablePipe() throws IOException {
    return createPipe();
  }

  static ParcelFileDescriptor end(Fifo fifo, int mode) throws IOException {
    ParcelFileDescriptor descriptor = new ParcelFileDescriptor(new FileDescriptor());
    ParcelFileDescriptorShadow shadow = Shadow.extract(descriptor);
    if ((mode & ParcelFileDescriptor.MODE_WRITE_ONLY) == 0) {
      FileInputStream source = fifo.openSource();
      shadow.pipe = source.getFD();
      shadow.stream = source;
    } else {
      FileOutputStream sink = fifo.openSink();
      shadow.pipe = sink.getFD();
      shadow.stream = sink;
    }
    shadow.fifo = fifo;
    return descriptor;
  }

  static ParcelFileDescriptor openAt(File file, int mode, long position) throws IOException {
    ParcelFileDescriptor descriptor = ParcelFileDescriptor.open(file, mode);
    if ((mode & ParcelFileDescriptor.MODE_APPEND) == 0) {
      ParcelFileDescriptorShadow shadow = Shadow.extract(descriptor);
      shadow.file().seek(position);
    }
    return descriptor;
  }

  /** What has the descriptor: this one, or what it wraps. */
  private ParcelFileDescriptorShadow holder() {
    return wrapped == null ? this : Shadow.<ParcelFileDescriptorShadow>extract(wrapped).holder();
  }

  private RandomAccessFile file() {
    return ReflectionHelpers.callInstanceMethod(ShadowParcelFileDescriptor.class, this, "getFile");
  }

  @Override
  @Implementation
  protected FileDescriptor getFileDescriptor() {
    FileDescriptor end = holder().pipe;
    return end == null ? super.getFileDescriptor() : end;
  }

  @Override
  @Implementation
  protected int getFd() {
    FileDescriptor end = holder().pipe;
    if (end == null) {
      return super.getFd();
    }
    if (holder().closed) {
      throw new IllegalStateException("Already closed");
    }
    return ReflectionHelpers.getField(end, "fd");
  }

  @Override
  @Implementation
  protected long getStatSize() {
    return holder().pipe == null ? super.getStatSize() : -1;
  }

  @Override
  @Implementation
  protected void close() throws IOException {
    ParcelFileDescriptorShadow holder = holder();
    if (holder.pipe == null) {
      super.close();
      return;
    }
    synchronized (holder) {
      if (holder.closed) {
        return;
      }
      holder.closed = true;
    }
    holder.stream.close();
    holder.fifo.closed();
  }

  @Override
  @Implementation
  protected ParcelFileDescriptor dup() throws IOException {
    ParcelFileDescriptorShadow holder = holder();
    return holder.pipe == null ? super.dup() : end(holder.fifo, holder.mode());
  }

  private int mode() {
    if (stream != null) {
      return stream instanceof FileInputStream
          ? ParcelFileDescriptor.MODE_READ_ONLY
          : ParcelFileDescriptor.MODE_WRITE_ONLY;
    }
    int mode = ReflectionHelpers.getField(this, "origMode");
    return mode == 0 ? ParcelFileDescriptor.MODE_READ_ONLY : mode;
  }

  @Override
  @Implementation
  protected void writeToParcel(Parcel out, int flags) {
    try {
      out.writeStrongBinder(holder().travelling());
      if ((flags & Parcelable.PARCELABLE_WRITE_RETURN_VALUE) != 0) {
        real.close();
      }
    } catch (IOException e) {
      throw new IllegalStateException("a descriptor that cannot leave the process on the virtual device: " + e.getMessage(), e);
    }
  }

  private DescriptorBinder travelling() throws IOException {
    if (fifo != null) {
      return new DescriptorBinder(new Description(fifo.path().toString(), true, mode(), 0), end(fifo, mode()));
    }
    RandomAccessFile file = file();
    if (file == null) {
      throw new IOException("it has no file");
    }
    File known = ReflectionHelpers.getField(this, "origFile");
    Path path = known == null ? linkOf(file.getFD()) : known.getAbsoluteFile().toPath();
    if (!Files.isRegularFile(path)) {
      throw new IOException(path + " is no file that has a name");
    }
    return new DescriptorBinder(new Description(path.toString(), false, mode(), file.getFilePointer()), null);
  }

  private static Path linkOf(FileDescriptor descriptor) throws IOException {
    int number = ReflectionHelpers.getField(descriptor, "fd");
    return Files.readSymbolicLink(Path.of("/proc/self/fd/" + number));
  }
}
