import type { ShellIntent } from '../packages/intents.ts';

type Extra = ShellIntent['extras'][string];

/** Options with a name and a value (AOSP `Intent.parseCommandArgs`); lists are arrays, or `ArrayList`s with an `l`. */
const KINDS: Readonly<Record<string, Extra['type']>> = {
  '-e': 'string',
  '--es': 'string',
  '--eu': 'uri',
  '--ecn': 'component',
  '--ei': 'int',
  '--el': 'long',
  '--ef': 'float',
  '--ed': 'double',
  '--ez': 'bool',
  '--eia': 'ints',
  '--eial': 'intList',
  '--ela': 'longs',
  '--elal': 'longList',
  '--efa': 'floats',
  '--efal': 'floatList',
  '--eda': 'doubles',
  '--edal': 'doubleList',
  '--esa': 'strings',
  '--esal': 'stringList',
};

const WHOLE = /^[-+]?(?:(?:0x|#)[0-9a-f]+|\d+)$/i;
/** Of longs no hexadecimal numbers are taken. */
const LONG = /^[-+]?\d+$/;
const DECIMAL = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?[fd]?$/i;

/** What the option makes, or null if it makes no extra out of a name and a value. */
export function extraKind(option: string): Extra['type'] | null {
  return KINDS[option] ?? null;
}

/** The extra, or in words of Android what is wrong with its value. */
export function readExtra(type: Extra['type'], value: string): Extra | string {
  if (type === 'bool') return readBool(value);
  if (type === 'component') return value.includes('/') ? { type, value } : `Bad component name: ${value}`;
  const shape = shapeOf(type);
  if (shape === null) return { type, value };
  const parts = /(?:s|List)$/.test(type) ? value.split(',') : [value];
  const wrong = parts.find((part) => !shape.test(part));
  return wrong === undefined ? { type, value } : `For input string: "${wrong}"`;
}

function shapeOf(type: Extra['type']): RegExp | null {
  if (type.startsWith('int')) return WHOLE;
  if (type.startsWith('long')) return LONG;
  return /^(?:float|double)/.test(type) ? DECIMAL : null;
}

function readBool(value: string): Extra | string {
  const word = value.toLowerCase();
  if (word === 'true' || word === 't') return { type: 'bool', value: 'true' };
  if (word === 'false' || word === 'f') return { type: 'bool', value: 'false' };
  if (!WHOLE.test(word)) return `Invalid boolean value: ${word}`;
  return { type: 'bool', value: String(Number(word.replace('#', '0x')) !== 0) };
}
