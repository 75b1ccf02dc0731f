import { plainPath, type Expr } from './ast.ts';

/** The readers answer `null` for everything whose value is not known from the text. */
export function textOf(value: Expr | undefined): string | null {
  return value?.kind === 'text' ? value.value : null;
}

export function intOf(value: Expr | undefined): number | null {
  if (value?.kind === 'number' && Number.isInteger(value.value)) return value.value;
  if (value?.kind === 'text' && /^\d{1,9}$/.test(value.value)) return Number(value.value);
  return null;
}

export function boolOf(value: Expr | undefined): boolean | null {
  return value?.kind === 'bool' ? value.value : null;
}

/** `JavaVersion.VERSION_1_8`, `JvmTarget.JVM_17`, `JavaLanguageVersion.of(21)`, `"11"`, `1.8`, `17` → the number. */
export function javaVersionOf(value: Expr | undefined): number | null {
  if (value === undefined) return null;
  if (value.kind === 'chain') {
    const [first, second, third] = value.links;
    if (first?.name === 'JavaLanguageVersion' && second?.name === 'of') return intOf(second.args?.[0]?.value);
    const last = third?.name === 'toString' ? value.links.slice(0, 2) : value.links;
    const path = plainPath(last) ?? '';
    const match = /^(?:JavaVersion\.VERSION|JvmTarget\.JVM|VERSION|JVM)_(?:1_)?(\d+)$/.exec(path);
    return match?.[1] === undefined ? null : Number(match[1]);
  }
  const text = value.kind === 'number' ? String(value.value) : textOf(value);
  const match = /^(?:1\.)?(\d+)$/.exec(text ?? '');
  return match?.[1] === undefined ? null : Number(match[1]);
}
