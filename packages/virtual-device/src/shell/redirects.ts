import type { OpenFile } from '../fs/space.ts';
import { strerror } from '../fs/errno.ts';
import { normalize } from '../fs/paths.ts';
import { bufferSource, EMPTY_SOURCE } from '../io/bytes.ts';
import type { ByteSink } from '../io/bytes.ts';
import type { Redirect } from './ast.ts';
import { CountedFile, shared } from './descriptors.ts';
import type { Descriptor, Descriptors } from './descriptors.ts';
import { expandSingle } from './expand.ts';
import type { Expander } from './expander.ts';

const NOWHERE: ByteSink = { write: () => Promise.resolve(true) };

/** `restore` puts back what was open before; `keep` leaves it so for the rest of the shell (`exec`). */
export interface Redirection {
  restore(): Promise<void>;
  keep(): Promise<void>;
}

/** Opens the targets of redirects, in order; where one fails, nothing is changed. */
export async function redirect(
  redirects: readonly Redirect[],
  descriptors: Descriptors,
  expander: Expander,
): Promise<Redirection | { readonly problem: string }> {
  const before: [number, Descriptor | undefined][] = [];
  const restore = async (): Promise<void> => {
    for (const [fd, descriptor] of before.reverse()) await descriptors.restore(fd, descriptor);
  };
  for (const each of redirects) {
    const opened = await open(each, descriptors, expander);
    if ('problem' in opened) {
      await restore();
      return opened;
    }
    before.push([each.fd, descriptors.replace(each.fd, opened.descriptor)]);
  }
  const keep = async (): Promise<void> => {
    for (const [, descriptor] of before) await descriptors.forget(descriptor);
  };
  return { restore, keep };
}

type Opened = { readonly descriptor: Descriptor | undefined } | { readonly problem: string };

async function open({ op, target }: Redirect, all: Descriptors, expander: Expander): Promise<Opened> {
  const word = await expandSingle(target, expander);
  const path = normalize(word, expander.state.cwd);
  switch (op) {
    case '<<':
      return { descriptor: { source: shared(bufferSource(Buffer.from(word))) } };
    case '<<<':
      return { descriptor: { source: shared(bufferSource(Buffer.from(`${word}\n`))) } };
    case '>&':
    case '<&': {
      if (word === '-') return { descriptor: undefined };
      const same = /^\d$/.test(word) ? all.get(Number(word)) : undefined;
      if (same) return { descriptor: same };
      return {
        problem: /^\d$/.test(word) ? `${word}: bad file descriptor` : `${word}: illegal file descriptor name`,
      };
    }
    case '<':
      return openToRead(word, path, expander);
    case '<>': {
      const read = await openToRead(word, path, expander);
      const write = await openToWrite(word, path, 'append', expander);
      if ('problem' in write) return write;
      return { descriptor: { ...('problem' in read ? {} : read.descriptor), ...write.descriptor } };
    }
    default: {
      const kept = op === '>' && expander.state.options.has('noclobber') && path !== '/dev/null';
      const there = kept ? await expander.fs.stat(path) : null;
      if (there?.ok && there.value.kind === 'file') return { problem: `can't create ${word}: File exists` };
      return openToWrite(word, path, op === '>>' ? 'append' : 'truncate', expander);
    }
  }
}

async function openToRead(word: string, path: string, { fs }: Expander): Promise<Opened> {
  if (path === '/dev/null') return { descriptor: { source: shared({ ...EMPTY_SOURCE }) } };
  const data = await fs.readFile(path);
  if (!data.ok) return { problem: `can't open ${word}: ${strerror(data.errno)}` };
  return { descriptor: { source: shared(bufferSource(data.value)) } };
}

async function openToWrite(
  word: string,
  path: string,
  how: 'truncate' | 'append',
  { fs, state }: Expander,
): Promise<Opened> {
  if (path === '/dev/null') return { descriptor: { sink: NOWHERE } };
  const file = await fs.openForWrite(path, how, 0o666 & ~state.umask);
  if (!file.ok) return { problem: `can't create ${word}: ${strerror(file.errno)}` };
  return { descriptor: { sink: fileSink(file.value), file: new CountedFile(() => file.value.close()) } };
}

function fileSink(file: OpenFile): ByteSink {
  return {
    async write(data) {
      try {
        await file.writeFile(typeof data === 'string' ? Buffer.from(data) : data);
        return true;
      } catch {
        return false;
      }
    },
  };
}
