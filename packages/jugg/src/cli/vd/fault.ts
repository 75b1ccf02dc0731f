import { askVirtualDevice } from '../../runtime/virtual-devices.ts';
import { fail, type Result } from '../../shared/outcome.ts';
import { juggDirs } from '../../shared/paths.ts';
import { faultEnvelope, type CliEnvelope } from '../envelope.ts';

type Answer = Result<Readonly<Record<string, unknown>>>;

/** `jugg vd fault list | clear [what] | <what> [--option value …]` */
export async function faultCommand(
  device: string,
  what: string,
  words: readonly string[],
): Promise<CliEnvelope> {
  const dirs = juggDirs();
  if (what === 'list') {
    return envelope(await askVirtualDevice(dirs, device, { command: 'faults' }), ({ faults }) => {
      const set = Array.isArray(faults) ? faults.length : 0;
      return set === 0 ? `Nothing fails on ${device}.` : `${set} set on ${device}.`;
    });
  }
  if (what === 'clear') {
    const [name] = words;
    return envelope(
      await askVirtualDevice(dirs, device, { command: 'clear', ...(name === undefined ? {} : { name }) }),
      () => (name === undefined ? `Nothing fails on ${device} any more.` : `${name} is over on ${device}.`),
    );
  }
  const options = optionsOf(words);
  if (typeof options === 'string') return faultEnvelope(fail('INVALID_PARAMS', options).fault);
  return envelope(
    await askVirtualDevice(dirs, device, { command: 'fault', name: what, options }),
    () => `${what} is set on ${device}; \`jugg vd fault clear ${what}\` ends it.`,
  );
}

export async function authorizeCommand(device: string): Promise<CliEnvelope> {
  return envelope(
    await askVirtualDevice(juggDirs(), device, { command: 'authorize' }),
    ({ authorized }) => `${String(authorized)} key(s) may use ${device} now.`,
  );
}

/** `--bytes-per-second 5 --latency-ms=7` as `{ bytesPerSecond: '5', latencyMs: '7' }`; a text says what is wrong. */
export function optionsOf(words: readonly string[]): Record<string, string> | string {
  const options: Record<string, string> = {};
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const match = /^--([a-z][a-z0-9-]*)(?:=(.*))?$/s.exec(word);
    if (!match) return `Got "${word}", expected --option value.`;
    const value = match[2] ?? words[++at];
    if (value === undefined) return `${word}: a value is missing.`;
    options[(match[1] ?? '').replaceAll(/-([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase())] =
      value;
  }
  return options;
}

function envelope(answer: Answer, message: (data: Readonly<Record<string, unknown>>) => string): CliEnvelope {
  if (!answer.ok) return faultEnvelope(answer.fault);
  return {
    status: 'OK',
    message: message(answer.value),
    data: answer.value,
    artifacts: [],
    errorCode: null,
  };
}
