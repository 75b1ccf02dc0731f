import { z } from 'zod';
import type { ActivityEntry } from '../device/types.ts';
import { ok } from '../shared/outcome.ts';
import { writeArtifact } from '../runtime/artifacts.ts';
import { defineAction, READ_ONLY } from './action.ts';
import { onApp } from './gates/app.ts';
import { deviceArgs } from './shapes.ts';

const activity = z.object({
  component: z.string(),
  state: z.string().nullable(),
  user: z.number().int(),
  pid: z.number().int().optional(),
  isRoot: z.boolean(),
  finishing: z.boolean(),
});

export const activityStack = defineAction({
  name: 'activity-stack',
  title: 'Activity stack',
  description: 'Shows which activity is on top and the tasks below it, to know where in the app you are.',
  input: z.strictObject(deviceArgs),
  output: z.object({
    topActivity: z.string().nullable(),
    topPackage: z.string().nullable(),
    user: z.number().int(),
    focusedWindow: z.string().nullable(),
    tasks: z.array(
      z.object({
        id: z.number().int(),
        type: z.string().nullable(),
        user: z.number().int(),
        display: z.number().int(),
        windowingMode: z.string().nullable(),
        visible: z.boolean().nullable(),
        activities: z.array(activity),
      }),
    ),
    activities: z.array(activity),
    dumpFile: z.string(),
    sourceCommand: z.string(),
  }),
  annotations: READ_ONLY,
  run: onApp({ online: true, inFront: false }, async (_input, { device, runtime, signal }) => {
    const stack = await device.activities(signal);
    if (!stack.ok) return stack;
    const { top, topTaskId, focusedWindow, tasks, user, sourceCommand, raw } = stack.value;
    const dumpFile = await writeArtifact(runtime, 'activity-stack.txt', raw);
    const listed = tasks.map((task) => ({
      id: task.id,
      type: task.type,
      user: task.user,
      display: task.display,
      windowingMode: task.windowingMode,
      visible: task.visible,
      activities: task.activities.map(toRow),
    }));
    return ok({
      message: top ? `${top.component} is on top.` : 'No activity is resumed now.',
      data: {
        topActivity: top?.component ?? null,
        topPackage: top?.packageName ?? null,
        user,
        focusedWindow: focusedWindow.title,
        tasks: listed,
        activities: listed.find((task) => task.id === topTaskId)?.activities ?? [],
        dumpFile,
        sourceCommand,
      },
      artifacts: [{ type: 'text', path: dumpFile }],
    });
  }),
});

function toRow({ component, state, user, pid, isRoot, finishing }: ActivityEntry): z.output<typeof activity> {
  return { component, state, user, ...(pid === null ? {} : { pid }), isRoot, finishing };
}
