package dev.jugg.vd.build;

import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * An empty {@code android.app.Application} for the host side: an annotation of Robolectric that is loaded outside of the
 * sandbox names the class. Inside, the real one comes from the framework jar. As a source file it would hide the real
 * one from this module's compiler.
 */
final class HostApplication {
  static final String CLASS_NAME = "android/app/Application";

  private HostApplication() {}

  static byte[] bytes() {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER, CLASS_NAME, null, "java/lang/Object", null);
    MethodVisitor constructor = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
    constructor.visitCode();
    constructor.visitVarInsn(Opcodes.ALOAD, 0);
    constructor.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
    constructor.visitInsn(Opcodes.RETURN);
    constructor.visitMaxs(1, 1);
    constructor.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }
}
