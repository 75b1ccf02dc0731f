// One compile in a process of its own, for undo.test.ts: argv[2] holds projectDir, dirs and files as JSON. Each phase is a
// line on standard output; the process is killed at one of them.
import { createEngine } from '../../src/engine/index.ts';

const { projectDir, dirs, files } = JSON.parse(process.argv[2] ?? '');
const engine = createEngine({ dirs, files });
const phase = (name: string): void => void process.stdout.write(`${name}\n`);
const work = { signal: new AbortController().signal, phase, log: () => {} };
await engine.compile({ projectDir, allowGradle: false }, work);
await engine.close();
