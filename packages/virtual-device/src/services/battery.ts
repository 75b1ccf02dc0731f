import type { CommandContext } from '../shell/command.ts';

/** What `dumpsys battery set` can change, as a device at its cable has it (AOSP `BatteryService.Shell`). */
const PLUGGED: Readonly<Record<string, string>> = {
  ac: 'false',
  usb: 'true',
  wireless: 'false',
  status: '5',
  present: '1',
  level: '100',
  counter: '0',
  temp: '250',
};

const NAMES = new Set([...Object.keys(PLUGGED), 'invalid', 'dock', 'charge_counter']);

/** The battery of the tools: apps do not hear of it. */
export class Battery {
  readonly #values = new Map(Object.entries(PLUGGED));

  /** `cmd battery …` and `dumpsys battery …` */
  async command(context: CommandContext, args: readonly string[]): Promise<number> {
    const [verb, name = '', value] = args.filter((arg) => arg !== '-f');
    switch (verb) {
      case undefined:
      case '-a':
        await context.stdout.write(this.#text());
        return 0;
      case 'unplug':
        for (const each of ['ac', 'usb', 'wireless']) this.#values.set(each, 'false');
        this.#values.set('status', '3');
        return 0;
      case 'reset':
        for (const [each, plugged] of Object.entries(PLUGGED)) this.#values.set(each, plugged);
        return 0;
      case 'get':
        if (!NAMES.has(name)) return unknown(context, name);
        await context.stdout.write(`${this.#values.get(name) ?? '0'}\n`);
        return 0;
      case 'set':
        if (!NAMES.has(name)) return unknown(context, name);
        if (value === undefined || !/^-?\d+$/.test(value)) {
          await context.stderr.write(value === undefined ? 'No value specified\n' : `Bad value: ${value}\n`);
          return 255;
        }
        this.#values.set(name, ['ac', 'usb', 'wireless'].includes(name) ? String(value !== '0') : value);
        return 0;
      default:
        await context.stdout.write(`Unknown command: ${verb}\n`);
        return 255;
    }
  }

  #text(): string {
    const get = (name: string): string => this.#values.get(name) ?? '';
    return `Current Battery Service state:
  AC powered: ${get('ac')}
  USB powered: ${get('usb')}
  Wireless powered: ${get('wireless')}
  Max charging current: 0
  status: ${get('status')}
  health: 2
  present: ${String(get('present') !== '0')}
  level: ${get('level')}
  scale: 100
  voltage: 4200
  temperature: ${get('temp')}
  technology: Li-ion
`;
  }
}

async function unknown(context: CommandContext, name: string): Promise<number> {
  await context.stderr.write(`Unknown ${name === '' ? 'command' : 'option'}: ${name}\n`);
  return 255;
}
