package dev.jugg.host.classes;

import dev.jugg.host.Digests;
import dev.jugg.host.HostException;
import dev.jugg.host.Params;
import dev.jugg.host.wire.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.objectweb.asm.ClassReader;

/** Answers what redefinition and the engine's effects need to know about class files. */
public final class ClassInfos {
  public record Request(List<String> files) {}

  public record Reply(List<Info> classes) {}

  /** See {@code ClassInfo} in the client's types. */
  public record Info(
      String file,
      String name,
      String bytes,
      String shape,
      String abi,
      String nested,
      String sourceFile,
      String superName,
      List<String> interfaces,
      List<String> references,
      List<String> shown,
      List<String> constants,
      Nest nest) {}

  /** Private members of a class, and members of others of its nest that it uses ({@code =}: writes). */
  public record Nest(Collection<String> privates, Collection<String> accesses) {}

  private ClassInfos() {}

  public static Reply of(Request request, Call call) throws IOException {
    List<Info> infos = new ArrayList<>();
    for (Path file : Params.paths("files", request.files())) {
      call.check();
      infos.add(of(file));
    }
    return new Reply(infos);
  }

  private static Info of(Path file) throws IOException {
    byte[] content;
    try {
      content = Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new HostException("INVALID_PARAMS", "no such class file: " + file, e);
    }
    try {
      return of(file, content);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      // ASM has no exception of its own for a file that is cut short, garbage or of a future version.
      throw new HostException("INVALID_PARAMS", "not a class file that can be read: " + file + ": " + e, e);
    }
  }

  private static Info of(Path file, byte[] content) throws IOException {
    ClassReader reader = new ClassReader(content);
    ShapeVisitor shape = new ShapeVisitor();
    reader.accept(shape, ClassReader.SKIP_FRAMES | ClassReader.SKIP_DEBUG);
    AbiVisitor abi = new AbiVisitor();
    reader.accept(abi, ClassReader.SKIP_CODE | ClassReader.SKIP_FRAMES);
    NestVisitor nest = new NestVisitor();
    reader.accept(nest, ClassReader.SKIP_FRAMES | ClassReader.SKIP_DEBUG);
    return new Info(
        file.toString(),
        binaryName(reader.getClassName()),
        Digests.of(content),
        Digests.of(shape.text()),
        Digests.of(abi.text()),
        Digests.of(String.join("\n", abi.nested())).substring(0, 16),
        abi.sourceFile(),
        reader.getSuperName() == null ? null : binaryName(reader.getSuperName()),
        List.of(reader.getInterfaces()).stream().map(ClassInfos::binaryName).toList(),
        References.of(reader, content).stream().map(ClassInfos::binaryName).toList(),
        abi.shown().stream().map(ClassInfos::binaryName).toList(),
        abi.constants(),
        nest.nest());
  }

  static String binaryName(String internalName) {
    return internalName.replace('/', '.');
  }
}
