import type { CommandContext } from './command.ts';
import { complainFile, pathOf } from './command.ts';
import { Options } from './options.ts';
import { isIncomplete } from './parser.ts';
import { readLine } from './builtins/read.ts';
import type { ShellPort } from './shell-port.ts';
import { newState } from './state.ts';

/** `sh [-efux] [-o option] [-c script [name]] [file] [args…]`: a shell in a shell; without a script it reads stdin. */
export async function runSh(parent: ShellPort, context: CommandContext): Promise<number> {
  const { host, state, descriptors } = parent;
  const options = new Options();
  const args = [...context.args];
  let command = false;
  for (let arg = args[0]; arg !== undefined && /^[-+]./.test(arg); arg = args[0]) {
    args.shift();
    if (arg === '--') break;
    const on = arg.startsWith('-');
    for (const letter of arg.slice(1)) {
      if (letter === 'c') command = true;
      else if (letter === 's' || letter === 'l' || letter === 'i') continue;
      else if (!options.change(letter === 'o' ? (args.shift() ?? '') : letter, on)) {
        await context.stderr.write(`sh: -${letter}: unknown option\n`);
        return 1;
      }
    }
  }
  const text = command ? args.shift() : undefined;
  if (command && text === undefined) {
    await context.stderr.write('sh: -c: requires an argument\n');
    return 1;
  }
  const [file, ...positional] = args;
  const script = !command && file !== undefined && file !== '-';
  const start = {
    env: context.env,
    umask: state.umask,
    name: file ?? 'sh',
    script,
    positional,
    options,
    depth: state.depth,
  };
  const own = newState(context.uid, context.cwd, host.nextPid(), start);
  const shell = parent.another(own, descriptors.copy());
  if (text !== undefined) return shell.main(text);
  if (!script) return shell.finish(await runStdin(shell));
  const found = await context.fs.readFile(pathOf(context, file));
  if (!found.ok) {
    await complainFile(context, file, found.errno);
    return 127;
  }
  return shell.main(found.value.toString('utf8'));
}

/** The commands on stdin, each run when it is whole: the rest is theirs to read. */
async function runStdin(shell: ShellPort): Promise<number> {
  let pending = '';
  let status = 0;
  while (shell.state.exiting === null) {
    const line = await readLine(shell.descriptors.stdio().stdin);
    if (line !== null) pending += `${line.text}\n`;
    if (line !== null && isIncomplete(pending, shell.state.aliases)) continue;
    if (pending.trim() !== '') status = await shell.runText(pending);
    pending = '';
    if (line === null) break;
  }
  return status;
}
