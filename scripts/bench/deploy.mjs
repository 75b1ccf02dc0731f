import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { report, time } from './stats.mjs';

const KOTLIN = 'app/src/main/kotlin/dev/jugg/sample/counter/CountText.kt';
const JAVA = 'library/src/main/java/dev/jugg/sample/parts/StepBar.java';
const STRINGS = 'app/src/main/res/values/strings.xml';

/** From the edit to the effect in the running app, against a clean build with a warm compiler. */
export async function benchDeploy({ jugg, project }) {
  await jugg.ok('vd', 'start', '--name', 'bench');
  await jugg.ok('deploy', '--project-dir', project);
  const deploy = async (wanted) => {
    const { status, message, data } = await jugg.call('deploy', { projectDir: project });
    if (status !== 'OK' || !wanted.includes(data.deployType))
      throw new Error(`${data.deployType}: ${message}`);
  };
  const edit = async (file, pattern, replacement) => {
    const path = join(project, file);
    const text = await readFile(path, 'utf8');
    const changed = text.replace(pattern, replacement);
    if (changed === text) throw new Error(`${file} has no ${pattern}`);
    await writeFile(path, changed);
  };
  const clean = {
    name: 'a clean build, warm',
    times: await time(
      3,
      async () => {
        await rm(join(jugg.home, 'state', 'projects'), { recursive: true, force: true });
        const built = await jugg.call('compile', { projectDir: project });
        if (built.status !== 'OK') throw new Error(built.message);
      },
      1,
    ),
  };
  await jugg.ok('deploy', '--project-dir', project);
  report(
    'one Kotlin method, edit to effect',
    await time(
      12,
      async (run) => {
        await edit(KOTLIN, /"[^"]*\$count"/, () => `"Run ${run}: $count"`);
        await deploy(['HOT_RELOAD']);
      },
      4,
    ),
    { target: 700, rival: clean },
  );
  report(
    'one Java method, edit to effect',
    await time(
      12,
      async (run) => {
        await edit(JAVA, /(getStep\(\) \{\s*return )[^;]*;/, `$1Math.max(STEPS[chosen], -${run + 1});`);
        await deploy(['HOT_RELOAD']);
      },
      4,
    ),
    { target: 350, rival: clean },
  );
  report(
    'a string, edit to restarted app',
    await time(
      6,
      async (run) => {
        await edit(STRINGS, />Add[^<]*</, `>Add ${run}<`);
        await deploy(['EMBEDDED']);
      },
      1,
    ),
    { rival: clean },
  );
  report('nothing changed', await time(10, () => deploy(['NONE']), 1));
  await jugg.ok('vd', 'stop', 'bench');
  await jugg.ok('stop');
}
