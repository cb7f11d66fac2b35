/** What a misbehaviour is: a way in which a model or its provider goes wrong, as a function that can be tested against. */
import { contentHash } from '../../shared/hash.ts';
import type { BadReply } from '../reply.ts';
import type { FakeRequest } from '../request.ts';

/** What a misbehaviour may be told. */
export interface MisbehaviourOptions {
  /** Chooses the place and the wording. @default 0 */
  readonly seed?: number;
  /** What `leaksKey` writes out. @default a key that stands in the prompt, or else a made-up one */
  readonly secret?: string;
  /** Seconds that a limited client is told to wait. @default 7 */
  readonly retryAfterSeconds?: number;
}

/** The options with nothing left open but the secret. */
export interface ResolvedOptions {
  readonly seed: number;
  readonly secret: string | undefined;
  readonly retryAfterSeconds: number;
}

/** Turns a faithful text into a wrong reply. The same arguments always give the same reply. */
export type Spoil = (faithful: string, request: FakeRequest, options: ResolvedOptions) => BadReply;

/** One entry of the catalogue. */
export interface Misbehaviour {
  /** What it does, in one sentence. */
  readonly description: string;
  /** The incident or the class of failures that it stands for. */
  readonly standsFor: string;
  /** `text`: the answer is well formed and lies. `answer`: it is no summary. `transport`: it fails on the way. */
  readonly type: 'text' | 'answer' | 'transport';
  /** @see Spoil */
  reply(faithful: string, request: FakeRequest, options?: MisbehaviourOptions): BadReply;
}

/** The member of a list that a seed chooses; another purpose chooses independently. The list must not be empty. */
export function pick<T>(list: readonly [T, ...T[]], seed: number, purpose: string): T {
  const number = Number.parseInt(contentHash(`${purpose} ${seed}`).slice(0, 8), 16);
  return list[number % list.length] ?? list[0];
}

/** The same for a list that may be empty. */
export function pickAny<T>(list: readonly T[], seed: number, purpose: string): T | undefined {
  const [first, ...rest] = list;
  return first === undefined ? undefined : pick([first, ...rest], seed, purpose);
}

// Edits of a summary: where things stand in it, and putting others in their place.

/** A stretch of a text. */
export interface Atom {
  readonly at: number;
  readonly text: string;
}

/** All matches of a global expression within a line, but those in headings. */
export function findAtoms(text: string, pattern: RegExp): readonly Atom[] {
  let start = 0;
  return text.split('\n').flatMap((line) => {
    const from = start;
    start += line.length + 1;
    if (line.startsWith('#')) return [];
    return [...line.matchAll(pattern)].map((match) => ({ at: from + match.index, text: match[0] }));
  });
}

/** The text with another stretch in the place of one. */
export const replaceAt = (text: string, { at, text: old }: Atom, stretch: string): string =>
  text.slice(0, at) + stretch + text.slice(at + old.length);

/** The text with a line more below one of its lines, marked as an entry where its neighbour is one. */
export function insertLine(text: string, line: string, seed: number): string {
  const lines = text.split('\n');
  const places = lines.flatMap((one, at) => (one.trim() === '' || one.startsWith('#') ? [] : [at]));
  const at = pickAny(places, seed, 'place') ?? lines.length - 1;
  const mark = /^\s*[-*] /.exec(lines[at] ?? '')?.[0] ?? '';
  return lines.toSpliced(at + 1, 0, mark + line).join('\n');
}
