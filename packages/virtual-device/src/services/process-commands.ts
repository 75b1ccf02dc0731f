import { UID_SHELL, uidName } from '../fs/layout.ts';
import { PERMISSION_CONTROLLER } from '../packages/system-packages.ts';
import { complain, parseOptions } from '../shell/command.ts';
import type { Command, CommandContext } from '../shell/command.ts';
import type { RunningTools } from './running-tools.ts';
import type { Services } from './services.ts';

interface ProcessRow {
  readonly pid: number;
  readonly ppid: number;
  readonly uid: number;
  readonly name: string;
  readonly startedMs: number;
}

const ZYGOTE_PID = 310;

/** What runs on the device: the apps, and the parts of the system that tools look for. */
export function processTable(services: Services, tools: RunningTools | null = null): ProcessRow[] {
  const { bootMs, systemPid } = services;
  const system = (pid: number, ppid: number, uid: number, name: string): ProcessRow => ({
    pid,
    ppid,
    uid,
    name,
    startedMs: bootMs,
  });
  return [
    system(1, 0, 0, 'init'),
    system(180, 1, 1036, 'logd'),
    system(ZYGOTE_PID, 1, 0, 'zygote64'),
    system(320, 1, 2000, 'adbd'),
    system(systemPid, ZYGOTE_PID, 1000, 'system_server'),
    system(
      PERMISSION_CONTROLLER.pid,
      ZYGOTE_PID,
      PERMISSION_CONTROLLER.uid,
      PERMISSION_CONTROLLER.packageName,
    ),
    ...services.apps.all().map(({ pid, uid, processName, startedMs }) => ({
      pid,
      ppid: ZYGOTE_PID,
      uid,
      name: processName,
      startedMs,
    })),
    ...(tools?.all() ?? []).map(({ pid, name }) => system(pid, 320, UID_SHELL, name)),
  ];
}

export function processCommands(
  services: Services,
  tools: RunningTools,
): readonly (readonly [string, Command])[] {
  return [
    ['ps', (context) => ps(context, services, tools)],
    ['pidof', (context) => pidof(context, services, tools)],
    ['pgrep', (context) => pgrep(context, services, tools)],
    ['kill', (context) => kill(context, services, tools)],
    ['killall', (context) => killAll(context, services, tools)],
    ['pkill', (context) => killAll(context, services, tools)],
    ['uptime', (context) => uptime(context, services)],
  ];
}

const COLUMNS: Readonly<Record<string, (row: ProcessRow, now: number) => string>> = {
  USER: ({ uid }) => uidName(uid),
  UID: ({ uid }) => String(uid),
  PID: ({ pid }) => String(pid),
  PPID: ({ ppid }) => String(ppid),
  VSZ: () => '10485760',
  RSS: () => '262144',
  WCHAN: () => '0',
  ADDR: () => '0',
  S: () => 'S',
  STIME: ({ startedMs }) => new Date(startedMs).toISOString().slice(11, 16),
  ETIME: ({ startedMs }, now) => clock((now - startedMs) / 1000),
  TIME: () => '00:00:00',
  NAME: ({ name }) => name,
  CMD: ({ name }) => name,
  COMMAND: ({ name }) => name,
  ARGS: ({ name }) => name,
  CMDLINE: ({ name }) => name,
};

/** Tools look here for what `ps` can (toybox ps). */
const PS_USAGE = `usage: ps [-AadefLlnwZ] [-gG GROUP,] [-k FIELD,] [-o FIELD,] [-p PID,] [-t TTY,] [-uU USER,]

List processes.

Which processes to show (-gGuUpPt selections may be comma separated lists):

-A\tAll\t\t\t\t\t-a\tHas terminal not session leader
-d\tAll but session leaders\t\t-e\tSynonym for -A
-p\tProcess IDs (--pid)			-u\tUsers

Output modifiers:

-f\tFull listing				-o\tShow FIELDs
`;

