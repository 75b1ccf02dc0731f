// Loader for `node --import`: the conformance suite imports fs.globSync, which Node.js 20 has not. It uses it for a command
// that Jugg does not run, so an empty answer is enough. Of no effect where Node.js has it.
import * as fs from 'node:fs';
import { register } from 'node:module';

const hooks = `
const SUITE = /@modelcontextprotocol[\\\\/]conformance[\\\\/]dist[\\\\/]index\\.js$/;
export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context);
  if (!SUITE.test(new URL(url).pathname)) return loaded;
  let local;
  const source = String(loaded.source).replace(/\\bglobSync as (\\w+),/, (_whole, name) => { local = name; return ''; });
  if (local === undefined) return loaded;
  // Appended: function declarations count in the whole module, and the first line may be a shebang.
  return { ...loaded, source: source + '\\nfunction ' + local + '() { return []; }\\n' };
}`;

if (!('globSync' in fs)) register(`data:text/javascript,${encodeURIComponent(hooks)}`);
