import java.util.Set;
import java.util.HashSet;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Prints the types of Android that members of the classes in the second jar name, and neither jar has. */
public class ShadowMembers {
  public static void main(String[] jars) throws Exception {
    Set<String> known = new HashSet<>();
    for (String jar : jars) {
      try (ZipFile zip = new ZipFile(jar)) {
        zip.stream().forEach(entry -> known.add(entry.getName().replaceFirst("\\.class$", "")));
      }
    }
    Set<String> missing = new TreeSet<>();
    ClassVisitor visitor = new ClassVisitor(Opcodes.ASM9) {
      private void use(Type type) {
        Type named = type.getSort() == Type.ARRAY ? type.getElementType() : type;
        boolean isClass = named.getSort() == Type.OBJECT;
        if (isClass && named.getInternalName().matches("(com/)?android/.*|dalvik/.*|libcore/.*")) {
          missing.add(named.getInternalName());
        }
      }

      @Override
      public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
        use(Type.getType(descriptor));
        return null;
      }

      @Override
      public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] thrown) {
        use(Type.getReturnType(descriptor));
        for (Type type : Type.getArgumentTypes(descriptor)) {
          use(type);
        }
        return null;
      }
    };
    try (ZipFile zip = new ZipFile(jars[1])) {
      for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(ZipEntry.class::cast)::iterator) {
        if (entry.getName().endsWith(".class")) {
          new ClassReader(zip.getInputStream(entry).readAllBytes()).accept(visitor, ClassReader.SKIP_CODE);
        }
      }
    }
    missing.removeAll(known);
    missing.forEach(System.out::println);
  }
}
