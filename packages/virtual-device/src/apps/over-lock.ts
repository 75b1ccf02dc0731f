import { z } from 'zod';
import type { ScreenState } from '../system/power.ts';

/** What the top activity of an app wants of a screen that is off or locked (manifest, calls, flags of its windows). */
export const overLockSchema = z.object({
  showWhenLocked: z.boolean(),
  dismissKeyguard: z.boolean(),
  turnScreenOn: z.boolean(),
});
export type OverLock = z.infer<typeof overLockSchema>;

export const NO_WISHES: OverLock = { showWhenLocked: false, dismissKeyguard: false, turnScreenOn: false };

/** A window that wants the lock screen away is shown over one that asks for nothing (AOSP `canShowWhileOccluded`). */
export function occludes({ showWhenLocked, dismissKeyguard }: OverLock, secure: boolean): boolean {
  return showWhenLocked || (dismissKeyguard && !secure);
}

/** Whether an app in front is seen. */
export function isSeen(wishes: OverLock, { awake, locked, secure }: ScreenState): boolean {
  return awake && (!locked || occludes(wishes, secure));
}

/** Whether a start of the app turns the screen on: only to show what may be seen then. */
export function turnsScreenOn(wishes: OverLock, screen: ScreenState): boolean {
  return wishes.turnScreenOn && !screen.awake && isSeen(wishes, { ...screen, awake: true });
}
