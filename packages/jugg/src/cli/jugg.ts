#!/usr/bin/env node
import { main } from './main.ts';

const EPIPE_EXIT = 0;

// Whoever read the output has gone (`jugg … | head`): that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EPIPE_EXIT : 1);
});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(
    `INTERNAL_ERROR: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exitCode = 70;
}
