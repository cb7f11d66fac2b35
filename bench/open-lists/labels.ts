/**
 * Labels that stand on phrases of transcripts of others, which must not be copied: a set names the message, the place in it
 * and the beginning of the phrase's hash. The phrase itself is read from the transcript when it is needed, and a transcript
 * that is no longer the one that was labelled is refused.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JsonObject } from '@palimpsest/core/engine';
import { isJsonObject, type JsonValue } from '../../packages/core/src/shared/json.ts';

/** A matter that a reader of the transcript labelled. */
export interface Label {
  readonly type: 'open' | 'settled' | 'doubtful';
  /** How it is open; empty for what is not. */
  readonly kind: string;
  readonly words: readonly string[];
  /** Index of the message that it rests on. */
  readonly at: number;
}

/** A label as a set keeps it: references in place of words. */
export interface QuotingLabel extends Omit<Label, 'words'> {
  readonly references: readonly string[];
}

/** A transcript up to a cut, and what is open there. */
export interface Cut {
  readonly file: string;
  /** The stretch between two real compactions, from 0. */
  readonly segment: number;
  /** How many messages of the stretch come before the cut. */
  readonly messages: number;
  readonly labels: readonly QuotingLabel[];
}

/** Where transcripts are, and the kit that reads them. */
export interface Sources {
  readonly data: string;
  readonly kit: string;
}

/** Why the labels cannot be read here, for a person; undefined when they can. */
export function missingForLabels({ data, kit }: Sources): string | undefined {
  const isThere = existsSync(join(data, 'transcripts')) && existsSync(readerIn(kit));
  return isThere ? undefined : 'the labelled transcripts or their kit are not there; name them with --data and --kit';
}

/** A line of a set; checked no further than it is used. */
export function cutFrom(line: string): Cut {
  // JSON.parse returns what JSON can carry and nothing else.
  const value = JSON.parse(line) as JsonValue;
  if (!isJsonObject(value)) throw new Error('expected an object a line');
  const labelsOf = (type: Label['type']): readonly QuotingLabel[] =>
    list(value[type])
      .filter(isJsonObject)
      .map((one) => ({ type, kind: text(one.kind), references: list(one.words).map(text), at: Number(one.at) }));
  const labels = [...labelsOf('open'), ...labelsOf('settled'), ...labelsOf('doubtful')];
  return { file: text(value.file), segment: Number(value.segment), messages: Number(value.messages), labels };
}

/** The messages before a cut, in the chat format. */
export async function messagesBefore({ file, segment, messages }: Cut, { data, kit }: Sources): Promise<JsonObject[]> {
  // The kit has no types; this is what its reader promises.
  const { loadTranscripts } = (await import(pathToFileURL(readerIn(kit)).href)) as Kit;
  const [first] = loadTranscripts(join(data, 'transcripts', file));
  return (first?.segments[segment]?.messages ?? []).slice(0, messages);
}

/** The labels of a cut with the words that they refer to. Throws when these words are not where they were. */
export function quoted({ file, segment, labels }: Cut, messages: readonly JsonObject[]): readonly Label[] {
  return labels.map(({ references, ...label }) => ({
    ...label,
    words: references.map((reference) => {
      const words = phraseAt(reference, messages[label.at]);
      if (words !== undefined) return words;
      throw new Error(
        `${file}, segment ${segment}, message ${label.at}: ${reference} is not what was labelled; ` +
          'the transcript or its reader has changed, so take those that were labelled, or label it again',
      );
    }),
  }));
}

/** `content:120+11#…`, or `call0:12+5#…` for the name and arguments of a call: start, length, 12 digits of SHA-256. */
export const referenceForm: RegExp = /^(?:content|call(\d+)):(\d+)\+(\d+)#([0-9a-f]{12})$/;

/** The phrase that a reference names in a message; undefined where another text stands there, or none. */
export function phraseAt(reference: string, message: JsonObject | undefined): string | undefined {
  const [, call, start, length, hash] = referenceForm.exec(reference) ?? [];
  const source = call === undefined ? text(message?.content) : callText(list(message?.tool_calls)[Number(call)]);
  const phrase = source.slice(Number(start), Number(start) + Number(length));
  return createHash('sha256').update(phrase).digest('hex').slice(0, 12) === hash ? phrase : undefined;
}

/** The name of a call, and its arguments in the line below. */
function callText(call: JsonValue | undefined): string {
  const named = isJsonObject(call) ? call.function : undefined;
  return isJsonObject(named) ? `${text(named.name)}\n${text(named.arguments)}` : '';
}

interface Kit {
  readonly loadTranscripts: (file: string) => { segments: { messages: JsonObject[] }[] }[];
}

const readerIn = (kit: string): string => join(kit, 'lib/transcripts.mjs');
const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const list = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
