package dev.jugg.vd.host.dex;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Makes dex2jar's output pass the JVM's verifier: stack map frames over the true class hierarchy (dex2jar guesses), and
 * the flag on static and special calls and handles that says that their owner is an interface (dex has none). Also puts
 * back what dex2jar loses: names of source files, which classes are inside of which, which fields are synthetic.
 */
final class ClassFixer {
  private final ClassHierarchy hierarchy;
  private final NestedClasses nested;
  private final DexFacts facts;

  ClassFixer(ClassHierarchy hierarchy, NestedClasses nested, DexFacts facts) {
    this.hierarchy = hierarchy;
    this.nested = nested;
    this.facts = facts;
  }

  byte[] fix(byte[] classFile) {
    ClassWriter writer =
        new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
          @Override
          protected String getCommonSuperClass(String a, String b) {
            return hierarchy.common(a, b);
          }
        };
    ClassVisitor visitor =
        new ClassVisitor(Opcodes.ASM9, nested.mending(writer)) {
          private String self;

          @Override
          public void visit(int version, int access, String name, String sig, String superName, String[] interfaces) {
            self = name;
            super.visit(version, access, name, sig, superName, interfaces);
            String sourceFile = facts.sourceFile(name);
            if (sourceFile != null) {
              visitSource(sourceFile, null);
            }
          }

          @Override
          public FieldVisitor visitField(int access, String name, String desc, String sig, Object value) {
            int added = facts.isSynthetic(self, name, desc) ? Opcodes.ACC_SYNTHETIC : 0;
            return super.visitField(access | added, name, desc, sig, value);
          }

          @Override
          public MethodVisitor visitMethod(int access, String name, String desc, String sig, String[] exceptions) {
            return new CallFixer(super.visitMethod(access, name, desc, sig, exceptions));
          }
        };
    new ClassReader(classFile).accept(visitor, ClassReader.SKIP_FRAMES);
    return writer.toByteArray();
  }

  private final class CallFixer extends MethodVisitor {
    CallFixer(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String desc, boolean wasInterface) {
      boolean isInterface = opcode == Opcodes.INVOKEINTERFACE
          || (opcode != Opcodes.INVOKEVIRTUAL && hierarchy.isInterface(owner));
      super.visitMethodInsn(opcode, owner, name, desc, isInterface);
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String desc, Handle bootstrap, Object... arguments) {
      Object[] fixed = arguments.clone();
      for (int i = 0; i < fixed.length; i++) {
        fixed[i] = fixed[i] instanceof Handle handle ? fix(handle) : fixed[i];
      }
      super.visitInvokeDynamicInsn(name, desc, fix(bootstrap), fixed);
    }

    private Handle fix(Handle handle) {
      return new Handle(
          handle.getTag(),
          handle.getOwner(),
          handle.getName(),
          handle.getDesc(),
          hierarchy.isInterface(handle.getOwner()));
    }
  }
}
