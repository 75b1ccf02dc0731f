import { complain, parseOptions, pathOf } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';

export const DATE_COMMANDS: readonly (readonly [string, Command])[] = [
  ['date', date],
  ['cal', calendar],
];

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const DAY_MS = 86_400_000;

/** `date [-u] [-d time] [-r file] [-I|-R] [+format]`; the device's time zone is UTC, and nobody but root sets its clock. */
async function date(context: CommandContext): Promise<number> {
  const { flags, values, rest, unknown } = parseOptions(context.args, 'uRI', 'drD', {
    utc: 'u',
    date: 'd',
    reference: 'r',
    'iso-8601': 'I',
    'rfc-email': 'R',
  });
  if (unknown !== null) return complain(context, `Unknown option '${unknown.replace(/^-+/, '')}'`);
  const given = values.get('d');
  const file = values.get('r');
  let now = context.now();
  if (given !== undefined) now = parseTime(given, now) ?? Number.NaN;
  if (file !== undefined) {
    const found = await context.fs.stat(pathOf(context, file));
    if (!found.ok) return complain(context, `${file}: No such file or directory`);
    now = found.value.mtimeMs;
  }
  if (Number.isNaN(now)) return complain(context, `bad date '${given ?? ''}'`);
  const format = rest.find((arg) => arg.startsWith('+'))?.slice(1);
  if (format === undefined && rest.length > 0)
    return complain(context, 'cannot set date: Operation not permitted');
  const usual = flags.has('I') ? '%F' : flags.has('R') ? '%a, %d %b %Y %T %z' : '%a %b %e %T %Z %Y';
  await context.stdout.write(`${formatTime(format ?? usual, new Date(now))}\n`);
  return 0;
}

/** `@seconds`, `2024-02-29 12:34:56`, `12:34`, `202402291234.56`: ms since the epoch; null for what is none. */
export function parseTime(text: string, now: number): number | null {
  const epoch = /^@(-?\d+(?:\.\d+)?)$/.exec(text)?.[1];
  if (epoch !== undefined) return Number(epoch) * 1000;
  const touch = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(?:\.(\d{2}))?$/.exec(text);
  if (touch) {
    const [, year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = touch.map(Number);
    return Date.UTC(year, month - 1, day, hour, minute, Number.isNaN(second) ? 0 : second);
  }
  const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text);
  if (clock) {
    const midnight = Math.floor(now / DAY_MS) * DAY_MS;
    return midnight + (Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0)) * 1000;
  }
  const match =
    /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?)?(?: ?(Z|UTC|[-+]\d{2}:?\d{2}))?$/.exec(
      text,
    );
  if (!match) return null;
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone = 'Z'] = match;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}${zone === 'UTC' ? 'Z' : zone.replace(/(\d{2})(\d{2})$/, '$1:$2')}`;
  const time = Date.parse(iso);
  return Number.isNaN(time) ? null : time;
}

const two = (value: number, fill = '0'): string => String(value).padStart(2, fill);

function formatTime(format: string, now: Date): string {
  const year = now.getUTCFullYear();
  const [month, day, weekDay] = [now.getUTCMonth(), now.getUTCDate(), now.getUTCDay()];
  const [hour, minute, second] = [now.getUTCHours(), now.getUTCMinutes(), now.getUTCSeconds()];
  const dayOfYear = Math.floor((Date.UTC(year, month, day) - Date.UTC(year, 0, 1)) / DAY_MS);
  const twelve = hour % 12 === 0 ? 12 : hour % 12;
  const nano = `${String(now.getUTCMilliseconds()).padStart(3, '0')}000000`;
  const values: Readonly<Record<string, string>> = {
    a: (DAYS[weekDay] ?? '').slice(0, 3),
    A: DAYS[weekDay] ?? '',
    b: (MONTHS[month] ?? '').slice(0, 3),
    h: (MONTHS[month] ?? '').slice(0, 3),
    B: MONTHS[month] ?? '',
    C: two(Math.floor(year / 100)),
    d: two(day),
    e: two(day, ' '),
    H: two(hour),
    I: two(twelve),
    j: String(dayOfYear + 1).padStart(3, '0'),
    k: two(hour, ' '),
    l: two(twelve, ' '),
    m: two(month + 1),
    M: two(minute),
    N: nano,
    p: hour < 12 ? 'AM' : 'PM',
    P: hour < 12 ? 'am' : 'pm',
    s: String(Math.floor(now.getTime() / 1000)),
    S: two(second),
    u: String(weekDay === 0 ? 7 : weekDay),
    U: two(Math.floor((dayOfYear + 7 - weekDay) / 7)),
    w: String(weekDay),
    W: two(Math.floor((dayOfYear + 7 - ((weekDay + 6) % 7)) / 7)),
    y: two(year % 100),
    Y: String(year),
    z: '+0000',
    Z: 'UTC',
    '%': '%',
    n: '\n',
    t: '\t',
  };
  const whole: Readonly<Record<string, string>> = {
    c: '%a %b %e %H:%M:%S %Y',
    D: '%m/%d/%y',
    F: '%Y-%m-%d',
    r: '%I:%M:%S %p',
    R: '%H:%M',
    T: '%H:%M:%S',
    x: '%m/%d/%y',
    X: '%H:%M:%S',
  };
  return format
    .replaceAll(/%([cDFrRTxX])/g, (_all, letter: string) => whole[letter] ?? '')
    .replaceAll(/%([1-9])N/g, (_all, digits: string) => nano.slice(0, Number(digits)))
    .replaceAll(/%[-_0]?([a-zA-Z%])/g, (all: string, letter: string) => {
      const value = values[letter];
      if (value === undefined) return all;
      return all[1] === '-'
        ? value.replace(/^[0 ]+(?=.)/, '')
        : all[1] === '_'
          ? value.replace(/^0+(?=.)/, (zeros) => ' '.repeat(zeros.length))
          : value;
    });
}

/** `cal [[month] year]` */
async function calendar(context: CommandContext): Promise<number> {
  const numbers = context.args.filter((arg) => arg !== '-h').map(Number);
  const now = new Date(context.now());
  const year = numbers.at(-1) ?? now.getUTCFullYear();
  const month = numbers.length > 1 ? (numbers[0] ?? 0) : numbers.length === 0 ? now.getUTCMonth() + 1 : null;
  if (numbers.some((number) => !Number.isInteger(number)) || year < 1 || year > 9999)
    return complain(context, 'bad date');
  if (month !== null && (month < 1 || month > 12)) return complain(context, `month 1-12: ${month}`);
  const months = month === null ? MONTHS.map((_name, index) => index) : [month - 1];
  await context.stdout.write(months.map((index) => monthText(year, index)).join('\n'));
  return 0;
}

function monthText(year: number, month: number): string {
  const title = `${MONTHS[month] ?? ''} ${year}`;
  const left = Math.floor((20 - title.length) / 2);
  const lines = [title.padStart(title.length + left).padEnd(20), 'Su Mo Tu We Th Fr Sa'];
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const cells = Array.from({ length: new Date(Date.UTC(year, month, 1)).getUTCDay() }, () => '  ');
  for (let day = 1; day <= days; day++) cells.push(two(day, ' '));
  while (cells.length < 42) cells.push('  ');
  for (let at = 0; at < 42; at += 7) lines.push(cells.slice(at, at + 7).join(' '));
  return (
    lines
      .map((line, index) => (index === 0 ? line : `${line} `))
      .join('\n')
      .replace(/^(.*)$/m, '$1 ') + '\n'
  );
}
