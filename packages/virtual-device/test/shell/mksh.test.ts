import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { directClient, type DirectClient } from '../support/direct.ts';
import { Mksh } from '../support/host-shell.ts';
import { startTestDevice, type TestDevice } from '../support/test-device.ts';
import { SCRIPTS } from './mksh-scripts.ts';

/** Expressions that are compared; `--mode deep` takes more. */
const RUNS = process.env['MODE'] === 'deep' ? 200 : 10;
const EXPRESSIONS_A_RUN = 40;
const FOLDER = '/data/local/tmp/mksh';
const FILES = `echo 'sv="sourced $1"' > $T/src.sh; mkdir $T/g; cd $T/g; touch a ab b.txt a.txt .h; mkdir d; cd /`;

describe.skipIf(!Mksh.isThere())('as mksh, which is not installed where this is skipped', () => {
  let vd: TestDevice;
  let client: DirectClient;
  let mksh: Mksh;
  beforeAll(async () => {
    vd = await startTestDevice();
    client = await directClient(vd.port);
    mksh = await Mksh.start();
  });
  afterAll(async () => {
    client.close();
    await vd.stop();
    await mksh.stop();
  });

  async function compare(script: string): Promise<void> {
    await client.sh(`rm -rf ${FOLDER}; mkdir ${FOLDER}`);
    const { stdout, exitCode, stderr } = await client.sh(`T=${FOLDER}; ${script}`);
    expect({ answer: `${stdout}[${exitCode}]`, stderr }).toEqual({ answer: await mksh.run(script), stderr });
  }

  test.each(SCRIPTS)('%j', (script) => compare(`${FILES}; ${script}`));

  test(`${RUNS * EXPRESSIONS_A_RUN} random expressions`, async () => {
    const number = fc.oneof(
      fc.integer({ min: -20, max: 20 }).map(String),
      fc.constantFrom(
        '2147483647',
        '0x7f',
        '16#ff',
        '010',
        'x',
        'y',
        'z',
        'none',
        '(x)',
        'x++',
        '--y',
        '(z+=3)',
      ),
    );
    const signs = '+ - * / % << >> < > <= >= == != & | ^ && || ,'.split(' ');
    const expression = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        number,
        fc.tuple(tie('node'), fc.constantFrom(...signs), tie('node')).map(([a, op, b]) => `${a} ${op} ${b}`),
        tie('node').map((a) => `(${a})`),
        fc.tuple(fc.constantFrom('!', '~', '-', '+'), tie('node')).map(([op, a]) => `${op} ${a}`),
        fc.tuple(tie('node'), tie('node'), tie('node')).map(([a, b, c]) => `${a} ? ${b} : ${c}`),
      ),
    })).node;
    const lines = fc.array(expression, { minLength: EXPRESSIONS_A_RUN, maxLength: EXPRESSIONS_A_RUN });
    await fc.assert(
      fc.asyncProperty(lines, async (all) => {
        // Each in a shell of its own, as one that is wrong ends it.
        await compare(all.map((each) => `(x=5 y=-3 z=y; echo "$((${each})) $x $y $z")`).join('\n'));
      }),
      { numRuns: RUNS },
    );
  }, 3_600_000);
});
