package dev.jugg.vd.host.dex;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/**
 * What is above what among classes that are not loaded: the app's own, the framework's and the JDK's. Dex files do not
 * say it where the JVM needs it (frames, interface calls).
 */
final class ClassHierarchy {
  private static final String OBJECT = "java/lang/Object";

  private record Facts(String superName, boolean isInterface) {}

  /** Answers the bytes of a class by its internal name, or null. */
  interface Source {
    InputStream open(String internalName) throws IOException;
  }

  private static final Facts UNKNOWN = new Facts(OBJECT, false);
  private final Map<String, Facts> known = new ConcurrentHashMap<>();
  private final Source framework;

  ClassHierarchy(Source framework) {
    this.framework = framework;
  }

  void add(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    known.put(reader.getClassName(), facts(reader));
  }

  boolean isInterface(String internalName) {
    return !internalName.startsWith("[") && find(internalName).isInterface();
  }

  /** The nearest common super class, as the JVM's verifier wants it: interfaces count as Object. */
  String common(String a, String b) {
    if (a.equals(b)) {
      return a;
    }
    if (a.startsWith("[") || b.startsWith("[") || isInterface(a) || isInterface(b)) {
      return OBJECT;
    }
    Set<String> above = new HashSet<>();
    for (String name = a; name != null; name = find(name).superName()) {
      above.add(name);
    }
    for (String name = b; name != null; name = find(name).superName()) {
      if (above.contains(name)) {
        return name;
      }
    }
    return OBJECT;
  }

  private Facts find(String internalName) {
    return known.computeIfAbsent(internalName, this::read);
  }

  private Facts read(String internalName) {
    try (InputStream in = open(internalName)) {
      return in == null ? UNKNOWN : facts(new ClassReader(in.readAllBytes()));
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  private InputStream open(String internalName) throws IOException {
    InputStream fromFramework = framework.open(internalName);
    return fromFramework != null
        ? fromFramework
        : ClassLoader.getPlatformClassLoader().getResourceAsStream(internalName + ".class");
  }

  private static Facts facts(ClassReader reader) {
    return new Facts(reader.getSuperName(), (reader.getAccess() & Opcodes.ACC_INTERFACE) != 0);
  }
}
