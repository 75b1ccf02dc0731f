import type { AskedComponent, FoundComponent } from '../../apps/app-manager-host.ts';
import type { RunningApp } from '../../apps/app-process-record.ts';
import { matchingComponents } from '../../packages/components.ts';
import { forStart } from '../../packages/intents.ts';
import type { Resolved } from '../../packages/intents.ts';
import { providerOf } from '../../packages/providers.ts';
import { isEnabled } from '../../packages/record.ts';
import type { Services } from '../services.ts';

/** Whether there is what an app asks for, whether it may have it, and, if it wants that, in which process it runs. */
export async function findComponent(
  services: Services,
  app: RunningApp,
  asked: AskedComponent,
): Promise<FoundComponent> {
  const target =
    asked.kind === 'provider'
      ? providerOf(asked.authority, services.database.all())
      : byIntent(services, asked.kind, asked.intent);
  if (!target) return { found: false };
  const { record, component } = target;
  const denied = refusal(services, app, target);
  const grants =
    asked.kind === 'provider' && record.uid !== app.uid
      ? services.grants.of(app.record, asked.authority, asked.uri)
      : undefined;
  const found = {
    found: true,
    component: `${record.manifest.packageName}/${component.name}`,
    ...(denied !== null && { denied }),
    ...(record.uid !== app.uid && permissions(target)),
    ...(grants && { grants }),
  };
  if (!asked.start || (denied !== null && grants?.any !== true)) return found;
  const kind = asked.kind === 'service' ? 'service' : 'content provider';
  const process = await services.apps.reach(record, component.process, { kind, className: component.name });
  return 'message' in process ? { ...found, failed: process.message } : { ...found, pid: process.pid };
}

type AskedIntent = Extract<AskedComponent, { intent: unknown }>['intent'];

function byIntent(
  services: Services,
  kind: 'service' | 'activity',
  asked: AskedIntent,
): Resolved | undefined {
  const { categories = [], flags = 0, component, packageName, action, data, type } = asked;
  const intent = {
    categories,
    flags,
    extras: {},
    ...(component !== undefined && { component }),
    ...(packageName !== undefined && { packageName }),
    ...(action !== undefined && { action }),
    ...(data !== undefined && { data }),
    ...(type !== undefined && { type }),
  };
  // As for a start: an implicit intent means activities of the category DEFAULT.
  const wanted = kind === 'activity' && component === undefined ? forStart(intent) : intent;
  return matchingComponents(kind, wanted, services.database.all()).find((target) =>
    isEnabled(target.record, target.component),
  );
}

/** Why the app may not use it, whatever it was granted (AOSP `checkComponentPermission`); the words end a sentence. */
function refusal({ database }: Services, app: RunningApp, { record, component }: Resolved): string | null {
  if (record.uid === app.uid) return null;
  if (!component.exported) return `that is not exported from UID ${record.uid}`;
  const needed = component.permission;
  if (needed === null) return null;
  const owner = database
    .all()
    .find(({ manifest }) => manifest.declaredPermissions.some(({ name }) => name === needed));
  const declared = owner?.manifest.declaredPermissions.find(({ name }) => name === needed);
  return declared?.signature === true && owner?.signer !== app.record.signer ? `requires ${needed}` : null;
}

/** What the app itself knows whether it holds. */
function permissions({ component }: Resolved): Partial<FoundComponent> {
  const { permission, readPermission, writePermission, pathPermissions } = component;
  return {
    ...(permission !== null && { permission }),
    ...(readPermission !== null && { readPermission }),
    ...(writePermission !== null && { writePermission }),
    ...(pathPermissions.length > 0 && {
      pathPermissions: pathPermissions.map(
        ({ kind, path, readPermission: read, writePermission: write }) => ({
          kind,
          path,
          ...(read !== null && { readPermission: read }),
          ...(write !== null && { writePermission: write }),
        }),
      ),
    }),
  };
}
