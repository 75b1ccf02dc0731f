import type { Command } from 'commander';
import { resolve } from 'node:path';
import { fail } from '../shared/outcome.ts';
import { complete, completionScript } from './completion.ts';
import { exitCode, faultEnvelope, type CliEnvelope } from './envelope.ts';
import { globals } from './globals.ts';
import { nearestProject } from './project-dir.ts';
import { show, type GlobalOptions } from './tool-command.ts';
import { addDeviceCommands } from './vd/commands.ts';

/** Commands that belong to a shell alone. Each loads its own code when it is run: the others stay fast. */
export function addOwnCommands(program: Command, setExit: (code: number) => void): void {
  const finish = (envelope: CliEnvelope, options: GlobalOptions): void => {
    show(envelope, options);
    setExit(exitCode(envelope));
  };
  const json = ['--json', 'print the answer as JSON'] as const;

  program
    .command('serve')
    .description('Run the server in the foreground: MCP over HTTP on the first free port of 12320..12329.')
    .option('--background', 'started by another command: no greeting, ends when idle')
    .action(async (options: { background?: boolean }) => {
      const { serveCommand } = await import('./serve.ts');
      setExit(await serveCommand(options.background === true));
    });

  program
    .command('mcp')
    .description(
      'Speak MCP on standard input and output, for clients that start their servers. Joins the running server.',
    )
    .option('--project-dir <folder>', 'the Gradle project [nearest folder upwards with a settings.gradle]')
    .option('--standalone', 'do not join: run the tools in this process')
    .action(async (options: { projectDir?: string; standalone?: boolean }) => {
      const { mcpCommand } = await import('./mcp.ts');
      setExit(await mcpCommand(await projectOf(globals(program, options)), options.standalone === true));
    });

  program
    .command('init')
    .description(
      'Say that this project may be built here: its build scripts and annotation processors will run as you.',
    )
    .option('--project-dir <folder>', 'the Gradle project [nearest folder upwards with a settings.gradle]')
    .option(...json)
    .action(async (values: Record<string, unknown>) => {
      const options = globals(program, values);
      const projectDir = await projectOf(options);
      if (projectDir === null) {
        const message = `Neither ${process.cwd()} nor a folder above it is a Gradle project: there is no settings.gradle.`;
        finish(faultEnvelope(fail('INVALID_PARAMS', message).fault), options);
        return;
      }
      const { initCommand } = await import('./init.ts');
      finish(await initCommand(projectDir), options);
    });

  program
    .command('stop')
    .description(
      "Stop the server and its compilers; virtual devices go on. --purge also removes Jugg's state, caches and logs.",
    )
    .option('--purge', 'remove all state, caches, logs and artifacts of Jugg')
    .option(...json)
    .action(async (values: Record<string, unknown>) => {
      const { stopCommand } = await import('./stop.ts');
      finish(await stopCommand(values['purge'] === true), globals(program, values));
    });

  program
    .command('demo')
    .description(
      'Show the main job on the virtual device: build, install, change a file, see it in the running app.',
    )
    .option('--keep', 'leave the copy of the sample and the state for a look')
    .action(async (values: { keep?: boolean }) => {
      const { demoCommand } = await import('./demo/demo.ts');
      setExit(await demoCommand({ keep: values.keep === true }));
    });

  program
    .command('prefetch')
    .description(
      'Fetch now what is otherwise fetched at first use (about 0.7 GB): for images and for working offline.',
    )
    .option(...json)
    .action(async (values: Record<string, unknown>) => {
      const { prefetchCommand } = await import('./prefetch.ts');
      finish(await prefetchCommand(), globals(program, values));
    });

  program
    .command('completion <shell>')
    .description('Print the completion script for bash, zsh or fish: eval "$(jugg completion bash)"')
    .action((shell: string) => {
      const script = completionScript(shell);
      if (script.ok) process.stdout.write(script.value);
      else finish(faultEnvelope(script.fault), {});
    });

  program
    .command('__complete [words...]', { hidden: true })
    .allowUnknownOption()
    .action((words: readonly string[]) => {
      process.stdout.write(
        complete(program, words)
          .map((word) => `${word}\n`)
          .join(''),
      );
    });

  addDeviceCommands(program, (envelope, values) => finish(envelope, globals(program, values)));
}

async function projectOf(options: GlobalOptions): Promise<string | null> {
  return options.projectDir === undefined ? nearestProject(process.cwd()) : resolve(options.projectDir);
}
