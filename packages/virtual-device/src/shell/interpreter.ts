import { BufferSink, EMPTY_SOURCE } from '../io/bytes.ts';
import type { ByteSink, ByteSource } from '../io/bytes.ts';
import { Pipe } from '../io/pipe.ts';
import type { Node, Pipeline, Script, Simple, Word } from './ast.ts';
import { applyAssigns, assignedValues } from './assigns.ts';
import { BUILTINS } from './builtins/index.ts';
import { killsOwn } from './builtins/process.ts';
import { COMPOUNDS, isCompound } from './compound.ts';
import type { Descriptors, Stdio } from './descriptors.ts';
import { expandPattern, expandSingle, expandWords } from './expand.ts';
import type { Expander } from './expander.ts';
import { ShellFault, SyntaxProblem } from './faults.ts';
import { runCommand } from './invoke.ts';
import { commandLines } from './parser.ts';
import { quoted } from './print.ts';
import { redirect } from './redirects.ts';
import type { ShellHost, ShellPort } from './shell-port.ts';
import { copyState, messagePrefix } from './state.ts';
import type { ShellFunction, ShellState } from './state.ts';

const DEEPEST_CALL = 400;
const DEEPEST_TEXT = 200;
/** Their assignments stay, as POSIX 2.14 says. */
const SPECIAL_BUILTINS = new Set(
  ': . source break continue eval exec exit export readonly return set shift times trap typeset unset'.split(
    ' ',
  ),
);
/** What looks like an assignment behind these is not split. */
const DECLARING = new Set(['export', 'readonly', 'typeset', 'local', 'alias']);

/** Whose failure is no reason for `set -e`. */
function isNegated(node: Node): boolean {
  return node.kind === 'pipeline' && node.negate;
}

/** One shell: runs scripts against the device's commands and files. */
export class Shell implements ShellPort {
  readonly host: ShellHost;
  readonly state: ShellState;
  readonly signal: AbortSignal;
  readonly descriptors: Descriptors;

  constructor(host: ShellHost, state: ShellState, signal: AbortSignal, descriptors: Descriptors) {
    this.host = host;
    this.state = state;
    this.signal = AbortSignal.any([signal, state.main.killed]);
    this.descriptors = descriptors;
  }

  async main(text: string): Promise<number> {
    try {
      return await this.finish(await this.runText(text));
    } catch (error) {
      if (!(error instanceof ShellFault)) throw error;
      return this.finish(await this.complain(error.message, error.status));
    }
  }

  async runText(text: string): Promise<number> {
    if (this.state.depth >= DEEPEST_TEXT) throw new ShellFault('scripts run each other too deeply');
    this.state.depth++;
    let status = 0;
    try {
      for (const line of commandLines(text, this.state.aliases)) {
        status = await this.run(line);
        if (this.stopped()) break;
      }
    } catch (error) {
      if (!(error instanceof SyntaxProblem)) throw error;
      status = await this.complain(error.message);
      this.state.exiting ??= status;
      this.state.faulted = true;
    } finally {
      this.state.depth--;
    }
    this.state.lastStatus = status;
    return this.state.exiting ?? status;
  }

  async finish(status: number): Promise<number> {
    const { state } = this;
    let last = state.exiting ?? state.returning ?? status;
    const action = this.signal.aborted ? undefined : state.traps.takeExit();
    if (action !== undefined) {
      Object.assign(state, { exiting: null, returning: null, loop: null, lastStatus: last });
      await this.runText(action);
      last = state.exiting ?? last;
    }
    await this.descriptors.closeAll();
    return last;
  }

  async run(node: Node): Promise<number> {
    if (this.stopped()) return this.state.lastStatus;
    let status: number;
    try {
      status = await this.#dispatch(node);
    } catch (error) {
      if (!(error instanceof ShellFault)) throw error;
      status = await this.complain(error.message, error.status);
      this.state.exiting ??= status;
      this.state.faulted = true;
    }
    this.state.lastStatus = status;
    return status;
  }

  async complain(message: string, status = 1): Promise<number> {
    await this.descriptors.stdio().stderr.write(`${messagePrefix(this.state)}${message}\n`);
    return status;
  }

  stopped(): boolean {
    const { exiting, returning, loop } = this.state;
    return exiting !== null || returning !== null || loop !== null || this.signal.aborted;
  }

  async test(node: Node): Promise<number> {
    this.state.tested++;
    const status = await this.run(node);
    this.state.tested--;
    return status;
  }

  /** A shell that begins as this one is. */
  child(changes: Partial<Stdio> = {}, signal = this.signal): Shell {
    return new Shell(this.host, copyState(this.state), signal, this.descriptors.copy(changes));
  }

