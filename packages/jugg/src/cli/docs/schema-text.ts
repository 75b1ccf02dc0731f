/** JSON Schema as a person reads it: TypeScript's words for types, values and limits as they are. */

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? `${value}`
    : '';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** More values than this are not written out; the JSON Schema has them all. */
const MOST_VALUES = 8;

/** The type of a value, nested objects and all: `{ serial: string, pid?: integer }[]`. */
export function typeText(schema: unknown): string {
  const { type, enum: values, const: only, anyOf, items, prefixItems, properties } = objectOf(schema);
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(values) && values.length > MOST_VALUES)
    return `${textOf(type)} (${values.length} values)`;
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(anyOf)) return anyOf.map(typeText).join(' | ');
  if (Array.isArray(type)) return type.map(textOf).join(' | ');
  if (Array.isArray(prefixItems)) return `[${prefixItems.map(typeText).join(', ')}]`;
  if (type === 'array') {
    const of = typeText(items);
    return / \| /.test(of) && !of.startsWith('{') ? `(${of})[]` : `${of}[]`;
  }
  if (type === 'object' && properties !== undefined) return `{ ${fieldsText(schema)} }`;
  if (type === 'object') {
    const { additionalProperties } = objectOf(schema);
    return typeof additionalProperties === 'object'
      ? `{ [name]: ${typeText(additionalProperties)} }`
      : 'object';
  }
  return textOf(type) || 'any';
}

function fieldsText(schema: unknown): string {
  return fieldsOf(schema)
    .map(({ name, required, schema: field }) => `${name}${required ? '' : '?'}: ${typeText(field)}`)
    .join(', ');
}

export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly schema: unknown;
}

/** The fields of an object schema, in its order. */
export function fieldsOf(schema: unknown): readonly Field[] {
  const { properties, required } = objectOf(schema);
  return Object.entries(objectOf(properties)).map(([name, field]) => ({
    name,
    required: listOf(required).includes(name) && objectOf(field)['default'] === undefined,
    schema: field,
  }));
}

/** ` 1..100 [10]`: limits and default of an argument. */
export function limitsText(schema: unknown): string {
  const { minimum, maximum: most, default: fallback } = objectOf(schema);
  // What zod writes for "any whole number".
  const maximum = most === Number.MAX_SAFE_INTEGER ? undefined : most;
  const range =
    minimum === undefined && maximum === undefined ? '' : ` ${textOf(minimum)}..${textOf(maximum)}`;
  return `${range}${fallback === undefined ? '' : ` [${JSON.stringify(fallback)}]`}`;
}

/** A cell of a Markdown table. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
