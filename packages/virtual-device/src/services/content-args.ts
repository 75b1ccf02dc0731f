/** What `content` was asked to do, as AOSP's `Content.java` (`Parser`) reads it. */
export interface ContentRequest {
  readonly verb: ContentVerb;
  readonly uri: string;
  readonly projection?: readonly string[];
  readonly where?: string;
  readonly sort?: string;
  readonly method?: string;
  readonly argument?: string;
  readonly values: readonly Binding[];
  readonly extras: readonly Binding[];
}

export interface Binding {
  readonly name: string;
  /** Boolean, string, integer, long, float, double, null. */
  readonly type: 'b' | 's' | 'i' | 'l' | 'f' | 'd' | 'n';
  readonly value: string;
}

const OPTIONS = {
  query: ['--where', '--sort', '--projection', '--extra'],
  insert: ['--bind', '--extra'],
  update: ['--where', '--bind', '--extra'],
  delete: ['--where', '--extra'],
  call: ['--method', '--arg', '--extra'],
  read: [],
  write: [],
  gettype: [],
} as const;
export type ContentVerb = keyof typeof OPTIONS;

const TYPES = ['b', 's', 'i', 'l', 'f', 'd', 'n'] as const;
const WHOLE = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const NUMBERS: ReadonlyMap<string, RegExp> = new Map([
  ['i', WHOLE],
  ['l', WHOLE],
  ['f', DECIMAL],
  ['d', DECIMAL],
]);
/** From then on a colon in a binding is written `\:`; before, what came after the second one was the value. */
const FIRST_API_WITH_ESCAPES = 33;

/** The request, or the text after `[ERROR] `. */
export function parseContent(args: readonly string[], api: number): ContentRequest | string {
  const [operation, ...rest] = args;
  const verb = Object.keys(OPTIONS).find((name): name is ContentVerb => name === operation);
  if (!verb) return `Unsupported operation: ${operation ?? 'null'}`;
  const found = new Map<string, string>();
  const bindings: Record<'--bind' | '--extra', Binding[]> = { '--bind': [], '--extra': [] };
  const known: readonly string[] = ['--uri', '--user', ...OPTIONS[verb]];
  for (let at = 0; at < rest.length; at += 2) {
    const option = rest[at] ?? '';
    const value = rest[at + 1];
    if (!known.includes(option)) return `Unsupported argument: ${option}`;
    if (option === '--bind' || option === '--extra') {
      const binding = parseBinding(value, api);
      if (typeof binding === 'string') return binding;
      bindings[option].push(binding);
    } else if (value === undefined || value === '' || value.startsWith('--')) {
      return `No value for argument: ${option}`;
    } else found.set(option, value);
  }
  const uri = found.get('--uri');
  if (uri === undefined) return 'Content provider URI not specified. Did you specify --uri argument?';
  const needsValues = verb === 'insert' || verb === 'update';
  if (needsValues && bindings['--bind'].length === 0)
    return 'Bindings not specified. Did you specify --bind argument(s)?';
  const method = found.get('--method');
  if (verb === 'call' && method === undefined) return 'Content provider method not specified.';
  const where = found.get('--where');
  const sort = found.get('--sort');
  const argument = found.get('--arg');
  const projection = found.get('--projection')?.split(/\s*:\s*/);
  return {
    verb,
    uri,
    ...(projection && { projection }),
    ...(where !== undefined && { where }),
    ...(sort !== undefined && { sort }),
    ...(method !== undefined && { method }),
    ...(argument !== undefined && { argument }),
    values: bindings['--bind'],
    extras: bindings['--extra'],
  };
}

function parseBinding(text: string | undefined, api: number): Binding | string {
  const malformed = `Binding not well formed: ${text ?? 'null'}`;
  if (text === undefined || text === '') return malformed;
  const parts = api >= FIRST_API_WITH_ESCAPES ? splitEscaped(text) : splitTwice(text);
  if (parts === null) return 'Invalid escaping';
  const [name = '', given = '', value = ''] = parts;
  if (parts.length !== 3) return malformed;
  const type = TYPES.find((each) => each === (given === 'S' ? given : given.toLowerCase()));
  if (!type) return `Unsupported type: ${given}`;
  if (NUMBERS.get(type)?.test(value) === false) return `For input string: "${value}"`;
  return { name, type, value };
}

function splitTwice(text: string): string[] {
  const [name = '', type, ...rest] = text.split(':');
  return type === undefined || rest.length === 0 ? [name] : [name, type, rest.join(':')];
}

function splitEscaped(text: string): string[] | null {
  const parts = [''];
  for (let at = 0; at < text.length; at++) {
    let char = text[at] ?? '';
    if (char === ':') {
      parts.push('');
      continue;
    }
    if (char === '\\') {
      at += 1;
      if (at === text.length) return null;
      char = text[at] ?? '';
    }
    parts.push((parts.pop() ?? '') + char);
  }
  return parts;
}
