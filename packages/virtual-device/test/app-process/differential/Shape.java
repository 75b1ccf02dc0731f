import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What reflection tells of a class, a line for each fact; what compilers add of their own is left out. */
final class Shape {
  private Shape() {}

  static List<String> of(Class<?> type) {
    List<String> facts = new ArrayList<>();
    facts.add("class " + Modifier.toString(type.getModifiers()) + " " + type.toGenericString());
    facts.add("extends " + type.getGenericSuperclass() + " " + Arrays.toString(type.getGenericInterfaces()));
    facts.add("in " + type.getDeclaringClass() + " " + type.getEnclosingClass() + " " + type.getEnclosingMethod());
    facts.add("named " + type.getSimpleName() + " " + type.isAnonymousClass() + type.isLocalClass());
    facts.add("annotated " + sorted(type.getDeclaredAnnotations()));
    List<String> members = new ArrayList<>();
    for (Field field : type.getDeclaredFields()) {
      if (!field.isSynthetic()) {
        members.add(field.toGenericString() + " " + sorted(field.getDeclaredAnnotations()));
      }
    }
    for (Method method : type.getDeclaredMethods()) {
      // D8 changes the access of the bodies of lambdas.
      if (!method.isSynthetic() && !method.getName().contains("lambda$")) {
        // Dex keeps "synchronized" and "strictfp" as code only.
        String text = method.toGenericString().replace("synchronized ", "").replace("strictfp ", "");
        members.add(text + " " + sorted(method.getDeclaredAnnotations())
            + Arrays.stream(method.getParameterAnnotations()).map(Shape::sorted).toList() + Render.of(method.getDefaultValue()));
      }
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (!constructor.isSynthetic()) {
        members.add(constructor.toGenericString() + " " + sorted(constructor.getDeclaredAnnotations()));
      }
    }
    members.sort(null);
    facts.addAll(members);
    return facts;
  }

  private static List<String> sorted(Annotation[] annotations) {
    return Arrays.stream(annotations)
        .map(Annotation::toString)
        // Debug information of coroutines: line numbers and names, which dex has in another form.
        .filter(text -> !text.startsWith("@kotlin.coroutines.jvm.internal.DebugMetadata"))
        .sorted()
        .toList();
  }
}
