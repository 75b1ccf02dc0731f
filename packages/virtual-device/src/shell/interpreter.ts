import { BufferSink, bufferSource, EMPTY_SOURCE } from '../io/bytes.ts';
import type { ByteSink, ByteSource } from '../io/bytes.ts';
import { Pipe } from '../io/pipe.ts';
import type { Node, Script } from './ast.ts';
import { BUILTINS } from './builtins.ts';
import { findCommand } from './lookup.ts';
import type { Command, CommandContext, Surroundings } from './command.ts';
import { expandPattern, expandSingle, expandWords } from './expand.ts';
import type { Expander } from './expand.ts';
import { matchesWhole } from './glob.ts';
import { parseScript } from './parser.ts';
import { openRedirects } from './redirects.ts';
import type { Stdio } from './redirects.ts';
import { SyntaxProblem } from './scanner.ts';
import { copyState, environment, newState } from './state.ts';
import type { ShellHost, ShellPort } from './shell-port.ts';
import type { ShellState } from './state.ts';

const DEEPEST_CALL = 400;

/** The status of a subshell, which `exit` and `return` end. */
function endOf({ exiting, returning }: ShellState, status: number): number {
  return exiting ?? returning ?? status;
}

/** Whose failure is no reason for `set -e`. */
function isNegated(node: Node): boolean {
  return node.kind === 'pipeline' && node.negate;
}

/** What runs lists: those have seen to `set -e` themselves. */
function isCompound(node: Node): boolean {
  return (
    node.kind === 'group' ||
    node.kind === 'if' ||
    node.kind === 'loop' ||
    node.kind === 'for' ||
    node.kind === 'case'
  );
}

type Compound = Exclude<Node, { kind: 'list' | 'pipeline' | 'simple' | 'function' }>;

/** One shell: runs scripts against the device's commands and files. */
export class Shell implements ShellPort {
  readonly host: ShellHost;
  readonly state: ShellState;
  readonly signal: AbortSignal;

  constructor(host: ShellHost, state: ShellState, signal: AbortSignal) {
    this.host = host;
    this.state = state;
    this.signal = signal;
  }

  /** Runs a script; the value is the exit code. */
  async runText(text: string, io: Stdio): Promise<number> {
    let script: Script;
    try {
      script = parseScript(text);
    } catch (error) {
      if (!(error instanceof SyntaxProblem)) throw error;
      await io.stderr.write(`/system/bin/sh: ${error.message}\n`);
      return 1;
    }
    const status = await this.run(script, io);
    return this.state.exiting ?? status;
  }

  async run(node: Node, io: Stdio): Promise<number> {
    if (this.#stopped()) return this.state.lastStatus;
    const status = await this.#dispatch(node, io);
    this.state.lastStatus = status;
    return status;
  }

  #stopped(): boolean {
    const { exiting, returning, loop } = this.state;
    return exiting !== null || returning !== null || loop !== null || this.signal.aborted;
  }

