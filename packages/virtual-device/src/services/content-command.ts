import { complain } from '../shell/command.ts';
import type { Command, CommandContext } from '../shell/command.ts';
import type { SettingsNamespace } from '../system/settings-store.ts';
import { notHere } from './not-here.ts';
import { throws } from './services.ts';
import type { Services } from './services.ts';

const VERBS = new Set(['query', 'insert', 'update', 'delete', 'call', 'read', 'write', 'gettype']);

/** `content query|insert|update|delete --uri content://settings/<namespace>`: the settings provider; others have no code here. */
export function contentCommand({ settings, database }: Services): Command {
  return async (context) => {
    const [verb = '', ...args] = context.args;
    if (!VERBS.has(verb)) {
      await context.stderr.write(`[ERROR] Unsupported command: ${verb}\n`);
      return 1;
    }
    const uri = after(args, '--uri')[0] ?? '';
    const parts = /^content:\/\/([^/]+)(?:\/([^/]+))?(?:\/(.+))?$/.exec(uri);
    if (!parts) return complain(context, `[ERROR] Invalid uri: ${uri}`);
    const [, authority = '', table = '', row] = parts;
    const namespace = (['system', 'secure', 'global'] as const).find((each) => each === table);
    // It is there on a phone: its app's process cannot be asked from outside.
    if (isProvider(authority, database)) return notHere(context, `content ${verb} of an app's provider`);
    if (authority !== 'settings' || !namespace) {
      const text = `java.lang.IllegalStateException: Could not find provider: ${authority}`;
      return throws(
        context,
        verb,
        text,
        'com.android.commands.content.Content$Command.execute(Content.java:514)',
      );
    }
    const where = /name\s*=\s*["']([^"']+)["']/.exec(after(args, '--where')[0] ?? '')?.[1] ?? row;
    const bound = new Map(after(args, '--bind').map((text) => bind(text)));
    const name = bound.get('name') ?? where;
    switch (verb) {
      case 'query':
        await context.stdout.write(rows(settings.list(namespace), where, after(args, '--projection')[0]));
        return 0;
      case 'insert':
      case 'update':
        if (name !== undefined)
          settings.put(namespace satisfies SettingsNamespace, name, bound.get('value') ?? '');
        return 0;
      case 'delete':
        if (name !== undefined) settings.delete(namespace, name);
        return 0;
      case 'call':
        return call(context, settings, namespace, args);
      default:
        return complain(context, `${verb}: not supported by the Jugg virtual device`);
    }
  };
}

/** `content call --uri content://settings/… --method GET_<namespace>|PUT_<namespace> --arg NAME [--extra _value:s:VALUE]` */
async function call(
  context: CommandContext,
  settings: Services['settings'],
  namespace: SettingsNamespace,
  args: readonly string[],
): Promise<number> {
  const method = after(args, '--method')[0] ?? '';
  const name = after(args, '--arg')[0] ?? '';
  const value = new Map(after(args, '--extra').map((text) => bind(text))).get('_value');
  if (method === `PUT_${namespace}` && value !== undefined) settings.put(namespace, name, value);
  const answer =
    method === `GET_${namespace}` ? `Bundle[{value=${settings.get(namespace, name) ?? 'null'}}]` : 'null';
  await context.stdout.write(`Result: ${answer}\n`);
  return 0;
}

function isProvider(authority: string, database: Services['database']): boolean {
  return database
    .all()
    .some(({ manifest }) =>
      manifest.components.some(
        ({ kind, authorities }) => kind === 'provider' && authorities.includes(authority),
      ),
    );
}

function after(args: readonly string[], option: string): string[] {
  return args.flatMap((arg, at) => (arg === option ? (args[at + 1] ?? '') : []));
}

/** `name:s:value` */
function bind(text: string): [string, string] {
  const [name = '', , ...rest] = text.split(':');
  return [name, rest.join(':')];
}

function rows(
  all: readonly (readonly [string, string])[],
  name: string | undefined,
  projection: string | undefined,
): string {
  const columns = projection?.split(':') ?? ['_id', 'name', 'value'];
  const found = all
    .map(([key, value], index): Readonly<Record<string, string>> => ({
      _id: String(index + 1),
      name: key,
      value,
    }))
    .filter((each) => name === undefined || each['name'] === name);
  if (found.length === 0) return 'No result found.\n';
  return found
    .map(
      (each, index) =>
        `Row: ${index} ${columns.map((column) => `${column}=${each[column] ?? 'NULL'}`).join(', ')}\n`,
    )
    .join('');
}