  another(state: ShellState, descriptors: Descriptors, signal = this.signal): Shell {
    return new Shell(this.host, state, signal, descriptors);
  }

  async apart(node: Node, changes: Partial<Stdio> = {}): Promise<number> {
    const child = this.child(changes);
    return child.finish(await child.run(node));
  }

  async #dispatch(node: Node): Promise<number> {
    switch (node.kind) {
      case 'list':
        return this.#list(node);
      case 'pipeline':
        return this.#pipeline(node);
      case 'simple':
        return this.#simple(node);
      case 'function':
        this.state.functions.set(node.name, { body: node.body, ownName: node.ownName });
        return 0;
      default: {
        const redirection = await redirect(node.redirects, this.descriptors, this.expander());
        if ('problem' in redirection) return this.complain(redirection.problem);
        try {
          return await COMPOUNDS[node.kind](this, node as never);
        } finally {
          await redirection.restore();
        }
      }
    }
  }

  async #list(script: Script): Promise<number> {
    let status = 0;
    let skip = false;
    for (const { node, end, text } of script.items) {
      if (this.stopped()) break;
      if (!skip) {
        const tested = end === '&&' || end === '||' || isNegated(node);
        if (end === '&') status = this.#background(node, text);
        else status = await (tested ? this.test(node) : this.run(node));
        if (status !== 0 && !tested && !isCompound(node)) await this.#failed(status);
        await this.#runTraps();
      }
      if (end === '&&') skip = status !== 0;
      else if (end === '||') skip = status === 0;
      else skip = false;
    }
    return status;
  }

  /** What `trap … ERR` and `set -e` do about a command. */
  async #failed(status: number): Promise<void> {
    if (this.stopped() || this.state.tested > 0) return;
    const action = this.state.traps.get('ERR');
    if (action !== undefined && action !== '') await this.#trap(action);
    if (this.state.options.has('errexit')) this.state.exiting ??= status;
  }

  async #runTraps(): Promise<void> {
    for (;;) {
      const action = this.state.exiting === null ? this.state.traps.takePending() : undefined;
      if (action === undefined) return;
      await this.#trap(action);
    }
  }

  /** Runs the action of a trap, which does not change `$?`. */
  async #trap(action: string): Promise<void> {
    const { lastStatus } = this.state;
    await this.runText(action);
    this.state.lastStatus = lastStatus;
  }

  #background(node: Node, text: string): number {
    let child: Shell | null = null;
    const deliver = (signal: string): boolean => child?.state.traps.deliver(signal) ?? false;
    const work = async (signal: AbortSignal): Promise<number> => {
      child = this.child({ stdin: EMPTY_SOURCE }, signal);
      // A job is a subshell by itself: traps that are set in `( … ) &` are those of the job.
      const plain = node.kind === 'subshell' && node.redirects.length === 0;
      return child.finish(await child.run(plain ? node.body : node));
    };
    this.state.jobs.start(this.host.nextPid(), this.signal, work, { text, deliver });
    return 0;
  }

  async #pipeline({ commands, negate, timed }: Pipeline): Promise<number> {
    const start = performance.now();
    let statuses: number[];
    if (commands.length === 1 && commands[0]) statuses = [await this.run(commands[0])];
    else statuses = await this.#piped(commands);
    if (timed) await this.#printTime(performance.now() - start);
    this.state.pipeStatus = statuses;
    const failed = this.state.options.has('pipefail') ? statuses.findLast((each) => each !== 0) : undefined;
    const status = failed ?? statuses.at(-1) ?? 0;
    return negate ? (status === 0 ? 1 : 0) : status;
  }

  #piped(commands: readonly Node[]): Promise<number[]> {
    const running: Promise<number>[] = [];
    let input: Pipe | null = null;
    for (const [index, command] of commands.entries()) {
      const output = index < commands.length - 1 ? new Pipe() : null;
      running.push(this.#stage(command, input, output));
      input = output;
    }
    return Promise.all(running);
  }

  async #stage(command: Node, input: Pipe | null, output: Pipe | null): Promise<number> {
    const streams: { stdin?: ByteSource; stdout?: ByteSink } = {};
    if (input) streams.stdin = input;
    if (output) streams.stdout = output;
    try {
      return await this.apart(command, streams);
    } finally {
      output?.end();
      input?.close();
    }
  }

  async #printTime(ms: number): Promise<void> {
    const real = `${String(Math.floor(ms / 60_000))}m${((ms / 1000) % 60).toFixed(2).padStart(5, '0')}s`;
    const { stderr } = this.descriptors.stdio();
    await stderr.write(`    ${real} real     0m00.00s user     0m00.00s system\n`);
  }

  async #simple(node: Simple): Promise<number> {
    this.state.line = node.line;
    const expander = this.expander();
    const argv = await this.#arguments(node.words, expander);
    const redirection = await redirect(node.redirects, this.descriptors, expander);
    if ('problem' in redirection) return this.complain(redirection.problem);
    const kept = argv[0] === 'exec' && argv.length === 1;
    try {
      if (argv.length === 0) return await this.#assignOnly(node, expander);
      const assigned = await assignedValues(node.assigns, expander);
      await this.#xtrace(assigned, argv);
      return await this.#withAssigned(argv, assigned);
    } finally {
      await (kept ? redirection.keep() : redirection.restore());
    }
  }

  async #arguments(words: readonly Word[], expander: Expander): Promise<string[]> {
    const [first] = words[0] ?? [];
    if (first?.kind !== 'text' || !DECLARING.has(first.text)) return expandWords(words, expander);
    const all: string[] = [];
    for (const word of words) {
      const [start] = word;
      const assigns = start?.kind === 'text' && !start.quoted && /^[A-Za-z_]\w*\+?=/.test(start.text);
      if (assigns) all.push(await expandSingle(word, expander));
      else all.push(...(await expandWords([word], expander)));
    }
    return all;
  }

  async #assignOnly(node: Simple, expander: Expander): Promise<number> {
    const assigned = await applyAssigns(node.assigns, expander);
    await this.#xtrace(assigned, []);
    // The status of `x=$(cmd)` is that of the command.
    const parts = node.assigns.flatMap(({ value }) => ('elements' in value ? value.elements.flat() : value));
    const substituted = parts.some(({ kind }) => kind === 'command');
    return substituted ? this.state.lastStatus : 0;
  }

  async #xtrace(assigned: ReadonlyMap<string, string>, argv: readonly string[]): Promise<void> {
    if (!this.state.options.has('xtrace')) return;
    const assigns = [...assigned].map(([name, value]) => `${name}=${value === '' ? '' : quoted(value)} `);
    const prompt = this.state.vars.get('PS4') ?? '+ ';
    const text = assigns.join('') + argv.map(quoted).join(' ');
    await this.descriptors.stdio().stderr.write(`${prompt}${text}\n`);
  }

  /** Runs a command with variables that only it has, unless it is a special builtin. */
  async #withAssigned(argv: readonly string[], assigned: ReadonlyMap<string, string>): Promise<number> {
    const { vars, functions } = this.state;
    const [name = ''] = argv;
    const body = functions.get(name);
    const hidden = new Map([...assigned.keys()].map((key) => [key, vars.hide(key)]));
    for (const [key, value] of assigned) vars.set(key, value, { exported: true });
    try {
      return await (body ? this.#call(body, argv) : this.execute(argv));
    } finally {
      if (body || !SPECIAL_BUILTINS.has(name)) for (const [key, value] of hidden) vars.restore(key, value);
    }
  }

  /** Runs a function: with parameters of its own, and what it calls `local`. */
  async #call({ body }: ShellFunction, [name = '', ...args]: readonly string[]): Promise<number> {
    const { state } = this;
    if (state.calls.length >= DEEPEST_CALL)
      throw new ShellFault(`${name}: functions call each other too deeply`);
    const { positional, loop, loops } = state;
    const call = { name, hidden: new Map() };
    state.calls.push(call);
    Object.assign(state, { positional: args, loop: null, loops: 0 });
    const status = await this.run(body);
    state.calls.pop();
    Object.assign(state, { positional, loop, loops });
    for (const [key, value] of call.hidden) state.vars.restore(key, value);
    const result = state.returning ?? status;
    state.returning = null;
    return result;
  }

  async execute(argv: readonly string[]): Promise<number> {
    const [name = '', ...args] = argv;
    const builtin = name === 'kill' && !killsOwn(this.state, args) ? undefined : BUILTINS.get(name);
    return builtin ? builtin(this, args, this.descriptors.stdio()) : runCommand(this, name, args);
  }

  expander(): Expander {
    return {
      state: this.state,
      fs: this.host.fsFor(this.state.uid, this.state.umask),
      single: (word) => expandSingle(word, this.expander()),
      pattern: (word) => expandPattern(word, this.expander()),
      substitute: async (script) => {
        const output = new BufferSink();
        const child = this.child({ stdin: EMPTY_SOURCE, stdout: output });
        // A condition ends where a substitution begins.
        child.state.tested = 0;
        this.state.lastStatus = await child.finish(await child.run(script));
        return output.text();
      },
    };
  }
}
