/** What of a conversation a model reads to sum it up: records around the hits, as far as a window holds them. */

import { nowhere, refAt } from '../../compression/record.ts';
import { serialize } from '../../compression/summarize/serialize.ts';
import type { StoredMessage } from '../../store/message-store.ts';
import type { Message, ResultContent } from '../../transcript/message.ts';
import { redactedMessage } from '../../transcript/redact.ts';
import { readableText } from '../../transcript/text.ts';
import { type Lineage, lineageOf, type ReadableStore, readLineage } from '../read/lineage.ts';
import { type LineageNumbers, lineageNumbers } from '../read/numbers.ts';
import type { FoundGroup, FoundMessage } from './found-group.ts';

/** The records of a conversation around its hits. */
export interface Excerpt {
  /** Records one below the other; lines in brackets stand for what was left out. */
  readonly text: string;
  /** Where in the text each record begins, in order, and the message that it is of. */
  readonly starts: readonly RecordStart[];
}

export interface RecordStart {
  readonly at: number;
  /** Its number less one: the label is the ref that `expand` takes in that conversation. */
  readonly place: number;
  readonly stored: StoredMessage;
}

/** Hits of a conversation that its excerpt reaches out from. */
const mostHits = 8;
/** Messages that are read at once. */
const step = 60;
/** What a message is taken to add, whatever its length: records are cut, and have labels. */
const countedCharacters = { least: 30, most: 6_000 } as const;

/** Reads around the hits of a group, about a quarter of `characters` before each and the rest behind it. */
export async function excerptOf(store: ReadableStore, group: FoundGroup, characters: number): Promise<Excerpt> {
  const lineage = await lineageOf(store, group.tip.id);
  const read = new Map<number, StoredMessage>();
  for (const found of group.hits.slice(0, mostHits)) {
    const at = placeIn(lineage, found);
    if (at === undefined) continue;
    await readOn({ store, lineage, read }, { at, by: step, characters: characters * 0.75 });
    await readOn({ store, lineage, read }, { at: at - 1, by: -step, characters: characters * 0.25 });
  }
  const { placeOf } = await lineageNumbers(store, lineage);
  return written(read, { size: lineage.size, hits: group.hits, placeOf });
}

function placeIn({ sessions }: Lineage, { hit }: FoundMessage): number | undefined {
  const found = sessions.find(({ session }) => session.id === hit.sessionId);
  return found && found.start + Math.max(0, hit.position - found.opening);
}

interface KnownPlaces {
  readonly store: ReadableStore;
  readonly lineage: Lineage;
  /** By place in the lineage. */
  readonly read: Map<number, StoredMessage>;
}

/** Reads from a place on, in steps, until the texts have so many characters. */
async function readOn(
  { store, lineage, read }: KnownPlaces,
  { at, by, characters }: { readonly at: number; readonly by: number; readonly characters: number },
): Promise<void> {
  let left = characters;
  for (let from = at; left > 0 && from >= 0 && from < lineage.size; from += by) {
    const range = by > 0 ? { from, to: from + by } : { from: Math.max(0, from + by + 1), to: from + 1 };
    const places = Array.from({ length: Math.min(range.to, lineage.size) - range.from }, (_, i) => range.from + i);
    if (!places.every((place) => read.has(place))) {
      const messages = await readLineage(store, lineage, range);
      for (const [i, stored] of messages.entries()) read.set(range.from + i, stored);
    }
    for (const place of places) left -= counted(read.get(place));
  }
}

function counted(stored: StoredMessage | undefined): number {
  const { least, most } = countedCharacters;
  return stored ? Math.max(least, Math.min(most, readableText(stored.message).length)) : 0;
}

interface Found extends Pick<LineageNumbers, 'placeOf'> {
  /** Messages of the lineage. */
  readonly size: number;
  readonly hits: readonly FoundMessage[];
}

function written(read: ReadonlyMap<number, StoredMessage>, { size, hits, placeOf }: Found): Excerpt {
  const places = [...read.keys()].sort((a, b) => a - b);
  const passages = new Map(hits.map(({ stored, passage }) => [stored.id, passage.text]));
  const messages = places.flatMap((place) => read.get(place) ?? []);
  const shown = messages.map(({ id, message }, i) => ({
    ref: refAt(placeOf(places[i] ?? nowhere)),
    message: aroundPassage(redactedMessage(message), passages.get(id)),
  }));
  // Nobody counts the tokens of a window that is given in characters.
  const { records } = serialize(shown, () => 0);
  const starts: RecordStart[] = [];
  const pieces: string[] = [];
  let length = 0;
  const add = (piece: string): void => {
    pieces.push(piece);
    length += piece.length + between.length;
  };
  /** Messages before the one at an index that were not read. */
  const unread = (at: number): number => (places[at] ?? size) - at;
  let known = 0;
  for (const { at, text } of records) {
    if (unread(at) > known) add(leftOut(unread(at) - known));
    known = unread(at);
    const stored = messages[at];
    if (stored) starts.push({ at: length, place: placeOf(places[at] ?? nowhere), stored });
    add(text);
  }
  if (unread(places.length) > known) add(leftOut(unread(places.length) - known));
  return { text: pieces.join(between), starts };
}

/** What divides two records. */
const between = '\n\n';
const leftOut = (messages: number): string => `[… ${messages} ${messages === 1 ? 'message' : 'messages'} left out …]`;

/** Records are cut in their middle: of a text that is longer, what surrounds the passage is taken instead. */
const longest = 5_800;
const beforePassage = 1_500;

function aroundPassage(message: Message, passage: string | undefined): Message {
  if (passage === undefined) return message;
  const cut = (text: string): string => {
    const at = text.length > longest ? text.indexOf(passage) : -1;
    if (at < 0) return text;
    const from = Math.max(0, Math.min(at - beforePassage, text.length - longest));
    return `[… ${from} characters left out …]${text.slice(from, from + longest).toWellFormed()}[… the rest left out …]`;
  };
  const cutContent = (one: ResultContent): ResultContent =>
    one.type === 'text' ? { ...one, text: cut(one.text) } : one;
  const parts = message.parts.map((part) => {
    if (part.type === 'text') return { ...part, text: cut(part.text) };
    return part.type === 'toolResult' ? { ...part, content: part.content.map(cutContent) } : part;
  });
  return { ...message, parts };
}
