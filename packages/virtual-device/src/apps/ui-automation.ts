import type { z } from 'zod';
import type { AppEvent } from '../app-process/types.ts';
import { METHODS } from '../app-process/types.ts';
import type { RunningApp } from './app-process-record.ts';

type Asked = Extract<AppEvent, { event: 'uiAutomation' }>['params'];

/** What a test runner's UiAutomation wants of the screen: the app in front answers it, whichever that is. */
export async function answerUiAutomation(
  app: RunningApp,
  front: RunningApp | null,
  { id, method, params }: Asked,
): Promise<void> {
  const value = front ? await ask(front, method, params) : null;
  await app.port.request('uiAutomationAnswer', { id, value: value ?? {} });
}

async function ask(
  { port }: RunningApp,
  method: Asked['method'],
  params: unknown,
): Promise<Record<string, unknown> | null> {
  const answers = {
    viewDump: () => port.request('viewDump', {}),
    tap: async () => checked(METHODS.tap.params, params, (given) => port.request('tap', given)),
    swipe: async () => checked(METHODS.swipe.params, params, (given) => port.request('swipe', given)),
    key: async () => checked(METHODS.key.params, params, (given) => port.request('key', given)),
  };
  const answer = await answers[method]();
  return answer?.ok ? answer.value : null;
}

/** The process of a test runner is not to be believed more than an app's. */
async function checked<S extends z.ZodType, R>(
  schema: S,
  params: unknown,
  send: (given: z.output<S>) => Promise<R>,
): Promise<R | null> {
  const parsed = schema.safeParse(params);
  return parsed.success ? send(parsed.data) : null;
}
