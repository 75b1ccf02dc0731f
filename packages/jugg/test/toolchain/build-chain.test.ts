import { execFile } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAapt2 } from '../../src/toolchain/aapt2.ts';
import { writeApk } from '../../src/toolchain/apk-zip.ts';
import { bootClassPath } from '../../src/toolchain/boot-class-path.ts';
import { onPath } from '../../src/toolchain/child.ts';
import { javaEnvironment } from '../../src/toolchain/java-environment.ts';
import { classNamesOfDex } from './dex.ts';
import { artifact, hostBench, KOTLIN_STDLIB, quietWork, valueOf } from './support.ts';
import type { HostBench } from './support.ts';

const run = promisify(execFile);

let bench: HostBench;
beforeAll(async () => {
  bench = await hostBench();
});
afterAll(async () => {
  await bench.close();
});

test('a tiny app, from sources and resources to an APK that the referees accept', async (context) => {
  const { folder, host, dirs } = bench;
  const work = quietWork();
  const project = await writeProject(folder);
  const boot = valueOf(await bootClassPath(host, work, { dirs }));
  const stdlib = await artifact(KOTLIN_STDLIB);
  const aapt2 = valueOf(await findAapt2(work, { dirs }));
  const at = (name: string): string => join(folder, 'build', name);

  valueOf(await aapt2.compileDir({ dir: project.res, output: at('res.zip') }, work));
  const link = {
    output: at('linked.apk'),
    manifest: project.manifest,
    frameworks: [boot.resources],
    compiled: [at('res.zip')],
    javaDir: at('gen'),
    textSymbols: at('R.txt'),
    stableIds: at('ids.txt'),
    minSdk: 26,
    targetSdk: 34,
    debug: true,
  };
  valueOf(await aapt2.link(link, work));
  expect(await readFile(at('R.txt'), 'utf8')).toContain('int string app_name 0x7f');

  const r = at('gen/com/example/R.java');
  const kotlin = valueOf(
    await host.compileKotlin(
      {
        moduleName: 'app',
        sources: [project.activity, project.helper, r],
        classPath: [...boot.compile, stdlib],
        friendPaths: [],
        jvmTarget: '11',
        freeArguments: [],
        outputDir: at('kotlin'),
        cacheDir: at('caches'),
        changes: { kind: 'unknown' },
        compareClassPath: true,
        compiler: [],
      },
      work,
    ),
  );
  expect(kotlin).toMatchObject({ success: true, diagnostics: [], compiled: [project.activity] });
  const java = valueOf(
    await host.compileJava(
      {
        sources: [project.helper, r],
        classPath: [at('kotlin'), ...boot.compile, stdlib],
        outputDir: at('java'),
        release: 11,
        freeArguments: [],
      },
      work,
    ),
  );
  expect(java).toMatchObject({ success: true, diagnostics: [] });

  const dexed = valueOf(
    await host.dex(
      {
        classFiles: [...kotlin.written, ...java.written],
        classPath: [at('kotlin'), at('java'), stdlib],
        bootClassPath: boot.dex,
        minApi: 26,
        outputDir: at('dex'),
      },
      work,
    ),
  );
  expect([...dexed.dex.keys()].toSorted()).toEqual([
    'com.example.Helper',
    'com.example.MainActivity',
    'com.example.R',
    'com.example.R$id',
    'com.example.R$layout',
    'com.example.R$string',
  ]);
  // The lambda of the activity has become a class of its own, in the same file.
  const activityDex = await readFile(dexed.dex.get('com.example.MainActivity') ?? '');
  const inActivity = classNamesOfDex(activityDex);
  expect(inActivity).toContain('com.example.MainActivity');
  expect(inActivity).toHaveLength(2);

  const merged = valueOf(
    await host.mergeDex({ dexFiles: [...dexed.dex.values()], minApi: 26, outputDir: at('merged') }, work),
  );
  expect(merged).toEqual([at('merged/classes.dex')]);
  const all = classNamesOfDex(await readFile(merged[0] ?? ''));
  expect(all).toEqual(expect.arrayContaining([...dexed.dex.keys()]));

  const unsigned = { base: at('linked.apk'), dexFiles: merged, output: at('unsigned.apk') };
  const asset = join(folder, 'größe.txt');
  await writeFile(asset, 'hello');
  const files = [{ name: 'assets/größe.txt', path: asset }];
  valueOf(await writeApk({ ...unsigned, files }, work.signal));
  const first = await readFile(unsigned.output);
  valueOf(await writeApk({ ...unsigned, files }, work.signal));
  expect((await readFile(unsigned.output)).equals(first)).toBe(true);

  valueOf(await host.sign({ input: unsigned.output, output: at('app.apk'), minSdk: 26 }, work));
  expect((await stat(join(dirs.state, 'debug.keystore'))).mode & 0o777).toBe(0o600);

  const apksigner = await onPath('apksigner');
  const zipalign = await onPath('zipalign');
  if (apksigner === null || zipalign === null) {
    context.skip('apksigner and zipalign are not installed: apt install apksigner zipalign');
    return;
  }
  const verify = ['verify', '--verbose', '--min-sdk-version', '21', at('app.apk')];
  const { stdout } = await run(apksigner, verify, { env: javaEnvironment(process.env) });
  expect(stdout).toContain('Verified using v1 scheme (JAR signing): true');
  expect(stdout).toContain('Verified using v2 scheme (APK Signature Scheme v2): true');
  await run(zipalign, ['-c', '4', at('app.apk')]);
  const { stdout: badging } = await run(aapt2.binary.path, ['dump', 'badging', at('app.apk')]);
  expect(badging).toContain("launchable-activity: name='com.example.MainActivity'");
  // Everything is done for the first time here, in cold JVMs: stubs and their digest, both compilers, D8, signing.
}, 240_000);

