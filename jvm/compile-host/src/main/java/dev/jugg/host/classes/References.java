package dev.jugg.host.classes;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;

/**
 * Names of all classes that a class file mentions, found in its constant pool: class entries, and everything that reads
 * like a descriptor or a signature. A string of the program that happens to look like one counts too: rather one
 * class too many than one missed.
 */
final class References {
  /** Tags of the constant pool, JVMS 4.4. */
  private static final int TAG_UTF8 = 1;

  private static final int TAG_CLASS = 7;

  private static final Pattern IN_DESCRIPTOR = Pattern.compile("L([^;<>:()\\[\\s.]+)[;<]");

  private References() {}

  /** Internal names (with slashes), without the class itself. */
  static SortedSet<String> of(ClassReader reader, byte[] bytes) throws IOException {
    SortedSet<String> names = new TreeSet<>();
    char[] buffer = new char[reader.getMaxStringLength()];
    for (int i = 1; i < reader.getItemCount(); i++) {
      int offset = reader.getItem(i);
      if (offset == 0) {
        // The unused second half of a long or a double.
        continue;
      }
      int tag = bytes[offset - 1];
      if (tag == TAG_CLASS) {
        add(names, reader.readUTF8(offset, buffer));
      } else if (tag == TAG_UTF8) {
        addAll(names, readUtf8(bytes, offset));
      }
    }
    names.remove(reader.getClassName());
    return names;
  }

  /** Internal names in what reads like a descriptor or a signature. */
  static SortedSet<String> in(String text) {
    SortedSet<String> names = new TreeSet<>();
    addAll(names, text);
    return names;
  }

  private static void add(SortedSet<String> names, String classEntry) {
    if (classEntry.startsWith("[")) {
      addAll(names, classEntry);
    } else {
      names.add(classEntry);
    }
  }

  private static void addAll(SortedSet<String> names, String text) {
    Matcher matcher = IN_DESCRIPTOR.matcher(text);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
  }

  private static String readUtf8(byte[] bytes, int offset) throws IOException {
    return new DataInputStream(new ByteArrayInputStream(bytes, offset, bytes.length - offset)).readUTF();
  }
}
