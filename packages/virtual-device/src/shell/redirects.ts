import type { OpenFile } from '../fs/space.ts';
import { bufferSource } from '../io/bytes.ts';
import type { ByteSink, ByteSource } from '../io/bytes.ts';
import { strerror } from '../fs/errno.ts';
import { normalize } from '../fs/paths.ts';
import type { Redirect } from './ast.ts';
import { expandSingle } from './expand.ts';
import type { Expander } from './expand.ts';
import type { ShellState } from './state.ts';

export interface Stdio {
  readonly stdin: ByteSource;
  readonly stdout: ByteSink;
  readonly stderr: ByteSink;
}

type Opened =
  | { readonly ok: true; readonly io: Stdio; close(): Promise<void> }
  | { readonly ok: false; readonly message: string };

/** Opens the targets of redirects, in order; `close` closes the files. */
export async function openRedirects(
  redirects: readonly Redirect[],
  io: Stdio,
  state: ShellState,
  expander: Expander,
): Promise<Opened> {
  const files: OpenFile[] = [];
  const close = async (): Promise<void> => {
    for (const file of files) await file.close();
  };
  let { stdin, stdout, stderr } = io;
  for (const { fd, op, target } of redirects) {
    const word = await expandSingle(target, expander);
    const path = normalize(word, state.cwd);
    if (op === '<<') stdin = bufferSource(Buffer.from(word));
    else if (op === '<<<') stdin = bufferSource(Buffer.from(`${word}\n`));
    else if (op === '<') {
      const data = path === '/dev/null' ? null : await expander.fs.readFile(path);
      if (data && !data.ok) {
        await close();
        return { ok: false, message: `can't open ${word}: ${strerror(data.errno)}` };
      }
      stdin = bufferSource(data ? data.value : Buffer.alloc(0));
    } else if (op === '>&') {
      if (word === '-') continue;
      const source = word === '2' ? stderr : stdout;
      if (fd === 2) stderr = source;
      else stdout = source;
    } else if (op === '>' || op === '>>') {
      const sink =
        path === '/dev/null'
          ? null
          : await expander.fs.openForWrite(path, op === '>' ? 'truncate' : 'append');
      if (sink && !sink.ok) {
        await close();
        return { ok: false, message: `can't create ${word}: ${strerror(sink.errno)}` };
      }
      if (sink) files.push(sink.value);
      const output = sink ? fileSink(sink.value) : { write: () => Promise.resolve(true) };
      if (fd === 2) stderr = output;
      else stdout = output;
    }
  }
  return { ok: true, io: { stdin, stdout, stderr }, close };
}

function fileSink(file: OpenFile): ByteSink {
  return {
    async write(data) {
      try {
        await file.writeFile(typeof data === 'string' ? Buffer.from(data) : data);
        return true;
      } catch {
        return false;
      }
    },
  };
}
