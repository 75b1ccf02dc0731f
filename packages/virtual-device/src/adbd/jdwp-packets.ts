/** What both sides say first (the JDWP specification, "JDWP Handshake"). */
export const HANDSHAKE = Buffer.from('JDWP-Handshake', 'latin1');

const HEADER_BYTES = 11;
/** A debugger sends no more than a few kilobytes at once; what says more is no JDWP. */
const MOST_BYTES = 64 * 1024 * 1024;
const REPLY = 0x80;
/** The command set that Android adds for its tools (ART runtime/jdwp/jdwp_constants.h, "kJDWPDdmCmdSet"). */
const DDM = 0xc7;

/** A whole JDWP packet: length (4 bytes), id (4), flags (1), command set (1), command (1) or error (2), then data. */
export interface JdwpPacket {
  readonly bytes: Buffer;
  readonly id: number;
  /** The chunk of Android's own command set: a type of four letters and its data; null for any other packet. */
  readonly chunk: { readonly type: string; readonly data: Buffer } | null;
}

/** Cuts a stream behind the handshake into packets; null when it is no JDWP. */
export class JdwpDecoder {
  #rest = Buffer.alloc(0);

  push(data: Buffer): JdwpPacket[] | null {
    this.#rest = Buffer.concat([this.#rest, data]);
    const packets: JdwpPacket[] = [];
    while (this.#rest.length >= HEADER_BYTES) {
      const length = this.#rest.readUInt32BE(0);
      if (length < HEADER_BYTES || length > MOST_BYTES) return null;
      if (this.#rest.length < length) break;
      packets.push(packet(this.#rest.subarray(0, length)));
      this.#rest = this.#rest.subarray(length);
    }
    return packets;
  }
}

function packet(bytes: Buffer): JdwpPacket {
  const id = bytes.readUInt32BE(4);
  const isDdm = (bytes.readUInt8(8) & REPLY) === 0 && bytes.readUInt8(9) === DDM;
  const data = bytes.subarray(HEADER_BYTES);
  if (!isDdm || data.length < 8) return { bytes, id, chunk: null };
  return { bytes, id, chunk: { type: data.toString('latin1', 0, 4), data: data.subarray(8) } };
}

/** The answer to a packet with a chunk; without a chunk of its own it only says that it was taken. */
export function ddmReply(id: number, type: string, data: Buffer | null): Buffer {
  const chunk = data === null ? Buffer.alloc(0) : Buffer.concat([chunkHeader(type, data.length), data]);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(HEADER_BYTES + chunk.length, 0);
  header.writeUInt32BE(id, 4);
  header.writeUInt8(REPLY, 8);
  return Buffer.concat([header, chunk]);
}

function chunkHeader(type: string, length: number): Buffer {
  const header = Buffer.alloc(8);
  header.write(type, 0, 'latin1');
  header.writeUInt32BE(length, 4);
  return header;
}

/** Who answers. */
export interface DebuggedApp {
  readonly pid: number;
  readonly processName: string;
  readonly packageName: string;
}

/** The data of the answer to a chunk (AOSP android.ddm.DdmHandleHello); null for what Jugg's device does not know. */
export function ddmAnswer(type: string, { pid, processName, packageName }: DebuggedApp): Buffer | null {
  if (type === 'FEAT') return int(0);
  if (type !== 'HELO') return null;
  const vm = 'HotSpot of the Jugg virtual device';
  return Buffer.concat([
    int(1),
    int(pid),
    int(vm.length),
    int(processName.length),
    utf16(vm),
    utf16(processName),
    int(0),
    ...text('64-bit'),
    ...text('CheckJNI=false'),
    Buffer.from([0]),
    ...text(packageName),
  ]);
}

function int(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value, 0);
  return bytes;
}

function text(value: string): Buffer[] {
  return [int(value.length), utf16(value)];
}

function utf16(value: string): Buffer {
  return Buffer.from(value, 'utf16le').swap16();
}
