/** Folders that every Android device has, with their permission bits. */
export const FOLDERS: readonly (readonly [path: string, mode: number])[] = [
  ['/data', 0o771],
  ['/data/app', 0o771],
  ['/data/data', 0o771],
  ['/data/user', 0o711],
  ['/data/local', 0o751],
  ['/data/local/tmp', 0o771],
  ['/data/anr', 0o775],
  ['/data/tombstones', 0o771],
  ['/storage', 0o711],
  ['/storage/emulated', 0o711],
  ['/storage/emulated/0', 0o770],
  ['/storage/emulated/0/Android', 0o770],
  ['/storage/emulated/0/Android/data', 0o770],
  ['/storage/emulated/0/Android/media', 0o770],
  ['/storage/emulated/0/Android/obb', 0o770],
  ['/storage/emulated/0/DCIM', 0o770],
  ['/storage/emulated/0/Documents', 0o770],
  ['/storage/emulated/0/Download', 0o770],
  ['/storage/emulated/0/Movies', 0o770],
  ['/storage/emulated/0/Music', 0o770],
  ['/storage/emulated/0/Pictures', 0o770],
  ['/dev', 0o755],
  ['/mnt', 0o755],
  ['/proc', 0o555],
  ['/system', 0o755],
  ['/system/bin', 0o755],
  ['/system/etc', 0o755],
  ['/system/framework', 0o755],
  ['/vendor', 0o755],
];

/** Links that every Android device has. */
export const LINKS: ReadonlyMap<string, string> = new Map([
  ['/sdcard', '/storage/emulated/0'],
  ['/mnt/sdcard', '/storage/emulated/0'],
  ['/storage/self', '/storage/emulated'],
  ['/storage/emulated/primary', '/storage/emulated/0'],
  ['/data/user/0', '/data/data'],
  ['/bin', '/system/bin'],
  ['/etc', '/system/etc'],
  ['/d', '/sys/kernel/debug'],
]);

export const UID_ROOT = 0;
export const UID_SYSTEM = 1000;
export const UID_SHELL = 2000;
export const UID_MEDIA_RW = 1023;
export const FIRST_APP_UID = 10_000;

/** Names as `id` and `ls -l` print them (AOSP android_filesystem_config.h). */
export function uidName(uid: number): string {
  if (uid >= FIRST_APP_UID) return `u0_a${uid - FIRST_APP_UID}`;
  const names: Readonly<Record<number, string>> = {
    [UID_ROOT]: 'root',
    [UID_SYSTEM]: 'system',
    [UID_SHELL]: 'shell',
    [UID_MEDIA_RW]: 'media_rw',
    1036: 'logd',
  };
  return names[uid] ?? String(uid);
}
