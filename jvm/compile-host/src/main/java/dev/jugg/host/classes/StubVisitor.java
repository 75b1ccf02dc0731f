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
    return isReachable(access) ? super.visitField(access, name, descriptor, signature, value) : null;
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
        return isNullable(annotation) ? null : super.visitAnnotation(annotation, visible);
      }
    };
  }

  private static boolean isReachable(int access) {
    boolean seen = (access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0;
    boolean compilers = (access & Opcodes.ACC_SYNTHETIC) != 0 && (access & Opcodes.ACC_BRIDGE) == 0;
    return seen && !compilers;
  }

  private static boolean isNullable(String annotation) {
    return annotation.endsWith("/Nullable;") || annotation.endsWith("/RecentlyNullable;");
  }
}
