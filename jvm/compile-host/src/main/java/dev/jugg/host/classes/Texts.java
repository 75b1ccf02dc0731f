package dev.jugg.host.classes;

import java.util.Arrays;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Type;

/** Stable text forms of the values that occur in class files, for digests. */
final class Texts {
  private Texts() {}

  static String of(Object value) {
    if (value == null) {
      return "null";
    }
    if (value instanceof Handle handle) {
      return handle.getTag() + " " + handle.getOwner() + "." + handle.getName() + handle.getDesc();
    }
    if (value instanceof ConstantDynamic constant) {
      StringBuilder text = new StringBuilder(constant.getName() + constant.getDescriptor());
      text.append(of(constant.getBootstrapMethod()));
      for (int i = 0; i < constant.getBootstrapMethodArgumentCount(); i++) {
        text.append(' ').append(of(constant.getBootstrapMethodArgument(i)));
      }
      return text.toString();
    }
    if (value instanceof Type type) {
      return "type " + type.getDescriptor();
    }
    if (value.getClass().isArray()) {
      return array(value);
    }
    return value.getClass().getSimpleName() + " " + value;
  }

  static String list(String[] values) {
    return values == null ? "" : String.join(",", values);
  }

  private static String array(Object value) {
    if (value instanceof Object[] objects) {
      return Arrays.stream(objects).map(Texts::of).toList().toString();
    }
    int length = java.lang.reflect.Array.getLength(value);
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < length; i++) {
      text.append(java.lang.reflect.Array.get(value, i)).append(' ');
    }
    return text.append(']').toString();
  }
}
