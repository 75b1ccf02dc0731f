import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Makes values of a type, the same ones for the same random numbers, in the world of one class loader. */
final class Values {
  static final Object NONE = new Object();
  private static final int[] INTS = {0, 1, -1, 2, -2, 3, 5, 7, 8, 10, 16, 31, 32, 33, 63, 64, 97, 127, -128, 255, 1000};
  private static final String[] STRINGS = {
    "", "a", "ab", "abc", "Hello, World", "  x y  ", "12", "-7", "0x1F", "1.5e3", "true", "\n\ta\r\n", "éü你好",
    "aXbXc", "xaxbx", "%d {0} $1", "a.b.c", "ABC", "abcabc", "zzzz"
  };

  private final ClassLoader loader;
  private final Random random;

  Values(ClassLoader loader, long seed) {
    this.loader = loader;
    this.random = new Random(seed);
  }

  /** {@link #NONE} when there is no telling how to make one. */
  Object of(Type type, int depth) {
    if (type instanceof Class<?> plain) {
      return plain(plain, new Type[0], depth);
    }
    if (type instanceof ParameterizedType generic) {
      return plain((Class<?>) generic.getRawType(), generic.getActualTypeArguments(), depth);
    }
    if (type instanceof TypeVariable<?> variable) {
      Type bound = variable.getBounds()[0];
      boolean any = bound == Object.class || depth > 3 || bound.getTypeName().startsWith("java.lang.Comparable");
      return any ? integer() : of(bound, depth + 1);
    }
    if (type instanceof WildcardType wildcard) {
      Type[] lower = wildcard.getLowerBounds();
      return of(lower.length > 0 ? lower[0] : wildcard.getUpperBounds()[0], depth + 1);
    }
    // An array of a type variable.
    return array(Object.class, Integer.class, depth);
  }

  private Object plain(Class<?> type, Type[] arguments, int depth) {
    if (depth > 5) {
      return NONE;
    }
    Object simple = simple(type);
    if (simple != NONE) {
      return simple;
    }
    if (type.isArray()) {
      return array(type.getComponentType(), type.getComponentType(), depth);
    }
    if (type.isEnum()) {
      Object[] all = type.getEnumConstants();
      return all.length == 0 ? NONE : all[random.nextInt(all.length)];
    }
    Type element = arguments.length == 0 ? Integer.class : arguments[0];
    if (type == List.class || type == Collection.class || type == Iterable.class || type == ArrayList.class) {
      return list(element, depth);
    }
    if (type == Set.class || type == LinkedHashSet.class) {
      return new LinkedHashSet<>(list(element, depth));
    }
    if (type == Iterator.class) {
      return list(element, depth).iterator();
    }
    if (type == Map.class || type == HashMap.class) {
      Map<Object, Object> map = new LinkedHashMap<>();
      for (Object key : list(element, depth)) {
        map.put(key, of(arguments.length < 2 ? Integer.class : arguments[1], depth + 1));
      }
      return map;
    }
    if (type == Comparator.class) {
      boolean reverse = random.nextBoolean();
      Comparator<Object> comparator = (a, b) -> Render.of(a).compareTo(Render.of(b));
      return reverse ? comparator.reversed() : comparator;
    }
    return foreign(type, arguments, depth);
  }

  private Object simple(Class<?> type) {
    if (type == int.class || type == Integer.class || type == Object.class || type == Comparable.class
        || type == Number.class) {
      return integer();
    }
    if (type == long.class || type == Long.class) {
      return random.nextInt(6) == 0 ? random.nextLong() : (long) integer();
    }
    if (type == short.class || type == Short.class) {
      return (short) integer();
    }
    if (type == byte.class || type == Byte.class) {
      return (byte) integer();
    }
    if (type == char.class || type == Character.class) {
      return "aA0 z\n-é你9".charAt(random.nextInt(10));
    }
    if (type == boolean.class || type == Boolean.class) {
      return random.nextBoolean();
    }
    if (type == float.class || type == Float.class) {
      return random.nextInt(8) == 0 ? Float.NaN : integer() / 4f;
    }
    if (type == double.class || type == Double.class) {
      return random.nextInt(8) == 0 ? Double.NEGATIVE_INFINITY : integer() / 8.0;
    }
    if (type == String.class || type == CharSequence.class) {
      return STRINGS[random.nextInt(STRINGS.length)];
    }
    if (type == StringBuilder.class || type == Appendable.class) {
      return new StringBuilder(STRINGS[random.nextInt(STRINGS.length)]);
    }
    return NONE;
  }

