import { EDITS, randomWorld } from './edits.ts';
import { kindOf } from './kinds.ts';
import { Random } from './random.ts';
import { render, unitPath, type Tree } from './render.ts';
import { differenceOf, type Step } from './script.ts';
import type { World } from './world.ts';

interface Good {
  readonly world: World;
  readonly tree: Tree;
}

/**
 * Makes up a project and then edit after edit. It is told whether a tree was rejected, so that mistakes, wanted and
 * unwanted ones, are mended after a while.
 */
export class Director {
  readonly files: Tree;
  readonly #random: Random;
  /** What the programmer is after. */
  #world: World;
  /** What is on disk: at times only a part of it. */
  #tree: Tree;
  #history: Good[] = [];
  #rejections = 0;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#world = randomWorld(this.#random);
    this.#tree = render(this.#world);
    this.files = this.#tree;
  }

  next(rejected: boolean): Step {
    const before = this.#tree;
    if (rejected) this.#rejections += 1;
    else {
      this.#rejections = 0;
      // A mistake that no compiler minds stays.
      this.#history.push({ world: this.#world, tree: before });
    }
    const name = rejected ? this.#mend() : this.#go();
    return { name, ...differenceOf(before, this.#tree), touch: name === 'touch' ? this.#anyFile() : null };
  }

  #mend(): string {
    if (this.#rejections === 1 && this.#random.chance(25)) return `still broken, ${this.#edit()}`;
    const wanted = render(this.#world);
    if (this.#rejections < 3 && !same(wanted, this.#tree)) {
      this.#tree = wanted;
      return 'mended';
    }
    const last = this.#history.at(-1);
    if (last !== undefined) [this.#world, this.#tree] = [last.world, last.tree];
    else this.#start();
    if (this.#rejections < 3 && this.#random.chance(30)) return `taken back, ${this.#edit()}`;
    return 'taken back';
  }

  /** The first project was rejected: another one in its place. */
  #start(): void {
    this.#world = randomWorld(this.#random);
    this.#tree = render(this.#world);
  }

  #go(): string {
    const dice = this.#random.below(100);
    if (dice < 9) return this.#breakSomething();
    if (dice < 16) return this.#halfDone();
    if (dice < 23 && this.#history.length > 1) {
      const earlier = this.#random.pick(this.#history);
      [this.#world, this.#tree] = [earlier.world, earlier.tree];
      return 'back to an earlier tree';
    }
    return dice < 26 ? 'touch' : this.#edit();
  }

  #edit(): string {
    const names: string[] = [];
    for (let count = 1 + this.#random.below(3); count > 0; count--) {
      const { name, edit } = this.#pickEdit();
      this.#world = edit(this.#world, this.#random);
      names.push(name);
    }
    this.#tree = render(this.#world);
    return names.join(', ');
  }

  #pickEdit(): (typeof EDITS)[number] {
    return this.#random.pick(EDITS.flatMap((one) => Array.from({ length: one.often }, () => one)));
  }

  /** Only some of the files that an edit takes are written. */
  #halfDone(): string {
    const name = this.#edit();
    const wanted = this.#tree;
    const before = this.#history.at(-1)?.tree ?? {};
    const { write, remove } = differenceOf(before, wanted);
    const tree: Record<string, string> = { ...before };
    for (const [file, text] of Object.entries(write)) if (this.#random.chance(50)) tree[file] = text;
    for (const file of remove) if (this.#random.chance(50)) delete tree[file];
    this.#tree = tree;
    return `half of ${name}`;
  }

  #breakSomething(): string {
    const unit = this.#random.pickOrNothing(this.#world.units);
    const resource = this.#random.pickOrNothing(
      Object.keys(this.#tree).filter((file) => file.includes('/res/')),
    );
    if (resource !== undefined && this.#random.chance(25)) {
      const text = this.#tree[resource] ?? '';
      const broken = this.#random.chance(50)
        ? text.replace('</', '<')
        : text
            .replace(/>[^<]*<\/string>/, '>@string/nowhere</string>')
            .replace(/"text \d+"/, '"@string/nowhere"');
      this.#tree = { ...this.#tree, [resource]: broken };
      return `break ${resource}`;
    }
    if (unit === undefined) return 'touch';
    const file = unitPath(unit);
    const lines = (this.#tree[file] ?? '').split('\n');
    const java = kindOf(unit).language === 'java';
    const [syntax, type, warning] = java
      ? ['class {', 'class Bad { int x = nowhere(); }', 'class Fine { java.util.List raw; }']
      : ['class {', 'val bad = nowhere()', 'class Fine { val x: String = "" ?: "" }'];
    const how = this.#random.below(3);
    lines.push([syntax, type, warning][how] ?? '');
    this.#tree = { ...this.#tree, [file]: lines.join('\n') };
    return `${['syntax error', 'type error', 'warning'][how] ?? ''} in ${file}`;
  }

  #anyFile(): string | null {
    return this.#random.pickOrNothing(Object.keys(this.#tree)) ?? null;
  }
}

function same(one: Tree, other: Tree): boolean {
  const { write, remove } = differenceOf(one, other);
  return Object.keys(write).length === 0 && remove.length === 0;
}
