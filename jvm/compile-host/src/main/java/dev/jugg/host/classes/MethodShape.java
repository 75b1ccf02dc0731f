package dev.jugg.host.classes;

import java.util.List;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Records the lambda call sites of a method in their order. */
class MethodShape extends MethodVisitor {
  private final StringBuilder callSites = new StringBuilder();
  private final String method;
  private final List<String> members;

  MethodShape(String method, List<String> members, MethodVisitor next) {
    super(Opcodes.ASM9, next);
    this.method = method;
    this.members = members;
  }

  @Override
  public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
    super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
    // A text that is put together differently is an ordinary change of a body: no class is made for it.
    if (!bootstrap.getOwner().equals("java/lang/invoke/StringConcatFactory")) {
      callSites.append(name).append(descriptor).append(Texts.of(bootstrap)).append(Texts.of(arguments)).append(';');
    }
  }

  @Override
  public void visitEnd() {
    super.visitEnd();
    if (!callSites.isEmpty()) {
      members.add("call sites of " + method + ": " + callSites);
    }
  }
}
