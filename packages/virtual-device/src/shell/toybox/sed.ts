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
  const run = new Run(lines, quiet);
  while (run.next()) run.execute(commands);
  return run.output(ended);
}

class Run {
  readonly #lines: readonly string[];
  readonly #quiet: boolean;
  readonly #out: string[] = [];
  /** Ranges that have begun and not ended. */
  readonly #open = new Set<SedCommand>();
  #at = -1;
  #space = '';
  #after: string[] = [];
  /** What was printed last is the last line of the input. */
  #lastPrinted = false;
  #quit = false;

  constructor(lines: readonly string[], quiet: boolean) {
    this.#lines = lines;
    this.#quiet = quiet;
  }

  next(): boolean {
    if (this.#quit || this.#at + 1 >= this.#lines.length) return false;
    this.#space = this.#lines[++this.#at] ?? '';
    this.#after = [];
    return true;
  }

  execute(commands: readonly SedCommand[]): void {
    const kept = this.#all(commands);
    if (kept && !this.#quiet) this.#print();
    this.#say(...this.#after);
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

  /** False when the line was deleted. */
  #all(commands: readonly SedCommand[]): boolean {
    for (const command of commands) {
      if (this.#selected(command) === command.negated) continue;
      if (!this.#one(command)) return false;
      if (this.#quit) return true;
    }
    return true;
  }

  #one(command: SedCommand): boolean {
    switch (command.name) {
      case 'd':
        return false;
      case 'c':
        if (!command.to || !this.#open.has(command)) this.#say(command.text);
        return false;
      case 'p':
        this.#print();
        return true;
      case '=':
        this.#say(String(this.#at + 1));
        return true;
      case 'q':
        this.#quit = true;
        return true;
      case 'i':
        this.#say(command.text);
        return true;
      case 'a':
        this.#after.push(command.text);
        return true;
      case 'n':
        if (!this.#quiet) this.#print();
        if (this.#at + 1 >= this.#lines.length) {
          this.#quit = true;
          return false;
        }
        this.#space = this.#lines[++this.#at] ?? '';
        return true;
      case '{':
        return this.#all(command.block);
      case 'y': {
        const [from = '', to = ''] = command.text.split('\0').map((part) => Array.from(part));
        this.#space = Array.from(this.#space, (char) => to[from.indexOf(char)] ?? char).join('');
        return true;
      }
      default:
        this.#substitute(command);
        return true;
    }
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
    if (done && print) this.#print();
  }

  #selected(command: SedCommand): boolean {
    const { from, to } = command;
    if (!from) return true;
    if (!to) return this.#matches(from);
    if (this.#open.has(command)) {
      const past = to.kind === 'line' && this.#at + 1 > to.number;
      if (this.#matches(to) || past) this.#open.delete(command);
      return !past;
    }
    if (!this.#matches(from)) return false;
    if (to.kind !== 'line' || to.number > this.#at + 1) this.#open.add(command);
    return true;
  }

  #matches(address: NonNullable<SedCommand['from']>): boolean {
    if (address.kind === 'line') return this.#at + 1 === address.number;
    if (address.kind === 'last') return this.#at + 1 === this.#lines.length;
    return address.pattern.test(this.#space);
  }
}
