package dev.jugg.vd.host.dex;

import com.googlecode.d2j.DexConstants;
import com.googlecode.d2j.Field;
import com.googlecode.d2j.reader.BaseDexFileReader;
import com.googlecode.d2j.reader.DexFileReader;
import com.googlecode.d2j.visitors.DexClassVisitor;
import com.googlecode.d2j.visitors.DexFieldVisitor;
import com.googlecode.d2j.visitors.DexFileVisitor;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What a dex file says and dex2jar forgets: the names of source files (it keeps the line numbers), and which fields a
 * compiler has added (libraries that look at fields, like Gson, leave those out).
 */
final class DexFacts {
  private final Map<String, String> sourceFiles = new HashMap<>();
  private final Set<String> syntheticFields = new HashSet<>();

  static DexFacts of(BaseDexFileReader reader) {
    DexFacts facts = new DexFacts();
    reader.accept(facts.new Reader(), DexFileReader.SKIP_CODE | DexFileReader.SKIP_ANNOTATION);
    return facts;
  }

  void addAll(DexFacts others) {
    sourceFiles.putAll(others.sourceFiles);
    syntheticFields.addAll(others.syntheticFields);
  }

  /** By internal name of the class; null when it is not known. */
  String sourceFile(String owner) {
    return sourceFiles.get(owner);
  }

  boolean isSynthetic(String owner, String name, String descriptor) {
    return syntheticFields.contains(key(owner, name, descriptor));
  }

  private static String key(String owner, String name, String descriptor) {
    return owner + " " + name + " " + descriptor;
  }

  private final class Reader extends DexFileVisitor {
    @Override
    public DexClassVisitor visit(int access, String descriptor, String superClass, String[] interfaces) {
      String owner = descriptor.substring(1, descriptor.length() - 1);
      return new DexClassVisitor() {
        @Override
        public void visitSource(String file) {
          sourceFiles.put(owner, file);
        }

        @Override
        public DexFieldVisitor visitField(int fieldAccess, Field field, Object value) {
          if ((fieldAccess & DexConstants.ACC_SYNTHETIC) != 0) {
            syntheticFields.add(key(owner, field.getName(), field.getType()));
          }
          return null;
        }
      };
    }
  }
}
