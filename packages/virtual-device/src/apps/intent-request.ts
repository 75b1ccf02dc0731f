import type { IntentExtra } from '../app-process/intent-schema.ts';
import { intentText } from '../packages/intents.ts';
import type { ShellIntent } from '../packages/intents.ts';

/** An intent as the app process takes it, without its component. */
export function toRequest(intent: ShellIntent): {
  action?: string;
  data?: string;
  type?: string;
  parcel?: string;
  packageName?: string;
  categories: string[];
  flags: number;
  extras: Record<string, IntentExtra>;
} {
  const { action, data, type, parcel, packageName } = intent;
  return {
    ...(action === undefined ? {} : { action }),
    ...(data === undefined ? {} : { data }),
    ...(type === undefined ? {} : { type }),
    ...(parcel === undefined ? {} : { parcel }),
    ...(packageName === undefined ? {} : { packageName }),
    categories: [...intent.categories],
    flags: intent.flags | 0,
    extras: { ...intent.extras },
  };
}

/** For the log: an intent without its braces. */
export function intentLog(intent: ShellIntent): string {
  return intentText(intent)
    .replace(/^Intent \{ /, '')
    .replace(/ \}$/, '');
}
