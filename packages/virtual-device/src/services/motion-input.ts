import type { RunningApp } from '../apps/app-process-record.ts';
import type { CommandContext } from '../shell/command.ts';
import { badNumber, inputTarget, numbers } from './touch.ts';
import { throws } from './services.ts';
import type { Services } from './services.ts';

const ACTIONS = { DOWN: 'down', MOVE: 'move', UP: 'up', CANCEL: 'cancel' } as const;

const isAction = (name: string): name is keyof typeof ACTIONS => name in ACTIONS;

/** `input motionevent DOWN|MOVE|UP|CANCEL <x> <y>`, one event a call, to the app in which the finger came down. */
export class MotionEvents {
  readonly #services: Services;
  #touched: RunningApp | null = null;

  constructor(services: Services) {
    this.#services = services;
  }

  async event(context: CommandContext, args: readonly string[]): Promise<number> {
    const [action = '', ...rest] = args;
    const kind = action.toUpperCase();
    if (!isAction(kind)) {
      return throws(context, 'motionevent', `java.lang.IllegalArgumentException: Unknown action: ${action}`);
    }
    const [x, y] = kind === 'CANCEL' && rest.length < 2 ? [0, 0] : (numbers(rest, 2) ?? []);
    if (x === undefined || y === undefined) return badNumber(context, 'motionevent', rest, 2);
    const app = kind === 'DOWN' ? inputTarget(this.#services) : this.#touched;
    this.#touched = kind === 'DOWN' || kind === 'MOVE' ? app : null;
    await app?.port.request('motion', { action: ACTIONS[kind], x, y });
    return 0;
  }
}
