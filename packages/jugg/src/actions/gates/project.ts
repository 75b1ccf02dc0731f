import { fail, ok, type Result } from '../../shared/outcome.ts';
import { hasSettingsFile, normalizeProjectDir } from '../../runtime/projects.ts';
import type { Run } from '../action.ts';
import type { CallContext, ProjectContext } from '../context.ts';

/**
 * The order of checks of the contract (§2) as wrappers: project → device → app online → device interactive, app in
 * front → the tool itself. Each fails with its own code; what one finds out is handed to the next.
 */
export function withProject<I extends { projectDir: string }>(
  run: Run<I, ProjectContext>,
  { mayBeGone = false }: { readonly mayBeGone?: boolean } = {},
): Run<I, CallContext> {
  return async (input, context) => {
    const project = await openProject(input.projectDir, context, mayBeGone);
    return project.ok ? run(input, project.value) : project;
  };
}

/** The project behind an optional `projectDir`; `null` when none is named. */
export async function optionalProject(
  projectDir: string | undefined,
  context: CallContext,
): Promise<Result<ProjectContext | null>> {
  return projectDir === undefined ? ok(null) : openProject(projectDir, context);
}

/** @param mayBeGone a project that was known here counts also when its folder is not there any more: its jobs are. */
async function openProject(
  projectDir: string,
  context: CallContext,
  mayBeGone = false,
): Promise<Result<ProjectContext>> {
  const normalized = await normalizeProjectDir(projectDir);
  if (!normalized.ok) {
    const gone = mayBeGone ? await context.runtime.projects.find(projectDir) : undefined;
    return gone ? ok({ ...context, projectDir, selectedSerial: gone.selectedSerial }) : normalized;
  }
  const dir = normalized.value;
  const { projects } = context.runtime;
  let known = await projects.find(dir);
  // A command that fails for want of a project must not have said yes to whatever appears there later.
  if (!known && context.trusted && !(await hasSettingsFile(dir))) {
    return fail(
      'INVALID_PARAMS',
      `projectDir: ${dir} is not a Gradle project: it has no settings.gradle or settings.gradle.kts.`,
    );
  }
  if (!known && context.trusted) {
    await projects.initialize(dir, context.runtime.now());
    known = await projects.find(dir);
  }
  if (!known) {
    return fail(
      'PROJECT_NOT_INITIALIZED',
      `Nobody has said yet that ${dir} may be built here: its build scripts would run as you. Run \`jugg init\` in that folder.`,
      { data: { hint: `cd ${JSON.stringify(dir)} && jugg init` } },
    );
  }
  context.runtime.touch(dir);
  return ok({ ...context, projectDir: dir, selectedSerial: known.selectedSerial });
}
