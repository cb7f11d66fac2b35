/** Where in a message the terms of a query stand. */
import type { StoredMessage } from '../../store/message-store.ts';
import { type Field, searchFields } from '../../store/terms/fields.ts';
import { type ScannedTerms, scanTerms, termKinds } from '../../store/terms/scan.ts';
import type { Message } from '../../transcript/message.ts';

/** One place where a term stands. */
export interface Occurrence {
  /** The place of the term in the list of wanted ones. */
  readonly term: number;
  /** The place of its field in the message. */
  readonly field: number;
  readonly start: number;
  readonly end: number;
  /** How many words or pairs of the message stand before it. */
  readonly ordinal: number;
}

/** A message as the scores see it. */
export interface Reading {
  readonly fields: readonly Field[];
  readonly occurrences: readonly Occurrence[];
  /** Words, and pairs of scripts without spaces. */
  readonly words: number;
}

/** Longer texts are read up to here: what is scored must not take longer than what is found. */
const longestRead = 200_000;

interface ScannedMessage {
  readonly fields: readonly Field[];
  readonly scans: readonly ScannedTerms[];
}

/** Messages that were scanned before: they never change, and the next search often finds the same ones. */
export interface ScanMemory {
  readonly known: Map<string, ScannedMessage>;
  terms: number;
}

/** So many terms are remembered, some 20 MB. */
const mostRemembered = 600_000;

const memories = new WeakMap<object, ScanMemory>();

/** The memory of a store: as long as the store lives, and no longer. */
export function scanMemory(store: object): ScanMemory {
  const memory = memories.get(store) ?? { known: new Map(), terms: 0 };
  memories.set(store, memory);
  return memory;
}

/** Reads a message for some terms. */
export function readFor(stored: StoredMessage, wanted: ReadonlyMap<string, number>, memory: ScanMemory): Reading {
  const { fields, scans } = scanned(stored, memory);
  const occurrences: Occurrence[] = [];
  let words = 0;
  scans.forEach(({ terms, kinds, starts, ends }, field) => {
    const isText = fields[field]?.name !== 'speaker';
    for (let i = 0; i < terms.length; i++) {
      const kind = kinds[i];
      if (isText && (kind === termKinds.word || kind === termKinds.pair)) words++;
      const term = wanted.get(terms[i] ?? '');
      if (term !== undefined)
        occurrences.push({ term, field, start: starts[i] ?? 0, end: ends[i] ?? 0, ordinal: words });
    }
  });
  return { fields, occurrences, words };
}

function scanned({ id, message }: StoredMessage, memory: ScanMemory): ScannedMessage {
  const known = memory.known.get(id);
  if (known) return known;
  const made = scan(message);
  const size = made.scans.reduce((sum, { terms }) => sum + terms.length, 0);
  if (memory.terms + size > mostRemembered) {
    memory.known.clear();
    memory.terms = 0;
  }
  memory.known.set(id, made);
  memory.terms += size;
  return made;
}

function scan(message: Message): ScannedMessage {
  const fields = searchFields(message);
  return { fields, scans: fields.map(({ text }) => scanTerms(text.slice(0, longestRead))) };
}
