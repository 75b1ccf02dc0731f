package dev.jugg.host.classes;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Writes down what other classes can see of a class; the order of its members does not count. */
final class AbiVisitor extends ClassVisitor {
  private final List<String> lines = new ArrayList<>();
  private final List<String> constants = new ArrayList<>();
  private final List<String> nested = new ArrayList<>();
  private final List<String> permitted = new ArrayList<>();
  private String sourceFile;
  private String self;

  AbiVisitor() {
    super(Opcodes.ASM9);
  }

  String text() {
    Collections.sort(lines);
    return String.join("\n", lines);
  }

  /** Internal names of the classes that others get to see through this one, without super types. */
  SortedSet<String> shown() {
    SortedSet<String> names = References.in(text());
    names.addAll(permitted);
    names.remove(self);
    return names;
  }

  String sourceFile() {
    return sourceFile;
  }

  List<String> constants() {
    return constants;
  }

  /** All nested classes that the class file mentions, with their modifiers, as it lists them. */
  List<String> nested() {
    return nested;
  }

  @Override
  public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
    self = name;
    lines.add("class " + access + " " + name + " " + signature + " " + superName + " " + Texts.list(interfaces));
  }

  @Override
  public void visitSource(String source, String debug) {
    sourceFile = source;
  }

  @Override
  public void visitInnerClass(String name, String outerName, String innerName, int access) {
    nested.add(name + " " + access);
    // The modifiers of a nested class stand here: private and static are not in its own header.
    if (name.equals(self) || self.equals(outerName) && isSeen(access)) {
      lines.add("nested " + name + " " + access);
    }
  }

  @Override
  public void visitPermittedSubclass(String subclass) {
    lines.add("permits " + subclass);
    permitted.add(subclass);
  }

  @Override
  public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
    return new AnnotationText("@ class " + descriptor, lines::add);
  }

  @Override
  public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
    boolean constant = (access & Opcodes.ACC_STATIC) != 0 && (access & Opcodes.ACC_FINAL) != 0 && value != null;
    if (constant) {
      constants.add(name);
    }
    if (!isSeen(access)) {
      return null;
    }
    String field = "field " + name + " " + descriptor;
    lines.add(field + " " + access + " " + signature + " " + (constant ? Texts.of(value) : ""));
    return new FieldVisitor(Opcodes.ASM9) {
      @Override
      public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
        return new AnnotationText("@ " + field + " " + annotation, lines::add);
      }
    };
  }

  @Override
  public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] thrown) {
    if (!isSeen(access) || name.equals("<clinit>")) {
      return null;
    }
    String method = "method " + name + descriptor;
    lines.add(method + " " + access + " " + signature + " " + Texts.list(thrown));
    return new MethodVisitor(Opcodes.ASM9) {
      @Override
      public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
        return new AnnotationText("@ " + method + " " + annotation, lines::add);
      }

      @Override
      public AnnotationVisitor visitAnnotationDefault() {
        return new AnnotationText("default " + method, lines::add);
      }
    };
  }

  private static boolean isSeen(int access) {
    return (access & Opcodes.ACC_PRIVATE) == 0 && (access & Opcodes.ACC_SYNTHETIC) == 0;
  }
}
