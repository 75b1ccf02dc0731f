import { isAbsolute, relative } from 'node:path';
import type { Style } from './style.ts';

/** A person reads the beginning of a long list; programs get all of it (`--json`). */
const LONGEST_LIST = 8;
/** Lists of records are what was asked for. */
const MOST_RECORDS = 50;
/** The four sides of a rectangle are in it. */
const LONGEST_LIST_IN_A_LINE = 4;
const LINE_CHARACTERS = 100;

/** Values of an answer as text for people: short ones in a line, the others as a block. */
export class PlainValues {
  readonly #style: Style;
  readonly #cwd: string;

  constructor(style: Style, cwd: string) {
    this.#style = style;
    this.#cwd = cwd;
  }

  /** `key: value` and the lines that belong to it; nothing for what is absent or empty. */
  field(key: string, value: unknown, indent = ''): readonly string[] {
    if (isEmpty(value)) return [];
    const label = `${indent}${this.#style.dim(`${key}:`)}`;
    if (Array.isArray(value)) return this.#list(label, value, indent);
    if (isObject(value) && Object.values(value).some((inner) => isObject(inner) && !isEmpty(inner)))
      return [
        label,
        ...Object.entries(value).flatMap(([name, inner]) => this.field(name, inner, `${indent}  `)),
      ];
    return [`${label} ${this.inline(value)}`];
  }

  /** In one line. */
  inline(value: unknown): string {
    return isRecord(value) ? this.#pairs(value).join('  ') : this.#nested(value);
  }

  #nested(value: unknown): string {
    if (typeof value === 'string') return this.#path(value);
    if (isRecord(value)) return `{${this.#pairs(value).join(', ')}}`;
    if (!Array.isArray(value)) return JSON.stringify(value) ?? '';
    const shown = value.slice(0, LONGEST_LIST_IN_A_LINE).map((entry) => this.#nested(entry));
    return `[${[...shown, ...more(value.length - shown.length)].join(', ')}]`;
  }

  #pairs(value: object): readonly string[] {
    return Object.entries(value)
      .filter(([, entry]) => !isEmpty(entry))
      .map(([key, entry]) => `${this.#style.dim(`${key}=`)}${this.#nested(entry)}`);
  }

  #list(label: string, list: readonly unknown[], indent: string): readonly string[] {
    const all = list.map((entry) => this.inline(entry));
    const line = all.join(', ');
    if (!list.some(isObject) && line.length <= LINE_CHARACTERS) return [`${label} ${line}`];
    const shown = all.slice(0, list.some(isObject) ? MOST_RECORDS : LONGEST_LIST);
    return [
      label,
      ...shown.flatMap((entry) => `${indent}  - ${entry}`.split('\n')),
      ...more(all.length - shown.length).map((text) => `${indent}  ${this.#style.dim(text)}`),
    ];
  }

  #path(text: string): string {
    if (!isAbsolute(text)) return text;
    const fromHere = relative(this.#cwd, text);
    return fromHere === '' || fromHere.startsWith('..') || isAbsolute(fromHere) ? text : fromHere;
  }
}

function more(count: number): readonly string[] {
  return count > 0 ? [`… and ${count} more (--json has all)`] : [];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isRecord(value: unknown): value is object {
  return isObject(value) && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return isObject(value) && Object.keys(value).length === 0;
}
