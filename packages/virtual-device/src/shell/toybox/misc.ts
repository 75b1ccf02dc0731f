import { randomUUID } from 'node:crypto';
import { uidName } from '../../fs/layout.ts';
import { baseName } from '../../fs/paths.ts';
import { complain, parseOptions } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';
import { printf } from '../print.ts';
import { humanSize } from './list.ts';

export const MISC_COMMANDS: readonly (readonly [string, Command])[] = [
  ['sleep', sleep],
  ['id', id],
  ['whoami', async (context) => print(context, `${uidName(context.uid)}\n`)],
  ['uname', uname],
  ['hostname', async (context) => print(context, 'localhost\n')],
  ['basename', baseNames],
  ['dirname', folderNames],
  ['seq', sequence],
  ['yes', yes],
  ['nproc', async (context) => print(context, '2\n')],
  ['getenforce', async (context) => print(context, 'Enforcing\n')],
  ['sync', async () => 0],
  ['tty', async (context) => print(context, 'not a tty\n').then(() => 1)],
  ['logname', async (context) => print(context, `${uidName(context.uid)}\n`)],
  ['usleep', (context) => sleep({ ...context, args: [String(Number(context.args[0] ?? 0) / 1_000_000)] })],
  ['uuidgen', async (context) => print(context, `${randomUUID()}\n`)],
  ['getconf', configuration],
  ['factor', factor],
  ['df', df],
  ['mount', mount],
];

async function print(context: CommandContext, text: string): Promise<number> {
  return (await context.stdout.write(text)) ? 0 : 141;
}

/** `basename path [suffix]`, `basename -a path…`, `basename -s suffix path…` */
async function baseNames(context: CommandContext): Promise<number> {
  const { flags, values, rest } = parseOptions(context.args, 'a', 's');
  const [first] = rest;
  if (first === undefined) return complain(context, 'Needs 1 argument');
  const many = flags.has('a') || values.has('s');
  const suffix = values.get('s') ?? (many ? '' : (rest[1] ?? ''));
  const names = (many ? rest : [first]).map((path) => {
    const name = baseName(path.replace(/(.)\/+$/, '$1'));
    return suffix !== '' && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
  });
  return print(context, names.map((name) => `${name}\n`).join(''));
}

async function folderNames(context: CommandContext): Promise<number> {
  if (context.args.length === 0) return complain(context, 'Needs 1 argument');
  const names = context.args.map((path) => {
    const plain = path.replace(/(.)\/+$/, '$1');
    return plain.includes('/') ? plain.replace(/\/+[^/]*$/, '') || '/' : '.';
  });
  return print(context, names.map((name) => `${name}\n`).join(''));
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

async function sleep(context: CommandContext): Promise<number> {
  let ms = 0;
  for (const arg of context.args) {
    const match = /^(\d*\.?\d+)([smhd]?)$/.exec(arg);
    if (!match) return complain(context, `bad time '${arg}'`);
    ms += Number(match[1]) * (UNITS[match[2] || 's'] ?? 1) * 1000;
  }
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      context.signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    context.signal.addEventListener('abort', done, { once: true });
    if (context.signal.aborted) done();
  });
  return 0;
}

const SHELL_GROUPS =
  '1004(input),1007(log),1011(adb),1015(sdcard_rw),1028(sdcard_r),1078(ext_data_rw),1079(ext_obb_rw),3001(net_bt_admin),3002(net_bt),3003(inet),3006(net_bw_stats),3009(readproc),3011(uhid),3012(readtracefs)';

async function id(context: CommandContext): Promise<number> {
  const { flags } = parseOptions(context.args, 'ugGnrZ');
  const name = uidName(context.uid);
  if (flags.has('u') || flags.has('g')) return print(context, `${flags.has('n') ? name : context.uid}\n`);
  const own = `${context.uid}(${name})`;
  const groups = context.uid === 2000 ? `${own},${SHELL_GROUPS}` : `${own},3003(inet),9997(everybody)`;
  const domain = context.uid === 2000 ? 'shell' : 'runas_app';
  return print(context, `uid=${own} gid=${own} groups=${groups} context=u:r:${domain}:s0\n`);
}

async function uname(context: CommandContext): Promise<number> {
  const { flags } = parseOptions(context.args, 'asnrvmop');
  const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  const parts = {
    s: 'Linux',
    n: 'localhost',
    r: '6.6.0-jugg-virtual',
    v: '#1 SMP PREEMPT',
    m: machine,
    o: 'Android',
  };
  const wanted = flags.size === 0 ? 's' : flags.has('a') ? 'snrvmo' : [...flags].join('');
  const texts = Object.entries(parts).flatMap(([letter, text]) => (wanted.includes(letter) ? [text] : []));
  return print(context, `${texts.join(' ')}\n`);
}

