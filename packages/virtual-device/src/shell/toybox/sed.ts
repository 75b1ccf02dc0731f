import { strerror } from '../../fs/errno.ts';
import { readAll } from '../../io/bytes.ts';
import { complain, complainFile, pathOf } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';
import { parseSed } from './sed-script.ts';
import type { SedCommand } from './sed-script.ts';

export const SED_COMMANDS: readonly (readonly [string, Command])[] = [['sed', sed]];

interface SedOptions {
  readonly script: string;
  readonly files: readonly string[];
  readonly quiet: boolean;
  readonly extended: boolean;
  readonly inPlace: boolean;
}

/** `sed [-nErs] [-i] [-e SCRIPT] [SCRIPT] [FILE…]` */
async function sed(context: CommandContext): Promise<number> {
  const options = parseArgs(context.args);
  if (typeof options === 'string') return complain(context, options);
  const parsed = parseSed(options.script, options.extended);
  if (!parsed.ok) return complain(context, parsed.message);
  if (options.inPlace) return editFiles(context, parsed.commands, options);
  let text = '';
  let status = 0;
  for (const file of options.files.length === 0 ? ['-'] : options.files) {
    if (file === '-') text += (await readAll(context.stdin)).toString('utf8');
    else {
      const data = await context.fs.readFile(pathOf(context, file));
      if (data.ok) text += data.value.toString('utf8');
      else status = await complainFile(context, file, data.errno);
    }
  }
  await context.stdout.write(transform(text, parsed.commands, options.quiet));
  return status;
}

async function editFiles(
  context: CommandContext,
  commands: readonly SedCommand[],
  { files, quiet }: SedOptions,
): Promise<number> {
  let status = 0;
  for (const file of files) {
    const path = pathOf(context, file);
    const data = await context.fs.readFile(path);
    if (!data.ok) {
      status = await complain(context, `${file}: ${strerror(data.errno)}`);
      continue;
    }
    const written = await context.fs.writeFile(
      path,
      Buffer.from(transform(data.value.toString('utf8'), commands, quiet)),
    );
    if (!written.ok) status = await complain(context, `${file}: ${strerror(written.errno)}`);
  }
  return status;
}

function parseArgs(args: readonly string[]): SedOptions | string {
  const scripts: string[] = [];
  const rest: string[] = [];
  const flags = new Set<string>();
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '-e' || arg === '--expression') scripts.push(args[++at] ?? '');
    else if (/^-[nErsiuz]+$/.test(arg)) for (const flag of arg.slice(1)) flags.add(flag);
    else if (arg.startsWith('-') && arg !== '-') return `Unknown option '${arg.replace(/^-+/, '')}'`;
    else rest.push(arg);
  }
  const given = scripts.length > 0 ? scripts.join('\n') : rest.shift();
  if (given === undefined) return 'no pattern';
  const extended = flags.has('E') || flags.has('r');
  return { script: given, files: rest, quiet: flags.has('n'), extended, inPlace: flags.has('i') };
}

/** One run over a text. */
function transform(text: string, commands: readonly SedCommand[], quiet: boolean): string {
  const lines = text.split('\n');
  const ended = lines.at(-1) === '';
  if (ended) lines.pop();
  const run = new Run(lines, commands, quiet);
  while (run.next()) run.execute();
  return run.output(ended);
}

/** Jumps of one cycle: a script that goes round without reading a line has no end. */
const MOST_JUMPS = 100_000;

/** What becomes of the line when a command is done: on with the next one, the end of the cycle, or with the line deleted. */
type Next = 'on' | 'end' | 'deleted' | 'again' | { readonly to: number };

class Run {
  readonly #lines: readonly string[];
  readonly #commands: readonly SedCommand[];
  readonly #quiet: boolean;
  readonly #out: string[] = [];
  /** Ranges that have begun and not ended, with the number of their first line. */
  readonly #open = new Map<SedCommand, number>();
  #at = -1;
  #space = '';
  #hold = '';
  #after: string[] = [];
  /** Something was substituted since the line was read, or since the last `t`. */
  #substituted = false;
  /** What was printed last is the last line of the input. */
  #lastPrinted = false;
  #quit = false;
  /** `D` begins the next cycle with what is left. */
  #kept = false;

  constructor(lines: readonly string[], commands: readonly SedCommand[], quiet: boolean) {
    this.#lines = lines;
    this.#commands = commands;
    this.#quiet = quiet;
  }

