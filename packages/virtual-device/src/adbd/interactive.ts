import type { ByteSink } from '../io/bytes.ts';
import type { Shell } from '../shell/interpreter.ts';
import type { Stdio } from '../shell/redirects.ts';
import { EMPTY_SOURCE } from '../io/bytes.ts';

/**
 * A shell that reads its commands line by line: `adb shell` without a command. With a terminal it does what the
 * kernel's line discipline does on a phone: echo, backspace, ^C, ^D, and `\r\n` at line ends.
 */
export async function runInteractive(shell: Shell, io: Stdio, pty: boolean): Promise<number> {
  const stdout = pty ? terminalSink(io.stdout) : io.stdout;
  const inner: Stdio = { stdin: EMPTY_SOURCE, stdout, stderr: pty ? terminalSink(io.stderr) : io.stderr };
  const prompt = async (): Promise<void> => {
    if (pty) await io.stdout.write(`jugg:${shell.state.cwd} $ `);
  };
  const line = new LineEditor();
  await prompt();
  for (let chunk = await io.stdin.read(); chunk !== null; chunk = await io.stdin.read()) {
    for (const char of chunk.toString('utf8')) {
      const { echo, entered, ended } = line.feed(char);
      if (pty && echo !== '') await io.stdout.write(echo);
      if (ended) return shell.state.lastStatus;
      if (entered === null) continue;
      if (entered.trim() !== '') await shell.runText(entered, inner);
      if (shell.state.exiting !== null) return shell.state.exiting;
      await prompt();
    }
  }
  const rest = line.rest();
  if (rest.trim() !== '') await shell.runText(rest, inner);
  return shell.state.exiting ?? shell.state.lastStatus;
}

function terminalSink(sink: ByteSink): ByteSink {
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
