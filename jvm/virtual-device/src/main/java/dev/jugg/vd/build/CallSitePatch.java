package dev.jugg.vd.build;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Robolectric binds every method of the framework at its first call, through two wrappers that only tests need: one that
 * cleans stack traces, and one that lets shadows be exchanged later. Making the wrappers is a good part of the boot and
 * of every app's start. Here calls are bound directly; stack traces are cleaned where they are printed.
 */
final class CallSitePatch {
  static final String CLASS_NAME = "org/robolectric/internal/bytecode/InvokeDynamicSupport";
  private static final String CALL_SITE = "org/robolectric/internal/bytecode/RoboCallSite";
  private static final String HANDLE = "java/lang/invoke/MethodHandle";
  private static final String TYPE = "java/lang/invoke/MethodType";

  private CallSitePatch() {}

  static byte[] apply(byte[] original) {
    ClassNode node = new ClassNode();
    new ClassReader(original).accept(node, 0);
    int patched = 0;
    for (MethodNode method : node.methods) {
      if (method.name.equals("cleanStackTraces") && method.desc.equals("(L" + HANDLE + ";)L" + HANDLE + ";")) {
        replace(method, unchanged());
        patched++;
      } else if (method.name.equals("bindWithFallback")
          && method.desc.equals("(L" + CALL_SITE + ";L" + HANDLE + ";L" + HANDLE + ";)L" + HANDLE + ";")) {
        replace(method, bound());
        patched++;
      }
    }
    if (patched != 2) {
      throw new IllegalStateException(CLASS_NAME + " is not the known one: " + patched + " methods instead of 2");
    }
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    node.accept(writer);
    return writer.toByteArray();
  }

  private static void replace(MethodNode method, InsnList body) {
    method.instructions = body;
    method.tryCatchBlocks.clear();
    method.localVariables = null;
  }

  /** {@code return handle;} */
  private static InsnList unchanged() {
    InsnList body = new InsnList();
    body.add(new VarInsnNode(Opcodes.ALOAD, 0));
    body.add(new InsnNode(Opcodes.ARETURN));
    return body;
  }

  /** {@code handle = handle.asType(site.type()); site.setTarget(handle); return handle;} */
  private static InsnList bound() {
    InsnList body = new InsnList();
    body.add(new VarInsnNode(Opcodes.ALOAD, 1));
    body.add(new VarInsnNode(Opcodes.ALOAD, 0));
    body.add(new MethodInsnNode(Opcodes.INVOKEVIRTUAL, CALL_SITE, "type", "()L" + TYPE + ";"));
    body.add(new MethodInsnNode(Opcodes.INVOKEVIRTUAL, HANDLE, "asType", "(L" + TYPE + ";)L" + HANDLE + ";"));
    body.add(new VarInsnNode(Opcodes.ASTORE, 1));
    body.add(new VarInsnNode(Opcodes.ALOAD, 0));
    body.add(new VarInsnNode(Opcodes.ALOAD, 1));
    body.add(new MethodInsnNode(Opcodes.INVOKEVIRTUAL, CALL_SITE, "setTarget", "(L" + HANDLE + ";)V"));
    body.add(new VarInsnNode(Opcodes.ALOAD, 1));
    body.add(new InsnNode(Opcodes.ARETURN));
    return body;
  }
}
