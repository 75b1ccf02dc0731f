import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { strerror } from '../fs/errno.ts';
import { complain, parseOptions, pathOf } from '../shell/command.ts';
import type { Command, CommandContext } from '../shell/command.ts';
import { screenshot } from './screencap.ts';
import type { RunningTools } from './running-tools.ts';
import type { Services } from './services.ts';

/** AOSP screenrecord.cpp: the longest, and the default. */
const LONGEST_S = 180;
const FRAMES_PER_SECOND = 5;

const LONG_NAMES = {
  'time-limit': 't',
  size: 's',
  'bit-rate': 'b',
  verbose: 'v',
  bugreport: 'u',
  'display-id': 'd',
};

/**
 * `screenrecord [--time-limit S] [--size WxH] [--bit-rate B] FILE`: pictures of the screen, made a video (H.264, mp4) by
 * the host's ffmpeg. Ends at its time, when the client hangs up (^C) or at a signal; the file is whole then.
 */
export function screenrecordCommand(services: Services, tools: RunningTools): Command {
  return async (context) => {
    const { values, rest, unknown } = parseOptions(context.args, 'vu', 'tsbd', LONG_NAMES);
    const [file] = rest;
    if (unknown !== null || file === undefined) {
      await context.stderr.write('Usage: screenrecord [options] <filename>\n');
      return 2;
    }
    const seconds = Number(values.get('t') ?? LONGEST_S);
    if (!Number.isInteger(seconds) || seconds < 1 || seconds > LONGEST_S) {
      await context.stderr.write(
        `Time limit ${values.get('t') ?? ''}s outside acceptable range [1,${LONGEST_S}]\n`,
      );
      return 2;
    }
    const size = /^(\d+)x(\d+)$/.exec(values.get('s') ?? '');
    if (values.has('s') && !size) {
      await context.stderr.write(`Invalid size '${values.get('s') ?? ''}', must be width x height\n`);
      return 2;
    }
    const scale = size ? `scale=${size[1]}:${size[2]}` : 'scale=trunc(iw/2)*2:trunc(ih/2)*2';
    const recording = { seconds, scale, bitRate: values.get('b') ?? '4M' };
    return tools.run('screenrecord', context.signal, (signal) =>
      record({ ...context, signal }, file, recording, services),
    );
  };
}

interface Recording {
  readonly seconds: number;
  readonly scale: string;
  readonly bitRate: string;
}

async function record(
  context: CommandContext,
  file: string,
  recording: Recording,
  services: Services,
): Promise<number> {
  const encoder = await startEncoder(recording);
  if (!encoder)
    return complain(
      context,
      'needs ffmpeg on the machine of the Jugg virtual device (Debian: apt-get install ffmpeg)',
    );
  const opened = await context.fs.openForWrite(pathOf(context, file), 'truncate');
  if (!opened.ok) {
    encoder.kill();
    await context.stderr.write(`Unable to open '${file}': ${strerror(opened.errno)}\n`);
    return 1;
  }
  const written = (async () => {
    // A stream without an encoding gives buffers.
    for await (const chunk of encoder.stdout) await opened.value.writeFile(chunk as Buffer);
  })();
  try {
    await feed(encoder.stdin, recording.seconds, context.signal, services);
    await written;
    return 0;
  } catch (error) {
    encoder.kill();
    return await complain(context, error instanceof Error ? error.message : String(error));
  } finally {
    await opened.value.close();
  }
}

/** Pictures at a steady rate: one that took too long stands for those that were due meanwhile. */
async function feed(to: Writable, seconds: number, signal: AbortSignal, services: Services): Promise<void> {
  const began = performance.now();
  let sent = 0;
  // One picture there is in any case: a video of none is no file that a player opens.
  while (sent === 0 || (!signal.aborted && sent < seconds * FRAMES_PER_SECOND)) {
    const picture = await screenshot(services);
    const due = Math.floor(((performance.now() - began) / 1000) * FRAMES_PER_SECOND) + 1;
    for (; sent < Math.min(due, seconds * FRAMES_PER_SECOND); sent++) {
      if (!to.write(picture)) await new Promise((resolve) => to.once('drain', resolve));
    }
    const wait = (sent / FRAMES_PER_SECOND) * 1000 - (performance.now() - began);
    if (wait > 0) await pause(wait, signal);
  }
  to.end();
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal.addEventListener('abort', finish, { once: true });
  });
}

type Encoder = ChildProcessByStdio<Writable, Readable, null>;

function startEncoder({ scale, bitRate }: Recording): Promise<Encoder | null> {
  const input = ['-f', 'image2pipe', '-c:v', 'png', '-framerate', String(FRAMES_PER_SECOND), '-i', 'pipe:0'];
  const video = [
    '-vf',
    scale,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-b:v',
    bitRate,
  ];
  // The end of a pipe cannot be gone back from: the index comes in fragments.
  const output = ['-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4', 'pipe:1'];
  const encoder = spawn('ffmpeg', ['-v', 'error', ...input, ...video, ...output], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  // It may end first; its output then does, too.
  encoder.stdin.on('error', () => {});
  return new Promise((resolve) => {
    encoder.once('error', () => resolve(null));
    encoder.once('spawn', () => resolve(encoder));
  });
}
