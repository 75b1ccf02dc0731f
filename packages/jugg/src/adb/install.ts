import { randomBytes } from 'node:crypto';
import { ok } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';
import { onAbort } from './deadline.ts';
import { gone } from './faults.ts';
import { commandLine } from './quote.ts';
import { runExec, runShell } from './shell.ts';
import { openSource, pushFile } from './sync-transfer.ts';
import type { Transport } from './transport.ts';
import type { LocalSource, TransferOptions } from './types.ts';

/**
 * Streams an APK into the package manager, as `adb install` does (adb's adb_install.cpp `install_app_streamed`);
 * devices without the `cmd` feature (before Android 7) get a pushed file and `pm install`.
 */
export async function installApk(
  transport: Transport,
  source: LocalSource,
  args: readonly string[],
  options: TransferOptions,
  signal: AbortSignal,
): Promise<Result<{ readonly output: string }>> {
  if (!transport.features.has('cmd')) return installLegacy(transport, source, args, options, signal);
  const opened = await openSource(source);
  if (!opened.ok) return opened;
  const { size, chunks } = opened.value;
  const command = commandLine(['cmd', 'package', 'install', ...args, '-S', String(size)]);
  const stream = await transport.openStream(`exec:${command}`, signal);
  if (!stream.ok) return stream;
  const duplex = stream.value;
  const stopListening = onAbort(signal, () => {
    duplex.destroy();
  });
  const output: Buffer[] = [];
  const ended = new Promise<boolean>((resolve) => {
    duplex.on('data', (chunk: Buffer) => output.push(chunk));
    duplex.on('end', () => resolve(true));
    duplex.on('error', () => resolve(false));
    duplex.on('close', () => resolve(duplex.readableEnded));
  });
  let done = 0;
  for await (const chunk of chunks) {
    // The package manager may have answered already, e.g. when it wants none of it.
    if (duplex.destroyed || duplex.readableEnded) break;
    await new Promise<void>((resolve) => {
      duplex.write(chunk, () => resolve());
    });
    done += chunk.length;
    options.onProgress?.(done, size);
  }
  const complete = await ended;
  stopListening();
  const text = Buffer.concat(output).toString('utf8');
  if (!complete && text === '') return gone(transport.serial);
  return ok({ output: text });
}

async function installLegacy(
  transport: Transport,
  source: LocalSource,
  args: readonly string[],
  options: TransferOptions,
  signal: AbortSignal,
): Promise<Result<{ readonly output: string }>> {
  const remote = `/data/local/tmp/jugg-${randomBytes(6).toString('hex')}.apk`;
  const pushed = await pushFile(transport, source, remote, options, signal);
  if (!pushed.ok) return pushed;
  const installed = await runShell(
    transport,
    commandLine(['pm', 'install', ...args, remote]),
    undefined,
    signal,
  );
  await runExec(transport, commandLine(['rm', '-f', remote]), undefined, signal);
  if (!installed.ok) return installed;
  return ok({ output: installed.value.stdout.toString('utf8') + installed.value.stderr.toString('utf8') });
}
