// A process as the tests need it, bundled and started by ports-field-cases.test.ts: argv[2] says which, argv[3] is a file for its report.
import { writeFileSync } from 'node:fs';
import { installLastWords } from '../../src/mcp/last-words.ts';
import { runStdio } from '../../src/mcp/stdio.ts';
import { openLog } from '../../src/shared/log.ts';

const [, , mode = '', report = ''] = process.argv;

const modes: Readonly<Record<string, () => void>> = {
  /** A stdio session with work that never ends. */
  timers: () => {
    for (let timer = 0; timer < 3; timer += 1) setInterval(() => {}, 100);
    const backend = { list: async () => [], call: async () => undefined };
    void runStdio(backend, () => {});
    process.stdout.write('ready\n');
  },
  /** Something prints all the time, to a pipe that breaks. */
  'broken-pipes': () => {
    let writes = 0;
    const write = process.stderr.write.bind(process.stderr);
    process.stderr.write = (chunk: string | Uint8Array): boolean => {
      writes += 1;
      return write(chunk);
    };
    installLastWords(openLog(`${report}.log`));
    process.on('exit', () => {
      const { user, system } = process.cpuUsage();
      writeFileSync(report, JSON.stringify({ writes, cpuMs: (user + system) / 1000 }));
    });
    setInterval(() => process.stdout.write('ready\n'), 20);
  },
  /** A bug that nobody caught, while nobody reads standard error. */
  bug: () => {
    installLastWords(openLog(`${report}.log`));
    setTimeout(() => {
      throw new Error('unforeseen');
    }, 20);
  },
};

modes[mode]?.();
