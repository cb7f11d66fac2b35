import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { expand, indexesOf, refOf } from '../../packages/core/src/recall/refs.ts';
import { PalimpsestError } from '../../packages/core/src/shared/errors.ts';
import type { Message } from '../../packages/core/src/transcript/message.ts';

const messages: readonly Message[] = Array.from({ length: 50 }, (_, at) => ({
  role: at % 2 === 0 ? 'user' : 'assistant',
  parts: [{ type: 'text', text: `message ${at + 1}` }],
}));

const isError =
  (code: string, ...words: readonly string[]) =>
  (error: unknown): boolean => {
    assert.ok(PalimpsestError.isInstance(error));
    assert.equal(error.code, code);
    for (const word of words) assert.ok(error.message.includes(word), `${error.message} names ${word}`);
    return true;
  };

describe('A6: expand', () => {
  it('gives the very message that was read', () => {
    const [found] = expand(messages, 'm42');
    assert.equal(found?.message, messages[41]);
    assert.deepEqual({ ref: found?.ref, at: found?.at }, { ref: 'm42', at: 41 });
  });

  it('takes ranges, lists, brackets and numbers alone, in any spelling', () => {
    const ways = ['m40-m43', 'm40-43', 'm40 - m43', 'm40–m43', 'm40..m43', 'm43-m40', 'm40,m41 m42;43', '[m40-m43]'];
    for (const way of ways) {
      assert.deepEqual(
        expand(messages, way).map(({ ref }) => ref),
        ['m40', 'm41', 'm42', 'm43'],
        way,
      );
    }
  });

  it('keeps the order asked for and gives each message once', () => {
    const refs = expand(messages, 'm7, m3-m5, m4').map(({ ref }) => ref);
    assert.deepEqual(refs, ['m7', 'm3', 'm4', 'm5']);
  });

  it('names the valid range and the nearest message for one that does not exist', () => {
    assert.throws(() => expand(messages, 'm51'), isError('ID_UNKNOWN', 'm51', 'm1 to m50', 'the nearest is m50'));
    assert.throws(() => expand(messages, 'm0'), isError('ID_UNKNOWN', 'm0', 'the nearest is m1'));
    assert.throws(() => expand(messages, 'm48-m60'), isError('ID_UNKNOWN', 'm60'));
    assert.throws(() => expand([], 'm1'), isError('ID_UNKNOWN', 'has no messages'));
  });

  it('says what a ref looks like when the text is none', () => {
    for (const text of ['', '  ', 'x42', 'm', 'm1-m2-m3', 'm1.5', 'm-1', 'everything']) {
      assert.throws(() => expand(messages, text), isError('BAD_OPTION', 'such as m42', 'm1 to m50'), text);
    }
  });

  it('refuses a range that no person means instead of filling the memory', () => {
    assert.throws(() => indexesOf('m1-m999999', 1_000_000), isError('BAD_OPTION'));
  });

  it('finds every message by the ref that names it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.nat(), (count, seed) => {
        const at = seed % count;
        assert.deepEqual(indexesOf(refOf(at), count), [at]);
      }),
    );
  });
});
