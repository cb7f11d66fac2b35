/** The port that every transcript format implements: one file in `formats/` each. */
import type { JsonValue } from '../shared/json.ts';
import type { FormatName, SourceSpan, Transcript } from './message.ts';

/**
 * One record of a file: a line of a JSONL file, one element of the message list of a JSON document, or (last) the
 * document itself with its message list emptied.
 */
export interface SourceRecord {
  readonly type: 'line' | 'element' | 'envelope';
  readonly value: JsonValue;
  readonly span: SourceSpan;
  /** Which conversation of a document with several the element belongs to, from 0. */
  readonly conversation: number;
  /** The key of the list that the element stood in, such as `messages`; absent for a bare list and for lines. */
  readonly list?: string;
}

/** Something a reader noticed: nothing is skipped without one. */
export interface ReadFinding {
  readonly level: 'skipped' | 'repaired' | 'note';
  /** Line in the file, from 1; 0 when it concerns the whole file. */
  readonly line: number;
  /** What was expected, what came. */
  readonly message: string;
}

/** Collects records in file order and gives the transcripts at the end. */
export interface FormatReader {
  /** Takes the next record. Never throws on bad content: it reports a finding and goes on. */
  add(record: SourceRecord): void;
  /** The conversations, the main one first. */
  end(): readonly Transcript[];
}

export interface Format {
  readonly name: FormatName;
  /** One line for help texts: what writes this format. */
  readonly title: string;
  /**
   * How sure the first records make us, from 0 (not ours) to 1. `records` are up to 50 records from the start of the
   * file; a JSON document shows its elements and, if it was short enough to be read whole, its envelope.
   */
  detect(records: readonly SourceRecord[]): number;
  reader(report: (finding: ReadFinding) => void): FormatReader;
  /** The text of a file that holds the transcript, in pieces; absent where writing makes no sense. */
  write?(transcript: Transcript): Iterable<string>;
}

// Under which keys the formats keep their messages.

const listKeys: ReadonlySet<string> = new Set([
  'messages',
  'traj',
  'conversations',
  'conversation',
  'history',
  'input',
  'output',
  'items',
  'contents',
  'candidates',
]);

/** These also occur inside a single message, such as the `output` of a function call. */
const ambiguousKeys: ReadonlySet<string> = new Set([
  'conversation',
  'input',
  'output',
  'items',
  'contents',
  'candidates',
]);

const messageKeys: ReadonlySet<string> = new Set(['role', 'call_id', 'type']);

/** True for a key that only a message or an item has, never the object around a list of them. */
export const isMessageKey = (key: string): boolean => messageKeys.has(key);

/** True when a list under the key is a list of messages; `isMessage` says that its object looks like a message. */
export const isListKey = (key: string, isMessage: boolean): boolean =>
  listKeys.has(key) && !(isMessage && ambiguousKeys.has(key));