const LEFT = new Set(['USER', 'S', 'NAME', 'CMD', 'COMMAND', 'ARGS', 'CMDLINE', 'WCHAN']);
const DEFAULT_COLUMNS = ['USER', 'PID', 'PPID', 'VSZ', 'RSS', 'WCHAN', 'ADDR', 'S', 'NAME'];
const FULL_COLUMNS = ['UID', 'PID', 'PPID', 'STIME', 'TIME', 'CMD'];

async function ps(context: CommandContext, services: Services, tools: RunningTools): Promise<number> {
  if (context.args.includes('--help')) {
    await context.stdout.write(PS_USAGE);
    return 0;
  }
  // `-ef` and `ef` are the same to toybox, as the first word; a number alone is a pid.
  const [first = '', ...others] = context.args;
  const args = [/^[a-zA-Z]+$/.test(first) ? `-${first}` : first, ...others].filter((arg) => arg !== '');
  const { flags, values, rest, unknown } = parseOptions(args, 'AaeflTMwZx', 'opuktgGPU');
  if (unknown !== null) return complain(context, `Unknown option '${unknown}' (see "ps --help")`);
  const names = (values.get('o') ?? '').split(',').map((name) =>
    name
      .trim()
      .replace(/[:=].*$/, '')
      .toUpperCase(),
  );
  const columns = values.has('o') ? names : flags.has('f') ? FULL_COLUMNS : DEFAULT_COLUMNS;
  const bad = columns.find((name) => COLUMNS[name] === undefined);
  if (bad !== undefined) return complain(context, `bad -o ${bad}`);
  const pids = [...(values.get('p') ?? '').split(','), ...rest].filter((text) => text !== '').map(Number);
  const user = values.get('u') ?? values.get('U');
  const rows = processTable(services, tools).filter((row) => {
    if (pids.length > 0) return pids.includes(row.pid);
    if (user !== undefined) return uidName(row.uid) === user || String(row.uid) === user;
    // Without -A only one's own processes are shown.
    return flags.has('A') || flags.has('e') || row.uid === context.uid;
  });
  const now = services.now();
  const table = [columns, ...rows.map((row) => columns.map((name) => COLUMNS[name]?.(row, now) ?? ''))];
  const widths = columns.map((_name, column) =>
    Math.max(...table.map((cells) => (cells[column] ?? '').length)),
  );
  const lines = table.map((cells) =>
    cells
      .map((cell, column) => {
        const last = column === columns.length - 1;
        const width = widths[column] ?? 0;
        return LEFT.has(columns[column] ?? '') ? cell.padEnd(last ? 0 : width) : cell.padStart(width);
      })
      .join(' '),
  );
  await context.stdout.write(`${lines.join('\n')}\n`);
  return rows.length === 0 && pids.length > 0 ? 1 : 0;
}

async function pidof(context: CommandContext, services: Services, tools: RunningTools): Promise<number> {
  const { flags, rest } = parseOptions(context.args, 'sx', 'o');
  const found = processTable(services, tools).filter(({ name }) => rest.includes(name));
  if (found.length === 0) return 1;
  const pids = found.map(({ pid }) => pid).reverse();
  await context.stdout.write(`${(flags.has('s') ? pids.slice(0, 1) : pids).join(' ')}\n`);
  return 0;
}

async function pgrep(context: CommandContext, services: Services, tools: RunningTools): Promise<number> {
  const { flags, rest } = parseOptions(context.args, 'flxvno', 'uP');
  const pattern = rest[0] ?? '';
  const found = processTable(services, tools).filter(({ name }) =>
    flags.has('x') ? name === pattern : name.includes(pattern),
  );
  for (const { pid, name } of found)
    await context.stdout.write(flags.has('l') ? `${pid} ${name}\n` : `${pid}\n`);
  return found.length > 0 ? 0 : 1;
}

