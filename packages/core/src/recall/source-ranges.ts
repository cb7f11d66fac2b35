/** Cuts the bytes of some messages out of the file they were read from, while it streams by. */
import { PalimpsestError } from '../shared/errors.ts';
import type { Message, SourceSpan } from '../transcript/message.ts';

/** The spans of some messages, in their order; a record that became several messages is there once. */
export function spansOf(messages: readonly Message[]): readonly SourceSpan[] {
  const byStart = new Map<number, SourceSpan>();
  for (const message of messages) for (const span of message.source ?? []) byStart.set(span.start, span);
  return [...byStart.values()];
}

/**
 * The exact bytes of each span, in the order of the spans. `source` is the file that they were counted in,
 * uncompressed; it is read no further than needed. Throws `FILE_UNREADABLE` when it ends before the last span: then
 * it is not the same file any more.
 */
export async function sourceRanges(
  source: AsyncIterable<Uint8Array>,
  spans: readonly SourceSpan[],
): Promise<readonly Uint8Array[]> {
  const ranges = spans.map((span) => ({ ...span, bytes: new Uint8Array(span.end - span.start) }));
  const waiting = [...ranges].sort((a, b) => a.start - b.start);
  const end = spans.reduce((last, span) => Math.max(last, span.end), 0);
  let next = 0;
  let offset = 0;
  for await (const chunk of source) {
    const chunkEnd = offset + chunk.length;
    for (let at = next; at < waiting.length; at++) {
      const range = waiting[at];
      if (!range || range.start >= chunkEnd) break;
      const from = Math.max(range.start, offset);
      const to = Math.min(range.end, chunkEnd);
      if (from < to) range.bytes.set(chunk.subarray(from - offset, to - offset), from - range.start);
      if (at === next && range.end <= chunkEnd) next++;
    }
    offset = chunkEnd;
    if (offset >= end) break;
  }
  if (offset >= end) return ranges.map((range) => range.bytes);
  const message = `the file ends at byte ${offset}, but the message ends at byte ${end}: the file changed since it was read`;
  throw new PalimpsestError('FILE_UNREADABLE', message, { evidence: { offset, end } });
}