interface Project {
  readonly res: string;
  readonly manifest: string;
  readonly activity: string;
  readonly helper: string;
}

async function writeProject(folder: string): Promise<Project> {
  const at = (name: string): string => join(folder, 'app', name);
  for (const dir of ['res/values', 'res/layout', 'src']) await mkdir(at(dir), { recursive: true });
  await writeFile(at('AndroidManifest.xml'), MANIFEST);
  await writeFile(
    at('res/values/strings.xml'),
    '<resources><string name="app_name">Tiny</string></resources>',
  );
  await writeFile(at('res/layout/main.xml'), LAYOUT);
  await writeFile(at('src/MainActivity.kt'), ACTIVITY);
  await writeFile(at('src/Helper.java'), HELPER);
  return {
    res: at('res'),
    manifest: at('AndroidManifest.xml'),
    activity: at('src/MainActivity.kt'),
    helper: at('src/Helper.java'),
  };
}

const MANIFEST = `<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.example">
  <application android:label="@string/app_name">
    <activity android:name=".MainActivity" android:exported="true">
      <intent-filter>
        <action android:name="android.intent.action.MAIN"/>
        <category android:name="android.intent.category.LAUNCHER"/>
      </intent-filter>
    </activity>
  </application>
</manifest>
`;
const LAYOUT = `<TextView xmlns:android="http://schemas.android.com/apk/res/android" android:id="@+id/text"
    android:layout_width="match_parent" android:layout_height="wrap_content"/>
`;
const ACTIVITY = `package com.example
import android.app.Activity
import android.os.Bundle
import android.widget.TextView
class MainActivity : Activity() {
    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        setContentView(R.layout.main)
        val view = findViewById<TextView>(R.id.text)
        view.text = Helper.greet("x")
        view.setOnClickListener { title = "clicked" }
    }
}
`;
const HELPER = `package com.example;
import java.util.function.Function;
public final class Helper {
    public static String greet(String name) {
        Function<String, String> f = n -> "Hello " + n + MainActivity.class.getSimpleName();
        return f.apply(name);
    }
}
`;
