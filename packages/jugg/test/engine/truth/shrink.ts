import type { Bench } from '../support.ts';
import { play, treeAfter, written, type Played } from './play.ts';
import type { Script } from './script.ts';

/** Takes away edits and files as long as the rest still goes wrong in the same way. */
export async function shrink(bench: Bench, from: Played, until: () => boolean): Promise<Script> {
  let best = from.script;
  const kind = kindOf(from.failure);
  const stillFails = async (script: Script): Promise<boolean> => {
    if (until()) return false;
    const { failure, script: played } = await play(bench, written(script), script.steps.length);
    if (kindOf(failure) !== kind) return false;
    best = { ...played, about: failure ?? '' };
    return true;
  };
  for (let before = ''; before !== JSON.stringify(best) && !until();) {
    before = JSON.stringify(best);
    for (let at = 0; at < best.steps.length;) if (!(await stillFails(without(best, at)))) at += 1;
    // Halves first: most files have nothing to do with it.
    for (
      let size = Math.ceil(allFiles(best).length / 2);
      size >= 1;
      size = size === 1 ? 0 : Math.ceil(size / 2)
    ) {
      for (let at = 0; at < allFiles(best).length;) {
        const files = new Set(allFiles(best).slice(at, at + size));
        if (!(await stillFails(withoutFiles(best, files)))) at += size;
      }
    }
  }
  return best;
}

/** The failure without step and names. */
function kindOf(failure: string | null): string {
  return (
    /(accepted|rejected|errors at|missing|left over|another|explain \w+|last good state|in place of)/.exec(
      failure ?? '',
    )?.[1] ?? ''
  );
}

/** The edits before the last one become part of the project, the last one is needed. */
function without({ about, files, steps }: Script, at: number): Script {
  const step = steps[at];
  const rest = steps.filter((one) => one !== step);
  return {
    about,
    files: step !== undefined && at === 0 && rest.length > 0 ? { ...treeAfter(files, step) } : files,
    steps: rest,
  };
}

function allFiles({ files, steps }: Script): string[] {
  const names = new Set([...Object.keys(files), ...steps.flatMap(({ write }) => Object.keys(write))]);
  return [...names].filter(
    (file) => !file.endsWith('.kts') && !file.endsWith('app/src/main/AndroidManifest.xml'),
  );
}

function withoutFiles({ about, files, steps }: Script, gone: ReadonlySet<string>): Script {
  const kept = (tree: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(tree).filter(([file]) => !gone.has(file)));
  return {
    about,
    files: kept(files),
    steps: steps.map((step) => ({
      ...step,
      write: kept(step.write),
      remove: step.remove.filter((file) => !gone.has(file)),
    })),
  };
}
