package dev.jugg.host.classes;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.RecordComponentVisitor;

/**
 * Writes down what a redefinition cannot change (JVMTI RedefineClasses, java.lang.instrument): modifiers, super types,
 * nest and permitted subclasses, fields, methods. Beyond what the virtual machine checks it holds what it would take and
 * then not carry out: values of constants and the static initialiser, which does not run again; annotations that a
 * running app has read; and the lambda call sites, from which D8 makes classes whose names count them.
 */
final class ShapeVisitor extends ClassVisitor {
  private final List<String> head = new ArrayList<>();
  private final List<String> members = new ArrayList<>();

  ShapeVisitor() {
    super(Opcodes.ASM9);
  }

  String text() {
    Collections.sort(members);
    return String.join("\n", head) + "\n--\n" + String.join("\n", members);
  }

  @Override
  public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
    head.add(access + " " + name + " " + signature + " " + superName + " " + Texts.list(interfaces));
  }

  @Override
  public void visitNestHost(String host) {
    head.add("nest host " + host);
  }

  @Override
  public void visitNestMember(String member) {
    members.add("nest member " + member);
  }

  @Override
  public void visitPermittedSubclass(String subclass) {
    members.add("permits " + subclass);
  }

  @Override
  public RecordComponentVisitor visitRecordComponent(String name, String descriptor, String signature) {
    members.add("record component " + name + " " + descriptor + " " + signature);
    return null;
  }

  @Override
  public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
    return annotation("class ", descriptor, visible);
  }

  @Override
  public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
    String field = "field " + name + " " + descriptor;
    members.add(field + " " + access + " " + signature + " " + Texts.of(value));
    return new FieldVisitor(Opcodes.ASM9) {
      @Override
      public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
        return annotation(field + " ", annotation, visible);
      }
    };
  }

  @Override
  public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] thrown) {
    String method = "method " + name + descriptor;
    members.add(method + " " + access + " " + signature + " " + Texts.list(thrown));
    MethodVisitor code = name.equals("<clinit>") ? new CodeText(method, members) : null;
    return new MethodShape(method, members, code) {
      @Override
      public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
        return ShapeVisitor.this.annotation(method + " ", annotation, visible);
      }
    };
  }

  /** Annotations that compilers write for themselves change with line numbers and mean nothing to an app. */
  private AnnotationVisitor annotation(String where, String descriptor, boolean visible) {
    boolean compilers =
        descriptor.startsWith("Lkotlin/Metadata;")
            || descriptor.startsWith("Lkotlin/coroutines/jvm/internal/")
            || descriptor.startsWith("Lkotlin/jvm/internal/")
            || descriptor.startsWith("Landroidx/compose/runtime/internal/");
    return visible && !compilers ? new AnnotationText("@ " + where + descriptor, members::add) : null;
  }
}
