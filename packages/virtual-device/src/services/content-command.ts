import { mkdir, open, rm } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { contentUri, mayUse, providerOf } from '../packages/providers.ts';
import { READ, WRITE } from '../apps/uri-grants.ts';
import type { RunningApp } from '../apps/app-process-record.ts';
import type { Resolved } from '../packages/intents.ts';
import type { Command, CommandContext } from '../shell/command.ts';
import { parseContent } from './content-args.ts';
import type { ContentRequest } from './content-args.ts';
import { settingsContent } from './content-settings.ts';
import type { Services } from './services.ts';

const CHUNK_BYTES = 1 << 16;
/** Where the tool's exceptions come about. */
const FRAME = '\tat com.android.commands.content.Content$Command.execute(Content.java:531)\n';
const USAGE =
  'usage: adb shell content [insert|update|delete|query|call|read|write|gettype] --uri <URI> [options]\n\n';

/** What writes needs the permission to write; `call` and `gettype` ask for none (AOSP `ContentProvider.Transport`). */
const READS: ReadonlySet<string> = new Set(['query', 'read']);
const WRITES: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'write']);

/** `content query|insert|update|delete|call|read|write|gettype`: the settings, and providers of apps. As there it always exits with 0. */
export function contentCommand(services: Services): Command {
  return async (context) => {
    const request = parseContent(context.args, services.profile.api);
    if (typeof request === 'string') {
      await context.stdout.write(`${USAGE}\n[ERROR] ${request}\n`);
      return 0;
    }
    const authority = contentUri(request.uri)?.authority;
    const trouble =
      authority === 'settings'
        ? await settingsContent(context, services, request)
        : await appContent(context, services, request, authority);
    if (trouble !== null)
      await context.stderr.write(
        `Error while accessing provider:${authority ?? 'null'}\n${trouble}\n${FRAME}`,
      );
    return 0;
  };
}

/** Has the provider's process do it; what is wrong, as an exception prints itself, or `null`. */
async function appContent(
  context: CommandContext,
  services: Services,
  request: ContentRequest,
  authority: string | undefined,
): Promise<string | null> {
  const target = authority === undefined ? undefined : providerOf(authority, services.database.all());
  if (!target) return `java.lang.IllegalStateException: Could not find provider: ${authority ?? 'null'}`;
  const denied = denial(services, context.uid, target, request);
  if (denied !== null) return `java.lang.SecurityException: ${denied}`;
  const { record, component } = target;
  const cause = { kind: 'content provider', className: component.name } as const;
  const app = await services.apps.reach(record, component.process, cause);
  if ('message' in app)
    return `java.lang.IllegalStateException: Could not find provider: ${authority ?? ''} (${app.message})`;
  const { verb, ...rest } = request;
  if (verb === 'read' || verb === 'write') return transfer(context, services, request, app);
  const answer = await app.port.request(
    'content',
    { verb, ...fields(rest), callerUid: context.uid },
    { timeoutMs: 90_000, signal: context.signal },
  );
  if (!answer.ok) return `android.os.DeadObjectException: ${answer.fault.message}`;
  if (answer.value.text !== undefined) await context.stdout.write(answer.value.text);
  return answer.value.trouble ?? null;
}

/** The content goes through a file that both can see. */
async function transfer(
  context: CommandContext,
  services: Services,
  { verb, uri }: ContentRequest,
  app: RunningApp,
): Promise<string | null> {
  const dir = services.files.hostPath('/data/local/tmp/.content');
  await mkdir(dir, { recursive: true });
  const file = join(dir, randomUUID());
  try {
    if (verb === 'write') await save(context, file);
    const kind = verb === 'write' ? 'write' : 'read';
    const answer = await app.port.request(
      'content',
      { verb: kind, uri, file, values: [], extras: [], callerUid: context.uid },
      { timeoutMs: 90_000, signal: context.signal },
    );
    if (!answer.ok) return `android.os.DeadObjectException: ${answer.fault.message}`;
    if (answer.value.trouble !== undefined) return answer.value.trouble;
    if (verb === 'read') await print(context, file);
    return null;
  } finally {
    await rm(file, { force: true });
  }
}

async function save({ stdin }: CommandContext, file: string): Promise<void> {
  const handle = await open(file, 'w');
  try {
    for (let chunk = await stdin.read(); chunk !== null; chunk = await stdin.read())
      await handle.write(chunk);
  } finally {
    await handle.close();
  }
}

async function print({ stdout }: CommandContext, file: string): Promise<void> {
  const handle = await open(file);
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(CHUNK_BYTES));
      if (bytesRead === 0 || !(await stdout.write(buffer.subarray(0, bytesRead)))) return;
    }
  } finally {
    await handle.close();
  }
}

function fields({
  uri,
  projection,
  where,
  sort,
  method,
  argument,
  values,
  extras,
}: Omit<ContentRequest, 'verb'>) {
  return {
    uri,
    ...(projection && { projection: [...projection] }),
    ...(where !== undefined && { where }),
    ...(sort !== undefined && { sort }),
    ...(method !== undefined && { method }),
    ...(argument !== undefined && { argument }),
    values: [...values],
    extras: [...extras],
  };
}

/** The shell has none of the permissions that apps declare; `run-as` is the app itself. */
function denial(
  services: Services,
  uid: number,
  target: Resolved,
  { verb, uri }: ContentRequest,
): string | null {
  const { record, component } = target;
  const writes = WRITES.has(verb);
  if ((!writes && !READS.has(verb)) || uid === record.uid) return null;
  const path = contentUri(uri)?.path ?? '';
  if (component.exported && mayUse(component, path, writes, () => false)) return null;
  if (services.grants.allows(uid, uri, writes ? WRITE : READ)) return null;
  const permission = writes ? component.writePermission : component.readPermission;
  const missing = component.exported
    ? (permission ?? 'a permission of its path')
    : 'the provider be exported';
  return `Permission Denial: ${writes ? 'writing' : 'reading'} ${component.name} uri ${uri} from pid=${services.systemPid}, uid=${uid} requires ${missing}, or grantUriPermission()`;
}
