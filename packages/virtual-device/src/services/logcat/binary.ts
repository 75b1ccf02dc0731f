import type { LogEntry } from '../../system/logd.ts';
import { LOG_BUFFERS } from '../../system/logd.ts';

const HEADER_SIZE = 28;
/** `LOGGER_ENTRY_MAX_PAYLOAD` of liblog. */
const MAX_PAYLOAD = 4068;
const PRIORITIES = ' VDIWEF';
/** log_id_t of liblog. */
const LOG_IDS: Readonly<Record<string, number>> = {
  main: 0,
  radio: 1,
  events: 2,
  system: 3,
  crash: 4,
  kernel: 7,
};

/** `logcat -B`: a `logger_entry` (liblog/include/log/log_read.h), then priority, tag and message, each ended by a NUL. */
export function binaryEntry(entry: LogEntry): Buffer {
  const payload = Buffer.concat([
    // ANDROID_LOG_VERBOSE is 2.
    Buffer.from([PRIORITIES.indexOf(entry.priority) + 1]),
    Buffer.from(`${entry.tag}\0`),
    Buffer.from(entry.message).subarray(0, MAX_PAYLOAD),
    Buffer.from([0]),
  ]);
  const header = Buffer.alloc(HEADER_SIZE);
  header.writeUInt16LE(payload.length, 0);
  header.writeUInt16LE(HEADER_SIZE, 2);
  header.writeInt32LE(entry.pid, 4);
  header.writeUInt32LE(entry.tid, 8);
  header.writeUInt32LE(Math.floor(entry.timeMs / 1000), 12);
  header.writeUInt32LE(Math.floor((entry.timeMs % 1000) * 1e6), 16);
  header.writeUInt32LE(LOG_IDS[entry.buffer] ?? LOG_BUFFERS.indexOf(entry.buffer), 20);
  header.writeUInt32LE(entry.uid, 24);
  return Buffer.concat([header, payload]);
}
