import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { directClient } from '../support/direct.ts';
import type { DirectClient } from '../support/direct.ts';
import { hostShell } from '../support/host-shell.ts';
import { startTestDevice } from '../support/test-device.ts';
import type { TestDevice } from '../support/test-device.ts';

/** Scripts that are compared; `--mode deep` takes more. */
const RUNS = process.env['MODE'] === 'deep' ? 10_000 : 250;

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

const letters = fc.stringMatching(/^[a-zA-Z0-9_.,:=@%+-]{1,4}$/);
const blank = fc.constantFrom(' ', '  ', '\t');
const special = fc.constantFrom('*', '?', '[', ']', '~', '#', '!', '{', '}', '^');
const variable = fc.constantFrom('x', 'y', 'e', 'w', 'none', '1', '2', '3');
const simple = variable.chain((name) => fc.constantFrom(`$${name}`, `\${${name}}`, `\${#${name}}`));
const withDefault = fc
  .tuple(
    variable,
    fc.constantFrom(':-', '-', ':+', '+'),
    fc.constantFrom('d', 'd e', '"d e"', '$w', '"$w"', ''),
  )
  .map(([name, op, word]) => `\${${name}${op}${word}}`);
const cut = fc
  .tuple(
    fc.constantFrom('w', 'y', 'p'),
    fc.constantFrom('#', '##', '%', '%%'),
    fc.constantFrom('*b', 'a*', '* ', '?', '/*', '*/', 'x'),
  )
  .map(([name, op, pattern]) => `\${${name}${op}${pattern}}`);
const whole = fc.constantFrom('$*', '$#', '$?');
// Only alone: dash makes empty fields of blanks that follow it in one word, other shells do not.
const parameters = fc.constantFrom('"$@"', '$@');
const command = fc.constantFrom(
  '$(echo a  b)',
  '`echo q`',
  '$(printf "a\\n\\n")',
  '$((1+2*3))',
  '$(echo "$w")',
  '$(echo "a b")',
);
const expansion = fc.oneof(simple, withDefault, cut, whole, command);
const escaped = fc.constantFrom('\\ ', '\\$', '\\"', "\\'", '\\\\', '\\*', '\\a', '\\;');
const single = fc.stringMatching(/^[a-z $"*\\`]{0,5}$/).map((text) => `'${text}'`);
const double = fc
  .array(
    fc.oneof(letters, blank, special, expansion, fc.constantFrom('\\$', '\\"', '\\\\', "'", '\\a', '\\`')),
    { maxLength: 4 },
  )
  .map((parts) => `"${parts.join('')}"`);
const word = fc
  .array(fc.oneof(letters, escaped, single, double, expansion), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''));
const anyWord = fc.oneof({ weight: 8, arbitrary: word }, { weight: 1, arbitrary: parameters });
const line = fc
  .array(anyWord, { minLength: 1, maxLength: 4 })
  .map((words) => `printf '<%s>' ${words.join(' ')}; echo`);
const ifs = fc.constantFrom('', 'IFS=:', 'IFS=', "IFS=' :'", "IFS='b'");

const SETUP =
  "set -f; x=one; y='two words'; e=; w='  a  b:c ::d'; p=/usr/local/bin; set -- 'first arg' 'x:c' third";
// Empty parameters in an unquoted $* "may be discarded" (POSIX 2.5.2): and one that begins with a mark of IFS is joined to
// the one before by some: there are none of these.

describe.skipIf(process.platform === 'win32')('splitting and expanding words is as in /bin/sh', () => {
  test(`${RUNS} random scripts`, async () => {
    const script = fc
      .tuple(ifs, fc.array(line, { minLength: 1, maxLength: 4 }))
      .map(([separators, lines]) => [SETUP, separators, ...lines].filter((part) => part !== '').join('\n'));
    await fc.assert(
      fc.asyncProperty(script, async (text) => {
        const own = await client.sh(text);
        expect(`${own.stdout}[${own.exitCode}]`).toBe(await hostShell(text));
      }),
      { numRuns: RUNS },
    );
  }, 3_600_000);
});
