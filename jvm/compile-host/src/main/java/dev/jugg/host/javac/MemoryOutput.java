package dev.jugg.host.javac;

import dev.jugg.host.wire.Call;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;

/** Keeps the class files that javac makes in memory. Closing it does not close the reused file manager below. */
final class MemoryOutput extends ForwardingJavaFileManager<StandardJavaFileManager> {
  private final Map<String, byte[]> classes = new HashMap<>();
  private final Call call;

  MemoryOutput(StandardJavaFileManager standard, Call call) {
    super(standard);
    this.call = call;
  }

  StandardJavaFileManager standard() {
    return fileManager;
  }

  /** Class files by binary name. */
  Map<String, byte[]> classes() {
    return classes;
  }

  @Override
  public Iterable<JavaFileObject> list(
      JavaFileManager.Location location, String packageName, Set<JavaFileObject.Kind> kinds, boolean recurse)
      throws IOException {
    // Called for every package that is looked into: the densest place to hear a cancel.
    call.check();
    return super.list(location, packageName, kinds, recurse);
  }

  @Override
  public JavaFileObject getJavaFileForOutput(
      JavaFileManager.Location location, String className, JavaFileObject.Kind kind, FileObject sibling)
      throws IOException {
    if (kind != JavaFileObject.Kind.CLASS) {
      return super.getJavaFileForOutput(location, className, kind, sibling);
    }
    return new ClassInMemory(className);
  }

  @Override
  public void close() {
    // The file manager below is reused.
  }

  private final class ClassInMemory extends SimpleJavaFileObject {
    private final String name;

    ClassInMemory(String name) {
      super(URI.create("memory:///" + name.replace('.', '/').replace("$", "%24") + ".class"), Kind.CLASS);
      this.name = name;
    }

    @Override
    public OutputStream openOutputStream() {
      return new ByteArrayOutputStream() {
        @Override
        public void close() {
          classes.put(name, toByteArray());
        }
      };
    }
  }
}
