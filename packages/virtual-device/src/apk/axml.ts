import { readStringPool } from './axml-strings.ts';

/** A value of an attribute. A reference names an entry of the resource table. */
export type AttributeValue =
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'int'; readonly value: number }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'reference'; readonly id: number }
  | { readonly kind: 'other'; readonly type: number; readonly data: number };

export interface XmlElement {
  readonly name: string;
  /** By resource id (`0x0101…`) where the attribute has one, else by name. */
  readonly attributes: ReadonlyMap<number | string, AttributeValue>;
  readonly children: readonly XmlElement[];
}

const XML = 0x0003;
const STRING_POOL = 0x0001;
const RESOURCE_MAP = 0x0180;
const START_ELEMENT = 0x0102;
const END_ELEMENT = 0x0103;

const TYPE_REFERENCE = 0x01;
const TYPE_STRING = 0x03;
const TYPE_INT_DEC = 0x10;
const TYPE_INT_HEX = 0x11;
const TYPE_INT_BOOLEAN = 0x12;

/** An open element: its children are still being read. */
interface Open {
  readonly name: string;
  readonly attributes: ReadonlyMap<number | string, AttributeValue>;
  readonly children: XmlElement[];
}

/** Reads a compiled XML file (AOSP androidfw/ResourceTypes.h) into a tree; `null` when it is not one. */
export function parseBinaryXml(file: Buffer): XmlElement | null {
  try {
    return parse(file);
  } catch (error) {
    // A length or offset that points outside of the file.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function parse(file: Buffer): XmlElement | null {
  if (file.readUInt16LE(0) !== XML) return null;
  let strings: string[] = [];
  let ids: number[] = [];
  let root: XmlElement | null = null;
  const open: Open[] = [];
  for (let at = file.readUInt16LE(2); at + 8 <= file.length;) {
    const type = file.readUInt16LE(at);
    const size = file.readUInt32LE(at + 4);
    if (size < 8 || at + size > file.length) return null;
    const chunk = file.subarray(at, at + size);
    if (type === STRING_POOL) strings = readStringPool(chunk);
    else if (type === RESOURCE_MAP) ids = readResourceMap(chunk);
    else if (type === START_ELEMENT) open.push(readStart(chunk, strings, ids));
    else if (type === END_ELEMENT) {
      const element = open.pop();
      if (!element) return null;
      const parent = open.at(-1);
      if (parent) parent.children.push(element);
      else root = element;
    }
    at += size;
  }
  return open.length === 0 ? root : null;
}

function readResourceMap(chunk: Buffer): number[] {
  const ids: number[] = [];
  for (let at = chunk.readUInt16LE(2); at + 4 <= chunk.length; at += 4) ids.push(chunk.readUInt32LE(at));
  return ids;
}

function readStart(chunk: Buffer, strings: readonly string[], ids: readonly number[]): Open {
  const body = chunk.readUInt16LE(2);
  const name = strings[chunk.readUInt32LE(body + 4)] ?? '';
  const first = body + chunk.readUInt16LE(body + 8);
  const size = chunk.readUInt16LE(body + 10);
  const count = chunk.readUInt16LE(body + 12);
  const attributes = new Map<number | string, AttributeValue>();
  for (let index = 0; index < count; index++) {
    const at = first + index * size;
    const nameIndex = chunk.readUInt32LE(at + 4);
    const key = ids[nameIndex] ?? strings[nameIndex] ?? '';
    attributes.set(key, readValue(chunk, at, strings));
  }
  return { name, attributes, children: [] };
}

function readValue(chunk: Buffer, at: number, strings: readonly string[]): AttributeValue {
  const type = chunk.readUInt8(at + 15);
  const data = chunk.readUInt32LE(at + 16);
  switch (type) {
    case TYPE_STRING:
      return { kind: 'string', text: strings[data] ?? '' };
    case TYPE_INT_DEC:
    case TYPE_INT_HEX:
      return { kind: 'int', value: data | 0 };
    case TYPE_INT_BOOLEAN:
      return { kind: 'bool', value: data !== 0 };
    case TYPE_REFERENCE:
      return { kind: 'reference', id: data };
    default:
      return { kind: 'other', type, data };
  }
}
