/** Files that are not on the host's disk: `/proc`, `/dev/null`, the names of the commands in `/system/bin`. */
export interface VirtualFiles {
  stat(
    path: string,
  ): { readonly kind: 'file' | 'directory' | 'char'; readonly mode: number; readonly size: number } | null;
  read(path: string): Buffer | null;
  list(folder: string): readonly string[];
}

/** A tree of files whose contents are made when they are read. */
export type VirtualTree = () => ReadonlyMap<string, () => string>;

/** `files` is asked at every look, as processes come and go; `commands` are shown in `/system/bin`. */
export function virtualFiles(files: VirtualTree, commands: () => readonly string[]): VirtualFiles {
  const isFolder = (path: string): boolean =>
    [...files().keys()].some((file) => file.startsWith(`${path}/`)) && !files().has(path);
  const isCommand = (path: string): boolean =>
    path.startsWith('/system/bin/') && commands().includes(path.slice('/system/bin/'.length));
  return {
    stat(path) {
      if (path === '/dev/null' || path === '/dev/zero') return { kind: 'char', mode: 0o666, size: 0 };
      if (isCommand(path)) return { kind: 'file', mode: 0o755, size: 0 };
      if (!path.startsWith('/proc/')) return null;
      if (files().has(path)) return { kind: 'file', mode: 0o444, size: 0 };
      return isFolder(path) ? { kind: 'directory', mode: 0o555, size: 0 } : null;
    },
    read(path) {
      if (path === '/dev/null' || isCommand(path)) return Buffer.alloc(0);
      const file = path.startsWith('/proc/') ? files().get(path) : undefined;
      return file ? Buffer.from(file()) : null;
    },
    list(folder) {
      if (folder === '/dev') return ['null', 'zero'];
      if (folder === '/system/bin') return commands();
      if (folder !== '/proc' && !folder.startsWith('/proc/')) return [];
      const names = new Set<string>();
      for (const file of files().keys()) {
        if (file.startsWith(`${folder}/`)) names.add(file.slice(folder.length + 1).split('/')[0] ?? '');
      }
      return [...names];
    },
  };
}
