import type { Duplex } from 'node:stream';
import { ok } from '../shared/outcome.ts';
import { withDeadline } from './deadline.ts';
import { installApk } from './install.ts';
import { commandLine } from './quote.ts';
import { runExec, runShell, spawnShell } from './shell.ts';
import { listFolder, statFile } from './sync.ts';
import { pullChunks, pullToFile, pushFile } from './sync-transfer.ts';
import type { Transport } from './transport.ts';
import type { AdbConnection } from './types.ts';

const OPEN_MS = 10_000;
const SHELL_MS = 30_000;
const FILE_MS = 10_000;
const TRANSFER_MS = 120_000;

/** An {@link AdbConnection} over either transport. `close` ends only the streams opened through this connection. */
export function adbConnection(transport: Transport): AdbConnection {
  const streams = new Set<Duplex>();
  let closed = false;
  const tracked: Transport = {
    serial: transport.serial,
    features: transport.features,
    async openStream(service, signal) {
      const opened = await transport.openStream(service, signal);
      if (opened.ok) {
        const stream = opened.value;
        streams.add(stream);
        stream.once('close', () => streams.delete(stream));
        if (closed) stream.destroy();
      }
      return opened;
    },
  };
  const name = (command: string): string => `\`${command.slice(0, 80)}\` on ${transport.serial}`;

  return {
    serial: transport.serial,
    features: transport.features,
    openStream: (service, options) =>
      withDeadline(`Opening ${service} on ${transport.serial}`, options, OPEN_MS, (signal) =>
        tracked.openStream(service, signal),
      ),
    async shell(command, options) {
      const line = commandLine(command);
      const raw = await withDeadline(name(line), options, SHELL_MS, (signal) =>
        runShell(tracked, line, options?.stdin, signal),
      );
      if (!raw.ok) return raw;
      const { stdout, stderr, exitCode } = raw.value;
      return ok({ stdout: stdout.toString('utf8'), stderr: stderr.toString('utf8'), exitCode });
    },
    shellRaw(command, options) {
      const line = commandLine(command);
      return withDeadline(name(line), options, SHELL_MS, (signal) =>
        runShell(tracked, line, options?.stdin, signal),
      );
    },
    spawn(command, options) {
      const line = commandLine(command);
      return withDeadline(name(line), options, OPEN_MS, (signal) => spawnShell(tracked, line, signal));
    },
    exec(command, options) {
      const line = commandLine(command);
      return withDeadline(name(line), options, SHELL_MS, (signal) =>
        runExec(tracked, line, options?.stdin, signal),
      );
    },
    push: (source, remotePath, options) =>
      withDeadline(`Sending ${remotePath}`, options, TRANSFER_MS, (signal) =>
        pushFile(tracked, source, remotePath, options ?? {}, signal),
      ),
    async pull(remotePath, options) {
      const chunks: Buffer[] = [];
      const result = await withDeadline(`Fetching ${remotePath}`, options, TRANSFER_MS, (signal) =>
        pullChunks(tracked, remotePath, options ?? {}, signal, (chunk) => {
          chunks.push(chunk);
        }),
      );
      return result.ok ? ok(Buffer.concat(chunks)) : result;
    },
    pullFile: (remotePath, localPath, options) =>
      withDeadline(`Fetching ${remotePath}`, options, TRANSFER_MS, (signal) =>
        pullToFile(tracked, remotePath, localPath, options ?? {}, signal),
      ),
    stat: (remotePath, options) =>
      withDeadline(`Looking at ${remotePath}`, options, FILE_MS, (signal) =>
        statFile(tracked, remotePath, true, signal),
      ),
    lstat: (remotePath, options) =>
      withDeadline(`Looking at ${remotePath}`, options, FILE_MS, (signal) =>
        statFile(tracked, remotePath, false, signal),
      ),
    list: (remotePath, options) =>
      withDeadline(`Listing ${remotePath}`, options, FILE_MS, (signal) =>
        listFolder(tracked, remotePath, signal),
      ),
    install: (source, args, options) =>
      withDeadline(`Installing on ${transport.serial}`, options, TRANSFER_MS, (signal) =>
        installApk(tracked, source, args, options ?? {}, signal),
      ),
    close() {
      closed = true;
      for (const stream of streams) stream.destroy();
    },
  } satisfies AdbConnection;
}
