package dev.jugg.vd.host.dex;

import com.googlecode.d2j.reader.BaseDexFileReader;
import com.googlecode.d2j.reader.MultiDexFileReader;
import com.googlecode.d2j.visitors.DexFileVisitor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Some of the classes of a dex file as a dex file of their own: dex2jar works on a file with one thread. */
final class DexPart implements BaseDexFileReader {
  private final BaseDexFileReader whole;
  private final List<Integer> classes;

  private DexPart(BaseDexFileReader whole, List<Integer> classes) {
    this.whole = whole;
    this.classes = classes;
  }

  /**
   * At most {@code count} parts of similar size; a class and the classes inside it stay together. Each has a reader of its
   * own: a reader keeps its place in the file and serves one thread.
   */
  static List<BaseDexFileReader> split(byte[] dex, List<String> names, int count) throws IOException {
    List<List<Integer>> indices = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      indices.add(new ArrayList<>());
    }
    for (int i = 0; i < names.size(); i++) {
      indices.get(Math.floorMod(outermost(names.get(i)).hashCode(), count)).add(i);
    }
    List<BaseDexFileReader> parts = new ArrayList<>();
    for (List<Integer> part : indices) {
      if (!part.isEmpty()) {
        parts.add(new DexPart(MultiDexFileReader.open(dex), part));
      }
    }
    return parts;
  }

  private static String outermost(String name) {
    int dollar = name.indexOf('$', name.lastIndexOf('/') + 2);
    return dollar < 0 ? name : name.substring(0, dollar);
  }

  @Override
  public int getDexVersion() {
    return whole.getDexVersion();
  }

  @Override
  public void accept(DexFileVisitor visitor) {
    accept(visitor, 0);
  }

  @Override
  public List<String> getClassNames() {
    List<String> all = whole.getClassNames();
    return classes.stream().map(all::get).toList();
  }

  @Override
  public void accept(DexFileVisitor visitor, int config) {
    visitor.visitDexFileVersion(getDexVersion());
    for (int index : classes) {
      whole.accept(visitor, index, config);
    }
    visitor.visitEnd();
  }

  @Override
  public void accept(DexFileVisitor visitor, int index, int config) {
    whole.accept(visitor, classes.get(index), config);
  }
}
