import { spawn } from 'node:child_process';
import { join, relative, sep } from 'node:path';

/** What a process shall not see of this machine's files, and what it needs of that all the same. */
export interface Isolation {
  /** Folders that look empty to it: the user's home, the runtime folder with its sockets. */
  readonly hidden: readonly string[];
  /** Folders inside of those that it may write to. */
  readonly writable: readonly string[];
}

/**
 * Runs in a user and a mount namespace of its own: puts what is kept aside, covers what is hidden, puts the kept back,
 * and goes on in a second user namespace, from which none of that can be undone. Arguments: uid, gid (a JVM gives the
 * socket of its attach listener to both), number of kept folders, `ro|rw` and path of each, number of hidden folders, their paths, the command. The process id stays.
 */
const SCRIPT = `set -eu
uid=$1 gid=$2 kept=$3
shift 3
mount -t tmpfs -o size=1m,mode=700 tmpfs /mnt
i=0
while [ "$i" -lt "$kept" ]; do
  mkdir "/mnt/$i"
  mount --rbind "$2" "/mnt/$i"
  [ "$1" = rw ] || mount -o remount,bind,ro "/mnt/$i" || true
  printf %s "$2" > "/mnt/$i.path"
  shift 2
  i=$((i + 1))
done
hidden=$1
shift
while [ "$hidden" -gt 0 ]; do
  [ ! -d "$1" ] || mount -t tmpfs -o size=1m,mode=755 tmpfs "$1"
  shift
  hidden=$((hidden - 1))
done
while [ "$i" -gt 0 ]; do
  i=$((i - 1))
  path=$(cat "/mnt/$i.path")
  mkdir -p "$path"
  mount --move "/mnt/$i" "$path"
done
umount -l /mnt
# The folder it stands in is still the one below the cover.
cd "$PWD"
exec unshare --user --map-user="$uid" --map-group="$gid" -- "$@"`;

/** `command` so that it sees only what it needs. */
export function isolatedCommand(
  { hidden, writable }: Isolation,
  readable: readonly string[],
  command: readonly string[],
): string[] {
  const kept = [
    ...readable.map((path) => ['ro', path]),
    // After the others: a writable folder may be inside of one that is only readable.
    ...writable.map((path) => ['rw', path]),
  ].filter(([, path = '']) => hidden.some((folder) => isInside(path, folder)));
  const ids = [process.getuid?.() ?? 0, process.getgid?.() ?? 0].map(String);
  const words = [...ids, String(kept.length), ...kept.toReversed().flat(), String(hidden.length), ...hidden];
  return [
    'unshare',
    '--user',
    '--map-root-user',
    '--mount',
    '--',
    'sh',
    '-c',
    SCRIPT,
    'sh',
    ...words,
    ...command,
  ];
}

/**
 * What a JVM needs to read, as few folders as make sense: two levels below a hidden folder (`~/.m2/repository`), as
 * forty jars would be forty mounts.
 */
export function readableFolders(files: readonly string[], { hidden }: Isolation): string[] {
  const folders = files.flatMap((file) =>
    hidden
      .filter((folder) => isInside(file, folder))
      .map((folder) => join(folder, ...relative(folder, file).split(sep).slice(0, -1).slice(0, 2))),
  );
  return [...new Set(folders)].filter((folder) => !hidden.includes(folder));
}

function isInside(path: string, folder: string): boolean {
  const below = relative(folder, path);
  return below !== '' && !below.startsWith('..') && !below.startsWith(sep);
}

/** Whether this machine lets us: namespaces may be forbidden, or their tools missing. `null`, or why not. */
export async function isolationTrouble(isolation: Isolation): Promise<string | null> {
  if (process.platform !== 'linux') return 'only Linux has namespaces';
  const [program = '', ...args] = isolatedCommand(isolation, [], ['true']);
  return new Promise((resolve) => {
    let said = '';
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => {
      resolve(code === 0 ? null : said.trim().split('\n')[0] || `unshare ended with ${code}`);
    });
  });
}