/** `seq [-w] [-s separator] [-f format] [first [step]] last` */
async function sequence(context: CommandContext): Promise<number> {
  const at = context.args.findIndex((arg) => /^-?[\d.]/.test(arg));
  const { flags, values, rest } = parseOptions(context.args.slice(0, at < 0 ? undefined : at), 'w', 'fs');
  const texts = at < 0 ? rest : context.args.slice(at);
  const numbers = texts.map(Number);
  const [first = 1, second, third] = numbers;
  const from = second === undefined ? 1 : first;
  const step = third === undefined ? 1 : (second ?? 1);
  const to = third ?? second ?? first;
  if (texts.length === 0) return complain(context, 'Needs 1 argument');
  if (numbers.some(Number.isNaN) || step === 0) return complain(context, 'bad number');
  const places = Math.max(...texts.map((text) => (text.split('.')[1] ?? '').length));
  const all: string[] = [];
  for (let index = 0; ; index++) {
    const value = from + index * step;
    if (step > 0 ? value > to + 1e-9 : value < to - 1e-9) break;
    all.push(value.toFixed(places));
  }
  const width = flags.has('w') ? Math.max(...all.map((text) => text.length)) : 0;
  const format = values.get('f');
  const shown = all.map((text) =>
    format === undefined ? text.padStart(width, '0') : printf(format, [text]).text,
  );
  return all.length === 0 ? 0 : print(context, `${shown.join(values.get('s') ?? '\n')}\n`);
}

/** What tools ask for (POSIX `getconf`). */
const CONFIGURATION: Readonly<Record<string, string>> = {
  PAGESIZE: '4096',
  PAGE_SIZE: '4096',
  _NPROCESSORS_CONF: '2',
  _NPROCESSORS_ONLN: '2',
  LONG_BIT: '64',
  ARG_MAX: '131072',
  NAME_MAX: '255',
  PATH_MAX: '4096',
  CLK_TCK: '100',
};

async function configuration(context: CommandContext): Promise<number> {
  const [name = ''] = context.args;
  const value = CONFIGURATION[name];
  return value === undefined ? complain(context, `bad '${name}'`) : print(context, `${value}\n`);
}

async function factor(context: CommandContext): Promise<number> {
  let status = 0;
  for (const text of context.args) {
    if (!/^\d{1,15}$/.test(text)) {
      status = await complain(context, `bad number '${text}'`);
      continue;
    }
    let left = Number(text);
    const found: number[] = [];
    for (let by = 2; by * by <= left; by++) for (; left % by === 0; left /= by) found.push(by);
    if (left > 1) found.push(left);
    await print(context, `${[`${text}:`, ...found].join(' ')}\n`);
  }
  return status;
}

async function yes(context: CommandContext): Promise<number> {
  const line = `${context.args.length === 0 ? 'y' : context.args.join(' ')}\n`;
  while (!context.signal.aborted && (await context.stdout.write(line.repeat(512))));
  return 141;
}

/** Sizes as a device with 8 GB of storage has them; the host's disk is not the device's business. */
async function df(context: CommandContext): Promise<number> {
  const { flags } = parseOptions(context.args, 'hkaHit');
  const size = 8 * 1024 * 1024;
  const free = context.fs.freeBytes();
  const used = free === null ? 1024 * 1024 : size - Math.floor(free / 1024);
  const percent = `${Math.ceil((used / size) * 100)}%`;
  const show = (kilobytes: number): string =>
    flags.has('h') ? humanSize(kilobytes * 1024) : String(kilobytes);
  const title = `Filesystem     ${flags.has('h') ? ' Size' : '1K-blocks'}    Used Available Use% Mounted on\n`;
  const row = (name: string, point: string): string =>
    `${name.padEnd(14)} ${show(size).padStart(9)} ${show(used).padStart(7)} ${show(size - used).padStart(9)} ${percent.padStart(4)} ${point}\n`;
  return print(context, title + row('/dev/block/dm-5', '/data') + row('/dev/fuse', '/storage/emulated'));
}

async function mount(context: CommandContext): Promise<number> {
  const lines = [
    '/dev/block/dm-0 on / type ext4 (ro,seclabel,nodev,relatime)',
    'tmpfs on /dev type tmpfs (rw,seclabel,nosuid,relatime,mode=755)',
    'proc on /proc type proc (rw,relatime,gid=3009,hidepid=invisible)',
    '/dev/block/dm-5 on /data type ext4 (rw,seclabel,nosuid,nodev,noatime)',
    '/dev/fuse on /storage/emulated type fuse (rw,nosuid,nodev,noexec,noatime)',
  ];
  return print(context, `${lines.join('\n')}\n`);
}
