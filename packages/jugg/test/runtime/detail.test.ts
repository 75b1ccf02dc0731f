import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Detail } from '../../src/runtime/detail.ts';

describe('the detail of a job', () => {
  test('is the whole text while that is short', () => {
    const detail = new Detail();
    detail.add('one\n');
    detail.add('two\n');
    expect(detail.fields()).toEqual({ detail: 'one\ntwo\n', detailLength: 8, detailTruncated: false });
  });

  test('keeps head and tail, whole characters, and the true length', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 3000 }), { maxLength: 12 }), (parts) => {
        const detail = new Detail();
        for (const part of parts) detail.add(part);
        const whole = parts.join('');
        const { detail: kept, detailLength, detailTruncated } = detail.fields();
        expect(detailLength).toBe(Buffer.byteLength(whole));
        expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(8192);
        if (!detailTruncated) {
          expect(kept).toBe(whole);
          return;
        }
        expect(kept).not.toMatch(/\p{Surrogate}/u);
        expect(Buffer.byteLength(kept)).toBeGreaterThan(8192 - 8);
      }),
      { numRuns: 60 },
    );
  });
});
