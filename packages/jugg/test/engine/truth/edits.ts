import { canUse, KINDS, kindOf, type Kind } from './kinds.ts';
import type { Random } from './random.ts';
import type { Loose, Resource, Unit, Use, World, WorldModule } from './world.ts';

const WORDS = ['Apple', 'Birch', 'Cedar', 'Daisy', 'Elder', 'Fern', 'Grape', 'Hazel', 'Iris', 'Juniper'];
const RESOURCES = ['string', 'string', 'color', 'layout', 'drawable', 'id', 'style'] as const;

/** A project of two to four modules with a handful of units each. */
export function randomWorld(random: Random): World {
  const count = 1 + random.below(3);
  const modules: WorldModule[] = [];
  for (let index = 0; index < count; index++) {
    const dependencies = modules
      .filter(() => random.chance(60))
      .map(({ name }) => ({ name, api: random.chance(40) }));
    const kind = random.chance(30) ? 'java' : 'library';
    // A plain Java module cannot depend on an Android one.
    const fitting = dependencies.filter(({ name }) => kind === 'library' || isPlain(modules, name));
    modules.push({ name: `lib${index}`, kind, hasKotlin: random.chance(80), dependencies: fitting });
  }
  const dependencies = modules.map(({ name }) => ({ name, api: false }));
  modules.push({ name: 'app', kind: 'app', hasKotlin: random.chance(90), dependencies });
  let world: World = {
    modules,
    release: random.chance(75) ? 17 : 8,
    minSdk: random.pick([21, 24, 26]),
    finalR: random.chance(30),
    transitiveR: random.chance(20),
    units: [],
    resources: [],
    loose: [],
    nextId: 1,
  };
  for (const module of modules) {
    const resources = module.kind === 'java' ? 0 : 2 + random.below(3);
    for (let made = 0; made < resources; made++) world = addResource(world, random, module.name);
    const units = 3 + random.below(4);
    for (let made = 0; made < units; made++) world = addUnit(world, random, module.name);
  }
  return world;
}

function isPlain(modules: readonly WorldModule[], name: string): boolean {
  return modules.find((one) => one.name === name)?.kind === 'java';
}

/** An edit that does not apply to this world answers the world itself. */
export type Edit = (world: World, random: Random) => World;

function addUnit(world: World, random: Random, module = random.pick(world.modules).name): World {
  const its = world.modules.find(({ name }) => name === module);
  const fits = ({ language, release }: Kind): boolean =>
    (language === 'java' || its?.hasKotlin === true) && (release ?? 8) <= world.release;
  const kind = random.pick(
    Object.keys(KINDS).filter((name) => KINDS[name] !== undefined && fits(KINDS[name])),
  );
  const id = world.nextId;
  const name = `${random.pick(WORDS)}${id}`;
  const unit: Unit = {
    id,
    kind,
    module,
    name,
    file: name,
    pkg: random.pick(['pk', 'pk', 'ql.sub']),
    n: random.below(100),
    type: random.below(100),
    parameter: random.below(100),
    extra: random.below(32),
    lines: random.below(2),
    uses: [],
  };
  const withUnit = { ...world, units: [...world.units, unit], nextId: id + 1 };
  return replaceUnit(withUnit, { ...unit, uses: randomUses(withUnit, unit, random) });
}

function randomUses(world: World, unit: Unit, random: Random): Use[] {
  const targets = [...world.units, ...world.resources].filter(
    (one) => one.id !== unit.id && canUse(unit, one, world),
  );
  const count = Math.min(targets.length, random.below(5));
  return Array.from({ length: count }, () => ({ target: random.pick(targets).id, form: random.below(12) }));
}

function addResource(world: World, random: Random, module = randomAndroid(world, random)): World {
  const id = world.nextId;
  const kind = random.pick(RESOURCES);
  const own = world.resources.filter((one) => one.module === module && one.kind === 'string');
  const resource: Resource = {
    id,
    kind,
    module,
    name: `${kind}_${id}`,
    n: random.below(100),
    german: random.chance(30),
    refers: random.chance(40) ? (random.pickOrNothing(own)?.id ?? null) : null,
  };
  return { ...world, resources: [...world.resources, resource], nextId: id + 1 };
}

function randomAndroid(world: World, random: Random): string {
  return random.pick(world.modules.filter(({ kind }) => kind !== 'java')).name;
}

function replaceUnit(world: World, unit: Unit): World {
  return { ...world, units: world.units.map((one) => (one.id === unit.id ? unit : one)) };
}

const change =
  (edit: (unit: Unit, random: Random, world: World) => Partial<Unit>): Edit =>
  (world, random) => {
    const unit = random.pickOrNothing(world.units);
    return unit === undefined ? world : replaceUnit(world, { ...unit, ...edit(unit, random, world) });
  };

const changeResource =
  (edit: (resource: Resource, random: Random, world: World) => Partial<Resource>): Edit =>
  (world, random) => {
    const picked = random.pickOrNothing(world.resources);
    if (picked === undefined) return world;
    const changed = { ...picked, ...edit(picked, random, world) };
    return { ...world, resources: world.resources.map((one) => (one === picked ? changed : one)) };
  };

