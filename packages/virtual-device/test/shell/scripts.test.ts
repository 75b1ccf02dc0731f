import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { directClient, type DirectClient } from '../support/direct.ts';
import { hostShell } from '../support/host-shell.ts';
import { startTestDevice, type TestDevice } from '../support/test-device.ts';

/** Scripts that are compared; `--mode deep` takes more. */
const RUNS = process.env['MODE'] === 'deep' ? 5_000 : 150;

let vd: TestDevice;
let client: DirectClient;
beforeAll(async () => {
  vd = await startTestDevice();
  client = await directClient(vd.port);
});
afterAll(async () => {
  client.close();
  await vd.stop();
});

async function own(script: string): Promise<string> {
  const { stdout, exitCode } = await client.sh(script);
  return `${stdout}[${exitCode}]`;
}

describe.skipIf(process.platform === 'win32')('scripts of several lines run as in /bin/sh', () => {
  test.each([
    'cat <<E\na $x "b" \\$y\n  c\nE\necho after',
    "x=1; cat <<'E'\na $x \\$y `z`\nE",
    'cat <<-E\n\tone\n\t\ttwo $((1+1))\n\tE\necho end',
    'cat <<A; cat <<B\nfirst\nA\nsecond\nB',
    'cat <<A <<B\nfirst\nA\nsecond\nB',
    'while read n; do echo "<$n>"; done <<E\n1\n2 3\nE',
    'echo $(cat <<E\nin a substitution\nE\n)',
    'cat <<E | tr a-z A-Z\nin a pipe $(echo of two)\nE',
    'f() { cat <<E\nof $1\nE\n}\nf one; f two',
    'cat <<E\nE\necho empty',
    'f() { echo "$# $1 $2"; }; f a "b c"; f',
    'f() { return 3; echo never; }; f; echo $?; f || echo no',
    'f() { local x=2; echo $x; }; x=1; f; echo $x',
    'f() { local x; x=5; g; }; g() { echo $x; x=6; }; x=1; f; echo $x',
    'set -- a b; f() { echo $1; shift; echo $1; }; f x y; echo $1',
    'f() ( x=2; echo $x; exit 4 ); x=1; f; echo $? $x',
    'f() { echo out; echo err >&2; } 2>/dev/null; f',
    'fact() { if [ $1 -le 1 ]; then echo 1; else echo $(($1 * $(fact $(($1 - 1))))); fi; }; fact 6',
    'f() { for i in 1 2 3; do [ $i = 2 ] && return 9; echo $i; done; }; f; echo $?',
    'f() { echo a | while read l; do echo "[$l]"; done; }; f | cat',
    'f() { echo f; }; unset -f f; f 2>/dev/null; echo $?',
    'echo() { printf "mine\\n"; }; echo x; command echo y',
    'x=1; f() { echo $x; }; x=2 f',
    'set -e; true && false; echo never',
    'set -e; { false; true; } || echo y; echo x',
    'set -e; f() { false; echo in; }; f || echo no; echo x',
    'set -e; f() { false; echo never; }; f; echo never',
    'set -e; if { false; true; }; then echo t; fi; echo x',
    'set -e; ! true; echo x; ! false; echo y',
    'set -e; (false; echo never); echo never',
    'set -e; while false; do :; done; for i in 1; do false || true; done; echo x',
    'set -e; x=$(false); echo never',
    'set -e; false | true; echo x; true | false; echo never',
    'if true\nthen\n  echo a\nfi\n\n# comment\ncase x in\n  x) echo y\n  ;;\nesac',
  ])('%j', async (script) => {
    expect(await own(script)).toBe(await hostShell(script));
  });

  test('what is not closed is named', async () => {
    expect(await client.sh('cat <<E\nno end')).toMatchObject({ exitCode: 1 });
    expect((await client.sh('cat <<E\nno end')).stderr).toContain("here document 'E' unclosed");
    expect((await client.sh('f() { f; }; f')).stderr).toContain('f: functions call each other too deeply');
  });

  test('grep looks below folders; the shell knows itself', async () => {
    const script = `cd /data/local/tmp && mkdir -p g/sub && echo hit > g/a && echo hit me > g/sub/b && echo no > g/c`;
    expect((await client.sh(`${script}; grep -r hit g; cd g; grep -rl hit; rm -r ../g`)).stdout).toBe(
      'g/a:hit\ng/sub/b:hit me\na\nsub/b\n',
    );
    expect(await own('kill -0 $$ && echo there; kill $$; echo never')).toBe('there\n[143]');
  });

  test(`${RUNS} random scripts`, async () => {
    const leaf = fc.constantFrom(
      'true',
      'false',
      'echo a',
      'echo $x',
      'x=$((x + 1))',
      'return 3',
      'f',
      'g 1 2',
      'echo "$#$1"',
    );
    const line: fc.Arbitrary<string> = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc
          .tuple(tie('node'), fc.constantFrom('&&', '||', ';', '|'), tie('node'))
          .map(([a, op, b]) => `${a} ${op} ${b}`),
        tie('node').map((a) => `{ ${a}; }`),
        tie('node').map((a) => `( ${a} )`),
        fc.tuple(tie('node'), tie('node')).map(([a, b]) => `if ${a}; then ${b}; fi`),
        fc.tuple(tie('node'), tie('node')).map(([a, b]) => `for i in 1 2; do ${a}; ${b}; done`),
        tie('node').map((a) => `echo "$( ${a} )"`),
        tie('node').map((a) => `{ { ${a}; cat; } <<E\ntext $x\nE\n}`),
      ),
    })).node;
    const script = fc
      .tuple(fc.constantFrom('', 'set -e'), leaf, line, fc.array(line, { minLength: 1, maxLength: 4 }))
      .map(([mode, f, g, lines]) =>
        // Calls go one way: none has no end.
        [
          mode,
          'x=0',
          `f() { ${f.replace(/^(f|g 1 2)$/, 'echo f')}; }`,
          `g() { ${g.replaceAll('g 1 2', 'f')}\n}`,
          ...lines,
        ]
          .filter((part) => part !== '')
          .join('\n'),
      );
    await fc.assert(
      fc.asyncProperty(script, async (text) => {
        expect(await own(text)).toBe(await hostShell(text));
      }),
      { numRuns: RUNS },
    );
  }, 3_600_000);
});
