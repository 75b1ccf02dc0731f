import { uidName } from '../../fs/layout.ts';
import { baseName, parent } from '../../fs/paths.ts';
import { complain, parseOptions } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';
import { humanSize } from './list.ts';

export const MISC_COMMANDS: readonly (readonly [string, Command])[] = [
  ['date', date],
  ['sleep', sleep],
  ['id', id],
  ['whoami', async (context) => print(context, `${uidName(context.uid)}\n`)],
  ['uname', uname],
  ['hostname', async (context) => print(context, 'localhost\n')],
  ['basename', async (context) => print(context, `${withoutSuffix(context.args)}\n`)],
  ['dirname', async (context) => print(context, `${dirName(context.args[0] ?? '')}\n`)],
  ['seq', sequence],
  ['yes', yes],
  ['nproc', async (context) => print(context, '2\n')],
  ['getenforce', async (context) => print(context, 'Enforcing\n')],
  ['sync', async () => 0],
  ['df', df],
  ['mount', mount],
];

async function print(context: CommandContext, text: string): Promise<number> {
  return (await context.stdout.write(text)) ? 0 : 141;
}

function withoutSuffix(args: readonly string[]): string {
  const name = baseName(args[0] ?? '');
  const suffix = args[1] ?? '';
  return suffix !== '' && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

function dirName(path: string): string {
  return path.includes('/') ? parent(path.replace(/(.)\/+$/, '$1')) : '.';
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The device's time zone is UTC. */
async function date(context: CommandContext): Promise<number> {
  const { values, rest } = parseOptions(context.args, 'uR', 'dr');
  const given = values.get('d');
  const now = given?.startsWith('@') ? new Date(Number(given.slice(1)) * 1000) : new Date(context.now());
  const format = rest.find((arg) => arg.startsWith('+'))?.slice(1) ?? '%a %b %e %H:%M:%S %Z %Y';
  return print(context, `${formatDate(format, now)}\n`);
}

function formatDate(format: string, now: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const nano = `${String(now.getUTCMilliseconds()).padStart(3, '0')}000000`;
  const values: Readonly<Record<string, string>> = {
    a: DAYS[now.getUTCDay()] ?? '',
    b: MONTHS[now.getUTCMonth()] ?? '',
    e: String(now.getUTCDate()).padStart(2),
    d: two(now.getUTCDate()),
    m: two(now.getUTCMonth() + 1),
    y: two(now.getUTCFullYear() % 100),
    Y: String(now.getUTCFullYear()),
    H: two(now.getUTCHours()),
    M: two(now.getUTCMinutes()),
    S: two(now.getUTCSeconds()),
    N: nano,
    s: String(Math.floor(now.getTime() / 1000)),
    Z: 'UTC',
    z: '+0000',
    F: now.toISOString().slice(0, 10),
    T: now.toISOString().slice(11, 19),
    D: `${two(now.getUTCMonth() + 1)}/${two(now.getUTCDate())}/${two(now.getUTCFullYear() % 100)}`,
    '%': '%',
    n: '\n',
    t: '\t',
  };
  return format
    .replaceAll(/%3N/g, nano.slice(0, 3))
    .replaceAll(/%([a-zA-Z%])/g, (whole: string, letter: string) => values[letter] ?? whole);
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

async function sequence(context: CommandContext): Promise<number> {
  const numbers = context.args.map(Number);
  const [first = 1, second, third] = numbers;
  const from = second === undefined ? 1 : first;
  const step = third === undefined ? 1 : (second ?? 1);
  const to = third ?? second ?? first;
  if (numbers.some(Number.isNaN) || step === 0) return complain(context, 'bad number');
  let out = '';
  for (let value = from; step > 0 ? value <= to : value >= to; value += step) out += `${value}\n`;
  return print(context, out);
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
