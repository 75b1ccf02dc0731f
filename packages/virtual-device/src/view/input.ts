import { z } from 'zod';
import { inputTarget, pressKey } from '../services/touch.ts';
import type { Services } from '../services/services.ts';

const px = z.number().min(0).max(20_000);
const durationMs = z.number().min(0).max(60_000);

/** What a person does at the live view; coordinates are px of the screen. */
export const viewInputSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tap'), x: px, y: px, durationMs: durationMs.optional() }),
  z.object({ kind: z.literal('swipe'), x1: px, y1: px, x2: px, y2: px, durationMs }),
  z.object({ kind: z.literal('text'), text: z.string().min(1).max(10_000) }),
  z.object({ kind: z.literal('key'), keyCode: z.int().min(0).max(400) }),
  z.object({ kind: z.literal('rotate') }),
]);
export type ViewInput = z.infer<typeof viewInputSchema>;

/** Does it; resolves when the app has taken it. */
export async function doInput(input: ViewInput, services: Services): Promise<void> {
  const app = inputTarget(services);
  switch (input.kind) {
    case 'tap': {
      const { x, y, durationMs: held } = input;
      await app?.port.request('tap', { x, y, ...(held === undefined ? {} : { durationMs: held }) });
      break;
    }
    case 'swipe': {
      const { kind: _kind, ...swipe } = input;
      if (services.power.lockShown && swipe.y2 < swipe.y1) await services.power.dismiss();
      await app?.port.request('swipe', swipe);
      break;
    }
    case 'text':
      services.power.type(input.text);
      await app?.port.request('text', { text: input.text });
      break;
    case 'key':
      await pressKey(input.keyCode, false, services);
      break;
    case 'rotate':
      services.display.userRotation = services.display.rotation % 2 === 0 ? 1 : 0;
      await services.display.apply();
      break;
    default:
      input satisfies never;
  }
}
