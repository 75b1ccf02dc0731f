package dev.jugg.host.classes;

import java.util.Arrays;
import java.util.Set;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Leaves out what an app cannot reach, and the framework's own nullness of method results: {@code findViewById} is
 * nullable in the framework's classes and not in the SDK's, and Kotlin then refuses ordinary code.
 */
final class StubVisitor extends ClassVisitor {
  private final Set<String> kept;

  /** @param kept the internal names of the classes that the stubs have */
  StubVisitor(ClassVisitor next, Set<String> kept) {
    super(Opcodes.ASM9, next);
    this.kept = kept;
  }

  /** Interfaces that the stubs lack are the framework's own affair: a compiler would only ask for them. */
  @Override
  public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
    String[] known = Arrays.stream(interfaces).filter(this::isKnown).toArray(String[]::new);
    // What is generic in the others is lost with them; none of the SDK's own classes has such.
    String generic = known.length == interfaces.length ? signature : null;
    super.visit(version, access, name, generic, parent, known);
  }

  private boolean isKnown(String name) {
    return kept.contains(name) || name.startsWith("java/");
  }

  @Override
  public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
    if (!isReachable(access)) {
      return null;
    }
    return new FieldVisitor(Opcodes.ASM9, super.visitField(access, name, descriptor, signature, value)) {
      @Override
      public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
        return isInternal(annotation) ? null : super.visitAnnotation(annotation, visible);
      }
    };
  }

  @Override
  public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
    return isInternal(annotation) ? null : super.visitAnnotation(annotation, visible);
  }

  @Override
  public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] thrown) {
    if (!isReachable(access)) {
      return null;
    }
    MethodVisitor method = super.visitMethod(access, name, descriptor, signature, thrown);
    return new MethodVisitor(Opcodes.ASM9, method) {
      @Override
      public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
        return isNullable(annotation) || isInternal(annotation) ? null : super.visitAnnotation(annotation, visible);
      }
    };
  }

  private static boolean isReachable(int access) {
    boolean seen = (access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0;
    boolean compilers = (access & Opcodes.ACC_SYNTHETIC) != 0 && (access & Opcodes.ACC_BRIDGE) == 0;
    return seen && !compilers;
  }

  /** Their classes are left out of the stubs: javac would warn of every use. */
  private static boolean isInternal(String annotation) {
    return annotation.startsWith("Lcom/android/internal/");
  }

  private static boolean isNullable(String annotation) {
    return annotation.endsWith("/Nullable;") || annotation.endsWith("/RecentlyNullable;");
  }
}
