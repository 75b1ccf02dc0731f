import type { AppEvent, ParamsOf } from '../app-process/types.ts';
import type { PackageDatabase } from '../packages/database.ts';
import type { RunningApp } from './app-process-record.ts';
import type { UriGrants } from './uri-grants.ts';

type Asked = Extract<AppEvent, { event: 'uriPermission' }>['params'];
type Answer = Omit<ParamsOf<'uriPermissionAnswer'>, 'id'>;

/** What an app asks and says of grants of URIs. */
export function answerUriPermission(
  grants: UriGrants,
  database: PackageDatabase,
  app: RunningApp,
  { ask, uris = [], flags = 0, packageName, uid }: Asked,
): Answer {
  const [uri = ''] = uris;
  const target = packageName === undefined ? undefined : database.get(packageName);
  const answer = (trouble: string | null): Answer => (trouble === null ? {} : { trouble });
  switch (ask) {
    case 'mayGrant':
      return answer(grants.trouble(app.record, target ?? null, uris, flags));
    case 'grant': {
      const trouble = grants.trouble(app.record, target ?? null, uris, flags);
      if (trouble === null && target) grants.give(target, uris, flags, false);
      return answer(trouble);
    }
    case 'revoke':
      grants.revoke(app.record, packageName ?? null, uri, flags);
      return {};
    case 'check':
      return { allowed: grants.allows(uid ?? app.uid, uri, flags) };
    case 'take':
      return answer(grants.take(app.record, uri, flags));
    case 'release':
      return answer(grants.release(app.record, uri, flags));
    case 'persisted':
      return { permissions: grants.persisted(app.record, false) };
    case 'outgoing':
      return { permissions: grants.persisted(app.record, true) };
  }
}
