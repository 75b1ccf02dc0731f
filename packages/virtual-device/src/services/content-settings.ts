import type { CommandContext } from '../shell/command.ts';
import type { SettingsNamespace } from '../system/settings-store.ts';
import type { ContentRequest } from './content-args.ts';
import type { Services } from './services.ts';

/** The settings provider, which belongs to the system: `content://settings/<namespace>[/<name>]`. */
export async function settingsContent(
  context: CommandContext,
  { settings }: Services,
  request: ContentRequest,
): Promise<string | null> {
  const [, table, row] = /^content:\/\/settings(?:\/([^/]+))?(?:\/(.+))?$/.exec(request.uri) ?? [];
  const namespace = (['system', 'secure', 'global'] as const).find((each) => each === table);
  if (!namespace) return `java.lang.IllegalArgumentException: Bad root path: ${table ?? ''}`;
  const where = /name\s*=\s*["']([^"']+)["']/.exec(request.where ?? '')?.[1] ?? row;
  const bound = new Map(request.values.map(({ name, value }) => [name, value]));
  const name = bound.get('name') ?? where;
  switch (request.verb) {
    case 'query':
      await context.stdout.write(rows(settings.list(namespace), where, request.projection));
      return null;
    case 'insert':
    case 'update':
      if (name !== undefined) settings.put(namespace, name, bound.get('value') ?? '');
      return null;
    case 'delete':
      if (name !== undefined) settings.delete(namespace, name);
      return null;
    case 'call':
      await context.stdout.write(`Result: ${call(settings, namespace, request)}\n`);
      return null;
    case 'gettype':
      await context.stdout.write(
        `Result: vnd.android.cursor.${row === undefined ? 'dir' : 'item'}/${namespace}\n`,
      );
      return null;
    default:
      return `java.io.FileNotFoundException: Invalid URI: ${request.uri}`;
  }
}

/** `--method GET_<namespace>|PUT_<namespace> --arg NAME [--extra _value:s:VALUE]` */
function call(settings: Services['settings'], namespace: SettingsNamespace, request: ContentRequest): string {
  const name = request.argument ?? '';
  const value = request.extras.find((extra) => extra.name === '_value')?.value;
  if (request.method === `PUT_${namespace}` && value !== undefined) settings.put(namespace, name, value);
  if (request.method !== `GET_${namespace}`) return 'null';
  return `Bundle[{value=${settings.get(namespace, name) ?? 'null'}}]`;
}

function rows(
  all: readonly (readonly [string, string])[],
  name: string | undefined,
  columns: readonly string[] = ['_id', 'name', 'value'],
): string {
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
