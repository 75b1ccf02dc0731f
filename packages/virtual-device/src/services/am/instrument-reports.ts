import type { InstrumentationReport } from '../../app-process/types.ts';
import type { CommandContext } from '../../shell/command.ts';

/** What `am instrument` prints on the way and at the end (AOSP `Instrument.StatusReporter`). */
export interface Reporter {
  status(report: InstrumentationReport): Promise<void>;
  finished(report: InstrumentationReport): Promise<void>;
  aborted(text: string): Promise<void>;
}

type Out = CommandContext['stdout'];

/** `Instrumentation.REPORT_KEY_STREAMRESULT`: what a runner writes for people. */
const STREAM = 'stream';

/** Reports as text: raw as tools read it, else what the runner writes for people where it does. */
export function textReporter(out: Out, raw: boolean): Reporter {
  // One after the other: a report must not be written into another.
  let last: Promise<unknown> = Promise.resolve();
  const write = (text: string): Promise<void> => {
    const written = last.then(() => out.write(text));
    last = written.catch(() => {});
    return written.then(() => {});
  };
  const lines = (kind: string, { code, results }: InstrumentationReport): string =>
    Object.keys(results)
      .sort()
      .map((key) => `INSTRUMENTATION_${kind}: ${key}=${results[key]?.value ?? 'null'}\n`)
      .join('') + `INSTRUMENTATION_${kind === 'STATUS' ? 'STATUS_CODE' : 'CODE'}: ${code}\n`;
  return {
    status(report) {
      const pretty = raw ? undefined : report.results[STREAM];
      return write(pretty ? pretty.value : lines('STATUS', report));
    },
    finished(report) {
      const pretty = raw ? undefined : report.results[STREAM];
      return write(pretty ? `${pretty.value}\n` : lines('RESULT', report));
    },
    aborted: (text) => write(`${text}\n`),
  };
}

/**
 * Reports as protocol buffers: fields of one `android.am.Session` (AOSP `cmds/am/proto/instrumentation_data.proto`),
 * each written when it comes.
 */
export function protoReporter(out: Out): Reporter {
  let last: Promise<unknown> = Promise.resolve();
  const write = (bytes: Buffer): Promise<void> => {
    const written = last.then(() => out.write(bytes));
    last = written.catch(() => {});
    return written.then(() => {});
  };
  return {
    // Session.test_status = 1; TestStatus.result_code = 3, results = 4.
    status: (report) => write(message(1, signed(3, report.code), bundle(4, report))),
    // Session.session_status = 2; SessionStatus.status_code = 1, result_code = 3, results = 4.
    finished: (report) => write(message(2, unsigned(1, FINISHED), signed(3, report.code), bundle(4, report))),
    // SessionStatus.error_text = 2.
    aborted: (text) => write(message(2, unsigned(1, ABORTED), bytes(2, Buffer.from(text)))),
  };
}

/** `SessionStatusCode` */
const FINISHED = 0;
const ABORTED = 1;

/** ResultsBundle.entries = 1; ResultsBundleEntry.key = 1, value_string = 2, value_int = 3, value_long = 5. */
function bundle(field: number, { results }: InstrumentationReport): Buffer {
  const entries = Object.keys(results)
    .sort()
    .map((key) => {
      const { type, value } = results[key] ?? { type: 'string', value: '' };
      const content =
        type === 'string' ? bytes(2, Buffer.from(value)) : signed(type === 'int' ? 3 : 5, BigInt(value));
      return message(1, bytes(1, Buffer.from(key)), content);
    });
  return message(field, ...entries);
}

function message(field: number, ...parts: readonly Buffer[]): Buffer {
  return bytes(field, Buffer.concat(parts));
}

function bytes(field: number, content: Buffer): Buffer {
  return Buffer.concat([varint(BigInt(field * 8 + 2)), varint(BigInt(content.length)), content]);
}

function unsigned(field: number, value: number): Buffer {
  return Buffer.concat([varint(BigInt(field * 8)), varint(BigInt(value))]);
}

/** sint32 and sint64: zigzag. */
function signed(field: number, value: number | bigint): Buffer {
  const wide = BigInt(value);
  return Buffer.concat([varint(BigInt(field * 8)), varint(wide >= 0n ? wide * 2n : -wide * 2n - 1n)]);
}

function varint(value: bigint): Buffer {
  const out: number[] = [];
  let rest = value;
  while (rest > 127n) {
    out.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return Buffer.from([...out, Number(rest)]);
}
