package dev.jugg.host.classes;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Writes the instructions of a method as text, without line numbers and names of variables. */
final class CodeText extends MethodVisitor {
  private final StringBuilder text;
  private final List<String> members;
  private final Map<Label, Integer> labels = new HashMap<>();

  CodeText(String method, List<String> members) {
    super(Opcodes.ASM9);
    this.text = new StringBuilder("code of ").append(method).append(':');
    this.members = members;
  }

  private void add(int opcode, Object... operands) {
    text.append('\n').append(opcode);
    for (Object operand : operands) {
      text.append(' ').append(operand);
    }
  }

  private int number(Label label) {
    return labels.computeIfAbsent(label, unused -> labels.size());
  }

  private List<Integer> numbers(Label... targets) {
    return List.of(targets).stream().map(this::number).toList();
  }

  @Override
  public void visitInsn(int opcode) {
    add(opcode);
  }

  @Override
  public void visitIntInsn(int opcode, int operand) {
    add(opcode, operand);
  }

  @Override
  public void visitVarInsn(int opcode, int variable) {
    add(opcode, variable);
  }

  @Override
  public void visitTypeInsn(int opcode, String type) {
    add(opcode, type);
  }

  @Override
  public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
    add(opcode, owner, name, descriptor);
  }

  @Override
  public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
    add(opcode, owner, name, descriptor, isInterface);
  }

  @Override
  public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
    add(Opcodes.INVOKEDYNAMIC, name, descriptor, Texts.of(bootstrap), Texts.of(arguments));
  }

  @Override
  public void visitJumpInsn(int opcode, Label target) {
    add(opcode, number(target));
  }

  @Override
  public void visitLabel(Label label) {
    // A class file is read with its line numbers left out, so every label here is the target of something.
    text.append("\n:").append(number(label));
  }

  @Override
  public void visitLdcInsn(Object value) {
    add(Opcodes.LDC, Texts.of(value));
  }

  @Override
  public void visitIincInsn(int variable, int increment) {
    add(Opcodes.IINC, variable, increment);
  }

  @Override
  public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... targets) {
    add(Opcodes.TABLESWITCH, min, max, number(otherwise), numbers(targets));
  }

  @Override
  public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] targets) {
    add(Opcodes.LOOKUPSWITCH, number(otherwise), Texts.of(keys), numbers(targets));
  }

  @Override
  public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
    add(Opcodes.MULTIANEWARRAY, descriptor, dimensions);
  }

  @Override
  public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
    text.append("\ntry ").append(number(start)).append(' ').append(number(end));
    text.append(' ').append(number(handler)).append(' ').append(type);
  }

  @Override
  public void visitEnd() {
    members.add(text.toString());
  }
}
