import type { UserFs } from '../fs/user-fs.ts';
import { normalize } from '../fs/paths.ts';
import type { Command, CommandTable } from './command.ts';
import type { ShellState } from './state.ts';

export type Found =
  | { readonly kind: 'command'; readonly name: string; readonly command: Command }
  | { readonly kind: 'script'; readonly text: string }
  | { readonly kind: 'missing'; readonly message: string; readonly code: number };

const MISSING: Found = { kind: 'missing', message: 'inaccessible or not found', code: 127 };

/** What mksh would run for a name: a command of the device, or a file with a script in it. */
export async function findCommand(
  name: string,
  state: ShellState,
  commands: CommandTable,
  fs: UserFs,
): Promise<Found> {
  if (!name.includes('/')) {
    const command = commands.get(name);
    return command ? { kind: 'command', name, command } : MISSING;
  }
  const path = normalize(name, state.cwd);
  const short = path.replace(/^\/(?:system\/)?x?bin\//, '');
  const command = short.includes('/') ? undefined : commands.get(short);
  if (command) return { kind: 'command', name: short, command };
  const found = await fs.stat(path);
  if (!found.ok) return MISSING;
  if (found.value.kind === 'directory')
    return { kind: 'missing', message: "can't execute: Is a directory", code: 126 };
  if (found.value.kind !== 'file' || (found.value.mode & 0o111) === 0) {
    return { kind: 'missing', message: "can't execute: Permission denied", code: 126 };
  }
  const text = await fs.readFile(path);
  if (!text.ok) return { kind: 'missing', message: "can't execute: Permission denied", code: 126 };
  // Anything that is not text is native code of some phone: it cannot run here.
  if (text.value.includes(0))
    return { kind: 'missing', message: 'not executable: 64-bit ELF file', code: 126 };
  return { kind: 'script', text: text.value.toString('utf8') };
}
