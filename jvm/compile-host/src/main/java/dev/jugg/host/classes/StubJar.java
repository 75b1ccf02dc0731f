package dev.jugg.host.classes;

import dev.jugg.host.FileTrees;
import dev.jugg.host.Params;
import dev.jugg.host.wire.Call;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/**
 * Makes a jar to compile against from a framework with code: the classes and members that an app can reach, without
 * bodies. Hidden API stays visible, since only the SDK knows what is hidden.
 */
public final class StubJar {
  /** Kept: what an app can name. The rest of a framework jar is its implementation. */
  private static final List<String> PACKAGES = List.of("android/", "javax/", "org/", "dalvik/", "java/");

  public record Request(String input, String output) {}

  public record Reply(String output, int classes) {}

  private StubJar() {}

  public static Reply make(Request request, Call call) throws IOException {
    Path input = Params.path("input", request.input());
    Path output = Params.path("output", request.output());
    Files.createDirectories(output.getParent());
    Path part = Files.createTempFile(output.getParent(), ".stub", ".jar");
    try {
      int classes = write(input, part, call);
      call.commit();
      FileTrees.moveInPlace(part, output);
      return new Reply(output.toString(), classes);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static int write(Path input, Path output, Call call) throws IOException {
    int classes = 0;
    Set<String> kept = kept(input, call);
    try (ZipFile in = new ZipFile(input.toFile());
        OutputStream file = new BufferedOutputStream(Files.newOutputStream(output));
        ZipOutputStream out = new ZipOutputStream(file)) {
      // Not compressed: every run of a compiler reads it.
      out.setMethod(ZipOutputStream.STORED);
      for (ZipEntry entry : in.stream().map(ZipEntry.class::cast).toList()) {
        call.check();
        if (!kept.contains(className(entry))) {
          continue;
        }
        byte[] stub = stub(in, entry, kept);
        ZipEntry stubEntry = new ZipEntry(entry.getName());
        // A fixed time: the same framework gives the same bytes, and so the same caches.
        stubEntry.setTime(0);
        CRC32 checksum = new CRC32();
        checksum.update(stub);
        stubEntry.setSize(stub.length);
        stubEntry.setCrc(checksum.getValue());
        out.putNextEntry(stubEntry);
        out.write(stub);
        out.closeEntry();
        classes++;
      }
    }
    return classes;
  }

  /** The classes that an app can name, and those that only their own package can see but which the former are made of. */
  private static Set<String> kept(Path input, Call call) throws IOException {
    Set<String> kept = new HashSet<>();
    Map<String, List<String>> hidden = new HashMap<>();
    Deque<String> parents = new ArrayDeque<>();
    try (ZipFile in = new ZipFile(input.toFile())) {
      for (ZipEntry entry : in.stream().map(ZipEntry.class::cast).toList()) {
        call.check();
        if (!isWanted(entry.getName())) {
          continue;
        }
        ClassReader reader = read(in, entry);
        List<String> its = new ArrayList<>(List.of(reader.getInterfaces()));
        if (reader.getSuperName() != null) {
          its.add(reader.getSuperName());
        }
        if ((reader.getAccess() & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) == 0) {
          hidden.put(className(entry), its);
        } else {
          kept.add(className(entry));
          parents.addAll(its);
        }
      }
    }
    while (!parents.isEmpty()) {
      String name = parents.pop();
      List<String> its = hidden.get(name);
      if (its != null && kept.add(name)) {
        parents.addAll(its);
      }
    }
    return kept;
  }

  private static boolean isWanted(String name) {
    return name.endsWith(".class") && PACKAGES.stream().anyMatch(name::startsWith);
  }

  private static String className(ZipEntry entry) {
    return entry.getName().replaceFirst("\\.class$", "");
  }

  private static ClassReader read(ZipFile jar, ZipEntry entry) throws IOException {
    try (InputStream in = jar.getInputStream(entry)) {
      return new ClassReader(in.readAllBytes());
    }
  }

  private static byte[] stub(ZipFile jar, ZipEntry entry, Set<String> kept) throws IOException {
    ClassWriter writer = new ClassWriter(0);
    read(jar, entry).accept(new StubVisitor(writer, kept), ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
    return writer.toByteArray();
  }
}
