package dev.jugg.host.dex;

import com.android.dex.Dex;
import com.android.dex.DexIndexOverflowException;
import com.android.dx.cf.direct.DirectClassFile;
import com.android.dx.cf.direct.StdAttributeFactory;
import com.android.dx.command.dexer.DxContext;
import com.android.dx.dex.DexOptions;
import com.android.dx.dex.cf.CfOptions;
import com.android.dx.dex.cf.CfTranslator;
import com.android.dx.dex.file.DexFile;
import com.android.dx.merge.CollisionPolicy;
import com.android.dx.merge.DexMerger;
import dev.jugg.host.Diagnostic;
import dev.jugg.host.FileTrees;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;

/**
 * The last resort where there is no D8: dx, from Maven Central. It reads class files up to Java 8, translates nothing that
 * an older Android lacks (lambdas need Android 8, API 26), and does not look at class paths.
 */
final class Dx implements Dexer {
  private final DxContext context = new DxContext(System.err, System.err);

  @Override
  public List<Diagnostic> run(Job job) throws IOException {
    List<Diagnostic> messages = new ArrayList<>();
    if (job.merge) {
      List<Dex> parts = new ArrayList<>();
      for (Path file : job.programFiles) {
        parts.add(new Dex(file.toFile()));
      }
      write(job, merge(parts));
      return messages;
    }
    List<Dex> parts = new ArrayList<>();
    for (Path file : job.programFiles) {
      if (file.toString().endsWith(".class")) {
        add(job, file, Files.readAllBytes(file), parts, messages);
      } else {
        addJar(job, file, parts, messages);
      }
    }
    if (!job.perClass && messages.isEmpty()) {
      write(job, merge(parts));
    }
    return messages;
  }

  private void addJar(Job job, Path jar, List<Dex> parts, List<Diagnostic> messages) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : zip.stream().map(ZipEntry.class::cast).toList()) {
        String name = entry.getName();
        // Beside classes for newer versions of Java a jar has the ones for all.
        if (!name.endsWith(".class") || name.startsWith("META-INF/") || name.endsWith("module-info.class")) {
          continue;
        }
        try (InputStream in = zip.getInputStream(entry)) {
          add(job, jar, in.readAllBytes(), parts, messages);
        }
      }
    }
  }

  private void add(Job job, Path origin, byte[] classFile, List<Dex> parts, List<Diagnostic> messages)
      throws IOException {
    job.call.check();
    try {
      // Strictly: newer class files can be read, but lean on nest mates and call sites that old Android lacks.
      String name = new ClassReader(classFile).getClassName();
      DirectClassFile parsed = new DirectClassFile(classFile, name + ".class", true);
      parsed.setAttributeFactory(StdAttributeFactory.THE_ONE);
      byte[] dex = translate(parsed, classFile, job.minApi);
      if (job.perClass) {
        FileTrees.writeAtomically(job.output.resolve(name + ".dex"), dex);
      } else {
        parts.add(new Dex(dex));
      }
    } catch (RuntimeException e) {
      String text = "dx, which is used because there is no D8, cannot translate this class: " + e.getMessage();
      messages.add(Diagnostic.withoutPlace("error", "d8", origin.toString(), text));
    }
  }

  private byte[] translate(DirectClassFile parsed, byte[] classFile, int minApi) throws IOException {
    DexOptions options = new DexOptions();
    options.minSdkVersion = minApi;
    CfOptions classOptions = new CfOptions();
    DexFile file = new DexFile(options);
    file.add(CfTranslator.translate(context, parsed, classFile, classOptions, options, file));
    return file.toDex(null, false);
  }

  /** One dex file, or as few as halving gives when the ids of one do not suffice. */
  private List<Dex> merge(List<Dex> parts) throws IOException {
    if (parts.size() <= 1) {
      return parts;
    }
    try {
      Dex merged = new DexMerger(parts.toArray(Dex[]::new), CollisionPolicy.FAIL, context).merge();
      return List.of(merged);
    } catch (DexIndexOverflowException e) {
      int middle = parts.size() / 2;
      List<Dex> halves = new ArrayList<>(merge(parts.subList(0, middle)));
      halves.addAll(merge(parts.subList(middle, parts.size())));
      return halves;
    }
  }

  private static void write(Job job, List<Dex> files) throws IOException {
    for (int i = 0; i < files.size(); i++) {
      String name = i == 0 ? "classes.dex" : "classes" + (i + 1) + ".dex";
      files.get(i).writeTo(job.output.resolve(name).toFile());
    }
  }
}
