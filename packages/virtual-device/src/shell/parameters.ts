import { evaluate } from './arith.ts';
import type { Word, WordPart } from './ast.ts';
import type { Expander } from './expander.ts';
import { ShellFault } from './faults.ts';
import { matchesWhole, patternRegExp } from './glob.ts';
import type { PatternChar } from './glob.ts';
import { quoted } from './print.ts';
import type { ShellState } from './state.ts';

type Param = Extract<WordPart, { kind: 'param' }>;

/** adbd: what started the shell. */
const PARENT_PID = 190;
/** The version that Android 12 and newer have (external/mksh). */
const KSH_VERSION = '@(#)MIRBSD KSH R59 2020/10/31 Android';

/** The values of `$@`, `$*`, `${x[@]}`, `${!x[@]}`; null for what is one value. */
export function listOf(
  { name, subscript, op }: Param,
  { vars, positional }: ShellState,
): { readonly values: readonly string[]; readonly sign: '@' | '*' } | null {
  if ((name === '@' || name === '*') && op === '') return { values: positional, sign: name };
  if (subscript === null || !('all' in subscript)) return null;
  const elements = vars.elements(name);
  if (op === '') return { values: elements.map(([, value]) => value), sign: subscript.all };
  if (op === '!name') return { values: elements.map(([index]) => String(index)), sign: subscript.all };
  return null;
}

/** The word behind `-` or `+` where it takes the place of the parameter; `null` where the value stays. */
export async function replacement(part: Param, on: Expander): Promise<Word | null> {
  const { op } = part;
  if (!/^:?[-+]$/.test(op)) return null;
  const value = await valueOf(part, on);
  const missing = value === undefined || (op.startsWith(':') && value === '');
  if (op.endsWith('-')) return missing ? part.word : null;
  return missing ? [] : part.word;
}

/** What stands in the place of the parameter. Throws {@link ShellFault} for what ends the shell. */
export async function parameter(part: Param, on: Expander): Promise<string> {
  const { op, name } = part;
  if (op === '!name') return name;
  const value = await valueOf(part, on);
  if (op === '#len') return length(part, value, on);
  if (op === '' || op === '@#') return value ?? unset(name, on.state);
  if (op === '@Q') return quoted(value ?? '');
  if (op === ':') return slice(value ?? unset(name, on.state), part, on);
  if (op.startsWith('#') || op.startsWith('%'))
    return trim(value ?? unset(name, on.state), op, await on.pattern(part.word));
  if (op.startsWith('/')) {
    const pattern = await on.pattern(part.word);
    const word = part.second ? await on.single(part.second) : '';
    return substitute(value ?? unset(name, on.state), op, pattern, word);
  }
  const missing = value === undefined || (op.startsWith(':') && value === '');
  if (!missing || op.endsWith('-') || op.endsWith('+')) return value ?? '';
  const word = await on.single(part.word);
  if (op.endsWith('?')) throw new ShellFault(`${name}: ${word || 'parameter null or not set'}`);
  if (!/^[A-Za-z_]/.test(name)) throw new ShellFault(`${name}: can't assign to that`);
  on.state.vars.setElement(name, await indexOf(part, on), word);
  return word;
}

/** `set -u` */
function unset(name: string, { options }: ShellState): string {
  if (options.has('nounset') && name !== '@' && name !== '*')
    throw new ShellFault(`${name}: parameter not set`);
  return '';
}

async function indexOf({ subscript }: Param, on: Expander): Promise<number> {
  if (subscript === null || 'all' in subscript) return 0;
  return evaluate(await on.single(subscript.at), on.state.vars);
}

async function valueOf(part: Param, on: Expander): Promise<string | undefined> {
  const { subscript, name } = part;
  if (subscript === null) return lookUp(name, on.state);
  if ('all' in subscript) return on.state.vars.elements(name)[0]?.[1];
  const at = await indexOf(part, on);
  if (name === 'PIPESTATUS') return on.state.pipeStatus[at]?.toString();
  return on.state.vars.get(name, at);
}

function length({ name, subscript }: Param, value: string | undefined, { state }: Expander): string {
  if (name === '@' || name === '*') return String(state.positional.length);
  if (subscript && 'all' in subscript) return String(state.vars.elements(name).length);
  return String(Array.from(value ?? unset(name, state)).length);
}

function lookUp(name: string, state: ShellState): string | undefined {
  if (/^\d+$/.test(name)) return name === '0' ? ownName(state) : state.positional[Number(name) - 1];
  switch (name) {
    case '?':
      return String(state.lastStatus);
    case '#':
      return String(state.positional.length);
    case '$':
      return String(state.pid);
    case '!':
      return String(state.jobs.last ?? '');
    case '-':
      return state.options.letters();
    case '@':
    case '*':
      return state.positional.length > 0 ? state.positional.join(' ') : undefined;
    case 'PWD':
      return state.cwd;
    case 'PPID':
      return String(PARENT_PID);
    case 'LINENO':
      return String(state.line);
    case 'PIPESTATUS':
      return String(state.pipeStatus[0]);
    case 'KSH_VERSION':
      return KSH_VERSION;
    case 'RANDOM':
      return state.vars.get(name) ?? String(Math.floor(Math.random() * 32_768));
    case 'SECONDS':
      return state.vars.get(name) ?? String(Math.floor((performance.now() - state.startedAt) / 1000));
    default:
      return state.vars.get(name);
  }
}

function ownName({ calls, functions, name }: ShellState): string {
  const korn = calls.findLast((call) => functions.get(call.name)?.ownName);
  return korn?.name ?? name;
}

/** `${x:from:count}`: both are expressions; a negative start counts from the end, a negative count takes all. */
async function slice(value: string, { word, second }: Param, on: Expander): Promise<string> {
  const from = evaluate(await on.single(word), on.state.vars);
  const count = second ? evaluate(await on.single(second), on.state.vars) : -1;
  const letters = Array.from(value);
  const start = from < 0 ? letters.length + from : from;
  if (start < 0) return '';
  return letters.slice(start, count < 0 ? undefined : start + count).join('');
}

/** `/` the first place that fits, `//` all of them, `/#` the start, `/%` the end: the longest text each. */
function substitute(value: string, op: string, pattern: readonly PatternChar[], word: string): string {
  if (pattern.length === 0) return value;
  const { source } = patternRegExp(pattern);
  if (op === '/%') {
    const at = [...Array(value.length + 1).keys()].find((cut) => matchesWhole(pattern, value.slice(cut)));
    return at === undefined ? value : value.slice(0, at) + word;
  }
  const anchored = op === '/#' ? `^(?:${source})` : source;
  // What fits nothing at all is left alone, as an endless number of them would fit everywhere.
  return value.replace(new RegExp(anchored, op === '//' ? 'gu' : 'u'), (found) => (found === '' ? '' : word));
}

/** `#` and `##` cut the shortest and longest start that fits, `%` and `%%` the end. */
function trim(value: string, op: string, pattern: readonly PatternChar[]): string {
  if (op.startsWith('#')) {
    const source = patternRegExp(pattern, op === '#').source;
    return value.replace(new RegExp(`^(?:${source})`, 'u'), '');
  }
  const cuts = [...Array(value.length + 1).keys()];
  const order = op === '%' ? cuts.reverse() : cuts;
  const at = order.find((cut) => matchesWhole(pattern, value.slice(cut)));
  return at === undefined ? value : value.slice(0, at);
}
