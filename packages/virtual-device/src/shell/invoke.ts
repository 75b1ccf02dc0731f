import type { Command, CommandContext, Surroundings } from './command.ts';
import { Descriptors } from './descriptors.ts';
import type { Stdio } from './descriptors.ts';
import { findCommand } from './lookup.ts';
import { runSh } from './sh-command.ts';
import type { ShellPort } from './shell-port.ts';
import { environment, newState } from './state.ts';

/** Runs one of the device's commands, or a script file, for a shell. */
export async function runCommand(shell: ShellPort, name: string, args: readonly string[]): Promise<number> {
  const { host, state, signal, descriptors } = shell;
  const env = environment(state);
  const fs = host.fsFor(state.uid, state.umask);
  const found = await findCommand(name, state, host.commands, fs);
  if (found.kind === 'missing') return shell.complain(`${name}: ${found.message}`, found.code);
  const io = descriptors.stdio();
  if (found.kind === 'script') {
    const start = { env, umask: state.umask, name, script: true, positional: args, depth: state.depth };
    const child = newState(state.uid, state.cwd, host.nextPid(), start);
    return shell.another(child, descriptors.copy()).main(found.text);
  }
  const context: CommandContext = {
    ...io,
    name: found.name,
    args,
    signal,
    fs,
    cwd: state.cwd,
    env,
    uid: state.uid,
    now: () => host.now(),
    run: (inner, changes) => runElsewhere(shell, inner, { ...io, env, ...changes }),
  };
  return found.name === 'sh' ? runSh(shell, context) : guarded(context, found.command);
}

/** A mistake in one command must not end the device. */
async function guarded(context: CommandContext, command: Command): Promise<number> {
  try {
    return await command(context);
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    await context.stderr.write(`${context.name}: internal error of the virtual device: ${text}\n`);
    return 70;
  }
}

/** Runs a command on behalf of another one, perhaps as another user. */
async function runElsewhere(
  shell: ShellPort,
  argv: readonly string[],
  changes: Surroundings & Stdio,
): Promise<number> {
  const { host, state } = shell;
  const start = { umask: state.umask, depth: state.depth + 1, ...(changes.env ? { env: changes.env } : {}) };
  const own = newState(changes.uid ?? state.uid, changes.cwd ?? state.cwd, host.nextPid(), start);
  const started = shell.another(own, Descriptors.of(changes), changes.signal ?? shell.signal);
  return started.finish(await started.execute(argv));
}
