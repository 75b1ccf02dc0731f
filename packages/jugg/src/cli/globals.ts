import type { Command } from 'commander';
import type { GlobalOptions } from './tool-command.ts';

/** Options that are allowed before the command and after it; what stands after it counts. */
export function globals(program: Command, values: Readonly<Record<string, unknown>>): GlobalOptions {
  const merged: Record<string, unknown> = { ...program.opts() };
  // `--no-color` has a default of its own in both places: only a "no" counts.
  for (const [key, value] of Object.entries(values))
    if (key !== 'color' || value === false) merged[key] = value;
  return {
    ...(typeof merged['projectDir'] === 'string' ? { projectDir: merged['projectDir'] } : {}),
    ...(typeof merged['serial'] === 'string' ? { serial: merged['serial'] } : {}),
    json: merged['json'] === true,
    color: merged['color'] !== false,
  };
}
