import { readFile } from 'node:fs/promises';
import { runDaemon } from './daemon/run.ts';
import { specSchema } from './spec.ts';

/** Entry of the process `node virtual-device.mjs <spec.json>`. */
async function main(): Promise<number> {
  const file = process.argv[2];
  if (file === undefined) {
    process.stderr.write('usage: virtual-device <spec.json>\n');
    return 2;
  }
  let spec;
  try {
    spec = specSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    process.stderr.write(
      `virtual-device: ${file}: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return 2;
  }
  return runDaemon(spec);
}

process.exitCode = await main();
