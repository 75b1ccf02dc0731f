import { mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resolveArtifacts } from '../../src/toolchain/artifacts.ts';
import type { ResolveOptions } from '../../src/toolchain/artifacts.ts';
import { onPath, runChild } from '../../src/toolchain/child.ts';
import { javaEnvironment } from '../../src/toolchain/java-environment.ts';
import { parseCoordinates, repositoryPath } from '../../src/toolchain/maven/coordinates.ts';
import { fetchPom } from '../../src/toolchain/maven/fetch-pom.ts';
import { localRepository } from '../../src/toolchain/maven/local-repository.ts';
import { FRAMEWORK } from '../../src/toolchain/runtime.ts';
import { artifact, oddFolder, valueOf } from './support.ts';

const GSON = 'com.google.code.gson:gson:2.13.2';
const ASM = 'org.ow2.asm:asm:9.9';
const ANNOTATIONS = 'org.jetbrains:annotations:13.0';

let folder: string;
let env: NodeJS.ProcessEnv;

/**
 * A user with an empty local repository, whose settings name the real one as their mirror: Maven works as ever, with
 * all of its parts, and without a network.
 */
beforeAll(async () => {
  folder = await oddFolder();
  const real = await localRepository({ env: process.env, home: homedir(), mvn: await onPath('mvn') });
  await Promise.all([GSON, ASM, FRAMEWORK.gav, ANNOTATIONS].map((gav) => artifact(gav)));
  await mkdir(join(folder, 'home/.m2'), { recursive: true });
  // The plugin that fetches must be there too; asking for its help brings it.
  const help = await runChild(
    'mvn',
    ['-q', '-B', 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:help'],
    {
      signal: new AbortController().signal,
      cwd: folder,
      env: javaEnvironment(process.env),
    },
  );
  if (help.exitCode !== 0) throw new Error(help.stdout + help.stderr);
  await writeFile(
    join(folder, 'home/.m2/settings.xml'),
    `<settings><mirrors><mirror><id>real</id><mirrorOf>*</mirrorOf><url>${pathToFileURL(real).href}</url></mirror></mirrors></settings>`,
  );
  // Maven takes the home folder from Java, not from HOME. MAVEN_OPTS is split at blanks, so a name without them leads there.
  const plain = join(tmpdir(), `jugg-home-${process.pid}`);
  await symlink(folder, plain);
  env = {
    ...process.env,
    MAVEN_OPTS: `-Duser.home=${plain}/home -Dmaven.repo.local=${plain}/repository`,
    // As in a container or a service: Java must still find names beyond ASCII.
    LC_ALL: 'C',
  };
});
afterAll(async () => {
  await rm(join(tmpdir(), `jugg-home-${process.pid}`), { force: true });
  await rm(folder, { recursive: true, force: true });
});

interface Call {
  readonly options: ResolveOptions;
  readonly lines: string[];
}

function call(more: Partial<ResolveOptions> = {}): Call {
  const lines: string[] = [];
  const onProgress = (line: string): void => void lines.push(line);
  return { options: { signal: new AbortController().signal, onProgress, env, ...more }, lines };
}

describe('through Maven', () => {
  test('what is missing is fetched, alone, with progress; then Maven is not started any more', async () => {
    const { options, lines } = call();
    const paths = valueOf(await resolveArtifacts([{ gav: GSON, bytes: 289_901 }, { gav: ASM }], options));
    expect([...paths.keys()]).toEqual([GSON, ASM]);
    for (const path of paths.values()) expect((await stat(path)).size).toBeGreaterThan(10_000);
    expect(lines[0]).toBe('Fetching 2 files through Maven, 0.3 MB.');
    expect(lines).toContain('1 of 2: gson-2.13.2.jar (0.3 MB)');
    expect(lines.at(-1)).toMatch(/^2 of 2: asm-9\.9\.jar is here/);
    const groups = await readdir(join(folder, 'repository/com/google'));
    expect(groups).not.toContain('errorprone');

    const again = call({ env: { ...env, PATH: '/nowhere' } });
    const found = await resolveArtifacts([{ gav: GSON }, { gav: ASM }], again.options);
    expect(valueOf(found)).toEqual(paths);
    expect(again.lines).toEqual([]);
  });

  test('an artifact that is refused is named, and the others are there all the same', async () => {
    const gav = 'dev.jugg.nowhere:nothing:1.0';
    const { options } = call();
    const wanted = [{ gav }, { gav: ANNOTATIONS }];
    const result = await resolveArtifacts(wanted, options);
    expect(result).toMatchObject({
      ok: false,
      fault: { code: 'ENVIRONMENT_ERROR', data: { missing: [gav] } },
    });
    expect(result.ok ? '' : result.fault.message).toContain(`Maven could not get ${gav}.`);
  });

  test('a cancel ends Maven and leaves no folder behind', async () => {
    const abort = new AbortController();
    // Large enough to be on its way when the cancel comes.
    const { options } = call({
      signal: abort.signal,
      onProgress: (line) => {
        if (line.startsWith('1 of 1')) abort.abort();
      },
    });
    const result = await resolveArtifacts([FRAMEWORK], options);
    expect(result).toMatchObject({ ok: false, fault: { code: 'CANCELED' } });
    const left = (await readdir(tmpdir())).filter((name) => name.startsWith('jugg-maven-'));
    expect(left).toEqual([]);
  });
});

describe('without Maven', () => {
  test('offline: what is missing is named', async () => {
    const { options } = call({ offline: true });
    const result = await resolveArtifacts([{ gav: 'a.b:c:1' }, { gav: 'a.b:d:1' }], options);
    expect(result).toMatchObject({
      ok: false,
      fault: { code: 'ENVIRONMENT_ERROR', data: { missing: ['a.b:c:1', 'a.b:d:1'] } },
    });
  });

  test.each([
    ['linux', 'apt install maven'],
    ['darwin', 'brew install maven'],
    ['win32', 'choco install maven'],
  ] as const)('no mvn on %s: how to get it', async (platform, hint) => {
    const { options } = call({ platform, env: { ...env, PATH: '/nowhere' } });
    const result = await resolveArtifacts([{ gav: 'a.b:c:1' }], options);
    expect(result).toMatchObject({ ok: false, fault: { code: 'ENVIRONMENT_ERROR' } });
    expect(result.ok ? '' : result.fault.message).toContain(hint);
  });

  test.each(['a:b', 'a:b:../c', 'a:b:1:jar:x:y', '', 'a:b:<x>', '.:b:1'])(
    '%j is no artifact',
    async (gav) => {
      const { options } = call();
      expect(await resolveArtifacts([{ gav }], options)).toMatchObject({
        ok: false,
        fault: { code: 'INVALID_PARAMS' },
      });
    },
  );
});

describe('the local repository', () => {
  const at = (more: NodeJS.ProcessEnv, home: string): Promise<string> =>
    localRepository({ env: more, home, mvn: null });

  test('the default', async () => {
    expect(await at({}, '/nobody')).toBe(join('/nobody', '.m2', 'repository'));
  });

  test('the user’s settings, with a variable', async () => {
    const home = join(folder, 'other home');
    await mkdir(join(home, '.m2'), { recursive: true });
    const settings =
      '<settings><!-- x --><localRepository>${user.home}/${env.WHERE}/r</localRepository></settings>';
    await writeFile(join(home, '.m2/settings.xml'), settings);
    expect(await at({ WHERE: 'big disk' }, home)).toBe(`${home}/big disk/r`);
    expect(await at({ MAVEN_OPTS: '-Xmx1g -Dmaven.repo.local=/fast/r -Dx=y' }, home)).toBe('/fast/r');
    await writeFile(join(home, '.m2/settings.xml'), '<settings><localRepository>');
    expect(await at({}, home)).toBe(join(home, '.m2', 'repository'));
  });

  test('the installation’s settings', async () => {
    const maven = join(folder, 'maven');
    await mkdir(join(maven, 'conf'), { recursive: true });
    await writeFile(
      join(maven, 'conf/settings.xml'),
      '<settings><localRepository>/srv/m2</localRepository></settings>',
    );
    expect(await at({ MAVEN_HOME: maven }, '/nobody')).toBe('/srv/m2');
  });

  test('paths and the project that fetches', () => {
    const coordinates = parseCoordinates('a.b:c:1.0:zip:linux');
    expect(coordinates).not.toBeNull();
    if (coordinates === null) return;
    expect(repositoryPath(coordinates)).toBe(join('a', 'b', 'c', '1.0', 'c-1.0-linux.zip'));
    expect(fetchPom([coordinates])).toContain('<artifact>a.b:c:1.0:zip:linux</artifact>');
  });
});
