/** What the text of a source tells of how its face to others follows that of what it uses. */
export interface SourceFace {
  /** Whether a type that others see is left for the Kotlin compiler to find, or code that is copied into its users. */
  readonly followsTypes: boolean;
  /** Identifiers of which its constants and the arguments of its annotations are made; rather too many. */
  readonly madeOf: ReadonlySet<string>;
}

export const NO_FACE: SourceFace = { followsTypes: false, madeOf: new Set() };

const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const COMMENTS = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
/** With what is in braces in them, which is code. */
const STRINGS = /"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;
const ANNOTATION_ARGUMENTS = /@[\p{L}_$][\p{L}\p{N}_$.:]*\s*\(([^)]*)\)/gu;
const KOTLIN_CONSTANT = /\bconst\s+val\b[^=\n]*=\s*((?:[^\n]*[-+*/(,.]\s*\n)*[^\n]*(?:\n\s*[+.][^\n]*)*)/g;
const JAVA_CONSTANT = /\bfinal\b[^;={}()]*=([^;]*);/g;
/** Fields of interfaces are constants without saying so. */
const JAVA_INTERFACE_FIELD = /[\p{L}\p{N}_$>\]]\s*=(?!=)([^;{}]*);/gu;

export function readSourceFace(file: string, text: string): SourceFace {
  const code = text.replace(COMMENTS, ' ');
  const isKotlin = file.endsWith('.kt');
  const parts = [...code.matchAll(ANNOTATION_ARGUMENTS)];
  if (isKotlin) parts.push(...code.matchAll(KOTLIN_CONSTANT));
  else {
    parts.push(...code.matchAll(JAVA_CONSTANT));
    if (/\binterface\b/.test(code)) parts.push(...code.matchAll(JAVA_INTERFACE_FIELD));
  }
  const madeOf = new Set(parts.flatMap(([, part = '']) => part.match(IDENTIFIER) ?? []));
  return { followsTypes: isKotlin && (/\binline\b/.test(code) || infersTypes(code)), madeOf };
}

const MEMBER = /\b(?:fun|va[lr])\b/;
const CLASS_HEAD = /\b(?:class|interface|object)\b/;

/**
 * Whether a function or property that others see has no stated type. Looks at declarations at the top and in classes: text
 * between braces whose head is none of a class is passed over.
 */
function infersTypes(code: string): boolean {
  const text = code.replace(STRINGS, '""');
  // One entry for each open brace: whether it is the body of a class.
  const open: boolean[] = [];
  let statement = '';
  let parens = 0;
  const ends = (): boolean => {
    const found = leavesType(statement);
    statement = '';
    return found;
  };
  for (const char of text) {
    if (open.at(-1) === false && char !== '{' && char !== '}') continue;
    if (char === '{') {
      const isClass =
        open.at(-1) !== false &&
        parens === 0 &&
        CLASS_HEAD.test(statement) &&
        !withoutParameters(statement).includes('=');
      if (open.at(-1) !== false && leavesType(statement)) return true;
      if (isClass) statement = '';
      open.push(isClass);
    } else if (char === '}') {
      if (open.pop() === true && ends()) return true;
    } else if (char === '\n' || char === ';') {
      // A declaration goes on in the next line when its head is not complete.
      if (parens === 0 && !/[=:,(]\s*$/.test(statement) && ends()) return true;
    } else {
      if (char === '(') parens += 1;
      if (char === ')') parens -= 1;
      statement += char;
    }
  }
  return ends();
}

/** `fun f(x: Int) = 5`, `val x = 5`, `val x by lazy {`, `val x get() = 5`; not private ones. */
function leavesType(statement: string): boolean {
  if (!MEMBER.test(statement) || /\bprivate\b/.test(statement)) return false;
  const fun = /\bfun\b/.exec(statement);
  if (fun) return /\)\s*=/.test(withoutParameters(statement.slice(fun.index)));
  return /\bva[lr]\s+(?:<[^>]*>\s*)?[\p{L}\p{N}_$.`]+\s*(?:=|\bby\b|\bget\b|$)/u.test(statement);
}

/** `fun <T> f(a: (Int) -> Int = { 3 }) = 5` → `fun <T> f() = 5`. */
function withoutParameters(text: string): string {
  let depth = 0;
  let kept = '';
  for (const char of text) {
    if (char === ')') depth -= 1;
    if (depth === 0) kept += char;
    if (char === '(') depth += 1;
  }
  return kept;
}
