import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ENVELOPE_LIMIT, limitEnvelope, type Envelope } from '../../src/actions/envelope.ts';

const ok: Envelope = { status: 'OK', message: 'm', data: {}, artifacts: [], errorCode: null };
const save = async (): Promise<{ type: 'json'; path: string }> => ({ type: 'json', path: '/tmp/all.json' });

describe('an envelope', () => {
  test('that fits is left as it is', async () => {
    expect(await limitEnvelope(ok, save)).toEqual(ok);
  });

  test('that is too long is cut at its longest lists, says so, and the whole is in a file', async () => {
    const files = Array.from({ length: 5000 }, (_, index) => `src/File${index}.kt`);
    const cut = await limitEnvelope({ ...ok, data: { files, jobId: 'j1' } }, save);
    expect(JSON.stringify(cut).length).toBeLessThanOrEqual(ENVELOPE_LIMIT);
    expect(cut.data).toMatchObject({ jobId: 'j1', truncated: true, counts: { files: 5000 } });
    expect(cut.artifacts).toEqual([{ type: 'json', path: '/tmp/all.json' }]);
  });

  test('always gets under the limit and stays well-formed', async () => {
    const anything = fc.dictionary(
      fc.string({ minLength: 1, maxLength: 20 }),
      fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 30_000 }),
        fc.array(fc.string({ maxLength: 300 }), { maxLength: 300 }),
        fc.jsonValue(),
      ),
      { maxKeys: 8 },
    );
    await fc.assert(
      fc.asyncProperty(anything, fc.string({ maxLength: 4000 }), async (data, message) => {
        const text = JSON.stringify(await limitEnvelope({ ...ok, data, message }, save));
        expect(text.length).toBeLessThanOrEqual(ENVELOPE_LIMIT);
        expect(text).not.toMatch(/\p{Surrogate}/u);
      }),
      { numRuns: 50 },
    );
  });
});
