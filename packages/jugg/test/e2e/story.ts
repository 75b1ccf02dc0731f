import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { findAction } from '../../src/actions/registry.ts';
import type { CliEnvelope } from '../../src/cli/envelope.ts';

/** One call of a tool through some door. A job is polled to its end by whoever implements this. */
export type Door = (tool: string, args: Readonly<Record<string, unknown>>) => Promise<CliEnvelope>;

export interface Told {
  readonly step: string;
  readonly envelope: CliEnvelope;
}

const COUNT_TEXT = 'app/src/main/kotlin/dev/jugg/sample/counter/CountText.kt';

async function edit(project: string, file: string, from: string, to: string): Promise<void> {
  const path = join(project, file);
  const text = await readFile(path, 'utf8');
  expect(text).toContain(from);
  await writeFile(
    path,
    text.replace(from, () => to),
  );
}

/** The main job as an agent does it; every answer is checked against the schema of its tool. */
export async function mainJob(door: Door, project: string, serial: string): Promise<readonly Told[]> {
  const told: Told[] = [];
  const call = async (
    step: string,
    tool: string,
    args: Readonly<Record<string, unknown>> = {},
  ): Promise<CliEnvelope> => {
    const envelope = await door(tool, args);
    told.push({ step, envelope });
    if (envelope.status === 'OK') {
      const parsed = findAction(tool)?.output.safeParse(envelope.data);
      // Parsing drops what the schema does not name: nothing may be dropped.
      expect({ step, problem: parsed?.error?.message, data: parsed?.data }).toEqual({
        step,
        problem: undefined,
        data: envelope.data,
      });
    }
    return envelope;
  };
  const ok = async (
    step: string,
    tool: string,
    args: Readonly<Record<string, unknown>> = {},
  ): Promise<CliEnvelope> => {
    const envelope = await call(step, tool, args);
    expect({ step, ...envelope }).toMatchObject({ step, status: 'OK', errorCode: null });
    return envelope;
  };

  await ok('status before', 'status');
  const first = await ok('first deploy', 'deploy', { serial, waitAppReadyAfterSuccess: true });
  expect(first.data).toMatchObject({ deployType: 'INSTALL', isCompileSuccess: true, isDeploySuccess: true });
  const seen = await ok('log marker', 'wait-logs', { serial, marker: 'COUNTER_READY', timeoutMs: 10_000 });
  expect(seen.data).toMatchObject({ stopReason: 'marker' });
  await ok('activity stack', 'activity-stack', { serial });
  await ok('layout', 'layout-dump', { serial, format: 'text' });
  await ok('count is 0', 'view-locate', { serial, target: { text: 'Count: 0' } });
  const tapped = await ok('tap the button', 'tap', { serial, target: { resourceId: 'add' } });
  expect(tapped.data).toMatchObject({ mode: 'element', changed: true });
  await ok('count is 1', 'view-locate', { serial, target: { text: 'Count: 1' } });

  await edit(project, COUNT_TEXT, '"Count: $count"', '"Now at $count"');
  const pending = await ok('one change pending', 'status');
  expect(pending.data).toMatchObject({ pendingModifiedFiles: { total: 1, Kotlin: 1 } });
  const pid = pidOf(await ok('process before', 'wait-logs', { serial }));
  const hot = await ok('hot reload', 'deploy', { serial });
  expect(hot.data).toMatchObject({ deployType: 'HOT_RELOAD', files: { compiledTotal: 1 } });
  await ok('render anew', 'tap', { serial, target: { resourceId: 'count' } });
  await ok('state kept', 'view-locate', { serial, target: { text: 'Now at 1' } });
  expect(pidOf(await ok('process after', 'wait-logs', { serial }))).toBe(pid);

  await edit(project, 'app/src/main/res/values/strings.xml', '>Add<', '>Add one more<');
  await edit(project, 'app/src/main/res/layout/activity_main.xml', '64dp', '120dp');
  const embedded = await ok('resources', 'deploy', { serial, waitAppReadyAfterSuccess: true });
  expect(embedded.data).toMatchObject({ deployType: 'EMBEDDED' });
  await ok('new string', 'view-locate', { serial, target: { textContains: 'one more' } });
  await ok('hot reloaded code is in the APK too', 'view-locate', { serial, target: { text: 'Now at 0' } });

  await edit(project, COUNT_TEXT, '$count"', '$cuont"');
  const broken = await call('compile error', 'deploy', { serial });
  expect(broken).toMatchObject({
    status: 'ERROR',
    errorCode: 'COMPILE_ERROR',
    data: { isCompileSuccess: false },
  });
  expect(broken.data['diagnostics']).toMatchObject([
    { severity: 'error', tool: 'kotlinc', file: join(project, COUNT_TEXT), line: 4, column: 46 },
  ]);
  await edit(project, COUNT_TEXT, '"Now at $cuont"', '"Mended: $count"');
  await ok('mended', 'deploy', { serial });
  const none = await ok('nothing to do', 'deploy', { serial });
  expect(none.data).toMatchObject({ deployType: 'NONE' });
  await ok('restart takes the newest code along', 'restart', { serial, waitAppReadyAfterSuccess: true });
  await ok('mended code after the restart', 'view-locate', { serial, target: { text: 'Mended: 0' } });
  const miss = await call('no such element', 'view-locate', { serial, target: { text: 'Count: 7' } });
  expect(miss).toMatchObject({ errorCode: 'ELEMENT_NOT_FOUND' });
  await ok('screenshot', 'screenshot', { serial, maxSize: 600 });
  return told;
}

function pidOf(envelope: CliEnvelope): number | undefined {
  const { processes } = envelope.data;
  const running: unknown = Array.isArray(processes)
    ? processes.find((process) => process.state === 'running')
    : undefined;
  return typeof running === 'object' && running !== null && 'pid' in running
    ? Number(running.pid)
    : undefined;
}
