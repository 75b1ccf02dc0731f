import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const KOTLIN = '2.4.21';

/** Files that use the constant, and files that use the signature; half of each are Java. */
const CONSTANT_USERS = 50;
const SIGNATURE_USERS = 200;

/**
 * Writes a project of `modules` modules (the app is the last) with `classes` classes, half of them Kotlin, that call each
 * other within a module and across. Answers the paths that the benchmark edits.
 */
export async function writeEngineProject(dir, { classes, modules }) {
  const write = async (file, text) => {
    await mkdir(dirname(join(dir, file)), { recursive: true });
    await writeFile(join(dir, file), text);
  };
  const names = Array.from({ length: modules }, (_, index) => (index === modules - 1 ? 'app' : `m${index}`));
  await write(
    'settings.gradle.kts',
    `rootProject.name = "bench"\ninclude(${names.map((name) => `":${name}"`).join(', ')})\n`,
  );
  await write(
    'build.gradle.kts',
    `plugins {\n  id("com.android.application") version "8.13.2" apply false\n  id("org.jetbrains.kotlin.android") version "${KOTLIN}" apply false\n}\n`,
  );
  const perModule = Math.floor(classes / modules / 2);
  for (const [index, name] of names.entries()) {
    await write(`${name}/build.gradle.kts`, buildFile(name, index, names));
    await write(`${name}/src/main/res/values/strings.xml`, strings(name));
    await write(`${name}/src/main/res/layout/page_${name}.xml`, layout(name));
    for (let at = 0; at < perModule; at += 1) {
      const place = { name, index, at, serial: index * perModule + at, total: modules * perModule };
      await write(`${name}/src/main/kotlin/bench/${name}/K${at}.kt`, kotlin(place));
      await write(`${name}/src/main/java/bench/${name}/J${at}.java`, java(place));
    }
  }
  await write(
    'app/src/main/AndroidManifest.xml',
    `<manifest xmlns:android="${ANDROID}"><application android:label="@string/title_app"/></manifest>\n`,
  );
  await write(
    'm0/src/main/java/bench/m0/Limits.java',
    'package bench.m0;\npublic final class Limits {\n  public static final int MAX = 100;\n}\n',
  );
  await write(
    'm0/src/main/java/bench/m0/Api.java',
    'package bench.m0;\npublic final class Api {\n  public static int call(int x) { return x + 1; }\n}\n',
  );
  const middle = names[Math.floor(modules / 2)];
  const last = perModule - 1;
  return {
    kotlin: join(dir, `${middle}/src/main/kotlin/bench/${middle}/K${last}.kt`),
    java: join(dir, `${middle}/src/main/java/bench/${middle}/J${last}.java`),
    strings: join(dir, 'app/src/main/res/values/strings.xml'),
    constant: join(dir, 'm0/src/main/java/bench/m0/Limits.java'),
    signature: join(dir, 'm0/src/main/java/bench/m0/Api.java'),
  };
}

const ANDROID = 'http://schemas.android.com/apk/res/android';

function buildFile(name, index, names) {
  const plugin = name === 'app' ? 'application' : 'library';
  // A tree, as most projects are: everything knows the first module and one other; the app knows all.
  const uses =
    name === 'app'
      ? names.slice(0, -1)
      : index === 0
        ? []
        : [...new Set(['m0', names[Math.floor(index / 2)]])];
  return `plugins {
  id("com.android.${plugin}")
  id("org.jetbrains.kotlin.android")
}
android {
  namespace = "bench.${name}"
  compileSdk = 35
  defaultConfig { minSdk = 26 }
  compileOptions {
    sourceCompatibility = JavaVersion.VERSION_17
    targetCompatibility = JavaVersion.VERSION_17
  }
}
dependencies {
${uses.map((one) => `  implementation(project(":${one}"))`).join('\n')}
}
`;
}

function strings(name) {
  const lines = Array.from(
    { length: 20 },
    (_, at) => `  <string name="text_${name}_${at}">Text ${at}</string>`,
  );
  return `<resources>\n  <string name="title_${name}">Title</string>\n${lines.join('\n')}\n</resources>\n`;
}

function layout(name) {
  return `<TextView xmlns:android="${ANDROID}" android:id="@+id/page_${name}" android:layout_width="1dp" android:layout_height="1dp" android:text="@string/title_${name}"/>\n`;
}

/** Whether the file at `serial` of `total` is one of `users` that are spread evenly. */
function isUser(serial, total, users) {
  return Math.floor(((serial + 1) * users) / total) > Math.floor((serial * users) / total);
}

function mentions({ serial, total }, hash) {
  return [
    ...(isUser(serial, total, CONSTANT_USERS / 2) ? ['bench.m0.Limits.MAX'] : []),
    ...(isUser(serial, total, SIGNATURE_USERS / 2) ? [hash('bench.m0.Api.call(3)')] : []),
  ];
}

function kotlin(place) {
  const { name, at, index } = place;
  const neighbour = at === 0 ? '0' : `K${at - 1}(2).size()`;
  const other = index === 0 || name === 'app' ? '0' : `bench.m${Math.floor(index / 2)}.J${at}.total(2)`;
  return `package bench.${name}

/** A made-up class of an ordinary size. */
class K${at}(private val start: Int) {
  private val items = mutableListOf<String>()
  private var state = start

  fun add(text: String): Int {
    items += text.trim()
    state += text.length
    return state
  }

  fun size(): Int = items.size + state

  fun sum(): Int = items.map { it.length }.filter { it > 2 }.sum() + ${[neighbour, other, ...mentions(place, (value) => `${value}.hashCode()`)].join(' + ')}

  fun text(): String = items.joinToString(", ") { "$it of \${J${at}.total(state)}" }

  fun body(): Int = 1

  sealed interface Shape {
    data class Circle(val r: Double) : Shape
    data object None : Shape
  }

  fun area(shape: Shape): Double = when (shape) {
    is Shape.Circle -> shape.r * shape.r
    Shape.None -> 0.0
  }
}
`;
}

function java(place) {
  const { name, at } = place;
  const neighbour = at === 0 ? '0' : `J${at - 1}.total(1)`;
  const more = mentions(place, (value) => `String.valueOf(${value}).hashCode()`);
  return `package bench.${name};

import java.util.ArrayList;
import java.util.List;

/** A made-up class of an ordinary size. */
public class J${at} {
  private final List<String> items = new ArrayList<>();
  private int state;

  public static int total(int start) {
    return start * 2 + ${[neighbour, ...more].join(' + ')};
  }

  public void add(String text) {
    items.add(text.trim());
    Runnable later = () -> state += text.length();
    later.run();
  }

  public int size() {
    return items.size() + state;
  }

  public int body() {
    return 1;
  }

  static class Part {
    int size(J${at} whole) {
      return whole.size() + R.string.title_${name};
    }
  }
}
`;
}
