import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { CompileOutcome } from '../../engine/types.ts';
import type { ViewNode } from '../../device/tree.ts';
import { walk } from '../../device/tree-walk.ts';
import type { Device } from '../../device/types.ts';
import { ERROR_TABLE } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/outcome.ts';
import type { WorkContext } from '../../shared/progress.ts';
import type { HostCheck } from '../../toolchain/inspect-host.ts';
import type { CallContext } from '../context.ts';
import { SELF_TEST_MARKER, SELF_TEST_PACKAGE, writeSelfTestProject } from './project.ts';

/** How long the screen may take to show what a press or a deploy did. */
const SHOWN_MS = 5_000;
const POLL_MS = 100;
/** Kept back from the call's deadline to remove the app. */
const REMOVAL_MS = 3_000;

interface Bench {
  readonly device: Device;
  readonly context: CallContext;
  readonly projectDir: string;
  readonly work: WorkContext;
}

/** A step says in a few words what it found. */
type Step = (bench: Bench) => Promise<Result<string>>;

/** What Jugg does with an app, in the order in which it needs one another. */
const STEPS: readonly (readonly [name: string, step: Step])[] = [
  ['build', build],
  ['install and start', (bench) => deploy(bench, 'Pressed')],
  ['read the views', readViews],
  ['press a button', (bench) => press(bench, 'Pressed')],
  ['change the code', (bench) => deploy(bench, 'Changed')],
  ['run the changed code', (bench) => press(bench, 'Changed')],
  ['read the log', readLog],
];

/**
 * Builds a tiny app, installs it on the device, uses it, changes it and removes it: what cannot be known of a phone but by
 * trying. One check for each step; after one that fails only the removal follows.
 */
export async function selfTest(device: Device, context: CallContext): Promise<readonly HostCheck[]> {
  const folder = createHash('sha256').update(device.serial).digest('hex').slice(0, 12);
  const projectDir = join(context.runtime.dirs.state, 'self-test', folder);
  const ended = AbortSignal.any([
    context.signal,
    AbortSignal.timeout(Math.max(1, context.remainingMs() - REMOVAL_MS)),
  ]);
  const work = { signal: ended, phase: () => {}, log: () => {} };
  const bench: Bench = { device, context, projectDir, work };
  await writeSelfTestProject(projectDir, 'Pressed');
  const checks: HostCheck[] = [];
  for (const [name, step] of STEPS) {
    context.progress?.(`self-test: ${name}`, null);
    const done = await step(bench);
    checks.push(toCheck(name, done));
    if (!done.ok) break;
  }
  checks.push(toCheck('remove', await remove(bench)));
  return checks;
}

function toCheck(name: string, done: Result<string>): HostCheck {
  const named = `self-test: ${name}`;
  if (done.ok) return { name: named, ok: true, found: done.value };
  const { code, message } = done.fault;
  const problem =
    code === 'CANCELED' ? 'There was no time left for it: call doctor again, now that all is warm.' : message;
  return { name: named, ok: false, found: null, problem, fix: ERROR_TABLE[code].hint };
}

async function compile({ context, projectDir, work }: Bench): Promise<Result<CompileOutcome>> {
  const engine = await context.runtime.engine();
  return engine.compile({ projectDir, allowGradle: false }, work);
}

async function build(bench: Bench): Promise<Result<string>> {
  const compiled = await compile(bench);
  return compiled.ok ? ok(`${compiled.value.state.applicationId} (${compiled.value.kind})`) : compiled;
}

async function deploy(bench: Bench, label: string): Promise<Result<string>> {
  const { device, context, projectDir, work } = bench;
  await writeSelfTestProject(projectDir, label);
  const compiled = await compile(bench);
  if (!compiled.ok) return compiled;
  const { state } = compiled.value;
  const engine = await context.runtime.engine();
  const deployer = await context.runtime.deployer();
  const deployed = await deployer.deploy(
    device,
    {
      projectDir,
      state,
      alwaysRestartApp: false,
      packageApk: () => engine.packageApk(state, work),
      classJars: () => engine.classJars(state, work),
    },
    work,
  );
  if (!deployed.ok) return deployed;
  const { deployType, reasons } = deployed.value;
  return ok(reasons.length > 0 ? `${deployType}: ${reasons.join(' ')}` : deployType);
}

async function readViews({ device, work }: Bench): Promise<Result<string>> {
  const tree = await device.tree(SELF_TEST_PACKAGE, { includeGone: false }, work.signal);
  if (!tree.ok) return tree;
  const { source, fallbackReason } = tree.value;
  return ok(fallbackReason === null ? source : `${source}: ${fallbackReason}`);
}

/** Presses the button and waits until it says so; code that was reloaded shows with the next press. */
async function press(bench: Bench, label: string): Promise<Result<string>> {
  const { device, work, context } = bench;
  const before = await button(bench);
  if (!before.ok) return before;
  const [left, top, right, bottom] = before.value.boundsPx;
  const center = { x: Math.round((left + right) / 2), y: Math.round((top + bottom) / 2) };
  const pressed = await device.gesture(SELF_TEST_PACKAGE, { action: 'tap', ...center }, work.signal);
  if (!pressed.ok) return pressed;
  const { clock } = context.runtime;
  const until = clock.now() + SHOWN_MS;
  for (;;) {
    const after = await button(bench);
    if (!after.ok) return after;
    const { text } = after.value;
    if (text !== before.value.text && text?.startsWith(label)) return ok(`"${text}"`);
    if (clock.now() > until)
      return fail('TIMEOUT', `The button says ${JSON.stringify(text)} after a press, not "${label}: …".`);
    await clock.sleep(POLL_MS, work.signal);
  }
}

async function button({ device, work }: Bench): Promise<Result<ViewNode>> {
  const tree = await device.tree(SELF_TEST_PACKAGE, { includeGone: false }, work.signal);
  if (!tree.ok) return tree;
  for (const { node } of walk(tree.value)) if (node.className === 'android.widget.Button') return ok(node);
  return fail('ELEMENT_NOT_FOUND', 'The button of the app is not among the views that were read.');
}

async function readLog({ device, work }: Bench): Promise<Result<string>> {
  const logs = await device.logs({ sinceMs: null }, work.signal);
  if (!logs.ok) return logs;
  const found = logs.value.findLast(({ message }) => message.includes(SELF_TEST_MARKER));
  return found
    ? ok(`"${SELF_TEST_MARKER}" of process ${found.pid}`)
    : fail('TIMEOUT', `The line "${SELF_TEST_MARKER}" that the app wrote is not in the device's log.`);
}

/** Also after a step that failed; the device must not keep what was only a test. */
async function remove({ device, context }: Bench): Promise<Result<string>> {
  const removed = await device.uninstall(SELF_TEST_PACKAGE, context.signal);
  if (!removed.ok) return removed;
  const left = await device.app(SELF_TEST_PACKAGE, context.signal);
  if (!left.ok) return left;
  return left.value === null
    ? ok('nothing is left')
    : fail('UNINSTALL_FAILED', `${SELF_TEST_PACKAGE} is still installed.`);
}
