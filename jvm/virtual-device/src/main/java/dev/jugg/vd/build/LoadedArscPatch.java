package dev.jugg.vd.build;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Robolectric 4.17: {@code CollectConfigurations} and {@code CollectLocales} throw a NullPointerException when the type
 * ids of a resource table have a hole (aapt2 leaves one for {@code <macro>}: every app with Material). Adds
 * {@code if (type_spec == null) continue;}.
 */
final class LoadedArscPatch {
  static final String CLASS_NAME = "org/robolectric/res/android/LoadedArsc$LoadedPackage";

  private LoadedArscPatch() {}

  static byte[] apply(byte[] original) {
    ClassNode node = new ClassNode();
    new ClassReader(original).accept(node, 0);
    int patched = 0;
    for (MethodNode method : node.methods) {
      if (method.name.equals("CollectConfigurations") || method.name.equals("CollectLocales")) {
        patched += patch(method);
      }
    }
    if (patched != 2) {
      throw new IllegalStateException(CLASS_NAME + " is not the known one: " + patched + " loops instead of 2");
    }
    ClassWriter writer =
        new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
          @Override
          protected String getCommonSuperClass(String a, String b) {
            return "java/lang/Object";
          }
        };
    node.accept(writer);
    return writer.toByteArray();
  }

  private static int patch(MethodNode method) {
    int patched = 0;
    for (AbstractInsnNode insn : method.instructions.toArray()) {
      boolean typeSpecRead = insn instanceof TypeInsnNode cast
          && cast.getOpcode() == Opcodes.CHECKCAST
          && cast.desc.endsWith("$TypeSpec");
      if (typeSpecRead && insn.getNext() instanceof VarInsnNode store) {
        InsnList check = new InsnList();
        check.add(new VarInsnNode(Opcodes.ALOAD, store.var));
        check.add(new JumpInsnNode(Opcodes.IFNULL, loopEnd(method, insn)));
        method.instructions.insert(store, check);
        patched++;
      }
    }
    return patched;
  }

  /** The label just before the increment of the loop whose counter was last read before {@code insn}. */
  private static LabelNode loopEnd(MethodNode method, AbstractInsnNode insn) {
    AbstractInsnNode read = insn;
    while (read.getOpcode() != Opcodes.ILOAD) {
      read = read.getPrevious();
    }
    int counter = ((VarInsnNode) read).var;
    AbstractInsnNode increment = null;
    for (AbstractInsnNode candidate : method.instructions.toArray()) {
      if (candidate instanceof IincInsnNode inc && inc.var == counter) {
        increment = candidate;
      }
    }
    AbstractInsnNode label = increment;
    while (!(label instanceof LabelNode)) {
      label = label.getPrevious();
    }
    return (LabelNode) label;
  }
}
