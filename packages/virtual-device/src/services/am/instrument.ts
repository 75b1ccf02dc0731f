import { PROCESS_CRASHED, runTests } from '../../apps/instrumentation.ts';
import type { InstrumentationReport } from '../../app-process/types.ts';
import type { PackageRecord } from '../../packages/record.ts';
import { splitComponent } from '../../packages/record.ts';
import type { CommandContext } from '../../shell/command.ts';
import { illegalArgument, isOwner } from '../services.ts';
import type { Services, SubCommand } from '../services.ts';
import { protoReporter, textReporter } from './instrument-reports.ts';
import type { Reporter } from './instrument-reports.ts';

/** Options of `am instrument` (AOSP `cmds/am`, `Am.runInstrument`); true for those with a value. */
const OPTIONS: Readonly<Record<string, boolean>> = {
  '-p': true,
  '-w': false,
  '-r': false,
  '-m': false,
  '--user': true,
  '--abi': true,
  '--no_window_animation': false,
  '--no-window-animation': false,
  '--no-hidden-api-checks': false,
  '--no-test-api-access': false,
  '--no-isolated-storage': false,
  '--no-restart': false,
  '--always-check-signature': false,
  '--instrument-sdk-sandbox': false,
  '--instrument-sdk-in-sandbox': false,
};

interface Request {
  readonly component: string;
  readonly options: ReadonlyMap<string, string>;
  readonly arguments: Readonly<Record<string, string>>;
}

/** `am instrument [-w] [-r] [-m] [-e NAME VALUE]… COMPONENT`: the package's own runner, in the process of its target. */
export const instrument: SubCommand = async (context, args, services) => {
  const request = parse(args);
  if (typeof request === 'string') return illegalArgument(context, 'instrument', request);
  const { options } = request;
  if (!isOwner(options.get('--user') ?? 'current')) {
    return illegalArgument(
      context,
      'instrument',
      `Unable to resolve user ${options.get('--user') ?? ''}: it is not running`,
    );
  }
  const found = find(request.component, services);
  if ('message' in found) return illegalArgument(context, 'instrument', found.message);
  const { packageName, className } = found;
  const reporter = makeReporter(options, context);
  const component = { packageName, className, info: `ComponentInfo{${packageName}/${className}}` };
  const ready = targetOf(component, services);
  if (typeof ready === 'string') return failed(context, reporter, request, component, ready);
  const run = runTests(
    services.apps,
    ready.target,
    { record: ready.tests, className, arguments: request.arguments },
    (report) => void reporter?.status(report),
    context.signal,
  );
  // Without -w nobody waits; the run goes on.
  if (!reporter) return 0;
  const end = await run;
  if (end.kind === 'notStarted') return failed(context, reporter, request, component, end.message);
  await reporter.finished(end.kind === 'finished' ? end.report : PROCESS_CRASHED);
  return context.signal.aborted ? 1 : 0;
};

function makeReporter(options: ReadonlyMap<string, string>, { stdout }: CommandContext): Reporter | null {
  if (options.has('-m')) return protoReporter(stdout);
  return options.has('-w') ? textReporter(stdout, options.has('-r')) : null;
}

function parse(args: readonly string[]): Request | string {
  const options = new Map<string, string>();
  const given: Record<string, string> = {};
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (!arg.startsWith('-')) return { component: arg, options, arguments: given };
    if (arg === '-e') {
      const [name, value] = [args[at + 1], args[at + 2]];
      if (name === undefined || value === undefined) return 'Argument expected after "-e"';
      given[name] = value;
      at += 2;
      continue;
    }
    const takesValue = OPTIONS[arg];
    if (takesValue === undefined) return `Unknown option: ${arg}`;
    if (takesValue && args[at + 1] === undefined) return `Argument expected after "${arg}"`;
    options.set(arg, takesValue ? (args[at + 1] ?? '') : '');
    if (takesValue) at += 1;
  }
  return 'Argument expected after "instrument"';
}

/** A component, or a class name alone that one package has (AOSP `Instrument.parseComponentName`). */
function find(
  text: string,
  { database }: Services,
): { readonly packageName: string; readonly className: string } | { readonly message: string } {
  if (text.includes('/')) return splitComponent(text) ?? { message: `Bad component name: ${text}` };
  const all = database
    .all()
    .flatMap(({ manifest }) =>
      manifest.instrumentation
        .filter(({ name }) => name === text)
        .map(({ name }) => ({ packageName: manifest.packageName, className: name })),
    );
  if (all.length > 1) {
    const names = all.map(({ packageName, className }) => `${packageName}/${className}`).join(', ');
    return { message: `Found multiple instrumentations: ${names}` };
  }
  return all[0] ?? { message: `No instrumentation found for: ${text}` };
}

interface Component {
  readonly packageName: string;
  readonly className: string;
  /** `ComponentInfo{pkg/cls}` */
  readonly info: string;
}

/** Both packages, or why there is no run, in the words of `ActivityManagerService.startInstrumentation`. */
function targetOf(
  { packageName, className, info }: Component,
  { database }: Services,
): { readonly tests: PackageRecord; readonly target: PackageRecord } | string {
  const tests = database.get(packageName);
  const declared = tests?.manifest.instrumentation.find(({ name }) => name === className);
  if (!tests || !declared) return `Unable to find instrumentation info for: ${info}`;
  const target = database.get(declared.targetPackage);
  if (!target) return `Unable to find instrumentation target package: ${declared.targetPackage}`;
  if (target.signer !== tests.signer) {
    return `Permission Denial: starting instrumentation ${info} from pid=0, uid=2000 not allowed because package ${packageName} does not have a signature matching the target ${declared.targetPackage}`;
  }
  return { tests, target };
}

async function failed(
  context: CommandContext,
  reporter: Reporter | null,
  { options }: Request,
  { packageName, className }: Component,
  error: string,
): Promise<number> {
  const text = `INSTRUMENTATION_FAILED: ${packageName}/${className}`;
  const report: InstrumentationReport = {
    code: -1,
    results: {
      Error: { type: 'string', value: error },
      id: { type: 'string', value: 'ActivityManagerService' },
    },
  };
  await reporter?.status(report);
  if (options.has('-m')) await reporter?.aborted(text);
  else if (options.has('-r') && reporter)
    await context.stdout.write(`onError: commandError=true message=${text}\n`);
  await context.stderr.write(
    `android.util.AndroidException: ${text}\n\tat com.android.commands.am.Instrument.run(Instrument.java:546)\n`,
  );
  return 1;
}
