package dev.jugg.host.classes;

import java.util.function.Consumer;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.Opcodes;

/** Writes one annotation with its values as a line of text. */
final class AnnotationText extends AnnotationVisitor {
  private final StringBuilder text;
  private final Consumer<String> sink;

  AnnotationText(String start, Consumer<String> sink) {
    this(new StringBuilder(start), sink);
  }

  private AnnotationText(StringBuilder text, Consumer<String> sink) {
    super(Opcodes.ASM9);
    this.text = text.append('(');
    this.sink = sink;
  }

  @Override
  public void visit(String name, Object value) {
    text.append(name).append('=').append(Texts.of(value)).append(';');
  }

  @Override
  public void visitEnum(String name, String descriptor, String value) {
    text.append(name).append('=').append(descriptor).append('.').append(value).append(';');
  }

  @Override
  public AnnotationVisitor visitAnnotation(String name, String descriptor) {
    text.append(name).append('=').append(descriptor);
    return nested();
  }

  @Override
  public AnnotationVisitor visitArray(String name) {
    text.append(name).append('=');
    return nested();
  }

  @Override
  public void visitEnd() {
    text.append(')');
    sink.accept(text.toString());
  }

  private AnnotationVisitor nested() {
    // The same text goes on: only the outermost annotation is complete when it ends.
    return new AnnotationText(text, ignored -> {});
  }
}
