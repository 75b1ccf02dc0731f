import { Command, Option } from 'commander';
import { describe, expect, test } from 'vitest';
import { complete, completionScript } from '../../src/cli/completion.ts';

const program = new Command('jugg')
  .addCommand(
    new Command('tap')
      .addOption(new Option('--action <text>').choices(['tap', 'swipe']))
      .option('--x <number>'),
  )
  .addCommand(
    new Command('vd')
      .addCommand(new Command('start').option('--api <level>'))
      .addCommand(new Command('stop')),
  );

describe('completion', () => {
  test.each([
    [[''], ['tap', 'vd']],
    [['t'], ['tap']],
    [
      ['tap', '--'],
      ['--action', '--x'],
    ],
    [
      ['tap', '--action', ''],
      ['tap', 'swipe'],
    ],
    [['tap', '--action', 's'], ['swipe']],
    [['tap', '--x', ''], []],
    [
      ['vd', 'st'],
      ['start', 'stop'],
    ],
    [['vd', 'start', '--a'], ['--api']],
  ])('%j', (words, wanted) => {
    expect(complete(program, words)).toEqual(wanted);
  });

  test('has a script for each shell, and names them to one it does not know', () => {
    for (const shell of ['bash', 'zsh', 'fish']) expect(completionScript(shell)).toMatchObject({ ok: true });
    expect(completionScript('cmd')).toMatchObject({
      ok: false,
      fault: { message: expect.stringContaining('bash, zsh, fish') },
    });
  });
});
