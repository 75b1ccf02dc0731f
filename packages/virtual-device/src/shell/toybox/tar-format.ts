/** The ustar format (POSIX pax): blocks of 512 bytes, a header for each file, two empty blocks at the end. */

export interface TarEntry {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'link';
  readonly mode: number;
  readonly mtimeMs: number;
  readonly owner: number;
  /** Of a link. */
  readonly target: string;
  readonly data: Buffer;
}

const BLOCK = 512;
const TYPES = { file: '0', directory: '5', link: '2' } as const;

export function tarEntry(entry: Omit<TarEntry, 'data'>, data: Buffer): Buffer {
  const name = Buffer.from(entry.name);
  // GNU's way for long names, which toybox and all others read: an entry of type L with the name as its content.
  const long =
    name.length > 100
      ? [
          header({ ...entry, type: 'file' }, name.length + 1, '././@LongLink', 'L'),
          padded(Buffer.concat([name, Buffer.alloc(1)])),
        ]
      : [];
  const head = header(entry, data.length, name.subarray(0, 100).toString('latin1'), TYPES[entry.type]);
  return Buffer.concat([...long, head, padded(data)]);
}

export function tarEnd(): Buffer {
  return Buffer.alloc(2 * BLOCK);
}

function padded(data: Buffer): Buffer {
  return Buffer.concat([data, Buffer.alloc((BLOCK - (data.length % BLOCK)) % BLOCK)]);
}

function header(entry: Omit<TarEntry, 'data'>, size: number, name: string, type: string): Buffer {
  const out = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number): void => {
    out.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
  };
  out.write(name, 0, 'latin1');
  octal(entry.mode & 0o7777, 100, 8);
  octal(entry.owner, 108, 8);
  octal(entry.owner, 116, 8);
  octal(size, 124, 12);
  octal(Math.floor(entry.mtimeMs / 1000), 136, 12);
  out.write(type, 156, 'latin1');
  out.write(entry.target, 157, 100);
  out.write('ustar\x0000', 257, 'latin1');
  // The sum is made with blanks in its own place.
  out.fill(' ', 148, 156);
  let sum = 0;
  for (const byte of out) sum += byte;
  out.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return out;
}

/** All entries of an archive; `null` when it is none. Sparse files and devices are left out. */
export function readTar(bytes: Buffer): TarEntry[] | null {
  if (bytes.length < BLOCK) return null;
  const entries: TarEntry[] = [];
  let longName: string | null = null;
  for (let at = 0; at + BLOCK <= bytes.length;) {
    const head = bytes.subarray(at, at + BLOCK);
    if (head[0] === 0) break;
    if (head.toString('latin1', 257, 262) !== 'ustar') return null;
    const text = (from: number, length: number): string =>
      head
        .subarray(from, from + length)
        .toString('utf8')
        .replace(/\0.*$/s, '');
    const octal = (from: number, length: number): number =>
      Number.parseInt(text(from, length).trim() || '0', 8);
    const size = octal(124, 12);
    const data = bytes.subarray(at + BLOCK, at + BLOCK + size);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    const code = text(156, 1);
    if (code === 'L') {
      longName = data.toString('utf8').replace(/\0.*$/s, '');
      continue;
    }
    const prefix = text(345, 155);
    const name: string = longName ?? (prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`);
    longName = null;
    const type =
      code === '5' ? 'directory' : code === '2' ? 'link' : code === '0' || code === '' ? 'file' : null;
    if (type === null) continue;
    entries.push({
      name,
      type,
      mode: octal(100, 8),
      mtimeMs: octal(136, 12) * 1000,
      owner: octal(108, 8),
      target: text(157, 100),
      data,
    });
  }
  return entries;
}
