/** A module of a made-up project; it sees those before it that it depends on. */
export interface WorldModule {
  readonly name: string;
  readonly kind: 'app' | 'library' | 'java';
  readonly hasKotlin: boolean;
  readonly dependencies: readonly { readonly name: string; readonly api: boolean }[];
}

/** How one unit mentions another, or a resource: `form` picks one of the ways. */
export interface Use {
  readonly target: number;
  readonly form: number;
}

/** One source file with a class, an interface, some functions, … of a kind. */
export interface Unit {
  readonly id: number;
  readonly kind: string;
  readonly module: string;
  readonly name: string;
  /** File name without extension, where the language lets it differ from the class. */
  readonly file: string;
  readonly pkg: string;
  /** A number in bodies and constants. */
  readonly n: number;
  /** Index of the type of its members, and of their parameter. */
  readonly type: number;
  readonly parameter: number;
  /** Bits: members that are there or not. */
  readonly extra: number;
  /** Empty lines at the top: line numbers are part of class files. */
  readonly lines: number;
  readonly uses: readonly Use[];
}

export interface Resource {
  readonly id: number;
  readonly kind: 'string' | 'color' | 'layout' | 'drawable' | 'id' | 'style';
  readonly module: string;
  readonly name: string;
  readonly n: number;
  /** Also in another configuration. */
  readonly german: boolean;
  /** A string or colour that it mentions, by id. */
  readonly refers: number | null;
}

/** Asset, Java resource, or an entry of a manifest of the debug variant. */
export interface Loose {
  readonly id: number;
  readonly kind: 'asset' | 'resource' | 'manifest';
  readonly module: string;
  readonly n: number;
}

/** A project as the generator thinks of it. Immutable: edits make new ones. */
export interface World {
  readonly modules: readonly WorldModule[];
  /** 8 or 17: the release of Java. */
  readonly release: number;
  readonly minSdk: number;
  readonly finalR: boolean;
  readonly transitiveR: boolean;
  readonly units: readonly Unit[];
  readonly resources: readonly Resource[];
  readonly loose: readonly Loose[];
  readonly nextId: number;
}

/** Names of the modules whose classes `module` can mention, itself first. */
export function visibleModules(world: World, module: string): string[] {
  const found = new Set<string>([module]);
  const visit = (name: string, onlyApi: boolean): void => {
    for (const one of world.modules.find((other) => other.name === name)?.dependencies ?? []) {
      if (onlyApi && !one.api) continue;
      found.add(one.name);
      visit(one.name, true);
    }
  };
  visit(module, false);
  return [...found];
}
