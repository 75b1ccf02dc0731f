import type { Command } from 'commander';
import type { CliEnvelope } from '../envelope.ts';

type Finish = (envelope: CliEnvelope, values: Record<string, unknown>) => void;

const json = ['--json', 'print the answer as JSON'] as const;
const device = ['--name <name>', 'the device', 'jugg'] as const;

/** `jugg vd …`. Each command loads its own code when it is run. */
export function addDeviceCommands(program: Command, finish: Finish): void {
  const vd = program
    .command('vd')
    .alias('device')
    .description('The virtual device: app processes on this machine that run the real Android framework.');
  vd.command('start')
    .description('Start a virtual device, or find the one of that name that runs.')
    .option('--name <name>', 'its name [jugg]')
    .option('--api <level>', 'Android version whose tools it behaves like (26..36) [35]')
    .option('--size <WxH>', 'screen in px [1080x2400]')
    .option('--density <dpi>', 'dots per inch [420]')
    .option('--locale <tag>', 'language of the device [en-US]')
    .option('--trust', 'start any APK that is installed: it runs as you on this machine')
    .option('--window', 'show its screen in the browser; the address is printed')
    .option('--auth <mode>', 'adb keys: none, accept (any), ask (`vd authorize` says yes), refuse [none]')
    .option(...json)
    .action(async (values: Record<string, unknown>) => {
      const { startCommand } = await import('./lifecycle.ts');
      finish(await startCommand(values), values);
    });
  vd.command('stop [name]')
    .description('Stop a virtual device and its app processes.')
    .option(...device)
    .option(...json)
    .action(async (name: string | undefined, values: Record<string, unknown>) => {
      const { stopDeviceCommand } = await import('./lifecycle.ts');
      finish(await stopDeviceCommand(name ?? String(values['name'])), values);
    });
  vd.command('list')
    .description('List the virtual devices that run.')
    .option(...json)
    .action(async (values: Record<string, unknown>) => {
      const { listDevicesCommand } = await import('./lifecycle.ts');
      finish(await listDevicesCommand(), values);
    });
  vd.command('window [name]')
    .description(
      'Show the screen in the browser, with clicks, drags and typing passed on; prints the address.',
    )
    .option(...device)
    .option(...json)
    .action(async (name: string | undefined, values: Record<string, unknown>) => {
      const { windowCommand } = await import('./window.ts');
      finish(await windowCommand(name ?? String(values['name'])), values);
    });
  vd.command('screenshot')
    .description('Save a picture of the screen.')
    .option(...device)
    .option('--out <file>', 'where to [<name>-<time>.png here]')
    .option(...json)
    .action(async (values: Record<string, unknown>) => {
      const { screenshotCommand } = await import('./window.ts');
      finish(await screenshotCommand(String(values['name']), values['out']), values);
    });
  vd.command('install <apk>')
    .description('Install an APK. One that Jugg did not build is started only with --trust: it runs as you.')
    .option(...device)
    .option('--trust', 'start this APK: its code runs as you on this machine')
    .option(...json)
    .action(async (apk: string, values: Record<string, unknown>) => {
      const { installCommand } = await import('./window.ts');
      finish(await installCommand(String(values['name']), apk, values['trust'] === true), values);
    });
  vd.command('authorize')
    .description('Say yes to the adb keys that ask to be let in (devices started with --auth ask).')
    .option(...device)
    .option(...json)
    .action(async (values: Record<string, unknown>) => {
      const { authorizeCommand } = await import('./fault.ts');
      finish(await authorizeCommand(String(values['name'])), values);
    });
  vd.command('fault <what> [options...]')
    .description(
      'Make the device fail on command: `fault list` shows what can fail and what is set, `fault clear [what]` ends it.',
    )
    .option(...device)
    .option(...json)
    .allowUnknownOption()
    .addHelpText(
      'after',
      '\nExamples:\n  jugg vd fault list\n  jugg vd fault slow-link --bytes-per-second 50000 --latency-ms 40\n  jugg vd fault vanish --for-ms 5000\n  jugg vd fault clear',
    )
    .action(async (what: string, options: readonly string[], values: Record<string, unknown>) => {
      const { faultCommand } = await import('./fault.ts');
      finish(await faultCommand(String(values['name']), what, options), values);
    });
}
