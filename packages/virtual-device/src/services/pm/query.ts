import { forStart, matchingActivities, namedActivity } from '../../packages/intents.ts';
import type { Resolved, ShellIntent } from '../../packages/intents.ts';
import { shortComponent } from '../../packages/record.ts';
import { parseIntentArgs } from '../intent-args.ts';
import { illegalArgument } from '../services.ts';
import type { Services, SubCommand } from '../services.ts';

const OWN = { '--brief': false, '--components': false, '--user': true, '--query-flags': true };

function resolve(intent: ShellIntent, services: Services): Resolved[] {
  const packages = services.database.all();
  if (intent.component === undefined) return matchingActivities(intent, packages);
  const named = namedActivity(intent.component, packages);
  return named ? [named] : [];
}

function matchNumber(intent: ShellIntent): string {
  if (intent.component !== undefined) return '0x0';
  if (intent.type !== undefined) return '0x608000';
  return intent.data === undefined ? '0x108000' : '0x208000';
}

function brief({ record, component }: Resolved, intent: ShellIntent): [string, string] {
  const isDefault = component.filters.some(({ categories }) =>
    categories.includes('android.intent.category.DEFAULT'),
  );
  return [
    `priority=0 preferredOrder=0 match=${matchNumber(intent)} specificIndex=-1 isDefault=${String(isDefault)}`,
    shortComponent(record.manifest.packageName, component.name),
  ];
}

function full({ record, component }: Resolved, intent: ShellIntent, indent: string): string {
  const [first] = brief({ record, component }, intent);
  const { manifest, uid } = record;
  const lines = [
    first,
    'ActivityInfo:',
    `  name=${component.name}`,
    `  packageName=${manifest.packageName}`,
    `  enabled=${String(component.enabled)} exported=${String(component.exported)} directBootAware=false`,
    `  taskAffinity=${uid}:${manifest.packageName} targetActivity=${component.target ?? 'null'}`,
    '  ApplicationInfo:',
    `    packageName=${manifest.packageName}`,
    `    processName=${component.process}`,
    `    sourceDir=${record.codePath}/base.apk`,
  ];
  return lines.map((line) => `${indent}${line}\n`).join('');
}

/** `resolve-activity [--brief] INTENT` */
export const resolveActivity: SubCommand = async (context, args, services) => {
  const parsed = parseIntentArgs(args, OWN);
  if (!parsed.ok) return illegalArgument(context, 'resolve-activity', parsed.message);
  const { intent, options } = parsed;
  const found = resolve(intent.component === undefined ? forStart(intent) : intent, services)[0];
  if (!found) await context.stdout.write('No activity found\n');
  else if (options.has('--components')) await context.stdout.write(`${brief(found, intent)[1]}\n`);
  else if (options.has('--brief')) await context.stdout.write(`${brief(found, intent).join('\n')}\n`);
  else await context.stdout.write(full(found, intent, ''));
  return 0;
};

/** `query-activities [--brief] INTENT` */
export const queryActivities: SubCommand = async (context, args, services) => {
  const parsed = parseIntentArgs(args, OWN);
  if (!parsed.ok) return illegalArgument(context, 'query-activities', parsed.message);
  const { intent, options } = parsed;
  const all = resolve(intent, services);
  if (options.has('--components')) {
    await context.stdout.write(all.map((found) => `${brief(found, intent)[1]}\n`).join(''));
    return 0;
  }
  if (all.length === 0) {
    await context.stdout.write('No activities found\n');
    return 0;
  }
  let text = `${all.length} activities found:\n`;
  for (const [index, found] of all.entries()) {
    text += `  Activity #${index}:\n`;
    text += options.has('--brief')
      ? brief(found, intent)
          .map((line) => `    ${line}\n`)
          .join('')
      : full(found, intent, '    ');
  }
  await context.stdout.write(text);
  return 0;
};
