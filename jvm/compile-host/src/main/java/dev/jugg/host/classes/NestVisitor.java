package dev.jugg.host.classes;

import java.util.SortedSet;
import java.util.TreeSet;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Finds what ties a class to the others of its nest (JVMS 4.7.28). Runtimes before Android 14 know no nests: D8 gives
 * private members accessors for the classes that use them, so that the dex code of a class depends on theirs.
 */
final class NestVisitor extends ClassVisitor {
  private final SortedSet<String> privates = new TreeSet<>();
  private final SortedSet<String> accesses = new TreeSet<>();
  private String self;
  private String host;
  private boolean inNest;

  NestVisitor() {
    super(Opcodes.ASM9);
  }

  /** Null for a class that is alone. */
  ClassInfos.Nest nest() {
    if (!inNest) {
      return null;
    }
    // The names of all classes of a nest begin with that of its host.
    accesses.removeIf(access -> !access.startsWith(host + ".") && !access.startsWith(host + "$"));
    return new ClassInfos.Nest(privates, accesses);
  }

  @Override
  public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
    self = name;
    host = name;
  }

  @Override
  public void visitNestHost(String nestHost) {
    host = nestHost;
    inNest = true;
  }

  @Override
  public void visitNestMember(String member) {
    inNest = true;
  }

  @Override
  public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
    addPrivate(access, name, descriptor);
    return null;
  }

  @Override
  public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] thrown) {
    addPrivate(access, name, descriptor);
    return new MethodVisitor(Opcodes.ASM9) {
      @Override
      public void visitFieldInsn(int opcode, String owner, String field, String type) {
        // Reading and writing have accessors of their own.
        boolean writes = opcode == Opcodes.PUTFIELD || opcode == Opcodes.PUTSTATIC;
        addAccess(owner, field, type, writes ? " =" : "");
      }

      @Override
      public void visitMethodInsn(int opcode, String owner, String called, String type, boolean isInterface) {
        addAccess(owner, called, type, "");
      }

      @Override
      public void visitInvokeDynamicInsn(String called, String type, Handle bootstrap, Object... arguments) {
        for (Object argument : arguments) {
          if (argument instanceof Handle handle) {
            addAccess(handle.getOwner(), handle.getName(), handle.getDesc(), "");
          }
        }
      }
    };
  }

  private void addPrivate(int access, String name, String descriptor) {
    if ((access & Opcodes.ACC_PRIVATE) != 0) {
      privates.add(text(self, name, descriptor));
    }
  }

  private void addAccess(String owner, String name, String descriptor, String how) {
    if (!owner.equals(self)) {
      accesses.add(text(owner, name, descriptor) + how);
    }
  }

  private static String text(String owner, String name, String descriptor) {
    return owner + "." + name + " " + descriptor;
  }
}
