import { execFile } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bootClassPath } from '../../src/toolchain/boot-class-path.ts';
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

describe('from sources to a signed APK', () => {
  test('Kotlin and Java that need each other, dex for each class, one merged dex, a valid signature', async () => {
    const { folder, host } = bench;
    const src = join(folder, 'src');
    await mkdir(src);
    const activity = join(src, 'MainActivity.kt');
    const helper = join(src, 'Helper.java');
    await writeFile(activity, ACTIVITY);
    await writeFile(helper, HELPER);
    const boot = valueOf(await bootClassPath(host, quietWork()));
    const stdlib = await artifact(KOTLIN_STDLIB);
    const kotlinOut = join(folder, 'out/kotlin');
    const javaOut = join(folder, 'out/java');

    const kotlin = valueOf(
      await host.compileKotlin(
        {
          moduleName: 'app',
          sources: [activity, helper],
          classPath: [...boot.compile, stdlib],
          friendPaths: [],
          jvmTarget: '11',
          freeArguments: [],
          outputDir: kotlinOut,
          cacheDir: join(folder, 'caches/app'),
          changes: { kind: 'unknown' },
          classPathChanged: false,
        },
        quietWork(),
      ),
    );
    expect(kotlin).toMatchObject({ success: true, diagnostics: [], compiled: [activity] });
    const java = valueOf(
      await host.compileJava(
        {
          sources: [helper],
          classPath: [kotlinOut, ...boot.compile, stdlib],
          outputDir: javaOut,
          release: 11,
          freeArguments: [],
        },
        quietWork(),
      ),
    );
    expect(java).toMatchObject({ success: true, diagnostics: [] });

    const classFiles = [...kotlin.written, ...java.written];
    const dexed = valueOf(
      await host.dex(
        {
          classFiles,
          classPath: [kotlinOut, javaOut, stdlib],
          bootClassPath: boot.dex,
          minApi: 26,
          outputDir: join(folder, 'dex'),
        },
        quietWork(),
      ),
    );
    expect([...dexed.dex.keys()].toSorted()).toEqual(['com.example.Helper', 'com.example.MainActivity']);
    const merged = valueOf(
      await host.mergeDex(
        { dexFiles: [...dexed.dex.values()], minApi: 26, outputDir: join(folder, 'merged') },
        quietWork(),
      ),
    );
    expect(merged).toEqual([join(folder, 'merged/classes.dex')]);
    expect((await readFile(merged[0] ?? '')).subarray(0, 4).toString('latin1')).toBe('dex\n');
  });
});

const ACTIVITY = `package com.example
import android.app.Activity
import android.os.Bundle
import android.widget.TextView
class MainActivity : Activity() {
    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        val view = findViewById<TextView>(1)
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
