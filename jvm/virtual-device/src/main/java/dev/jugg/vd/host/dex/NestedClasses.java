package dev.jugg.vd.host.dex;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Which classes are inside of which. dex2jar writes it well into the nested class, but into the outer one as if the nested
 * had no name, or not at all (dex does not have it there): the two then disagree, and reflection throws.
 */
final class NestedClasses {
  /** As the nested class itself says it; {@code outer} and {@code name} are null for local and anonymous ones. */
  private record Nested(String outer, String name, int access) {}

  private final Map<String, Nested> byInner = new HashMap<>();
  private final Map<String, Set<String>> byOuter = new HashMap<>();

  NestedClasses(Collection<byte[]> classFiles) {
    for (byte[] classFile : classFiles) {
      ClassReader reader = new ClassReader(classFile);
      String self = reader.getClassName();
      reader.accept(
          new ClassVisitor(Opcodes.ASM9) {
            @Override
            public void visitOuterClass(String owner, String method, String descriptor) {
              addTo(owner);
            }

            @Override
            public void visitInnerClass(String inner, String outer, String name, int access) {
              if (inner.equals(self)) {
                byInner.put(inner, new Nested(outer, name, access));
                if (outer != null) {
                  addTo(outer);
                }
              }
            }

            private void addTo(String outer) {
              byOuter.computeIfAbsent(outer, key -> new LinkedHashSet<>()).add(self);
            }
          },
          ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    }
  }

  /** Passes a class on to {@code next} with its attribute set right. */
  ClassVisitor mending(ClassVisitor next) {
    return new ClassVisitor(Opcodes.ASM9, next) {
      private final Set<String> told = new HashSet<>();
      private String self;

      @Override
      public void visit(int version, int access, String name, String sig, String superName, String[] interfaces) {
        self = name;
        super.visit(version, access, name, sig, superName, interfaces);
      }

      @Override
      public void visitInnerClass(String inner, String outer, String name, int access) {
        Nested known = byInner.getOrDefault(inner, new Nested(outer, name, access));
        if (told.add(inner)) {
          super.visitInnerClass(inner, known.outer(), known.name(), known.access());
        }
      }

      @Override
      public void visitEnd() {
        for (String inner : byOuter.getOrDefault(self, Set.of())) {
          Nested known = byInner.get(inner);
          if (known != null && told.add(inner)) {
            super.visitInnerClass(inner, known.outer(), known.name(), known.access());
          }
        }
        super.visitEnd();
      }
    };
  }
}
