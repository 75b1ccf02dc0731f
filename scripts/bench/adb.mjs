import { build } from 'esbuild';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Jugg's own adb client, bundled from the sources for this run: `connect(port)` gives a connection. */
export async function adbClient(folder) {
  const root = join(import.meta.dirname, '../..');
  const outfile = join(folder, 'adb-client.mjs');
  await build({
    stdin: {
      contents:
        "export { connectDirect } from './direct.ts'; export { adbConnection } from './connection.ts';",
      resolveDir: join(root, 'packages/jugg/src/adb'),
      loader: 'ts',
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  const { connectDirect, adbConnection } = await import(pathToFileURL(outfile));
  return {
    async connect(port) {
      const transport = await connectDirect({ host: '127.0.0.1', port });
      if (!transport.ok) return null;
      return { ...adbOf(adbConnection(transport.value)), close: () => transport.value.close() };
    },
  };
}

/** The same with values instead of results. */
function adbOf(connection) {
  const must = (result) => {
    if (!result.ok) throw new Error(result.fault.message);
    return result.value;
  };
  return {
    shell: async (command) => must(await connection.shell(command)),
    exec: async (command) => must(await connection.exec(command)),
    push: async (source, path) => must(await connection.push(source, path)),
    pull: async (path) => must(await connection.pull(path)),
  };
}
