import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sourceRanges, spansOf } from '../../packages/core/src/recall/refs.ts';
import type { Message, SourceSpan } from '../../packages/core/src/transcript/message.ts';

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const span = (start: number, end: number): SourceSpan => ({ start, end, line: 1 });

describe('A6: bytes of the source', () => {
  it('cuts the same bytes whatever the chunks of the stream and the order of the spans', async () => {
    const spans = fc.array(fc.tuple(fc.nat(299), fc.nat(60)), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 300, maxLength: 300 }),
        spans,
        fc.integer({ min: 1, max: 310 }),
        check,
      ),
    );
    async function check(
      bytes: Uint8Array,
      pairs: readonly (readonly [number, number])[],
      size: number,
    ): Promise<void> {
      const wanted = pairs.map(([start, length]) => span(start, Math.min(300, start + length)));
      const ranges = await sourceRanges(inChunks(bytes, size), wanted);
      assert.deepEqual(
        ranges.map((range) => [...range]),
        wanted.map(({ start, end }) => [...bytes.subarray(start, end)]),
      );
    }
  });

  it('says that the file changed when it ends before a message does', async () => {
    const cut = sourceRanges(inChunks(new Uint8Array(10), 4), [span(8, 12)]);
    await assert.rejects(cut, { code: 'FILE_UNREADABLE', message: /ends at byte 10.*byte 12.*changed/ });
  });

  it('reads no further than the last span', async () => {
    let chunks = 0;
    async function* counting(): AsyncGenerator<Uint8Array> {
      for (; chunks < 100; ) {
        chunks++;
        yield new Uint8Array(10);
      }
    }
    await sourceRanges(counting(), [span(3, 15)]);
    assert.equal(chunks, 2);
  });

  it('takes a record that became several messages once, and all records of one message', () => {
    const message = (...source: SourceSpan[]): Message => ({ role: 'tool', parts: [], source });
    const spans = spansOf([message(span(0, 5)), message(span(0, 5)), message(span(9, 12), span(20, 30))]);
    assert.deepEqual(spans, [span(0, 5), span(9, 12), span(20, 30)]);
  });
});
