import { describe, expect, test } from 'vitest';
import { compileDependencies, makePlan, modulesOf, type PlanInput } from '../../src/engine/plan.ts';
import { emptyFacts } from '../../src/project/build-facts.ts';
import type { Dependency, ModuleModel, ProjectModel, Refusal } from '../../src/project/model.ts';
import { moduleModel } from '../../src/project/module-model.ts';

function module(name: string, dependencies: Dependency[] = [], refusals: Refusal[] = []): ModuleModel {
  const facts = { ...emptyFacts(), namespace: 'a.b', dependencies, refusals };
  facts.plugins.push({
    id: name === ':app' ? 'com.android.application' : 'com.android.library',
    version: null,
    apply: true,
    line: 1,
  });
  return moduleModel({ name, dir: `/p/${name}`, buildFile: `/p/${name}.gradle`, facts, versions: new Map() });
}

const on = (target: string, configuration: Dependency['configuration'] = 'implementation'): Dependency => ({
  configuration,
  kind: 'project',
  target,
});

function project(modules: ModuleModel[], refusals: Refusal[] = []): ProjectModel {
  return {
    projectDir: '/p',
    name: 'p',
    kotlinVersion: null,
    kotlinPlace: null,
    nonTransitiveR: true,
    nonFinalR: true,
    modules,
    buildFiles: [],
    refusals,
  };
}

const last = { module: ':app', variant: 'debug', toolsId: 't', modelId: 'm' };
const base: PlanInput = {
  project: project([module(':app')]),
  ...last,
  baseline: last,
  hasOutputs: false,
  changes: { changed: [], deleted: [] },
};
const edited = { changed: [{ file: '/p/A.java', type: 'Java', modifiedAtMs: 1 }], deleted: [] } as const;

describe('the first rule that applies decides', () => {
  test.each<[string, Partial<PlanInput>, string, string]>([
    ['nothing changed', {}, 'none', 'P6-no-changes'],
    ['a file changed', { changes: edited }, 'incremental', 'P7-incremental'],
    ['nothing was built', { baseline: { missing: 'nothing was built yet' } }, 'full', 'P2-no-baseline'],
    ['another module', { baseline: { ...last, module: ':other' } }, 'full', 'P3-other-variant'],
    ['other tools', { toolsId: 'new', changes: edited }, 'full', 'P4-tools'],
    ['another model', { modelId: 'new' }, 'full', 'P5-build-file'],
    [
      'a build file that is not understood',
      {
        project: project([module(':app')], [{ file: '/p/s.gradle', line: 3, what: 'a loop' }]),
        changes: edited,
      },
      'gradle',
      'P1-build-file',
    ],
  ])('%s', (_, more, kind, rule) => {
    expect(makePlan({ ...base, ...more })).toMatchObject({ kind, rule });
  });

  test('a full build that goes on from another says so', () => {
    expect(makePlan({ ...base, modelId: 'new', hasOutputs: true }).reason).toBe(
      'the build files changed; what was compiled already is used',
    );
    expect(makePlan({ ...base, hasOutputs: true }).reason).toBe('nothing changed');
  });

  test('a reason names the place', () => {
    const refusal = { file: '/p/s.gradle', line: 3, what: 'a loop' };
    const plan = makePlan({ ...base, project: project([module(':app', [], [refusal])]) });
    expect(plan.reason).toContain('a loop (/p/s.gradle:3)');
  });
});

test('what Gradle does not take either is called a mistake', () => {
  const reason = (modules: ModuleModel[]): string => makePlan({ ...base, project: project(modules) }).reason;
  expect(reason([module(':app', [on(':nowhere')])])).toBe(
    '/p/:app.gradle:1: the module :nowhere is not in the settings, which Gradle does not take either',
  );
  expect(reason([module(':app', [on(':a')]), module(':a', [on(':b')]), module(':b', [on(':a')])])).toContain(
    'depend on each other, which Gradle does not take either',
  );
});

describe('dependencies that Jugg does not build', () => {
  const rule = (modules: ModuleModel[]): string => makePlan({ ...base, project: project(modules) }).rule;
  const external = (target: string): Dependency => ({
    configuration: 'implementation',
    kind: 'external',
    target,
  });

  test.each([
    ['a library', [module(':app', [external('a:b:1')])], 'P1-build-file'],
    [
      "Kotlin's standard library",
      [module(':app', [external('org.jetbrains.kotlin:kotlin-stdlib:2.0.0')])],
      'P6-no-changes',
    ],
    ['a module that is not there', [module(':app', [on(':x')])], 'P1-build-file'],
    [
      'a circle',
      [module(':app', [on(':x')]), module(':x', [on(':y')]), module(':y', [on(':x')])],
      'P1-build-file',
    ],
    ['a module nobody uses', [module(':app'), module(':x', [external('a:b:1')])], 'P6-no-changes'],
  ])('%s', (_, modules, expected) => {
    expect(rule(modules)).toBe(expected);
  });
});

test('modules come after what they depend on', () => {
  const modules = [module(':app', [on(':a'), on(':b')]), module(':a', [on(':b')]), module(':b')];
  expect(modulesOf(project(modules), ':app').map((one) => one.name)).toEqual([':b', ':a', ':app']);
});

test('a module compiles against its own dependencies and what those pass on', () => {
  const modules = [
    module(':app', [on(':a'), on(':r', 'runtimeOnly')]),
    module(':a', [on(':shown', 'api'), on(':hidden')]),
    module(':shown'),
    module(':hidden'),
    module(':r'),
  ];
  const [app] = modules;
  expect(app && compileDependencies(modules, app).map((one) => one.name)).toEqual([':a', ':shown']);
});
