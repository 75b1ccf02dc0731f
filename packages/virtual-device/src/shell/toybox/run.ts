import { readLines } from '../../io/bytes.ts';
import { parseOptions } from '../command.ts';
import { signalNumber } from '../traps.ts';
import type { Command, CommandContext } from '../command.ts';

/** Commands that run other commands. */
export const RUN_COMMANDS: readonly (readonly [string, Command])[] = [
  // The shell starts it itself (sh-command.ts): it is a shell, not a command of one.
  ['sh', () => Promise.resolve(0)],
  ['env', env],
  ['printenv', env],
  ['nohup', (context) => context.run(context.args)],
  ['time', time],
  ['timeout', timeout],
  ['xargs', xargs],
  ['toybox', toybox],
];

async function env(context: CommandContext): Promise<number> {
  const changed = new Map(context.args.includes('-i') ? [] : context.env);
  const args = context.args.filter((arg) => arg !== '-i');
  let at = 0;
  for (; /^[A-Za-z_]\w*=/.test(args[at] ?? ''); at++) {
    const [name = '', value = ''] = (args[at] ?? '').split(/=(.*)/s);
    changed.set(name, value);
  }
  if (context.name === 'printenv' && args[0] !== undefined) {
    const value = changed.get(args[0]);
    if (value === undefined) return 1;
    await context.stdout.write(`${value}\n`);
    return 0;
  }
  if (at < args.length) return context.run(args.slice(at), { env: changed });
  for (const [name, value] of changed) await context.stdout.write(`${name}=${value}\n`);
  return 0;
}

async function time(context: CommandContext): Promise<number> {
  const start = performance.now();
  const status = await context.run(context.args);
  const seconds = ((performance.now() - start) / 1000).toFixed(2);
  await context.stderr.write(`    0m${seconds}s real     0m0.00s user     0m0.00s system\n`);
  return status;
}

async function timeout(context: CommandContext): Promise<number> {
  const { rest, values } = parseOptions(untilCommand(context.args), 'viF', 'ks');
  const killed = signalNumber(values.get('s') ?? 'TERM') === 9;
  const [seconds = ''] = rest;
  const command = context.args.slice(context.args.indexOf(seconds) + 1);
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  context.signal.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(stop, Number.parseFloat(seconds) * 1000);
  const late = new Promise<number>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(killed ? 137 : 124), { once: true });
  });
  const status = await Promise.race([context.run(command, { signal: controller.signal }), late]);
  clearTimeout(timer);
  context.signal.removeEventListener('abort', stop);
  return status;
}

/** Options of the command that is run are not ours. */
function untilCommand(args: readonly string[]): readonly string[] {
  const at = args.findIndex((arg) => /^\d/.test(arg));
  return at < 0 ? args : args.slice(0, at + 1);
}

async function xargs(context: CommandContext): Promise<number> {
  const { values, flags, rest } = parseOptions(
    context.args.slice(0, ownOptions(context.args)),
    '0rtx',
    'nIs',
  );
  const command = [...rest, ...context.args.slice(ownOptions(context.args))];
  const argv = command.length === 0 ? ['echo'] : command;
  const words: string[] = [];
  const marker = values.get('I');
  for await (const line of readLines(context.stdin)) {
    if (flags.has('0')) words.push(...line.split('\0').filter((word) => word !== ''));
    else if (marker === undefined) words.push(...line.split(/\s+/).filter((word) => word !== ''));
    else if (line !== '') words.push(line);
  }
  if (marker !== undefined) {
    let status = 0;
    for (const word of words) {
      status = (await context.run(argv.map((arg) => arg.replaceAll(marker, word)))) === 0 ? status : 123;
    }
    return status;
  }
  if (words.length === 0 && flags.has('r')) return 0;
  const size = Number(values.get('n') ?? words.length) || 1;
  let status = 0;
  for (let at = 0; at === 0 || at < words.length; at += size) {
    if ((await context.run([...argv, ...words.slice(at, at + size)])) !== 0) status = 123;
  }
  return status;
}

function ownOptions(args: readonly string[]): number {
  let at = 0;
  for (; (args[at] ?? '').startsWith('-'); at++) if (/^-[nIs]$/.test(args[at] ?? '')) at++;
  return at;
}

async function toybox(context: CommandContext): Promise<number> {
  if (context.args.length > 0) return context.run(context.args);
  await context.stdout.write('toybox (virtual device)\n');
  return 0;
}