  private int integer() {
    return random.nextInt(3) == 0 ? random.nextInt(300) - 150 : INTS[random.nextInt(INTS.length)];
  }

  private List<Object> list(Type element, int depth) {
    List<Object> list = new ArrayList<>();
    for (int i = random.nextInt(7); i > 0; i--) {
      Object value = of(element, depth + 1);
      list.add(value == NONE ? integer() : value);
    }
    return list;
  }

  private Object array(Class<?> component, Type element, int depth) {
    List<Object> values = list(element, depth);
    Object array = Array.newInstance(component, values.size());
    for (int i = 0; i < values.size(); i++) {
      Object value = values.get(i);
      boolean fits = component.isPrimitive() || component.isInstance(value);
      if (!fits) {
        return NONE;
      }
      Array.set(array, i, value);
    }
    return array;
  }

  /** Types of the libraries themselves: functions, sequences, ranges, and what has a simple constructor. */
  private Object foreign(Class<?> type, Type[] arguments, int depth) {
    String name = type.getName();
    boolean kotlinFunction = name.startsWith("kotlin.jvm.functions.Function");
    if (kotlinFunction || isFunctional(type)) {
      long salt = random.nextLong();
      Type result = kotlinFunction && arguments.length > 0 ? arguments[arguments.length - 1] : null;
      return Proxy.newProxyInstance(loader, new Class<?>[] {type}, (proxy, method, given) -> {
        if (method.getDeclaringClass() == Object.class) {
          return method.getName().equals("hashCode") ? (Object) 1
              : method.getName().equals("equals") ? (Object) (proxy == given[0]) : "function";
        }
        if (method.isDefault()) {
          return java.lang.reflect.InvocationHandler.invokeDefault(proxy, method, given);
        }
        long seed = salt + Arrays.toString(given == null ? null : Arrays.stream(given).map(Render::of).toArray()).hashCode();
        Type wanted = result != null ? result : method.getGenericReturnType();
        Object value = wanted == void.class ? null : new Values(loader, seed).of(wanted, depth + 1);
        return value == NONE ? null : value;
      });
    }
    try {
      if (name.equals("kotlin.sequences.Sequence")) {
        Class<?> collections = loader.loadClass("kotlin.collections.CollectionsKt");
        return collections.getMethod("asSequence", Iterable.class)
            .invoke(null, list(arguments.length == 0 ? Integer.class : arguments[0], depth));
      }
      if (name.equals("kotlin.ranges.ClosedRange") || name.equals("kotlin.ranges.OpenEndRange")) {
        return of(loader.loadClass("kotlin.ranges.IntRange"), depth + 1);
      }
      Constructor<?>[] constructors = type.getConstructors();
      Arrays.sort(constructors, Comparator.comparing(Constructor::toString));
      for (Constructor<?> constructor : constructors) {
        Object[] values = Arrays.stream(constructor.getGenericParameterTypes()).map(t -> of(t, depth + 2)).toArray();
        if (!Arrays.asList(values).contains(NONE)) {
          return constructor.newInstance(values);
        }
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      return NONE;
    }
    return NONE;
  }

  private static boolean isFunctional(Class<?> type) {
    if (!type.isInterface()) {
      return false;
    }
    return Arrays.stream(type.getMethods())
        .filter(method -> java.lang.reflect.Modifier.isAbstract(method.getModifiers()))
        .filter(method -> !method.getName().equals("equals"))
        .count() == 1;
  }
}
