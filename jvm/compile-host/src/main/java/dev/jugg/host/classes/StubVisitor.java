package dev.jugg.host.classes;

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
  StubVisitor(ClassVisitor next) {
    super(Opcodes.ASM9, next);
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
