import { isEnabled, splitComponent } from '../../packages/record.ts';
import type { PackageRecord } from '../../packages/record.ts';
import { illegalArgument, takeUser } from '../services.ts';
import type { Services, SubCommand } from '../services.ts';

type State = PackageRecord['states'][string];

/** `pm enable|disable|disable-user|default-state <package or component>` (AOSP `PackageManagerShellCommand.runSetEnabledSetting`). */
function setState(verb: string, state: State): SubCommand {
  return async (context, args, services) => {
    const [named] = takeUser(args).rest;
    if (named === undefined) {
      await context.stderr.write('Error: no package or component specified\n');
      return 1;
    }
    const component = splitComponent(named);
    const record = services.database.get(component?.packageName ?? named);
    if (!record) return illegalArgument(context, verb, `Unknown package: ${component?.packageName ?? named}`);
    const known = record.manifest.components.some(({ name }) => name === component?.className);
    if (component && !known) {
      const text = `Component class ${component.className} does not exist in ${component.packageName}`;
      return illegalArgument(context, verb, text);
    }
    const { '': _none, ...others } = record.states;
    const states = component ? { ...record.states, [component.className]: state } : { ...others, '': state };
    await services.database.put({ ...record, states });
    if (state.startsWith('disabled') && !component) await services.apps.stopPackage(named, 'pkg disabled');
    const shown = component
      ? `Component {${component.packageName}/${component.className}}`
      : `Package ${named}`;
    await context.stdout.write(`${shown} new state: ${state}\n`);
    return 0;
  };
}

export const ENABLE_COMMANDS: readonly (readonly [string, SubCommand])[] = [
  ['enable', setState('enable', 'enabled')],
  ['disable', setState('disable', 'disabled')],
  ['disable-user', setState('disable-user', 'disabled-user')],
  ['disable-until-used', setState('disable-until-used', 'disabled-until-used')],
  ['default-state', setState('default-state', 'default')],
];

/** For `pm list packages -e|-d`; system packages are always enabled. */
export function isPackageEnabled(name: string, services: Services): boolean {
  const record = services.database.get(name);
  return record ? isEnabled(record) : true;
}
