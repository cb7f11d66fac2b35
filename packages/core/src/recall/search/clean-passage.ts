/** Passages without credentials: also where the edge of a passage would cut one in two, so that nobody recognised it. */

import { redactPiece } from '../../redaction/redact.ts';
import { type Field, searchFields } from '../../store/terms/fields.ts';
import type { Message, Part } from '../../transcript/message.ts';
import { longestMaskedWhole, redactedPart } from '../../transcript/redact.ts';
import type { Passage } from './passage.ts';

/** The passage as it is where its part holds no credential, else the one in its place in the masked part. */
export function cleanPassage(passage: Passage, message: Message): Passage {
  for (const part of message.parts.flatMap(pieces)) {
    const fields = fieldsOf(part);
    const field = fields.findIndex(({ text }) => text.includes(passage.text));
    const original = fields[field]?.text;
    if (original === undefined) continue;
    const near = original.indexOf(passage.text);
    if (part.type === 'text' && original.length > longestMaskedWhole) return cleanStretch(passage, original, near);
    const text = fieldsOf(redactedPart(part))[field]?.text ?? '';
    if (original === text) return passage;
    // A mask may be longer than what it stands for.
    const length = passage.text.length + Math.max(0, text.length - original.length);
    return passageIn(text, passage, { length, near });
  }
  return passage;
}

const fieldsOf = (part: Part): readonly Field[] => searchFields({ role: 'user', parts: [part] });

/** The contents of a result are masked one by one. */
const pieces = (part: Part): readonly Part[] =>
  part.type === 'toolResult' ? [{ ...part, content: [] }, ...part.content] : [part];

/** Of a long text only what surrounds the passage is masked. */
function cleanStretch(passage: Passage, original: string, near: number): Passage {
  const { text } = redactPiece(original, { start: near, end: near + passage.text.length });
  if (text === passage.text) return passage;
  const stretch = {
    start: Math.max(0, near - beside),
    end: Math.min(original.length, near + passage.text.length + beside),
  };
  const clean = redactPiece(original, stretch);
  const length = passage.text.length + Math.max(0, clean.text.length - (clean.end - clean.start));
  const cut = passageIn(clean.text, passage, { length, near: near - clean.start });
  return {
    ...cut,
    cutBefore: cut.cutBefore || clean.start > 0,
    cutAfter: cut.cutAfter || clean.end < original.length,
  };
}

/** Characters on each side of a passage in which its words are looked for again. */
const beside = 2_000;

/** A passage about the same words in a text that is a little different; `near` is where the old one stood. */
function passageIn(
  text: string,
  { text: old, marks }: Passage,
  { length, near }: { readonly length: number; readonly near: number },
): Passage {
  const words = [...new Set(marks.map(([start, end]) => old.slice(start, end)))];
  const offset = marks[0]?.[0] ?? 0;
  const found = words.flatMap((word) => placesOf(word, text));
  const distance = ([at]: Place): number => Math.abs(at - near - offset);
  const closest = found.toSorted((a, b) => distance(a) - distance(b))[0]?.[0] ?? near + offset;
  const start = Math.max(0, Math.min(closest - offset, text.length - length));
  const end = Math.min(text.length, start + length);
  const inside = found.filter((place) => place[0] >= start && place[1] <= end);
  return {
    text: text.slice(start, end).toWellFormed(),
    marks: apart(inside).map(([from, to]) => [from - start, to - start]),
    cutBefore: start > 0,
    cutAfter: end < text.length,
  };
}

type Place = readonly [start: number, end: number];

function placesOf(word: string, text: string): readonly Place[] {
  const places: Place[] = [];
  if (word === '') return places;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length))
    places.push([at, at + word.length]);
  return places;
}

/** In order, without those that overlap the one before. */
function apart(places: readonly Place[]): readonly Place[] {
  const kept: Place[] = [];
  for (const place of places.toSorted((a, b) => a[0] - b[0])) if (place[0] >= (kept.at(-1)?.[1] ?? 0)) kept.push(place);
  return kept;
}

/** The text with its matches as `>>>match<<<`, and `…` where it was cut. */
export function markedText({ text, marks, cutBefore, cutAfter }: Passage): string {
  const pieces: string[] = [];
  let from = 0;
  for (const [start, end] of marks) {
    pieces.push(text.slice(from, start), '>>>', text.slice(start, end), '<<<');
    from = end;
  }
  return `${cutBefore ? '…' : ''}${pieces.join('')}${text.slice(from)}${cutAfter ? '…' : ''}`;
}