  next(): boolean {
    if (this.#quit) return false;
    this.#after = [];
    this.#substituted = false;
    if (this.#kept) {
      this.#kept = false;
      return true;
    }
    if (this.#at + 1 >= this.#lines.length) return false;
    this.#space = this.#lines[++this.#at] ?? '';
    return true;
  }

  execute(): void {
    const deleted = this.#cycle();
    if (!deleted && !this.#quiet) this.#print();
    this.#say(...this.#after);
  }

  /** Runs the commands on the line at hand; true when it was deleted. */
  #cycle(): boolean {
    let jumps = 0;
    for (let at = 0; at < this.#commands.length;) {
      const command = this.#commands[at];
      if (!command) return false;
      if (this.#selected(command) === command.negated) {
        at = command.name === '{' ? command.end : at + 1;
        continue;
      }
      const next = this.#one(command);
      if (next === 'on') at++;
      else if (next === 'end') return false;
      else if (next === 'deleted') return true;
      else if (next === 'again') {
        this.#kept = true;
        return true;
      } else if (++jumps > MOST_JUMPS) return false;
      else at = next.to;
    }
    return false;
  }

  /** A last line that had no end is printed without one; all else that is printed has one. */
  output(ended: boolean): string {
    if (this.#out.length === 0) return '';
    return this.#out.join('\n') + (ended || !this.#lastPrinted ? '\n' : '');
  }

  #print(): void {
    this.#out.push(this.#space);
    this.#lastPrinted = this.#at + 1 === this.#lines.length;
  }

  #say(...texts: readonly string[]): void {
    this.#out.push(...texts);
    if (texts.length > 0) this.#lastPrinted = false;
  }

  #one(command: SedCommand): Next {
    switch (command.name) {
      case 'd':
        return 'deleted';
      case 'D': {
        const newline = this.#space.indexOf('\n');
        if (newline < 0) return 'deleted';
        this.#space = this.#space.slice(newline + 1);
        return 'again';
      }
      case 'c':
        if (!command.to || !this.#open.has(command)) this.#say(command.text);
        return 'deleted';
      case 'p':
        this.#print();
        return 'on';
      case 'P':
        this.#say(this.#space.split('\n')[0] ?? '');
        return 'on';
      case 'l':
        this.#say(visibleLine(this.#space));
        return 'on';
      case '=':
        this.#say(String(this.#at + 1));
        return 'on';
      case 'q':
        this.#quit = true;
        return 'end';
      case 'i':
        this.#say(command.text);
        return 'on';
      case 'a':
        this.#after.push(command.text);
        return 'on';
      case 'n':
        return this.#nextLine((line) => line);
      case 'N':
        return this.#nextLine((line) => `${this.#space}\n${line}`, false);
      case 'g':
        this.#space = this.#hold;
        return 'on';
      case 'G':
        this.#space += `\n${this.#hold}`;
        return 'on';
      case 'h':
        this.#hold = this.#space;
        return 'on';
      case 'H':
        this.#hold += `\n${this.#space}`;
        return 'on';
      case 'x':
        [this.#space, this.#hold] = [this.#hold, this.#space];
        return 'on';
      case '{':
      case ':':
        return 'on';
      case 'b':
        return this.#jump(command.text);
      case 't':
      case 'T': {
        const jumps = this.#substituted === (command.name === 't');
        this.#substituted = false;
        return jumps ? this.#jump(command.text) : 'on';
      }
      case 'y': {
        const [from = '', to = ''] = command.text.split('\0').map((part) => Array.from(part));
        this.#space = Array.from(this.#space, (char) => to[from.indexOf(char)] ?? char).join('');
        return 'on';
      }
      default:
        this.#substitute(command);
        return 'on';
    }
  }

  /** Behind the label; without one, or where it is not there, the end of the script. */
  #jump(label: string): Next {
    const at = this.#commands.findIndex((each) => each.name === ':' && each.text === label);
    return label === '' || at < 0 ? 'end' : { to: at };
  }

  /** Takes the next line; at the end of the input nothing more is run. */
  #nextLine(join: (line: string) => string, prints = true): Next {
    const line = this.#lines[this.#at + 1];
    if (line === undefined) {
      this.#quit = true;
      return 'end';
    }
    if (prints && !this.#quiet) this.#print();
    this.#say(...this.#after);
    this.#after = [];
    this.#at++;
    this.#space = join(line);
    return 'on';
  }

  #substitute({ pattern, replacement, nth, all, print }: SedCommand): void {
    if (!pattern) return;
    let count = 0;
    let done = false;
    let end = -1;
    this.#space = this.#space.replaceAll(pattern, (match: string, ...groups: unknown[]) => {
      const at = Number(groups.findLast((each) => typeof each === 'number'));
      // Nothing is not found again right behind what was found.
      if (match === '' && at === end) return '';
      end = at + match.length;
      count++;
      if (count < nth || (count > nth && !all)) return match;
      done = true;
      return replacement.replaceAll(/\\([0-9n&\\/]|.)|&/g, (sign, code?: string) => {
        if (sign === '&') return match;
        if (code === 'n') return '\n';
        if (!/\d/.test(code ?? '')) return code ?? '';
        const group = code === '0' ? match : groups[Number(code) - 1];
        return typeof group === 'string' ? group : '';
      });
    });
    if (done) this.#substituted = true;
    if (done && print) this.#print();
  }

  #selected(command: SedCommand): boolean {
    const { from, to } = command;
    if (!from) return true;
    if (!to) return this.#matches(from);
    const number = this.#at + 1;
    const start = this.#open.get(command);
    if (start !== undefined) {
      const last = to.kind === 'line' ? to.number : to.kind === 'more' ? start + to.count : null;
      if (last === null ? this.#matches(to) : number >= last) this.#open.delete(command);
      return last === null || number <= last;
    }
    const zero = from.kind === 'line' && from.number === 0;
    if (!this.#matches(from) && !(zero && number === 1)) return false;
    const ends =
      to.kind === 'line'
        ? to.number <= number
        : to.kind === 'more'
          ? to.count === 0
          : zero && this.#matches(to);
    if (!ends) this.#open.set(command, number);
    return true;
  }

  #matches(address: NonNullable<SedCommand['from']>): boolean {
    if (address.kind === 'line') return this.#at + 1 === address.number;
    if (address.kind === 'last') return this.#at + 1 === this.#lines.length;
    if (address.kind === 'more') return false;
    if (address.kind === 'step') {
      const { first, step } = address;
      const number = this.#at + 1;
      return step === 0 ? number === first : number >= first && (number - first) % step === 0;
    }
    return address.pattern.test(this.#space);
  }
}

const NAMED: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
};

/** What `l` shows: escapes for what does not print, `$` at the end. */
function visibleLine(text: string): string {
  const shown = Array.from(text, (char) => {
    const code = char.codePointAt(0) ?? 0;
    const prints = (code >= 32 && code !== 127) || char === '\t';
    return NAMED[char] ?? (prints ? char : `\\${code.toString(8).padStart(3, '0')}`);
  });
  return `${shown.join('')}$`;
}
