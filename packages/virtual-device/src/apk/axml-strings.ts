/** The string pool of a binary XML file (AOSP androidfw/ResourceTypes.h `ResStringPool_header`). */

const UTF8_FLAG = 1 << 8;

/** `chunk` is the whole pool with its header. Throws RangeError where offsets lead outside. */
export function readStringPool(chunk: Buffer): string[] {
  const headerSize = chunk.readUInt16LE(2);
  const count = chunk.readUInt32LE(8);
  const utf8 = (chunk.readUInt32LE(16) & UTF8_FLAG) !== 0;
  const start = chunk.readUInt32LE(20);
  if (count * 4 > chunk.length) throw new RangeError('string count');
  const strings: string[] = [];
  for (let index = 0; index < count; index++) {
    const at = start + chunk.readUInt32LE(headerSize + index * 4);
    strings.push(utf8 ? readUtf8(chunk, at) : readUtf16(chunk, at));
  }
  return strings;
}

/** Two lengths (characters, bytes), each of one byte, or two with the highest bit set. */
function readUtf8(chunk: Buffer, start: number): string {
  let at = start;
  const skip = (): number => {
    const first = chunk.readUInt8(at++);
    return first & 0x80 ? ((first & 0x7f) << 8) | chunk.readUInt8(at++) : first;
  };
  skip();
  const length = skip();
  return chunk.toString('utf8', at, at + length);
}

function readUtf16(chunk: Buffer, start: number): string {
  const first = chunk.readUInt16LE(start);
  const long = (first & 0x8000) !== 0;
  const length = long ? ((first & 0x7fff) << 16) | chunk.readUInt16LE(start + 2) : first;
  const at = start + (long ? 4 : 2);
  return chunk.toString('utf16le', at, at + length * 2);
}
