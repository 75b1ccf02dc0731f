import { styleFor } from '../style.ts';

interface Row {
  readonly step: string;
  readonly seconds: number;
  readonly result: string;
}

/** Prints each step with its time as it happens, and all of them again as a table at the end. */
export class DemoReport {
  readonly #rows: Row[] = [];
  readonly #style = styleFor(process.stdout, true);
  readonly #started = performance.now();

  async step(name: string, work: () => Promise<string>): Promise<void> {
    const started = performance.now();
    process.stdout.write(`${this.#style.dim('…')} ${name}\n`);
    const result = await work();
    const seconds = (performance.now() - started) / 1000;
    this.#rows.push({ step: name, seconds, result });
    process.stdout.write(
      `${this.#style.green('✓')} ${name} ${this.#style.dim(`${seconds.toFixed(2)} s`)}  ${result}\n`,
    );
  }

  note(line: string): void {
    process.stdout.write(`  ${this.#style.dim(line)}\n`);
  }

  summary(): void {
    const width = Math.max(...this.#rows.map((row) => row.step.length));
    process.stdout.write('\n');
    for (const { step, seconds, result } of this.#rows) {
      process.stdout.write(`${step.padEnd(width)}  ${seconds.toFixed(2).padStart(7)} s  ${result}\n`);
    }
    process.stdout.write(
      `${'all'.padEnd(width)}  ${((performance.now() - this.#started) / 1000).toFixed(2).padStart(7)} s\n`,
    );
  }
}
