import { z } from 'zod';
import { ok, type Result } from '../shared/outcome.ts';
import { parseExpression, type ExpressionStep } from './expressions.ts';
import type { InspectorConnection } from './inspector-connection.ts';
import type { InspectedValue, InspectRequest } from './types.ts';

const TIMEOUT_MS = 6_000;

const schema = z.object({
  values: z.array(
    z.union([
      z.object({ value: z.json(), type: z.string() }),
      z.object({ error: z.string(), missing: z.boolean() }),
    ]),
  ),
});

/**
 * What is read of a view when nobody says what: those that the view does not have are left out. Sizes are px, colours
 * ARGB numbers.
 */
const STANDARD: readonly string[] = [
  'text',
  'hint',
  'contentDescription',
  'isShown',
  'isEnabled',
  'isClickable',
  'isSelected',
  'isChecked',
  'width',
  'height',
  'paddingLeft',
  'paddingTop',
  'paddingRight',
  'paddingBottom',
  'alpha',
  'elevation',
  'rotation',
  'background',
  'textSize',
  'currentTextColor',
  'typeface.style',
  'lineCount',
  'gravity',
  'inputType',
  'drawable',
  'childCount',
];

/** Reads expressions inside the app; one that fails has its own `error`, the others their values. */
export async function inspectInside(
  inspector: InspectorConnection,
  { ref, expressions, allowAppGetters }: InspectRequest,
  signal: AbortSignal,
): Promise<Result<readonly InspectedValue[]>> {
  const parsed = (expressions ?? STANDARD).map((expression) => ({
    expression,
    steps: parseExpression(expression),
  }));
  const chains: (readonly ExpressionStep[])[] = [];
  for (const { steps } of parsed) if (steps.ok) chains.push(steps.value);
  const params = { ref: Number(ref.slice(1)), expressions: chains, allowAppGetters };
  const read = await inspector.request('inspect', params, schema, { timeoutMs: TIMEOUT_MS, signal });
  if (!read.ok) return read;
  const answers = read.value.values.values();
  const values: InspectedValue[] = [];
  for (const { expression, steps } of parsed) {
    const answer = steps.ok ? answers.next().value : { error: `it ${steps.fault.message}`, missing: false };
    if (answer && 'value' in answer) values.push({ expression, ...answer });
    else if (expressions !== null || !answer?.missing) {
      const error = answer?.error ?? 'the inspector did not answer';
      values.push({ expression, value: null, type: 'error', error });
    }
  }
  return ok(values);
}
