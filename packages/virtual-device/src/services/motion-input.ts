import type { CommandContext } from '../shell/command.ts';
import { badNumber, inputTarget, numbers } from './touch.ts';
import { throws } from './services.ts';
import type { Services } from './services.ts';

/** A finger that is down. */
interface Finger {
  readonly x: number;
  readonly y: number;
  /** Where it is now. */
  at: readonly [x: number, y: number];
  /** ms of `performance.now()` */
  readonly since: number;
}

/**
 * `input motionevent DOWN|MOVE|UP|CANCEL <x> <y>`, one event a call. The app hears of the gesture when the finger is
 * lifted, as a touch of the same length and way: what an app does while a finger moves is not seen before.
 */
export class MotionEvents {
  readonly #services: Services;
  #finger: Finger | null = null;

  constructor(services: Services) {
    this.#services = services;
  }

  async event(context: CommandContext, args: readonly string[]): Promise<number> {
    const [action = '', ...rest] = args;
    const kind = action.toUpperCase();
    if (!['DOWN', 'MOVE', 'UP', 'CANCEL'].includes(kind)) {
      return throws(context, 'motionevent', `java.lang.IllegalArgumentException: Unknown action: ${action}`);
    }
    const [x, y] = kind === 'CANCEL' && rest.length < 2 ? [0, 0] : (numbers(rest, 2) ?? []);
    if (x === undefined || y === undefined) return badNumber(context, 'motionevent', rest, 2);
    if (kind === 'DOWN') this.#finger = { x, y, at: [x, y], since: performance.now() };
    else if (kind === 'MOVE' && this.#finger) this.#finger.at = [x, y];
    else if (kind === 'CANCEL') this.#finger = null;
    else if (kind === 'UP') await this.#lift(x, y);
    return 0;
  }

  async #lift(x: number, y: number): Promise<void> {
    const finger = this.#finger;
    this.#finger = null;
    if (!finger) return;
    const durationMs = Math.round(performance.now() - finger.since);
    const app = inputTarget(this.#services);
    if (finger.x === x && finger.y === y) await app?.port.request('tap', { x, y, durationMs });
    else await app?.port.request('swipe', { x1: finger.x, y1: finger.y, x2: x, y2: y, durationMs });
  }
}
