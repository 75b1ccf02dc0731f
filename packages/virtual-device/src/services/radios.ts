import type { Command } from '../shell/command.ts';
import { notHere } from './not-here.ts';
import type { Services } from './services.ts';

/**
 * The device has no radios, as a tablet without them: `cmd wifi`, `cmd phone` and `cmd bluetooth_manager` find no service.
 * Airplane mode and location are kept and told; the network of the apps is the host's all the same.
 */

/** `cmd connectivity airplane-mode [enable|disable]` (Android 11 and later). */
export function connectivityCommand({ settings, profile }: Services): Command {
  return async (context) => {
    const [what = '', verb] = context.args;
    if (profile.api < 30) {
      await context.stderr.write('No shell command implementation.\n');
      return 0;
    }
    if (what !== 'airplane-mode') {
      await context.stdout.write(`Unknown command: ${what}\n`);
      return 255;
    }
    if (verb === undefined) {
      const on = settings.get('global', 'airplane_mode_on') === '1';
      await context.stdout.write(on ? 'enabled\n' : 'disabled\n');
      return 0;
    }
    if (verb !== 'enable' && verb !== 'disable') {
      await context.stdout.write(`Unknown command: ${what}\n`);
      return 255;
    }
    settings.put('global', 'airplane_mode_on', verb === 'enable' ? '1' : '0');
    return 0;
  };
}

/** `LOCATION_MODE_HIGH_ACCURACY` */
const LOCATION_ON = '3';

/** `cmd location is-location-enabled | set-location-enabled true|false` (Android 11 and later). */
export function locationCommand({ settings, profile }: Services): Command {
  return async (context) => {
    const [what = '', verb] = context.args.filter(
      (arg, at, all) => arg !== '--user' && all[at - 1] !== '--user',
    );
    if (profile.api < 30) {
      await context.stderr.write('No shell command implementation.\n');
      return 0;
    }
    switch (what) {
      case 'is-location-enabled':
        await context.stdout.write(`${String(settings.get('secure', 'location_mode') !== '0')}\n`);
        return 0;
      case 'set-location-enabled':
        settings.put('secure', 'location_mode', verb === 'true' ? LOCATION_ON : '0');
        return 0;
      case 'providers':
        return notHere(context, 'cmd location providers');
      default:
        await context.stdout.write(`Unknown command: ${what}\n`);
        return 255;
    }
  };
}

/** What `svc` asks; from Android 12 on it passes radios on to `cmd` (AOSP cmds/svc/svc). */
const RADIOS: Readonly<Record<string, { readonly service: string; readonly old: string }>> = {
  wifi: { service: 'wifi', old: 'Wi-Fi service is not ready' },
  data: { service: 'phone', old: 'Mobile data service is not ready' },
  bluetooth: { service: 'bluetooth_manager', old: 'Got a null BluetoothAdapter, is the system running?' },
};

/** `svc power|wifi|data|bluetooth|nfc|usb …` */
export function svcCommand({ power, reboot, profile }: Services): Command {
  return async ({ args, stdout, stderr }) => {
    const [what = '', verb = ''] = args;
    const radio = RADIOS[what];
    if (radio && verb !== 'enable' && verb !== 'disable') {
      await stdout.write(`usage: svc ${what} [enable|disable]\n`);
      return 1;
    }
    if (radio && profile.api >= 31) {
      await stderr.write(`cmd: Can't find service: ${radio.service}\n`);
      return 20;
    }
    if (radio) await stderr.write(`${radio.old}\n`);
    else if (what === 'nfc') await stderr.write('Got a null NfcAdapter, is the system running?\n');
    else if (what === 'usb') await stderr.write('Got a null UsbManager, is the system running?\n');
    else if (what !== 'power')
      await stderr.write(
        'Available commands:\n    help\n    power\n    data\n    wifi\n    usb\n    nfc\n    bluetooth\n',
      );
    if (what === 'power' && verb === 'stayon') await power.wake();
    if (what === 'power' && (verb === 'reboot' || verb === 'shutdown')) reboot();
    return 0;
  };
}

const LOOPBACK = [
  '1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000',
  '    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00',
];
const ADDRESSES = [
  '    inet 127.0.0.1/8 scope host lo',
  '       valid_lft forever preferred_lft forever',
  '    inet6 ::1/128 scope host ',
  '       valid_lft forever preferred_lft forever',
];

/** `ip addr|link|route|neigh`: the loopback, which is the host's, and nothing else. */
export const ipCommand: Command = async ({ args, stdout, stderr }) => {
  const words = args.filter((arg, at) => !arg.startsWith('-') && args[at - 1] !== '-f');
  const [object = ''] = words;
  const family = args.includes('-6') ? 'inet6' : args.includes('-4') || args.includes('inet') ? 'inet' : null;
  const device = words.slice(1).find((word) => !['show', 'list', 'ls', 'dev', 'get'].includes(word));
  const isLink = /^l(ink)?$/.test(object);
  if (!isLink && !/^a(ddr(ess)?)?$/.test(object)) {
    // There is no route and no neighbour.
    if (/^(r(oute)?|n(eigh)?|ru(le)?)$/.test(object)) return 0;
    await stderr.write(`Object "${object}" is unknown, try "ip help".\n`);
    return 1;
  }
  if (device !== undefined && device !== 'lo') {
    await stderr.write(`Device "${device}" does not exist.\n`);
    return 1;
  }
  const addresses = ADDRESSES.filter((_line, at) => !family || (family === 'inet') === at < 2);
  const lines = family && !isLink ? LOOPBACK.slice(0, 1) : LOOPBACK;
  await stdout.write(`${[...lines, ...(isLink ? [] : addresses)].join('\n')}\n`);
  return 0;
};

export const ifconfigCommand: Command = async ({ args, stdout, stderr }) => {
  const device = args.find((arg) => !arg.startsWith('-'));
  if (device !== undefined && device !== 'lo') {
    await stderr.write(`ifconfig: ${device}: No such device\n`);
    return 1;
  }
  await stdout.write(
    'lo        Link encap:Local Loopback  \n          inet addr:127.0.0.1  Mask:255.0.0.0 \n          inet6 addr: ::1/128 Scope: Host\n          UP LOOPBACK RUNNING  MTU:65536  Metric:1\n\n',
  );
  return 0;
};
