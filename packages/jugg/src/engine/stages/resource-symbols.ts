import { basename, dirname } from 'node:path';
import { SaxesParser } from 'saxes';
import { JAVA_KEYWORDS } from '../java-source.ts';

/** Elements of values files whose tag is not the type of what they declare. */
const TYPE_OF_TAG: Readonly<Record<string, string>> = {
  'string-array': 'array',
  'integer-array': 'array',
  'declare-styleable': 'styleable',
};
const VALUE_TAGS = new Set(
  (
    'string string-array integer-array array plurals color dimen bool integer fraction style attr ' +
    'declare-styleable drawable item'
  ).split(' '),
);

/**
 * The names that one resource file declares, as `type/name` with the file's own spelling of the name. Only to know whose R
 * class a name belongs to: aapt2 says what is wrong with a file.
 */
export function declaredSymbols(file: string, text: string | null): string[] {
  const folder = basename(dirname(file));
  const type = folder.split('-')[0] ?? folder;
  const symbols = new Set<string>();
  if (type === 'values') {
    if (text !== null) readValues(text, symbols);
    return [...symbols];
  }
  symbols.add(`${type}/${basename(file).split('.')[0] ?? ''}`);
  // Ids are declared where they are used: `@+id/name`.
  for (const match of (text ?? '').matchAll(/@\+id\/([\p{L}\p{N}_.]+)/gu)) {
    addId(match[1] ?? '', symbols);
  }
  return [...symbols];
}

function readValues(text: string, symbols: Set<string>): void {
  const parser = new SaxesParser();
  const open: string[] = [];
  parser.on('error', () => {});
  parser.on('opentag', ({ name: tag, attributes }) => {
    const name = attributes['name'];
    const parent = open.at(-1);
    open.push(tag);
    if (name === undefined) return;
    if ((tag === 'enum' || tag === 'flag') && parent === 'attr') symbols.add(`id/${name}`);
    else if (!VALUE_TAGS.has(tag) || name.startsWith('android:')) return;
    else if (tag === 'item') {
      // An item inside a style sets an attribute; one of its own declares a value of the type it names.
      if (parent === 'resources' && attributes['type'] !== undefined) {
        symbols.add(`${attributes['type']}/${name}`);
      }
    } else symbols.add(`${TYPE_OF_TAG[tag] ?? tag}/${name}`);
  });
  parser.on('closetag', () => open.pop());
  for (const match of text.matchAll(/@\+id\/([\p{L}\p{N}_.]+)/gu)) addId(match[1] ?? '', symbols);
  try {
    parser.write(text).close();
  } catch {
    // aapt2 reports what is wrong with the file.
  }
}

/** A word of Java's is an id like others, but R cannot have it. */
function addId(name: string, symbols: Set<string>): void {
  if (!JAVA_KEYWORDS.has(rName(name))) symbols.add(`id/${name}`);
}

/** R has `_` for what a Java name cannot hold. */
export function rName(name: string): string {
  return name.replace(/[.\-:]/g, '_');
}