/** Apps may be killed by themselves (`run-as`), not by the shell. Any signal that ends a process does. */
async function kill(context: CommandContext, services: Services, tools: RunningTools): Promise<number> {
  const { signal, names } = signalArgs(context.args);
  const pids = names.filter((arg) => /^\d+$/.test(arg)).map(Number);
  if (signal === '-l') {
    await context.stdout.write('HUP INT QUIT KILL TERM\n');
    return 0;
  }
  let status = 0;
  for (const pid of pids) {
    const row = processTable(services, tools).find((other) => other.pid === pid);
    const problem = row ? await send(signal, row, context, services, tools) : 'No such process';
    if (problem !== null) status = await complain(context, `${pid}: ${problem}`);
  }
  return pids.length === 0 ? complain(context, 'Needs 1 argument') : status;
}

/** What is in the way of a signal, or `null`. */
async function send(
  signal: string,
  { pid, uid }: ProcessRow,
  context: CommandContext,
  services: Services,
  tools: RunningTools,
): Promise<string | null> {
  const app = services.apps.byPid(pid);
  const tool = tools.all().find((other) => other.pid === pid);
  if (uid !== context.uid || !(app ?? tool)) return 'Operation not permitted';
  if (signal === '-0') return null;
  tool?.stop();
  if (app) await services.apps.kill(app, `signal ${signal.slice(1)}`);
  return null;
}

/** `-INT name`, `-2 name`, `-s INT name` */
function signalArgs(args: readonly string[]): { readonly signal: string; readonly names: readonly string[] } {
  const at = args.indexOf('-s');
  if (at >= 0) return { signal: `-${args[at + 1] ?? 'TERM'}`, names: args.toSpliced(at, 2) };
  const signal = args.find((arg) => /^-[A-Z0-9]+$|^-l$/.test(arg)) ?? '-TERM';
  return { signal, names: args.filter((arg) => !arg.startsWith('-')) };
}

/** `killall [-SIGNAL] NAME…`, `pkill [-l SIGNAL] NAME` */
async function killAll(context: CommandContext, services: Services, tools: RunningTools): Promise<number> {
  const { signal, names } = signalArgs(context.args);
  if (names.length === 0) return complain(context, 'Process name missing!');
  let status = 0;
  for (const name of names) {
    const found = processTable(services, tools).filter((row) => row.name === name);
    const problems = await Promise.all(found.map((row) => send(signal, row, context, services, tools)));
    const problem = found.length === 0 ? 'No such process' : problems.find((each) => each !== null);
    if (problem !== undefined && problem !== null) status = await complain(context, `${name}: ${problem}`);
  }
  return status;
}

async function uptime(context: CommandContext, services: Services): Promise<number> {
  const now = services.now();
  const time = new Date(now).toISOString().slice(11, 19);
  const minutes = Math.floor((now - services.bootMs) / 60_000);
  await context.stdout.write(` ${time} up ${minutes} min,  0 users,  load average: 0.00, 0.00, 0.00\n`);
  return 0;
}

function clock(seconds: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** `/proc` of the same processes. */
export function procFiles(services: Services): ReadonlyMap<string, () => string> {
  const files = new Map<string, () => string>([
    ['/proc/version', () => 'Linux version 6.6.0-jugg-virtual (jugg virtual device) #1 SMP PREEMPT\n'],
    ['/proc/uptime', () => `${((services.now() - services.bootMs) / 1000).toFixed(2)} 0.00\n`],
    [
      '/proc/meminfo',
      () => 'MemTotal:        4096000 kB\nMemFree:         2048000 kB\nMemAvailable:    3072000 kB\n',
    ],
    ['/proc/cpuinfo', () => 'processor\t: 0\nmodel name\t: Jugg virtual device\n'],
  ]);
  for (const row of processTable(services)) {
    files.set(`/proc/${row.pid}/cmdline`, () => `${row.name}\0`);
    files.set(`/proc/${row.pid}/comm`, () => `${row.name.slice(-15)}\n`);
    files.set(
      `/proc/${row.pid}/status`,
      () =>
        `Name:\t${row.name.slice(-15)}\nState:\tS (sleeping)\nPid:\t${row.pid}\nPPid:\t${row.ppid}\nUid:\t${row.uid}\t${row.uid}\t${row.uid}\t${row.uid}\n`,
    );
  }
  return files;
}
