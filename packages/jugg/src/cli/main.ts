import { readFile } from 'node:fs/promises';
import { Command, CommanderError, Option } from 'commander';
import { shippedFile } from '../shared/paths.ts';
import { fail } from '../shared/outcome.ts';
import { addOwnCommands } from './own-commands.ts';
import { faultEnvelope } from './envelope.ts';
import { EXAMPLES } from './examples.ts';
import { globals } from './globals.ts';
import { runTool, show } from './tool-command.ts';
import type { CommandTable, ToolCommand, ToolOption } from './table-types.ts';

const USAGE_EXIT = 2;

/** The `jugg` command: every tool of the registry, and what only a shell needs. */
export async function main(argv: readonly string[]): Promise<number> {
  const table: CommandTable = JSON.parse(await readFile(shippedFile('cli-table.json'), 'utf8'));
  let exit = 0;
  const program = new Command('jugg')
    .description(
      'Compile changed files of an Android app, put them into the running app, look at it, use it.',
    )
    .version(table.version)
    .showHelpAfterError('(jugg help <command> shows what it takes)')
    .enablePositionalOptions()
    .exitOverride();
  addGlobalOptions(program);
  for (const command of table.commands) {
    program.addCommand(
      toolCommand(program, command, async (values) => {
        exit = await runTool(command, values, globals(program, values));
      }),
    );
  }
  addOwnCommands(program, (code) => {
    exit = code;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exit;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    if (argv.includes('--json')) {
      show(faultEnvelope(fail('INVALID_PARAMS', error.message.replace(/^error: /, '')).fault), {
        json: true,
      });
    }
    return USAGE_EXIT;
  }
}

function toolCommand(
  program: Command,
  tool: ToolCommand,
  run: (values: Record<string, unknown>) => Promise<void>,
): Command {
  const command = new Command(tool.name).copyInheritedSettings(program);
  command.summary(tool.title).description(tool.description);
  for (const option of tool.options) addToolOption(command, option);
  addGlobalOptions(command);
  const examples = EXAMPLES[tool.name] ?? [];
  if (examples.length > 0)
    command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`);
  return command.action(run);
}

function addToolOption(command: Command, option: ToolOption): void {
  const notes = [
    option.description,
    option.default === undefined ? '' : `[${JSON.stringify(option.default)}]`,
  ]
    .filter(Boolean)
    .join(' ');
  const flags =
    option.type === 'boolean' ? `${option.flag} [true|false]` : `${option.flag} <${placeholder(option)}>`;
  const made = new Option(flags, notes);
  if (option.type === 'boolean') made.preset('true');
  if (option.choices) made.choices([...option.choices]);
  if (option.required) made.makeOptionMandatory();
  command.addOption(made);
}

function placeholder(option: ToolOption): string {
  if (option.type === 'json') return 'json|@file';
  return option.type === 'string' ? 'text' : 'number';
}

/** Allowed before the command and after it. */
function addGlobalOptions(command: Command): void {
  command
    .option('--project-dir <folder>', 'the Gradle project [nearest folder upwards with a settings.gradle]')
    .option('--serial <serial>', 'the device [ANDROID_SERIAL, or the only usable one]')
    .option('--json', 'print the answer as JSON')
    .option('--no-color', 'no colours');
}
