import { prefetch } from '../toolchain/runtime.ts';
import { faultEnvelope, type CliEnvelope } from './envelope.ts';

/** `jugg prefetch`: everything that is otherwise fetched at first use, with its progress on standard error. */
export async function prefetchCommand(): Promise<CliEnvelope> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const done = await prefetch({
    signal: stop.signal,
    onProgress: (line: string) => process.stderr.write(`${line}\n`),
  });
  if (!done.ok) return faultEnvelope(done.fault);
  return {
    status: 'OK',
    message: 'Everything that Jugg needs is here.',
    data: {},
    artifacts: [],
    errorCode: null,
  };
}
