import type { Compound, Condition, Node } from './ast.ts';
import { evaluate } from './arith.ts';
import { readLine } from './builtins/read.ts';
import { expandPattern, expandSingle, expandWords } from './expand.ts';
import { matchesWhole } from './glob.ts';
import type { ShellPort } from './shell-port.ts';
import { compareWords, testFile } from './test-command.ts';

type Of<K extends Compound['kind']> = Extract<Compound, { kind: K }>;

/** How each compound command is run; its redirects are open already. The value is the exit code. */
export const COMPOUNDS: {
  readonly [K in Compound['kind']]: (shell: ShellPort, node: Of<K>) => Promise<number>;
} = {
  group: (shell, { body }) => shell.run(body),
  subshell: (shell, { body }) => shell.apart(body),
  if: runIf,
  loop: runLoop,
  for: runFor,
  select: runSelect,
  case: runCase,
  condition: async (shell, { condition }) => ((await holds(shell, condition)) ? 0 : 1),
  arithmetic: async (shell, { expression }) =>
    evaluate(await expandSingle(expression, shell.expander()), shell.state.vars) === 0 ? 1 : 0,
};

/** What runs lists: those have seen to `set -e` themselves. */
export function isCompound(node: Node): boolean {
  return ['group', 'if', 'loop', 'for', 'select', 'case'].includes(node.kind);
}

async function runIf(shell: ShellPort, { branches, otherwise }: Of<'if'>): Promise<number> {
  for (const { test, body } of branches) {
    if ((await shell.test(test)) === 0) return shell.run(body);
  }
  return otherwise ? shell.run(otherwise) : 0;
}

async function runLoop(shell: ShellPort, { test, until, body }: Of<'loop'>): Promise<number> {
  let status = 0;
  shell.state.loops++;
  while (!shell.stopped()) {
    const holds = (await shell.test(test)) === 0;
    if (leavesLoop(shell) || holds === until) break;
    status = await shell.run(body);
    if (leavesLoop(shell)) break;
  }
  shell.state.loops--;
  return status;
}

async function runFor(shell: ShellPort, { name, words, body }: Of<'for' | 'select'>): Promise<number> {
  const values = words ? await expandWords(words, shell.expander()) : shell.state.positional;
  let status = 0;
  shell.state.loops++;
  for (const value of values) {
    shell.state.vars.set(name, value);
    status = await shell.run(body);
    if (leavesLoop(shell)) break;
  }
  shell.state.loops--;
  return status;
}

/** Korn's menu: the choice is read from stdin until its end. */
async function runSelect(shell: ShellPort, { name, words, body }: Of<'for' | 'select'>): Promise<number> {
  const values = words ? await expandWords(words, shell.expander()) : shell.state.positional;
  const { stderr } = shell.descriptors.stdio();
  let status = 1;
  shell.state.loops++;
  for (let menu = true; values.length > 0 && !shell.stopped();) {
    if (menu) await stderr.write(values.map((value, index) => `${String(index + 1)}) ${value}\n`).join(''));
    await stderr.write(shell.state.vars.get('PS3') ?? '#? ');
    const reply = await readLine(shell.descriptors.stdio().stdin);
    if (reply === null) break;
    menu = reply.text.trim() === '';
    if (menu) continue;
    shell.state.vars.set('REPLY', reply.text.trim());
    shell.state.vars.set(name, values[Number(reply.text) - 1] ?? '');
    status = await shell.run(body);
    if (leavesLoop(shell)) break;
  }
  shell.state.loops--;
  return status;
}

async function runCase(shell: ShellPort, { subject, arms }: Of<'case'>): Promise<number> {
  const text = await expandSingle(subject, shell.expander());
  let status = 0;
  let falls = false;
  for (const { patterns, body, end } of arms) {
    let fits: boolean = falls;
    for (const pattern of patterns)
      fits ||= matchesWhole(await expandPattern(pattern, shell.expander()), text);
    falls = fits && end === 'fall';
    if (!fits) continue;
    status = await shell.run(body);
    if (end === 'leave') break;
  }
  return status;
}

/** After one round: whether the loop ends here. */
function leavesLoop(shell: ShellPort): boolean {
  const { loop, exiting, returning } = shell.state;
  if (exiting !== null || returning !== null || shell.signal.aborted) return true;
  if (!loop) return false;
  loop.depth--;
  if (loop.depth > 0) return true;
  shell.state.loop = null;
  return loop.kind === 'break';
}

/** `[[ … ]]`: no splitting, no names of files; what stands right of `=` is a pattern, numbers are expressions. */
async function holds(shell: ShellPort, condition: Condition): Promise<boolean> {
  const on = shell.expander();
  switch (condition.kind) {
    case 'not':
      return !(await holds(shell, condition.operand));
    case 'and':
      return (await holds(shell, condition.left)) && holds(shell, condition.right);
    case 'or':
      return (await holds(shell, condition.left)) || holds(shell, condition.right);
    case 'unary':
      return testFile(condition.op, await expandSingle(condition.word, on), on);
    default: {
      const { op } = condition;
      const left = await expandSingle(condition.left, on);
      if (op === '=' || op === '==' || op === '!=') {
        const fits = matchesWhole(await expandPattern(condition.right, on), left);
        return fits === (op !== '!=');
      }
      const right = await expandSingle(condition.right, on);
      const number = (text: string): number => evaluate(text, on.state.vars);
      return compareWords(left, op, right, number, on);
    }
  }
}
