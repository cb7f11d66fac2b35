/** What of a message goes into the index. */

import { isJsonObject, type JsonValue, parseJson } from '../../shared/json.ts';
import type { Message, Part, ResultContent } from '../../transcript/message.ts';
import { usualForm } from './scan.ts';
import { type Stretch, walk } from './walk.ts';
import { termOfName, termsOfWord } from './word-terms.ts';

/** How much of one text is indexed, in characters; what stands behind is found by nothing. */
export const longestIndexed = 1_000_000;

export interface IndexedMessage {
  /** Distinct. */
  readonly terms: readonly string[];
  /** Characters of the texts that can be searched for. */
  readonly length: number;
}

/** The terms of a message: those that `scanTerms` finds in its texts. */
export function indexed(message: Message): IndexedMessage {
  const collection = newCollection();
  let length = 0;
  for (const { text } of searchFields(message)) {
    collect(text.slice(0, longestIndexed), collection);
    length += text.length;
  }
  return { terms: termsIn(collection), length };
}

function collect(text: string, collection: TermCollection): void {
  const take = (stretch: Stretch, termsOf: (stretch: Stretch) => readonly string[]): void =>
    takeTerms(stretch, collection, termsOf);
  const wordTerms = (stretch: Stretch): readonly string[] => {
    const terms: string[] = [];
    termsOfWord(textOf(stretch), stretch, (term) => terms.push(term));
    return terms;
  };
  walk(text, {
    word: (stretch) => take(stretch, wordTerms),
    name: ({ start, end }) => {
      const term = termOfName(text.slice(start, end));
      if (term !== '') collection.names.add(term);
    },
    character: (stretch) => take(stretch, itself),
    pair: (stretch) => take(stretch, itself),
    variants: ({ start, end }) => collect(usualForm(text, start, end) ?? '', collection),
  });
}

/** A text of its own: a slice would keep alive the whole text that it was cut from. */
const textOf = ({ codes, start, end }: Stretch): string => String.fromCharCode(...codes.subarray(start, end));

const itself = (stretch: Stretch): readonly string[] => [textOf(stretch)];

// Remembers words with their terms, and finds them by their code units: most words have been seen before, and then
// nothing need be cut out of the text, folded or stemmed.

/** Where a word stands. */
interface WordPlace {
  readonly codes: Uint16Array;
  readonly start: number;
  readonly end: number;
}

/** Distinct terms. */
interface TermCollection {
  /** No two collections have the same one. */
  readonly number: number;
  /** Those of words. */
  readonly terms: string[];
  /** Those of names, which are too many to be remembered. */
  readonly names: Set<string>;
  /** Which memory it began with. */
  readonly memories: number;
}

interface KnownTerm {
  readonly text: string;
  /** The collection that it was last taken into. */
  takenBy: number;
}

/** Places in the table of hashes, a power of two; when half of them are taken, everything is forgotten. */
const places = 131_072;
const mostWords = places / 2;
const mostUnits = mostWords * 16;

/** Parallel lists over the words; empty until the first one. */
interface Memory {
  /** For a hash, the number of the word that has it or one before it; 0 for none. */
  readonly slots: Int32Array;
  readonly hashes: Int32Array;
  /** Where the units of a word begin; they end where those of the next one begin. */
  readonly starts: Int32Array;
  readonly units: Uint16Array;
  /** The collection that a word was last taken into. */
  readonly takenBy: Int32Array;
  readonly termsOf: (readonly KnownTerm[])[];
  readonly terms: Map<string, KnownTerm>;
  /** Words known; the first one has the number 1. */
  count: number;
}

let memory: Memory | undefined;
let memories = 0;
let collections = 0;

/** An empty collection. */
function newCollection(): TermCollection {
  collections++;
  return { number: collections, terms: [], names: new Set(), memories };
}

/** All terms of a collection, each once. */
function termsIn({ number, terms, names, memories: began }: TermCollection): readonly string[] {
  // A new memory does not know what was taken before.
  if (began !== memories) return [...new Set([...terms, ...names])];
  const others = [...names].filter((name) => memory?.terms.get(name)?.takenBy !== number);
  return [...terms, ...others];
}

/** Takes the terms of a word into a collection; `termsOf` makes them when the word is seen for the first time. */
function takeTerms<P extends WordPlace>(
  place: P,
  collection: TermCollection,
  termsOf: (place: P) => readonly string[],
): void {
  memory ??= newMemory();
  const hash = hashOf(place);
  let at = hash & (places - 1);
  let word = memory.slots[at] ?? 0;
  while (word !== 0 && !(memory.hashes[word] === hash && isWord(memory, word, place))) {
    at = (at + 1) & (places - 1);
    word = memory.slots[at] ?? 0;
  }
  if (word === 0) {
    if (isFull(memory)) {
      memory = newMemory();
      memories++;
      takeTerms(place, collection, termsOf);
      return;
    }
    word = learn(memory, place, termsOf(place));
    memory.hashes[word] = hash;
    memory.slots[at] = word;
  }
  if (memory.takenBy[word] === collection.number) return;
  memory.takenBy[word] = collection.number;
  for (const term of memory.termsOf[word] ?? []) {
    if (term.takenBy === collection.number) continue;
    term.takenBy = collection.number;
    collection.terms.push(term.text);
  }
}

