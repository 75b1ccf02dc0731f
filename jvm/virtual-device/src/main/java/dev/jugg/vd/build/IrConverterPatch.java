package dev.jugg.vd.build;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * dex2jar 2.4.38 writes {@code if (0 > x)} as {@code if (x > 0)}: {@code reBuildJumpInstructions} drops the zero without
 * turning the comparison round. The mended class turns such comparisons round first, see
 * {@link dev.jugg.vd.host.dex.ZeroComparison}.
 */
final class IrConverterPatch {
  static final String CLASS_NAME = "com/googlecode/d2j/converter/IR2JConverter";
  private static final String METHOD = "reBuildJumpInstructions";

  private IrConverterPatch() {}

  static byte[] apply(byte[] original) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    int[] patched = {0};
    ClassVisitor visitor =
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(int access, String name, String desc, String sig, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, desc, sig, exceptions);
            return name.equals(METHOD) ? new NormaliseFirst(next, patched) : next;
          }
        };
    new ClassReader(original).accept(visitor, 0);
    if (patched[0] != 1) {
      throw new IllegalStateException(CLASS_NAME + " is not the known one: " + METHOD + " found " + patched[0] + " times");
    }
    return writer.toByteArray();
  }

  private static final class NormaliseFirst extends MethodVisitor {
    private final int[] patched;

    NormaliseFirst(MethodVisitor next, int[] patched) {
      super(Opcodes.ASM9, next);
      this.patched = patched;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      visitVarInsn(Opcodes.ALOAD, 1);
      visitMethodInsn(
          Opcodes.INVOKESTATIC,
          "dev/jugg/vd/host/dex/ZeroComparison",
          "normalise",
          "(Lcom/googlecode/dex2jar/ir/stmt/IfStmt;)V",
          false);
      patched[0]++;
    }
  }
}
