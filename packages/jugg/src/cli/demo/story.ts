import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DemoReport } from './report.ts';
import { DemoFailure, type DemoSession } from './session.ts';

const COUNT_TEXT = 'app/src/main/kotlin/dev/jugg/sample/counter/CountText.kt';
const LAYOUT = 'app/src/main/res/layout/activity_main.xml';
const STRINGS = 'app/src/main/res/values/strings.xml';

/** Replaces exactly one place of a file in the copy of the sample. */
async function edit(projectDir: string, file: string, from: string, to: string): Promise<void> {
  const path = join(projectDir, file);
  const text = await readFile(path, 'utf8');
  if (text.split(from).length !== 2)
    throw new DemoFailure(`${file} does not hold ${JSON.stringify(from)} exactly once`);
  await writeFile(
    path,
    text.replace(from, () => to),
  );
}

/** The main job, step by step: each is looked at, none is taken for granted. Answers the files it leaves to look at. */
export async function tellStory(
  session: DemoSession,
  report: DemoReport,
  projectDir: string,
): Promise<readonly string[]> {
  await report.step('build and install', async () => {
    const type = await session.deploy(['INSTALL']);
    return `${type}, launched`;
  });
  await report.step('read the log', async () => {
    const { data } = await session.onDevice('wait-logs', { marker: 'COUNTER_READY', timeoutMs: 10_000 });
    if (data['stopReason'] !== 'marker')
      throw new DemoFailure(`the log ended with ${String(data['stopReason'])}`);
    return 'COUNTER_READY seen';
  });
  await report.step('look at the screen', () => session.find('Count: 0'));
  await report.step('press the button', async () => {
    await session.onDevice('tap', { target: { resourceId: 'add' } });
    return session.find('Count: 1');
  });
  const pid = await session.pid();
  await edit(projectDir, COUNT_TEXT, '"Count: $count"', '"You have counted to $count"');
  await report.step('change a Kotlin method', async () => {
    const type = await session.deploy(['HOT_RELOAD']);
    return `${type}: the running process took the new code`;
  });
  await report.step('see it, state kept', async () => {
    // A tap on the number sets all texts anew and does nothing else.
    await session.onDevice('tap', { target: { resourceId: 'count' } });
    const seen = await session.find('You have counted to 1');
    const now = await session.pid();
    if (now !== pid) throw new DemoFailure(`the process changed from ${pid} to ${now}`);
    return `${seen}, still process ${pid}`;
  });
  await edit(projectDir, STRINGS, '>Add<', '>Add one more<');
  await edit(projectDir, LAYOUT, 'android:minHeight="64dp"', 'android:minHeight="120dp"');
  await report.step('change a layout and a string', async () => session.deploy(['EMBEDDED', 'INSTALL']));
  await report.step('see them', async () => {
    const seen = await session.find('Add one more');
    await session.find('You have counted to 0');
    const height = await session.heightOf('count');
    if (height !== 120) throw new DemoFailure(`the number is ${height} dp high, expected 120`);
    return `${seen}, the number is 120 dp high`;
  });
  await edit(projectDir, COUNT_TEXT, '"You have counted to $count"', '"You have counted to $cuont"');
  await report.step('make a mistake', async () => {
    const { errorCode, data } = await session.any('deploy');
    if (errorCode !== 'COMPILE_ERROR')
      throw new DemoFailure(`expected COMPILE_ERROR, got ${String(errorCode)}`);
    return describeError(data['diagnostics'], projectDir);
  });
  await edit(projectDir, COUNT_TEXT, '"You have counted to $cuont"', '"Counted: $count"');
  await report.step('mend it', async () => session.deploy(['HOT_RELOAD']));
  await report.step('see it', async () => {
    await session.onDevice('tap', { target: { resourceId: 'count' } });
    return session.find('Counted: 0');
  });
  const files: string[] = [];
  await report.step('keep a picture', async () => {
    const picture = await session.onDevice('screenshot');
    const layout = await session.onDevice('layout-dump', { format: 'html' });
    files.push(String(picture.data['file']), String(layout.data['file']));
    return `${String(picture.data['width'])}x${String(picture.data['height'])} px, ${String(layout.data['nodes'])} nodes`;
  });
  return files;
}

function describeError(diagnostics: unknown, projectDir: string): string {
  const first: unknown = Array.isArray(diagnostics)
    ? diagnostics.find((entry: { severity?: unknown }) => entry.severity === 'error')
    : undefined;
  if (typeof first !== 'object' || first === null)
    throw new DemoFailure('a compile error without a diagnostic');
  const { file, line, column, message } = first as Record<string, unknown>;
  if (typeof line !== 'number' || typeof column !== 'number')
    throw new DemoFailure('a compile error without line and column');
  return `${String(file).replace(`${projectDir}/`, '')}:${line}:${column}: ${String(message)}`;
}
