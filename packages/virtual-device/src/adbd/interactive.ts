import type { ByteSink, ByteSource } from '../io/bytes.ts';
import type { Shell } from '../shell/interpreter.ts';
import { Descriptors } from '../shell/descriptors.ts';
import type { Stdio } from '../shell/descriptors.ts';
import { isIncomplete } from '../shell/parser.ts';
import { EMPTY_SOURCE } from '../io/bytes.ts';

/**
 * A shell that reads its commands line by line: `adb shell` without a command. With a terminal it does what the
 * kernel's line discipline does on a phone: echo, backspace, ^C, ^D, `\r\n` at line ends, one stream for all output.
 */
export async function runInteractive(shell: Shell, io: Stdio, pty: boolean): Promise<number> {
  const stdout = pty ? terminalSink(io.stdout) : io.stdout;
  const streams: Stdio = { stdin: EMPTY_SOURCE, stdout, stderr: pty ? stdout : io.stderr };
  const { state } = shell;
  const own = shell.another(state, Descriptors.of(streams));
  /** Lines that do not make whole commands yet. */
  let pending = '';
  const prompt = async (): Promise<void> => {
    if (pty) await io.stdout.write(pending === '' ? `jugg:${state.cwd} $ ` : '> ');
  };
  const keys = new KeyQueue(io.stdin);
  const line = new LineEditor();
  await prompt();
  for (let char = await keys.next(); char !== null; char = await keys.next()) {
    const { echo, entered, ended } = line.feed(char);
    if (pty && echo !== '') await io.stdout.write(echo);
    if (ended) break;
    if (entered === null) continue;
    if (char === '\u0003') pending = '';
    else pending += `${entered}\n`;
    if (pending.trim() === '') pending = '';
    else if (!isIncomplete(pending, state.aliases)) {
      await runLine(own, pending, pty ? keys : null);
      pending = '';
    }
    // Whoever types goes on after a mistake.
    if (pty && state.faulted) Object.assign(state, { exiting: null, faulted: false });
    if (state.exiting !== null) break;
    await prompt();
  }
  const rest = pending + line.rest();
  if (rest.trim() !== '' && state.exiting === null) await own.runText(rest);
  return own.finish(state.exiting ?? state.lastStatus);
}

/** How long an interrupted command may take to end. */
const INTERRUPT_MS = 200;

/** Runs one line; ^C at the terminal ends what it runs, not the shell. */
async function runLine(shell: Shell, text: string, keys: KeyQueue | null): Promise<void> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  shell.signal.addEventListener('abort', stop, { once: true });
  const interrupted = new Promise<void>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  if (keys) {
    keys.setInterrupt(() => {
      void shell.descriptors.stdio().stdout.write('^C\n');
      stop();
    });
  }
  // The state is shared: `cd` and variables stay.
  const running = shell.another(shell.state, shell.descriptors, controller.signal).runText(text);
  await Promise.race([running, interrupted]);
  if (controller.signal.aborted) {
    // What was interrupted may still end on its own and leave its exit code; what does not is left behind.
    await Promise.race([running, new Promise((resolve) => setTimeout(resolve, INTERRUPT_MS))]);
    shell.state.lastStatus = 130;
  }
  keys?.setInterrupt(null);
  shell.signal.removeEventListener('abort', stop);
}

/** The characters that come in, one by one; while an interrupt is set, ^C goes there at once. */
class KeyQueue {
  #onInterrupt: (() => void) | null = null;
  readonly #queue: string[] = [];
  #ended = false;
  #wake = (): void => {};

  constructor(source: ByteSource) {
    void this.#pump(source);
  }

  setInterrupt(listener: (() => void) | null): void {
    this.#onInterrupt = listener;
    // Typed right behind the line, before that began to run: what stands before it is thrown away, as a terminal does.
    const at = listener ? this.#queue.indexOf('\u0003') : -1;
    if (at < 0) return;
    this.#queue.splice(0, at + 1);
    listener?.();
  }

  async next(): Promise<string | null> {
    while (this.#queue.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#queue.shift() ?? null;
  }

  async #pump(source: ByteSource): Promise<void> {
    const decoder = new TextDecoder();
    for (let chunk = await source.read(); chunk !== null; chunk = await source.read()) {
      for (const char of decoder.decode(chunk, { stream: true })) {
        if (char === '\u0003' && this.#onInterrupt) this.#onInterrupt();
        else this.#queue.push(char);
      }
      this.#wake();
    }
    this.#ended = true;
    this.#wake();
  }
}

/** What a terminal makes of output: `\r\n` at line ends. */
export function terminalSink(sink: ByteSink): ByteSink {
  return {
    write(data) {
      const text = Buffer.from(data).toString('latin1');
      return sink.write(Buffer.from(text.replaceAll(/\r?\n/g, '\r\n'), 'latin1'));
    },
  };
}

interface Fed {
  readonly echo: string;
  readonly entered: string | null;
  readonly ended: boolean;
}

class LineEditor {
  #line = '';

  feed(char: string): Fed {
    const nothing = { entered: null, ended: false };
    switch (char) {
      case '\r':
      case '\n': {
        const entered = this.rest();
        return { echo: '\r\n', entered, ended: false };
      }
      case '\u0003':
        this.#line = '';
        return { echo: '^C\r\n', entered: '', ended: false };
      case '\u0004':
        return { echo: '', entered: null, ended: this.#line === '' };
      case '\u007f':
      case '\b': {
        if (this.#line === '') return { echo: '', ...nothing };
        this.#line = Array.from(this.#line).slice(0, -1).join('');
        return { echo: '\b \b', ...nothing };
      }
      default:
        this.#line += char;
        return { echo: char, ...nothing };
    }
  }

  rest(): string {
    const line = this.#line;
    this.#line = '';
    return line;
  }
}