/** The same class in the other language. */
const OTHER: Readonly<Record<string, string>> = {
  kClass: 'jClass',
  jClass: 'kClass',
  kInterface: 'jInterface',
  jInterface: 'kInterface',
  kEnum: 'jEnum',
  jEnum: 'kEnum',
  kAnnotation: 'jAnnotation',
  jAnnotation: 'kAnnotation',
};

function translate(world: World, random: Random): World {
  const able = world.units.filter(
    ({ kind, module }) =>
      OTHER[kind] !== undefined && world.modules.find(({ name }) => name === module)?.hasKotlin === true,
  );
  const unit = random.pickOrNothing(able);
  if (unit === undefined) return world;
  return replaceUnit(world, { ...unit, kind: OTHER[unit.kind] ?? unit.kind, file: unit.name });
}

function addLoose(world: World, random: Random): World {
  const kind = random.pick(['asset', 'resource', 'manifest'] as const);
  const module = kind === 'resource' ? random.pick(world.modules).name : randomAndroid(world, random);
  const loose: Loose = { id: world.nextId, kind, module, n: random.below(100) };
  // A module has one manifest of the debug variant.
  const others = world.loose.filter(
    (one) => kind !== 'manifest' || one.kind !== kind || one.module !== module,
  );
  return { ...world, loose: [...others, loose], nextId: world.nextId + 1 };
}

const upper = (text: string): string => text.replace(/^./, (first) => first.toUpperCase());

/** What an edit script is made of, with how often each comes. */
export const EDITS: readonly { readonly name: string; readonly often: number; readonly edit: Edit }[] = [
  { name: 'body', often: 8, edit: change((_unit, random) => ({ n: random.below(100) })) },
  { name: 'type', often: 6, edit: change((_unit, random) => ({ type: random.below(100) })) },
  { name: 'parameter', often: 4, edit: change((_unit, random) => ({ parameter: random.below(100) })) },
  {
    name: 'members',
    often: 8,
    edit: change((unit, random) => ({ extra: unit.extra ^ (1 << random.below(5)) })),
  },
  {
    name: 'lines',
    often: 2,
    edit: change((unit, random) => ({ lines: (unit.lines + 1 + random.below(3)) % 5 })),
  },
  {
    name: 'rename',
    often: 4,
    edit: change((unit, random) => {
      const name = `${random.pick(WORDS)}${unit.id}`;
      return kindOf(unit).freeFile && random.chance(30) ? { name } : { name, file: name };
    }),
  },
  {
    name: 'rename file',
    often: 2,
    edit: change((unit, random) =>
      kindOf(unit).freeFile ? { file: `${random.pick(WORDS)}File${unit.id}` } : {},
    ),
  },
  {
    name: 'case of file',
    often: 1,
    edit: change((unit) =>
      kindOf(unit).freeFile
        ? { file: unit.file === upper(unit.file) ? unit.file.toLowerCase() : upper(unit.file) }
        : {},
    ),
  },
  { name: 'package', often: 2, edit: change((unit) => ({ pkg: unit.pkg === 'pk' ? 'ql.sub' : 'pk' })) },
  {
    name: 'move',
    often: 4,
    edit: change((unit, random, world) => {
      const java = kindOf(unit).language === 'java';
      return { module: random.pick(world.modules.filter(({ hasKotlin }) => java || hasKotlin)).name };
    }),
  },
  {
    name: 'uses',
    often: 5,
    edit: change((unit, random, world) => ({ uses: randomUses(world, unit, random) })),
  },
  { name: 'translate', often: 3, edit: translate },
  { name: 'add', often: 5, edit: (world, random) => addUnit(world, random) },
  {
    name: 'delete',
    often: 3,
    edit: (world, random) => {
      const gone = random.pickOrNothing(world.units);
      return { ...world, units: world.units.filter((one) => one !== gone) };
    },
  },
  { name: 'resource', often: 4, edit: changeResource((_resource, random) => ({ n: random.below(100) })) },
  { name: 'locale', often: 1, edit: changeResource(({ german }) => ({ german: !german })) },
  {
    name: 'reference',
    often: 1,
    edit: changeResource(({ refers }, _random, world) => ({
      refers: refers === null ? (world.resources[0]?.id ?? null) : null,
    })),
  },
  {
    name: 'move resource',
    often: 1,
    edit: changeResource((_resource, random, world) => ({ module: randomAndroid(world, random) })),
  },
  { name: 'add resource', often: 3, edit: (world, random) => addResource(world, random) },
  {
    name: 'delete resource',
    often: 2,
    edit: (world, random) => {
      const gone = random.pickOrNothing(world.resources);
      return { ...world, resources: world.resources.filter((one) => one !== gone) };
    },
  },
  { name: 'add loose', often: 2, edit: addLoose },
  {
    name: 'change loose',
    often: 1,
    edit: (world, random) => {
      const picked = random.pickOrNothing(world.loose);
      const loose = world.loose.map((one) => (one === picked ? { ...one, n: random.below(100) } : one));
      return { ...world, loose };
    },
  },
  {
    name: 'delete loose',
    often: 1,
    edit: (world, random) => {
      const gone = random.pickOrNothing(world.loose);
      return { ...world, loose: world.loose.filter((one) => one !== gone) };
    },
  },
];
