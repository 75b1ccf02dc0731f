/** Names of the classes that a dex file defines. Format: dex-format, header, string_ids, type_ids and class_defs. */
export function classNamesOfDex(dex: Buffer): string[] {
  const stringIds = dex.readUInt32LE(0x3c);
  const typeIds = dex.readUInt32LE(0x44);
  const classCount = dex.readUInt32LE(0x60);
  const classDefs = dex.readUInt32LE(0x64);
  const names: string[] = [];
  for (let index = 0; index < classCount; index++) {
    const type = dex.readUInt32LE(classDefs + index * 32);
    const string = dex.readUInt32LE(typeIds + type * 4);
    names.push(binaryName(text(dex, dex.readUInt32LE(stringIds + string * 4))));
  }
  return names;
}

/** A string begins with its length as ULEB128 and ends with a zero byte. */
function text(dex: Buffer, offset: number): string {
  let start = offset;
  while ((dex[start] ?? 0) >= 0x80) start++;
  start++;
  return dex.toString('utf8', start, dex.indexOf(0, start));
}

function binaryName(descriptor: string): string {
  return descriptor.slice(1, -1).replaceAll('/', '.');
}
