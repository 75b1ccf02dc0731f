import { baseOf, canUse, isUnit, kindOf, type Language, type Mention, type Mentions } from './kinds.ts';
import type { Loose, Resource, Unit, World, WorldModule } from './world.ts';

/** Texts by path, relative to the project. */
export type Tree = Readonly<Record<string, string>>;

/** The files of a project. */
export function render(world: World): Record<string, string> {
  const tree: Record<string, string> = {
    'settings.gradle.kts': `rootProject.name = "truth"\ninclude(${world.modules.map(({ name }) => `":${name}"`).join(', ')})\n`,
    'build.gradle.kts': `plugins {\n  id("com.android.application") version "8.13.2" apply false\n  id("org.jetbrains.kotlin.android") version "2.4.21" apply false\n}\n`,
    'gradle.properties': `android.nonTransitiveRClass=${!world.transitiveR}\nandroid.nonFinalResIds=${!world.finalR}\n`,
  };
  for (const module of world.modules) {
    tree[`${module.name}/build.gradle.kts`] = buildFile(module, world);
    if (module.kind === 'app')
      tree[`${module.name}/src/main/AndroidManifest.xml`] =
        `<manifest xmlns:android="${ANDROID}">\n  <application android:label="truth"/>\n</manifest>\n`;
  }
  for (const unit of world.units) tree[unitPath(unit)] = unitText(unit, world);
  for (const resource of world.resources) Object.assign(tree, resourceFiles(resource, world));
  for (const loose of world.loose) Object.assign(tree, looseFile(loose));
  return tree;
}

const ANDROID = 'http://schemas.android.com/apk/res/android';

function buildFile({ kind, name, hasKotlin, dependencies }: WorldModule, world: World): string {
  const java = `JavaVersion.VERSION_${world.release === 8 ? '1_8' : '17'}`;
  const compile = `  compileOptions { sourceCompatibility = ${java}\n targetCompatibility = ${java} }\n`;
  const plugins =
    kind === 'java'
      ? [`id("java-library")`, ...(hasKotlin ? ['id("org.jetbrains.kotlin.jvm") version "2.4.21"'] : [])]
      : [
          `id("com.android.${kind === 'app' ? 'application' : 'library'}")`,
          ...(hasKotlin ? ['id("org.jetbrains.kotlin.android")'] : []),
        ];
  const body =
    kind === 'java'
      ? `java { sourceCompatibility = ${java}\n targetCompatibility = ${java} }\n`
      : `android {\n  namespace = "t.${name}"\n  compileSdk = 35\n  defaultConfig { minSdk = ${world.minSdk} }\n${compile}}\n`;
  const uses = dependencies
    .map((one) => `  ${one.api ? 'api' : 'implementation'}(project(":${one.name}"))\n`)
    .join('');
  return `plugins {\n  ${plugins.join('\n  ')}\n}\n${body}dependencies {\n${uses}}\n`;
}

export function unitPath(unit: Unit): string {
  const { language } = kindOf(unit);
  return `${unit.module}/src/main/${language}/${unit.pkg.replaceAll('.', '/')}/${unit.file}.${language === 'java' ? 'java' : 'kt'}`;
}

function unitText(unit: Unit, world: World): string {
  const kind = kindOf(unit);
  const { language } = kind;
  const uses = mentionsOf(unit, language, world);
  const multi =
    unit.kind === 'kMultiFile' ? `@file:JvmName("Multi_${unit.module}")\n@file:JvmMultifileClass\n` : '';
  const end = language === 'java' ? ';' : '';
  return `${'\n'.repeat(unit.lines)}${multi}package ${unit.pkg}${end}\n${uses.imports}\n${kind.text(unit, uses, baseOf(unit, world), world)}\n`;
}

function mentionsOf(unit: Unit, language: Language, world: World): Mentions {
  const mentions: Mention[] = [];
  unit.uses.forEach(({ target, form }, index) => {
    const found = [...world.units, ...world.resources].find(({ id }) => id === target);
    if (found === undefined || !canUse(unit, found, world)) return;
    if (isUnit(found)) {
      mentions.push(kindOf(found).mention(found, language, form, `${unit.id}_${index}`, world));
    } else mentions.push({ expression: `t.${found.module}.R.${found.kind}.${found.name}` });
  });
  const join = mentions.map(({ expression }) => ` + (${expression})`).join('');
  return {
    joined: `""${join}`,
    members: mentions.flatMap(({ members }) => members ?? []).join('\n'),
    imports: mentions.flatMap(({ imports }) => (imports ?? []).map((name) => `import ${name}`)).join('\n'),
  };
}

function resourceFiles(resource: Resource, world: World): Record<string, string> {
  const { kind, name, n, module, german } = resource;
  const res = `${module}/src/main/res`;
  const values = (text: string): string => `<resources>\n  ${text}\n</resources>\n`;
  const reference = world.resources.find(({ id, kind: its }) => id === resource.refers && its === 'string');
  const text = reference === undefined ? `text ${n}` : `@string/${reference.name}`;
  switch (kind) {
    case 'string':
      return {
        [`${res}/values/${name}.xml`]: values(`<string name="${name}">${text}</string>`),
        ...(german
          ? { [`${res}/values-de/${name}.xml`]: values(`<string name="${name}">Wort ${n}</string>`) }
          : {}),
      };
    case 'color':
      return {
        [`${res}/values/${name}.xml`]: values(`<color name="${name}">#${String(100000 + n)}</color>`),
      };
    case 'id':
      return { [`${res}/values/${name}.xml`]: values(`<item type="id" name="${name}"/>`) };
    case 'style':
      return {
        [`${res}/values/${name}.xml`]: values(
          `<style name="${name}"><item name="android:textSize">${n}sp</item></style>\n  <declare-styleable name="View_${name}"><attr name="a_${name}" format="integer"/></declare-styleable>`,
        ),
      };
    case 'drawable':
      return {
        [`${res}/drawable/${name}.xml`]: `<shape xmlns:android="${ANDROID}"><corners android:radius="${n}dp"/></shape>\n`,
      };
    case 'layout': {
      const layout = `<TextView xmlns:android="${ANDROID}" android:id="@+id/${name}_${n % 3}"\n  android:layout_width="${n}dp" android:layout_height="1dp" android:text="${text}"/>\n`;
      return {
        [`${res}/layout/${name}.xml`]: layout,
        ...(german ? { [`${res}/layout-land/${name}.xml`]: layout.replace('1dp', '2dp') } : {}),
      };
    }
  }
}

function looseFile({ kind, module, id, n }: Loose): Record<string, string> {
  const source = `${module}/src/main`;
  if (kind === 'asset') return { [`${source}/assets/a${id}.txt`]: `asset ${n}` };
  if (kind === 'resource') return { [`${source}/resources/r${id}.properties`]: `n=${n}` };
  const entry = `<meta-data android:name="m${id}" android:value="v${n}"/>`;
  return {
    [`${module}/src/debug/AndroidManifest.xml`]: `<manifest xmlns:android="${ANDROID}">\n  <application>\n    ${entry}\n  </application>\n</manifest>\n`,
  };
}
