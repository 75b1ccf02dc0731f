/** Android release of each API level that a device can say it is. */
const RELEASES: Readonly<Record<number, readonly [release: string, buildId: string]>> = {
  26: ['8.0.0', 'OPR6.170623.013'],
  27: ['8.1.0', 'OPM1.171019.011'],
  28: ['9', 'PPR1.180610.009'],
  29: ['10', 'QP1A.190711.020'],
  30: ['11', 'RP1A.200720.009'],
  31: ['12', 'SP1A.210812.016'],
  32: ['12', 'SP2A.220305.013'],
  33: ['13', 'TP1A.220624.014'],
  34: ['14', 'UP1A.231005.007'],
  35: ['15', 'AP3A.241005.015'],
  36: ['16', 'BP2A.250605.031'],
};

export interface Profile {
  readonly api: number;
  readonly release: string;
  readonly buildId: string;
  /** The lowest target SDK that can be installed (config_minimumInstallableTargetSdk), 0 where there is no limit. */
  readonly minTargetSdk: number;
  /** The only ABI; classes run on the host's processor, native libraries of apps do not run at all. */
  readonly abi: string;
}

export function profileOf(api: number, arch: string = process.arch): Profile {
  const [release, buildId] = RELEASES[api] ?? ['15', 'AP3A.241005.015'];
  const minTargetSdk = api >= 35 ? 24 : api === 34 ? 23 : 0;
  return { api, release, buildId, minTargetSdk, abi: arch === 'arm64' ? 'arm64-v8a' : 'x86_64' };
}

/** Below this an app is warned about (AOSP build/core/version_defaults.mk PLATFORM_MIN_SUPPORTED_TARGET_SDK_VERSION). */
function minSupportedTarget(api: number): string {
  return api >= 34 ? '28' : api >= 29 ? '23' : '17';
}

/** System properties at boot. `serial` is the hardware serial, not that of the connection. */
export function bootProperties(
  profile: Profile,
  device: {
    readonly name: string;
    readonly locale: string;
    readonly density: number;
    readonly bootMs: number;
  },
): Map<string, string> {
  const { api, release, buildId, abi } = profile;
  const fingerprint = `jugg/jugg_virtual/jugg_virtual:${release}/${buildId}/1:user/release-keys`;
  const product = Object.entries({
    brand: 'jugg',
    device: 'jugg_virtual',
    manufacturer: 'Jugg',
    model: 'Jugg Virtual Device',
    name: 'jugg_virtual',
    board: 'jugg',
    locale: device.locale,
  });
  const properties: Readonly<Record<string, string>> = {
    'ro.build.version.sdk': String(api),
    'ro.build.version.release': release,
    'ro.build.version.codename': 'REL',
    'ro.build.version.incremental': '1',
    'ro.build.version.security_patch': '2026-11-05',
    'ro.build.version.preview_sdk': '0',
    'ro.product.first_api_level': String(api),
    ...(api >= 30 ? { 'ro.build.version.release_or_codename': release } : {}),
    ...(api >= 28 ? { 'ro.build.version.min_supported_target_sdk': minSupportedTarget(api) } : {}),
    'ro.build.id': buildId,
    'ro.build.display.id': buildId,
    'ro.build.type': 'user',
    'ro.build.tags': 'release-keys',
    'ro.build.fingerprint': fingerprint,
    'ro.build.characteristics': 'default',
    'ro.product.cpu.abi': abi,
    'ro.product.cpu.abilist': abi,
    'ro.product.cpu.abilist64': abi,
    'ro.product.cpu.abilist32': '',
    'ro.hardware': 'jugg',
    'ro.serialno': `JUGG${device.name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}`,
    'ro.boot.serialno': `JUGG${device.name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}`,
    'ro.debuggable': '0',
    'ro.secure': '1',
    'ro.adb.secure': '0',
    'ro.kernel.qemu': '0',
    'ro.sf.lcd_density': String(device.density),
    'ro.zygote': 'zygote64',
    'ro.runtime.firstboot': String(device.bootMs),
    'ro.dalvik.vm.native.bridge': '0',
    // Said plainly, for tools and people who wonder: no Android below, and which framework is really inside.
    'ro.jugg.virtual': '1',
    'ro.jugg.name': device.name,
    'ro.jugg.framework.api': '35',
    'ro.jugg.runtime': 'JVM (no ART; class files instead of dex)',
    'dalvik.vm.isa.x86_64.variant': 'generic',
    'dev.bootcomplete': '1',
    'sys.boot_completed': '1',
    'init.svc.adbd': 'running',
    'init.svc.bootanim': 'stopped',
    'init.svc.zygote': 'running',
    'persist.sys.locale': device.locale,
    'persist.sys.timezone': 'UTC',
    'persist.sys.usb.config': 'adb',
    'sys.usb.state': 'adb',
    'service.bootanim.exit': '1',
    'net.hostname': 'localhost',
  };
  return new Map([
    ...product.map(([key, value]): [string, string] => [`ro.product.${key}`, value]),
    ...Object.entries(properties),
  ]);
}
