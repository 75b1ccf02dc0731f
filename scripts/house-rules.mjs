// Rules that no linter knows: file length, leftovers, registry hosts, shell strings.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const LONGEST = 500;
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean);
const problems = [];

const SOURCE = /\.(ts|mjs|java|c)$/;
const UNDER_TEST = /(^|\/)(test|fixtures?|golden|field-cases)\//;
const SELF = 'scripts/house-rules.mjs';
// The hosts of the registries: packages are named by coordinates, and found where the user's own clients look.
const HOSTS = /registry\.npmjs|repo1?\.maven|maven\.org|pypi\.org|crates\.io|proxy\.golang|deb\.debian/;
const LEFTOVERS = /\b(TODO|FIXME|XXX)\b/;
const OUTSIDE = /\/work\/shared|\.\.\/shared\/(design|contract|virtual-device|recipes|field-cases)/;

for (const file of files) {
  let text;
  try {
    text = readFileSync(join(root, file), 'utf8');
  } catch {
    continue;
  }
  if (file === SELF) continue;
  if (HOSTS.test(text)) problems.push(`${file}: names a registry's host (${HOSTS.exec(text)?.[0]})`);
  if (OUTSIDE.test(text)) problems.push(`${file}: refers to a file outside of the project`);
  if (!SOURCE.test(file)) continue;
  const lines = text.split('\n').length;
  if (lines > LONGEST) problems.push(`${file}: ${lines} lines, at most ${LONGEST}`);
  if (LEFTOVERS.test(text)) problems.push(`${file}: something is left open in it`);
  if (
    !UNDER_TEST.test(file) &&
    /\bexecSync\(|\bspawnSync\(|shell: true/.test(text) &&
    file.startsWith('packages/')
  )
    problems.push(`${file}: a synchronous child process or a shell string`);
}
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);
