/**
 * Packets of the shell v2 service (AOSP adb/shell_protocol.h): one byte id, four bytes little-endian length, data.
 * Used by the client and by the virtual device.
 */
export const SHELL_STDIN = 0;
export const SHELL_STDOUT = 1;
export const SHELL_STDERR = 2;
export const SHELL_EXIT = 3;
export const SHELL_CLOSE_STDIN = 4;
export const SHELL_WINDOW_SIZE = 5;

const HEADER = 5;

export interface ShellPacket {
  readonly id: number;
  readonly data: Buffer;
}

export function encodeShellPacket(id: number, data: Uint8Array): Buffer {
  const out = Buffer.allocUnsafe(HEADER + data.length);
  out.writeUInt8(id, 0);
  out.writeUInt32LE(data.length, 1);
  out.set(data, HEADER);
  return out;
}

/** Cuts a byte stream into packets. Data may come in parts: a long packet is handed on as several with the same id. */
export class ShellPacketDecoder {
  #header: Buffer = Buffer.alloc(0);
  #id = 0;
  #left = 0;

  push(chunk: Buffer): ShellPacket[] {
    const packets: ShellPacket[] = [];
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#left > 0) {
        const data = rest.subarray(0, this.#left);
        rest = rest.subarray(data.length);
        this.#left -= data.length;
        packets.push({ id: this.#id, data });
        continue;
      }
      const taken = rest.subarray(0, HEADER - this.#header.length);
      rest = rest.subarray(taken.length);
      this.#header = Buffer.concat([this.#header, taken]);
      if (this.#header.length < HEADER) break;
      this.#id = this.#header.readUInt8(0);
      this.#left = this.#header.readUInt32LE(1);
      this.#header = Buffer.alloc(0);
      if (this.#left === 0) packets.push({ id: this.#id, data: Buffer.alloc(0) });
    }
    return packets;
  }
}
