package dev.jugg.host.kotlin;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Makes the caches of the incremental compiler open quickly. Of each page that it opens, a megabyte and some fifty times a
 * compile, it fills what the file does not have with zeros, byte by byte. In a JVM without the optimising just-in-time
 * compiler that is a third of a small compile. The class that does it is defined here, before anything else has it loaded,
 * with all of a page filled at once.
 */
public final class CachePages {
  private static final String PACKAGE = "org.jetbrains.kotlin.com.intellij.util.io.";
  private static final String PAGE = PACKAGE + "DirectBufferWrapper";
  private static final String NEIGHBOUR = PACKAGE + "PagedFileStorage";

  /** Reads a page of the given size from a file and fills the rest. */
  private static final String LOAD = "(Ljava/nio/ByteBuffer;ILjava/nio/channels/FileChannel;)Ljava/nio/ByteBuffer;";

  private static final byte[] ZEROS = new byte[1 << 16];

  private CachePages() {}

  /** Null when it is done, else why the pages stay as slow as they were. */
  static String makeQuick(ClassLoader loader) {
    try (InputStream in = loader.getResourceAsStream(PAGE.replace('.', '/') + ".class")) {
      if (in == null) {
        return "there is no " + PAGE;
      }
      ClassReader reader = new ClassReader(in);
      ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
      Rewriter rewriter = new Rewriter(writer);
      reader.accept(rewriter, 0);
      if (rewriter.starts != 1 || rewriter.stores != 1) {
        return PAGE + " is not as it is known";
      }
      Class<?> neighbour = Class.forName(NEIGHBOUR, false, loader);
      MethodHandles.privateLookupIn(neighbour, MethodHandles.lookup()).defineClass(writer.toByteArray());
      return null;
    } catch (IOException | ReflectiveOperationException | LinkageError | IllegalArgumentException e) {
      return e.toString();
    }
  }

  /** Fills a buffer with zeros from one index to another, and answers that: where a loop over it would have ended. */
  public static int fill(ByteBuffer buffer, int from, int to) {
    for (int at = from; at < to; at += ZEROS.length) {
      buffer.put(at, ZEROS, 0, Math.min(ZEROS.length, to - at));
    }
    return to;
  }

  /** Lets the loop begin at its end, after `fill` has done its work. */
  private static final class Rewriter extends ClassVisitor {
    /** Places where the first index of the loop is computed, and where a byte is written. */
    private int starts;

    private int stores;

    Rewriter(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
      if (!descriptor.equals(LOAD) || isStatic) {
        return next;
      }
      return new MethodVisitor(Opcodes.ASM9, next) {
        @Override
        public void visitMethodInsn(int opcode, String owner, String called, String type, boolean isInterface) {
          super.visitMethodInsn(opcode, owner, called, type, isInterface);
          if (owner.equals("java/nio/ByteBuffer") && called.equals("put") && type.startsWith("(IB)")) {
            stores++;
          }
          if (owner.equals("java/lang/Math") && called.equals("max")) {
            starts++;
            // On the stack: the index. Variables: 1 the buffer, 2 its size.
            super.visitVarInsn(Opcodes.ALOAD, 1);
            super.visitInsn(Opcodes.SWAP);
            super.visitVarInsn(Opcodes.ILOAD, 2);
            String self = CachePages.class.getName().replace('.', '/');
            super.visitMethodInsn(
                Opcodes.INVOKESTATIC, self, "fill", "(Ljava/nio/ByteBuffer;II)I", false);
          }
        }
      };
    }
  }
}