const newMemory = (): Memory => ({
  slots: new Int32Array(places),
  hashes: new Int32Array(mostWords + 1),
  starts: new Int32Array(mostWords + 2),
  units: new Uint16Array(mostUnits),
  takenBy: new Int32Array(mostWords + 1),
  termsOf: [[]],
  terms: new Map(),
  count: 0,
});

const longestRemembered = 128;

const isFull = ({ count, starts }: Memory): boolean =>
  count >= mostWords || (starts[count + 1] ?? 0) > mostUnits - longestRemembered;

/** The number of a new word. */
function learn(known: Memory, { codes, start, end }: WordPlace, terms: readonly string[]): number {
  known.count++;
  const word = known.count;
  const from = known.starts[word] ?? 0;
  known.units.set(codes.subarray(start, end), from);
  known.starts[word + 1] = from + end - start;
  known.termsOf.push(terms.map((term) => termOf(known, term)));
  return word;
}

/** The one object that stands for a term. */
function termOf({ terms }: Memory, text: string): KnownTerm {
  const known = terms.get(text);
  if (known) return known;
  const made: KnownTerm = { text, takenBy: 0 };
  terms.set(text, made);
  return made;
}

/** FNV-1a over the code units. */
function hashOf({ codes, start, end }: WordPlace): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (codes[at] ?? 0), 0x01000193);
  return hash ^ (hash >>> 15);
}

function isWord({ starts, units }: Memory, word: number, { codes, start, end }: WordPlace): boolean {
  const from = starts[word] ?? 0;
  if ((starts[word + 1] ?? 0) - from !== end - start) return false;
  for (let at = start, own = from; at < end; at++, own++) if (units[own] !== codes[at]) return false;
  return true;
}

// The texts of a message that can be searched for, and what they are in it.

/** Where in a message a text stands. */
type FieldName = 'said' | 'thought' | 'speaker' | 'tool' | 'arguments' | 'result' | 'attached';

export interface Field {
  readonly name: FieldName;
  readonly text: string;
}

/** The searchable texts of a message in their order: never base64, signatures or ids of a provider. */
export function searchFields(message: Message): readonly Field[] {
  const fields = message.parts.flatMap(fieldsOf);
  return message.name ? [{ name: 'speaker', text: message.name.normalize() }, ...fields] : fields;
}

function fieldsOf(part: Part): readonly Field[] {
  switch (part.type) {
    case 'text':
      return field('said', part.text);
    case 'reasoning':
      return field('thought', part.text);
    case 'toolCall':
      return [...field('tool', part.name), ...field('arguments', argumentText(part.input))];
    case 'toolResult':
      return [...field('tool', part.name ?? ''), ...part.content.flatMap(resultFields)];
    case 'image':
      return field('attached', addressOf(part.url));
    case 'file':
      return field('attached', [part.name, addressOf(part.url), part.text].filter(Boolean).join('\n'));
    case 'other':
      return [];
  }
}

function resultFields(content: ResultContent): readonly Field[] {
  if (content.type === 'text') return field('result', content.text);
  return content.type === 'other' ? field('result', stringsOf(content.value).join('\n')) : fieldsOf(content);
}

const field = (name: FieldName, text: string): readonly Field[] => (text ? [{ name, text: text.normalize() }] : []);

/** An address; inline bytes have none. */
const addressOf = (url: string | undefined): string => (url === undefined || url.startsWith('data:') ? '' : url);

/** The values of JSON arguments, one a line, without quotes and escapes; any other text as it is. */
function argumentText(input: string): string {
  const value = /^\s*[{[]/.test(input) ? parseJson(input) : undefined;
  return value === undefined ? input : stringsOf(value).join('\n');
}

/** Keys and values in their order; without recursion, because what tools send may be nested without end. */
function stringsOf(whole: JsonValue): readonly string[] {
  const found: string[] = [];
  const left: JsonValue[] = [whole];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') found.push(value);
    else if (typeof value === 'number') found.push(String(value));
    else if (Array.isArray(value)) pushReversed(left, value);
    else if (isJsonObject(value)) pushReversed(left, Object.entries(value).flat());
  }
  return found;
}

/** So that the first one is taken next. */
function pushReversed(left: JsonValue[], values: readonly JsonValue[]): void {
  for (let at = values.length - 1; at >= 0; at--) left.push(values[at] ?? null);
}
