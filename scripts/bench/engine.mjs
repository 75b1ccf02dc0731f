import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeEngineProject } from './engine-project.mjs';
import { report, time } from './stats.mjs';

const MODULES = 20;

/** Resident memory of a process and of those it started, in MB; Linux only, else NaN. */
async function memoryMb(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const own = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const below = await Promise.all(children.trim().split(' ').filter(Boolean).map(memoryMb));
  return { own, below: below.reduce((sum, one) => sum + one.own + one.below, 0) };
}

/**
 * Edits of a generated project, from the call to the dex files, beside a clean build of the same project by the same warm
 * host. `BENCH_CLASSES` holds the sizes, 2000 unless it is set; with 200,2000,8000 it shows that a change costs the same.
 */
export async function benchEngine({ jugg, folder }) {
  for (const classes of (process.env.BENCH_CLASSES ?? '2000').split(',').map(Number)) {
    console.log(`${MODULES} modules, ${classes} classes`);
    await benchSize({ jugg, dir: join(folder, `engine-${classes}`), classes });
  }
  await jugg.ok('stop');
}

async function benchSize({ jugg, dir, classes }) {
  const files = await writeEngineProject(dir, { classes, modules: MODULES });
  const first = performance.now();
  await jugg.ok('compile', '--project-dir', dir, '--timeout-ms', '3000000');
  console.log(`${'first build, cold'.padEnd(52)} ${((performance.now() - first) / 1000).toFixed(1)} s`);
  const compile = async (wanted) => {
    let { status, message, data } = await jugg.call('compile', { projectDir: dir });
    // A call answers after 45 s at the latest; the job goes on.
    while (status === 'OK' && data.isFinal === false)
      ({ status, message, data } = await jugg.call('get-compile-status', {
        projectDir: dir,
        jobId: data.jobId,
        waitTimeoutMs: 30_000,
      }));
    if (status !== 'OK') throw new Error(message);
    if (process.env.BENCH_TIMINGS) console.log(JSON.stringify(data.timings), data.files.compiledTotal);
    if (data.files.compiledTotal < wanted)
      throw new Error(`${data.files.compiledTotal} files compiled, not ${wanted}`);
  };
  const edit = async (file, pattern, replacement) => {
    const text = await readFile(file, 'utf8');
    const changed = text.replace(pattern, replacement);
    if (changed === text) throw new Error(`${file} has no ${pattern}`);
    await writeFile(file, changed);
  };
  const clean = {
    name: 'a clean build, warm',
    times: await time(1, async () => {
      await rm(join(jugg.home, 'state', 'projects'), { recursive: true, force: true });
      await jugg.ok('compile', '--project-dir', dir, '--timeout-ms', '3000000');
    }),
  };
  const measure = async (name, target, count, work) =>
    report(name, await time(count, work, 2), { target, rival: clean });
  await measure('nothing changed', 100, 10, () => compile(0));
  await measure('one Java body', 200, 10, async (run) => {
    await edit(files.java, /(int body\(\) \{\s*return )\d+/, `$1${run + 2}`);
    await compile(1);
  });
  await measure('one Kotlin body', 600, 10, async (run) => {
    await edit(files.kotlin, /body\(\): Int = \d+/, `body(): Int = ${run + 2}`);
    await compile(1);
  });
  await measure('a string resource', 400, 8, async (run) => {
    await edit(files.strings, />Title[^<]*</, `>Title ${run}<`);
    await compile(1);
  });
  await measure('a constant used in 50 files', 2500, 3, async (run) => {
    await edit(files.constant, /MAX = \d+/, `MAX = ${run + 101}`);
    await compile(Math.min(51, classes / 10));
  });
  await measure('a signature used in 200 files', 6000, 3, async (run) => {
    await edit(
      files.signature,
      /static \w+ call\(\w+ x/,
      `static ${run % 2 === 0 ? 'long' : 'int'} call(${run % 2 === 0 ? 'long' : 'int'} x`,
    );
    await compile(Math.min(201, classes / 10));
  });
  const { pid } = await jugg.address();
  const { own, below } = await memoryMb(pid);
  console.log(
    `${'memory of the server and of its compile host'.padEnd(52)} ${own.toFixed(0)} + ${below.toFixed(0)} MB`,
  );
}