  async #dispatch(node: Node, io: Stdio): Promise<number> {
    switch (node.kind) {
      case 'list':
        return this.#list(node, io);
      case 'pipeline':
        return this.#pipeline(node, io);
      case 'simple':
        return this.#simple(node, io);
      case 'function':
        this.state.functions.set(node.name, node.body);
        return 0;
      default:
        return this.#compound(node, io);
    }
  }

  async #list(script: Script, io: Stdio): Promise<number> {
    let status = 0;
    let skip = false;
    for (const { node, end } of script.items) {
      if (this.#stopped()) break;
      if (!skip) {
        const tested = end === '&&' || end === '||' || isNegated(node);
        if (end === '&') status = this.#background(node, io);
        else status = await (tested ? this.#test(node, io) : this.run(node, io));
        const stays = this.#stopped() || isCompound(node);
        const leaves = this.state.errexit && this.state.tested === 0;
        if (status !== 0 && leaves && !tested && !stays) this.state.exiting ??= status;
      }
      if (end === '&&') skip = status !== 0;
      else if (end === '||') skip = status === 0;
      else skip = false;
    }
    return status;
  }

  #background(node: Node, io: Stdio): number {
    this.state.jobs.start(this.host.nextPid(), this.signal, async (signal) => {
      const child = this.#child(signal);
      const status = await child.run(node, { ...io, stdin: EMPTY_SOURCE });
      return endOf(child.state, status);
    });
    return 0;
  }

  #child(signal = this.signal): Shell {
    return new Shell(this.host, copyState(this.state), signal);
  }

  async #pipeline(node: Extract<Node, { kind: 'pipeline' }>, io: Stdio): Promise<number> {
    const { commands, negate } = node;
    let status = 0;
    if (commands.length === 1 && commands[0]) {
      status = await this.run(commands[0], io);
    } else {
      let stdin: ByteSource = io.stdin;
      let input: Pipe | null = null;
      const running: Promise<number>[] = [];
      for (const [index, command] of commands.entries()) {
        const last = index === commands.length - 1;
        const pipe = new Pipe();
        const stdout: ByteSink = last ? io.stdout : pipe;
        running.push(this.#stage(command, { stdin, stdout, stderr: io.stderr }, input, last ? null : pipe));
        stdin = pipe;
        input = pipe;
      }
      const codes = await Promise.all(running);
      status = codes.at(-1) ?? 0;
    }
    return negate ? (status === 0 ? 1 : 0) : status;
  }

  async #stage(command: Node, io: Stdio, input: Pipe | null, output: Pipe | null): Promise<number> {
    const child = this.#child();
    const status = await child.run(command, io);
    output?.end();
    input?.close();
    return endOf(child.state, status);
  }

  async #compound(node: Compound, io: Stdio): Promise<number> {
    const opened = await openRedirects(node.redirects, io, this.state, this.#expander(io));
    if (!opened.ok) return this.#redirectFailed(opened.message, io);
    const inner = opened.io;
    try {
      return await this.#body(node, inner);
    } finally {
      await opened.close();
    }
  }

  async #body(node: Compound, io: Stdio): Promise<number> {
    switch (node.kind) {
      case 'group':
        return this.run(node.body, io);
      case 'subshell': {
        const child = this.#child();
        const status = await child.run(node.body, io);
        return endOf(child.state, status);
      }
      case 'if':
        for (const { test, body } of node.branches) {
          if ((await this.#test(test, io)) === 0) return this.run(body, io);
        }
        return node.otherwise ? this.run(node.otherwise, io) : 0;
      case 'loop': {
        let status = 0;
        while (!this.#stopped() && ((await this.#test(node.test, io)) === 0) !== node.until) {
          status = await this.run(node.body, io);
          if (this.#leaveLoop()) break;
        }
        return status;
      }
      case 'for': {
        const values = node.words ? await expandWords(node.words, this.#expander(io)) : this.state.positional;
        let status = 0;
        for (const value of values) {
          this.state.vars.set(node.name, value);
          status = await this.run(node.body, io);
          if (this.#leaveLoop()) break;
        }
        return status;
      }
      default: {
        const subject = await expandSingle(node.subject, this.#expander(io));
        for (const { patterns, body } of node.arms) {
          for (const pattern of patterns) {
            if (matchesWhole(await expandPattern(pattern, this.#expander(io)), subject))
              return this.run(body, io);
          }
        }
        return 0;
      }
    }
  }

  /** A condition: `set -e` does not look at it. */
  async #test(node: Node, io: Stdio): Promise<number> {
    this.state.tested++;
    const status = await this.run(node, io);
    this.state.tested--;
    return status;
  }

  /** After one round: whether the loop ends here. */
  #leaveLoop(): boolean {
    const { loop } = this.state;
    if (this.state.exiting !== null || this.state.returning !== null || this.signal.aborted) return true;
    if (!loop) return false;
    loop.depth--;
    if (loop.depth > 0) return true;
    this.state.loop = null;
    return loop.kind === 'break';
  }

  async #simple(node: Extract<Node, { kind: 'simple' }>, io: Stdio): Promise<number> {
    const expander = this.#expander(io);
    const argv = await expandWords(node.words, expander);
    const assigned = new Map<string, string>();
    for (const { name, value } of node.assigns) assigned.set(name, await expandSingle(value, expander));
    if (this.state.exiting !== null) return this.state.exiting;
    const opened = await openRedirects(node.redirects, io, this.state, expander);
    if (!opened.ok) return this.#redirectFailed(opened.message, io);
    try {
      if (argv.length === 0) {
        for (const [name, value] of assigned) this.state.vars.set(name, value);
        // The status of `x=$(cmd)` is that of the command.
        const substituted = node.assigns.some(({ value }) => value.some((part) => part.kind === 'command'));
        return substituted ? this.state.lastStatus : 0;
      }
      if (this.state.xtrace) await io.stderr.write(`+ ${argv.join(' ')}\n`);
      const body = this.state.functions.get(argv[0] ?? '');
      if (body) return await this.#call(body, argv, opened.io, assigned);
      return await this.execute(argv, opened.io, assigned);
    } finally {
      await opened.close();
    }
  }

  /** Runs a function: with parameters of its own, and what it calls `local`. */
  async #call(
    body: Node,
    [name = '', ...args]: readonly string[],
    io: Stdio,
    assigned: ReadonlyMap<string, string>,
  ): Promise<number> {
    const { state } = this;
    if (state.calls.length >= DEEPEST_CALL) {
      await io.stderr.write(`/system/bin/sh: ${name}: functions call each other too deeply\n`);
      state.exiting = 1;
      return 1;
    }
    const { positional, loop } = state;
    const call = new Map([...assigned.keys()].map((key) => [key, state.vars.get(key)]));
    for (const [key, value] of assigned) state.vars.set(key, value);
    state.calls.push(call);
    state.positional = args;
    state.loop = null;
    const status = await this.run(body, io);
    state.calls.pop();
    state.positional = positional;
    state.loop = loop;
    for (const [key, value] of call) {
      if (value === undefined) state.vars.delete(key);
      else state.vars.set(key, value);
    }
    const result = state.returning ?? status;
    state.returning = null;
    return result;
  }

  /** Runs one command: a builtin, one of the device's, or a script file. */
  async execute(
    argv: readonly string[],
    io: Stdio,
    assigned: ReadonlyMap<string, string> = new Map(),
  ): Promise<number> {
    const [name = '', ...args] = argv;
    const builtin = BUILTINS.get(name);
    // Built in for the shell's own jobs only: other processes are the device's.
    if (builtin && (name !== 'kill' || args.some((arg) => this.#isOwn(Number(arg))))) {
      for (const [key, value] of assigned) this.state.vars.set(key, value);
      return builtin(this, args, io);
    }
    const env = environment(this.state);
    for (const [key, value] of assigned) env.set(key, value);
    const fs = this.host.fsFor(this.state.uid);
    const found = await findCommand(name, this.state, this.host.commands, fs);
    if (found.kind === 'missing') {
      await io.stderr.write(`/system/bin/sh: ${name}: ${found.message}\n`);
      return found.code;
    }
    if (found.kind === 'script') return this.#script(found.text, args, io, env);
    const context: CommandContext = {
      ...io,
      name: found.name,
      args,
      signal: this.signal,
      fs,
      cwd: this.state.cwd,
      env,
      uid: this.state.uid,
      now: () => this.host.now(),
      run: (inner, changes) => this.runElsewhere(inner, { ...io, env, ...changes }),
    };
    return this.#guarded(context, found.command);
  }

  /** Of the shell itself, or of one of its jobs. */
  #isOwn(pid: number): boolean {
    return pid === this.state.pid || this.state.jobs.knows(pid);
  }

  /** A mistake in one command must not end the device. */
  async #guarded(context: CommandContext, command: Command): Promise<number> {
    try {
      return await command(context);
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      await context.stderr.write(`${context.name}: internal error of the virtual device: ${text}\n`);
      return 70;
    }
  }

  /** Runs a command on behalf of another one, perhaps as another user. */
  async runElsewhere(argv: readonly string[], changes: Surroundings & Stdio): Promise<number> {
    const state = newState(
      changes.uid ?? this.state.uid,
      changes.cwd ?? this.state.cwd,
      this.host.nextPid(),
      changes.env,
    );
    const shell = new Shell(this.host, state, changes.signal ?? this.signal);
    const { stdin, stdout, stderr } = changes;
    const status = await shell.execute(argv, { stdin, stdout, stderr });
    return shell.state.exiting ?? status;
  }

  async #script(
    text: string,
    args: readonly string[],
    io: Stdio,
    env: ReadonlyMap<string, string>,
  ): Promise<number> {
    const state = newState(this.state.uid, this.state.cwd, this.host.nextPid(), env);
    state.positional = args;
    return new Shell(this.host, state, this.signal).runText(text, io);
  }

  #expander(io: Stdio): Expander {
    return {
      state: this.state,
      fs: this.host.fsFor(this.state.uid),
      substitute: async (script) => {
        const output = new BufferSink();
        const child = this.#child();
        // A condition ends where a substitution begins.
        child.state.tested = 0;
        const status = await child.run(script, {
          ...io,
          stdin: bufferSource(Buffer.alloc(0)),
          stdout: output,
        });
        this.state.lastStatus = endOf(child.state, status);
        return output.text();
      },
      fatal: async (message) => {
        await io.stderr.write(`/system/bin/sh: ${message}\n`);
        this.state.exiting = 1;
      },
    };
  }

  async #redirectFailed(message: string, io: Stdio): Promise<number> {
    await io.stderr.write(`/system/bin/sh: ${message}\n`);
    return 1;
  }
}
