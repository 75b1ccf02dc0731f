import type { ModuleModel, ProjectModel } from '../project/model.ts';
import { modulePath } from '../project/settings.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';

/** The app module to build: the one asked for, else the only one. */
export function chooseApp(project: ProjectModel, wanted: string | undefined): Result<ModuleModel> {
  const apps = project.modules.filter((module) => module.kind === 'app');
  const names = project.modules.map((module) => module.name);
  if (wanted !== undefined) {
    const found = project.modules.find((module) => module.name === modulePath(wanted));
    if (found === undefined) {
      return fail('INVALID_PARAMS', `module: got "${wanted}", expected one of ${names.join(', ')}`, {
        data: { candidates: names },
      });
    }
    // A module that cannot be read may be an app all the same: the plan says what is wrong with it.
    if (found.kind === 'app' || found.kind === null) return ok(found);
    return fail('INVALID_PARAMS', `module: ${found.name} is no Android app`, {
      data: { candidates: apps.map((app) => app.name) },
    });
  }
  const [only, second] = apps;
  if (only !== undefined && second === undefined) return ok(only);
  if (only !== undefined) {
    const candidates = apps.map((app) => app.name);
    return fail('INVALID_PARAMS', `There are several apps; pass module: one of ${candidates.join(', ')}.`, {
      data: { candidates },
    });
  }
  const unread = project.modules.find((module) => module.kind === null);
  if (unread !== undefined) return ok(unread);
  return fail(
    'FEATURE_NOT_SUPPORTED',
    `${project.projectDir} has no Android app module (com.android.application) that its settings name.`,
    { data: { modules: names } },
  );
}
