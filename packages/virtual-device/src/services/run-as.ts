import { FIRST_APP_UID, UID_SHELL } from '../fs/layout.ts';
import { SYSTEM_PACKAGES } from '../packages/system-packages.ts';
import { complain } from '../shell/command.ts';
import type { Command } from '../shell/command.ts';
import type { Services } from './services.ts';

/** `run-as <package> [--user <id>] [<command>…]` (AOSP system/core/run-as): a command as the app, in its data folder. */
export function runAsCommand({ database }: Services): Command {
  return async (context) => {
    if (context.uid !== UID_SHELL && context.uid !== 0)
      return complain(context, "only 'shell' or 'root' users can run this program");
    const [packageName, ...given] = context.args;
    if (packageName === undefined) {
      await context.stderr.write('usage: run-as <package-name> [--user <uid>] [<command> [<args>]]\n');
      return 1;
    }
    const hasUser = given[0] === '--user';
    if (hasUser && given[1] !== '0')
      return complain(
        context,
        `couldn't stat /data/user/${given[1] ?? ''}/${packageName}: Permission denied`,
      );
    const command = hasUser ? given.slice(2) : given;
    const system = SYSTEM_PACKAGES.find(({ name }) => name === packageName);
    if (system)
      return complain(
        context,
        `package ${system.uid < FIRST_APP_UID ? 'not an application' : 'not debuggable'}: ${packageName}`,
      );
    const record = database.get(packageName);
    if (!record) return complain(context, `unknown package: ${packageName}`);
    if (!record.manifest.debuggable) return complain(context, `package not debuggable: ${packageName}`);
    const folder = `/data/user/0/${packageName}`;
    const env = new Map(context.env);
    env.set('HOME', folder);
    env.set('TMPDIR', `${folder}/cache`);
    const changes = { uid: record.uid, cwd: folder, env };
    return context.run(command.length === 0 ? ['sh'] : command, changes);
  };
}
