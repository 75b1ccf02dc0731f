import { readFile } from 'node:fs/promises';

/** Words that no identifier can be: JLS 3.9, with the literals. */
export const JAVA_KEYWORDS: ReadonlySet<string> = new Set(
  (
    'abstract assert boolean break byte case catch char class const continue default do double else enum extends false ' +
    'final finally float for goto if implements import instanceof int interface long native new null package private ' +
    'protected public return short static strictfp super switch synchronized this throw throws transient true try void ' +
    'volatile while _'
  ).split(' '),
);

/** What is known of a Java source without compiling it. */
export interface JavaSource {
  /** Empty for the unnamed package. */
  readonly packageName: string;
  readonly identifiers: ReadonlySet<string>;
}

/** Reads package and identifiers of Java sources, each content once. */
export class JavaSources {
  readonly #byHash = new Map<string, JavaSource>();

  /** `hash` is the digest of the content; a file that is gone has nothing in it. */
  async read(file: string, hash: string): Promise<JavaSource> {
    const known = this.#byHash.get(hash);
    if (known) return known;
    let text: string;
    try {
      text = await readFile(file, 'utf8');
    } catch {
      return { packageName: '', identifiers: new Set() };
    }
    const source = readJavaSource(text);
    this.#byHash.set(hash, source);
    return source;
  }
}

/** Comments and strings count as identifiers too: rather too many. */
export function readJavaSource(text: string): JavaSource {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' ');
  const declared = /(?:^|[;}\s])package\s+([\p{L}_$][\p{L}\p{N}_$.\s]*?)\s*;/u.exec(code);
  const identifiers = new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);
  return {
    packageName: (declared?.[1] ?? '').replace(/\s/g, ''),
    identifiers,
  };
}

/** Names that a source of either language may declare; rather too many. */
export interface Declarations {
  /** Of classes. An entry of an enum is one when it has a body. */
  readonly classes: ReadonlySet<string>;
  /** What may be copied into its users: what something is assigned to (constants, and more), and inline functions. */
  readonly copied: ReadonlySet<string>;
}

const DECLARED = /\b(?:class|interface|object|record|enum)\s+([\p{L}_$][\p{L}\p{N}_$]*)/gu;
const ENUM = /\benum\s[^{;]*\{/g;
/** A name after a colon is the type of a function whose body is an expression. */
const ASSIGNED =
  /(?<![\p{L}\p{N}_$.]|:\s*)([\p{L}_$][\p{L}\p{N}_$]*)\s*(?::\s*[\p{L}_$][\p{L}\p{N}_$.<>?]*\s*)?=(?!=)/gu;
/** Also of properties: the word may stand before `val` or before their accessors. */
const INLINE =
  /\binline\b[^{}=;]*?\b(?:fun|va[lr])\s+(?:<[^>]*>\s*)?(?:[\p{L}_$][\p{L}\p{N}_$.<>?, ]*\.)?([\p{L}_$][\p{L}\p{N}_$]*)/gu;
const INLINE_ACCESSOR =
  /\bva[lr]\s+(?:<[^>]*>\s*)?(?:[\p{L}_$][\p{L}\p{N}_$.<>?, ]*\.)?([\p{L}_$][\p{L}\p{N}_$]*)[^{}=;]*?\binline\s+[gs]et\b/gu;
const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

export function readDeclarations(text: string): Declarations {
  const copied = [ASSIGNED, INLINE, INLINE_ACCESSOR].flatMap((form) => [...text.matchAll(form)]);
  return { classes: declaredClasses(text), copied: new Set(copied.map(([, name = '']) => name)) };
}

/** The names of the classes that are declared as such. */
export function namedClasses(text: string): Set<string> {
  return new Set([...text.matchAll(DECLARED)].map(([, name = '']) => name));
}

/** See `Declarations.classes`. */
function declaredClasses(text: string): Set<string> {
  const classes = namedClasses(text);
  for (const { index, 0: head } of text.matchAll(ENUM)) {
    const from = index + head.length;
    const end = text.indexOf(';', from);
    for (const [name] of text.slice(from, end < 0 ? text.length : end).matchAll(IDENTIFIER))
      classes.add(name);
  }
  if (/\bcompanion\s+object\b/.test(text)) classes.add('Companion');
  return classes;
}

/** Which source a class was compiled from: by package and the `SourceFile` attribute, a name without folder. */
export function sourceKey(packageName: string, fileName: string): string {
  return `${packageName}/${fileName}`;
}

export function classSourceKey(info: { readonly name: string; readonly sourceFile: string | null }): string {
  const dot = info.name.lastIndexOf('.');
  return sourceKey(dot < 0 ? '' : info.name.slice(0, dot), info.sourceFile ?? '');
}
