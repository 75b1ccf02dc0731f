import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LockFile } from '../../src/runtime/lock-file.ts';

let dir: string;
let lock: LockFile;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'jugg-lock-'));
  lock = new LockFile(join(dir, 'locks', 'one'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe('a lock among processes', () => {
  test('stands free before anybody took it, and after it was given back', async () => {
    const never = await lock.standing();
    expect(never).toEqual({ generation: 0, content: undefined });
    expect(await lock.takeAfter(never, { who: 'a' })).toBe(1);
    expect(await lock.standing()).toEqual({ generation: 1, content: { who: 'a' } });
    await lock.rewrite(1, { who: 'a', again: true });
    expect(await lock.standing()).toEqual({ generation: 1, content: { who: 'a', again: true } });
    await lock.giveBack(1);
    expect(await lock.standing()).toEqual({ generation: 1, content: {} });
  });

  test('of many that saw the same, one takes it; one file is left', async () => {
    for (let round = 1; round <= 10; round += 1) {
      const seen = await lock.standing();
      const taken = await Promise.all(Array.from({ length: 8 }, (_, who) => lock.takeAfter(seen, { who })));
      expect(taken.filter((generation) => generation !== undefined)).toEqual([round]);
    }
    expect(await readdir(join(dir, 'locks'))).toEqual(['one.10']);
  });

  test('one who looked long ago does not get it, though the files of then are gone', async () => {
    const longAgo = await lock.standing();
    await lock.takeAfter(longAgo, { who: 'a' });
    await lock.takeAfter(await lock.standing(), { who: 'b' });
    expect(await readdir(join(dir, 'locks'))).toEqual(['one.2']);
    expect(await lock.takeAfter(longAgo, { who: 'late' })).toBeUndefined();
    expect(await lock.standing()).toEqual({ generation: 2, content: { who: 'b' } });
    expect(await readdir(join(dir, 'locks'))).toEqual(['one.2']);
  });

  test('who lost it gives nothing back', async () => {
    await lock.takeAfter(await lock.standing(), { who: 'a' });
    await lock.takeAfter(await lock.standing(), { who: 'b' });
    expect(await lock.isLast(1)).toBe(false);
    await lock.giveBack(1);
    expect(await lock.standing()).toEqual({ generation: 2, content: { who: 'b' } });
  });

  test('broken content is told from none; another lock whose name begins alike is not looked at', async () => {
    await lock.takeAfter(await lock.standing(), { who: 'a' });
    await writeFile(join(dir, 'locks', 'one.3'), '{');
    await writeFile(join(dir, 'locks', 'one.more.9'), '{}');
    expect(await lock.standing()).toEqual({ generation: 3, content: undefined });
    expect(await lock.takeAfter(await lock.standing(), { who: 'b' })).toBe(4);
  });
});
