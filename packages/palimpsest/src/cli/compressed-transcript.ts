/** The conversation that is written after a compression: new messages, and of the log's other records what still counts. */
import type { CompressionResult, Message, Transcript } from '@palimpsest/core';
import type { JsonObject, JsonValue } from '@palimpsest/core/engine';
import { originOf } from '@palimpsest/core/formats';
import { isJsonObject } from '@palimpsest/core/settings';

export interface CompressedTranscript {
  readonly transcript: Transcript;
  /** Records of the compressed stretch that are no messages and were left out, such as progress reports. */
  readonly leftOut: number;
}

/** The very same transcript when nothing changed. `messages` are those that were compressed. */
export function compressedTranscript(
  transcript: Transcript,
  messages: readonly Message[],
  result: CompressionResult,
): CompressedTranscript {
  if (result.messages === transcript.messages) return { transcript, leftOut: 0 };
  const { compressions: _before, extra, ...rest } = transcript;
  const records = keptRecords(transcript, coveredLines(transcript, messages, result));
  const at = openingOf(messages, result);
  return {
    transcript: {
      ...rest,
      messages: result.messages,
      ...(at < 0 ? {} : { compressions: [at] }),
      ...(extra ? { extra: { ...extra, fields: { ...extra.fields, ...records.fields } } } : {}),
    },
    leftOut: records.leftOut,
  };
}

/** Where the handoff stands, or what another engine wrote in its place; -1 where there is neither. */
function openingOf(given: readonly Message[], { messages, handoff }: CompressionResult): number {
  if (handoff) return messages.findIndex((message) => carries(message, handoff.text));
  const known = new Set(given);
  return messages.findIndex((message) => !known.has(message) && originOf(message) === 'summary');
}

function carries(message: Message, text: string): boolean {
  return message.parts.some((part) => part.type === 'text' && part.text.includes(text));
}

interface Lines {
  /** The last line before the stretch, and the first line after it. */
  readonly after: number;
  readonly before: number;
}

/** The lines that the handoff stands for: between what stays at the start and what stays at the end. */
function coveredLines(
  transcript: Transcript,
  messages: readonly Message[],
  { fates }: CompressionResult,
): Lines | undefined {
  const gone = fates.filter(({ fate }) => fate === 'summarised' || fate === 'restated').map(({ at }) => at);
  const [first] = gone;
  const last = gone.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const linesOf = (list: readonly Message[]): number[] =>
    list.flatMap(({ source }) => source?.map(({ line }) => line) ?? []);
  const head = linesOf(messages.slice(0, first)).reduce((most, line) => Math.max(most, line), 0);
  const opening = linesOf(transcript.messages.slice(0, 1))[0] ?? 0;
  const tail = linesOf(messages.slice(last + 1)).reduce(
    (least, line) => Math.min(least, line),
    Number.POSITIVE_INFINITY,
  );
  return { after: Math.max(head, opening), before: tail };
}

/**
 * Readers of logs keep the lines that are no messages under `records`, each with its line. Of those in the compressed
 * stretch the newest of each kind stays, because some carry state that a resuming tool wants (title, model, settings).
 */
function keptRecords({ extra }: Transcript, covered: Lines | undefined): { fields: JsonObject; leftOut: number } {
  const records = extra?.fields.records;
  if (!covered || !isRecordList(records)) return { fields: {}, leftOut: 0 };
  const isInside = ({ line }: JsonObject): boolean =>
    typeof line === 'number' && line > covered.after && line < covered.before;
  const isOver = ({ line, record }: JsonObject): boolean =>
    kindOf(record) === queueRecord && typeof line === 'number' && line < covered.before;
  const newest = new Map(records.filter(isInside).map((entry) => [kindOf(entry.record), entry]));
  const kept = records.filter(
    (entry) => !isOver(entry) && (!isInside(entry) || newest.get(kindOf(entry.record)) === entry),
  );
  return { fields: { records: kept }, leftOut: records.length - kept.length };
}

/** Each is one of several about the same text: a single one that stays would stand for the text of another. */
const queueRecord = 'queue-operation';

const isRecordList = (value: JsonValue | undefined): value is readonly JsonObject[] =>
  Array.isArray(value) && value.every((entry) => isJsonObject(entry) && typeof entry.line === 'number');

/** Logs name the kind of a record in `type`, and a finer one beside it. */
function kindOf(record: JsonValue | undefined): string {
  if (!isJsonObject(record)) return '';
  const inner = [record.payload, record.data, record.attachment].find(isJsonObject);
  return [record.type, record.subtype, record.customType, inner?.type]
    .filter((word) => typeof word === 'string')
    .join(' ');
}
