import type { BlockContext } from './build-facts.ts';
import { entriesOf, resolve, type Entry } from './dsl/entries.ts';
import { textOf } from './dsl/values.ts';
import type { Configuration, Dependency } from './model.ts';
import { modulePath } from './settings.ts';

const CONFIGURATIONS: Readonly<Record<string, Configuration>> = {
  api: 'api',
  implementation: 'implementation',
  compileOnly: 'compileOnly',
  runtimeOnly: 'runtimeOnly',
  debugApi: 'api',
  debugImplementation: 'implementation',
  debugCompileOnly: 'compileOnly',
  debugRuntimeOnly: 'runtimeOnly',
};

/** Configurations of variants and tests that are not part of the debug app. */
const ELSEWHERE = /^(release|test|lint|kspTest|kaptTest|testFixtures)[A-Z]?|^lintChecks$|^lintPublish$/;
const ANDROID_TEST = /^androidTest(Implementation|Api|CompileOnly|RuntimeOnly)$/;
const COORDINATES = /^[\w.-]+:[\w.-]+:[\w.+-]+$/;

/** Reads `dependencies { }`: modules and `group:name:version` texts; everything else is refused. */
export function readDependencies(entry: Entry, context: BlockContext): void {
  for (const one of entriesOf(entry.block ?? [], context.variables, (l, w) => context.refuse(l, w))) {
    const configuration = CONFIGURATIONS[one.name];
    if (configuration !== undefined) {
      read(one, configuration, context, (dependency) => {
        const key = `dependency ${dependency.target}`;
        if (!context.facts.lines.has(key)) context.facts.lines.set(key, one.line);
        context.facts.dependencies.push(dependency);
      });
    } else if (ANDROID_TEST.test(one.name)) {
      // What the tests need is no reason to refuse the app: what is not plain is left out of the list.
      const quiet = { ...context, refuse: () => {} };
      read(one, 'implementation', quiet, (dependency) => context.facts.testDependencies.push(dependency));
    } else if (!ELSEWHERE.test(one.name) && !one.name.startsWith('androidTest')) {
      context.refuse(one.line, `\`dependencies.${one.name}\``);
    }
  }
}

function read(
  entry: Entry,
  configuration: Configuration,
  context: BlockContext,
  add: (dependency: Dependency) => void,
): void {
  const refuse = (): void =>
    context.refuse(entry.line, `a dependency of \`${entry.name}\` that is no plain text or module`);
  const named = new Map(entry.args.flatMap((arg) => (arg.name === null ? [] : [[arg.name, arg.value]])));
  if (named.size > 0) {
    const parts = ['group', 'name', 'version'].map((key) =>
      textOf(resolveNamed(named.get(key), context.variables)),
    );
    const target = parts.join(':');
    if (named.size === 3 && !parts.includes(null) && COORDINATES.test(target)) {
      add({ configuration, kind: 'external', target });
    } else refuse();
    return;
  }
  if (entry.args.length === 0 || entry.block !== null) return refuse();
  for (const { value } of entry.args) {
    const resolved = resolve(value, context.variables);
    const [call] = resolved.kind === 'chain' && resolved.links.length === 1 ? resolved.links : [];
    const text = textOf(resolved);
    if (text !== null && COORDINATES.test(text)) add({ configuration, kind: 'external', target: text });
    else if (call?.name === 'project') {
      const path = textOf(
        (call.args ?? []).find((arg) => arg.name === 'path' || arg.name === null)?.value ?? undefined,
      );
      if (path !== null && call.args?.length === 1) {
        add({ configuration, kind: 'project', target: modulePath(path) });
      } else refuse();
    } else refuse();
  }
}

function resolveNamed(
  value: Entry['args'][number]['value'] | undefined,
  variables: BlockContext['variables'],
): Entry['args'][number]['value'] | undefined {
  return value === undefined ? undefined : resolve(value, variables);
}
