/** Log files for the tests of the log formats: made of records, of fixtures, or of real logs where they are at hand. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { spansOf } from '../../../packages/core/src/recall/refs.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../packages/core/src/shared/json.ts';
import type { Format, ReadFinding, SourceRecord } from '../../../packages/core/src/transcript/format.ts';
import type { Message, SourceSpan, Transcript } from '../../../packages/core/src/transcript/message.ts';
import { readRecords } from '../../../packages/core/src/transcript/records.ts';
import { groupsOf } from '../../../packages/core/src/transcript/text.ts';

export interface ReadLog {
  readonly bytes: Buffer;
  readonly records: readonly SourceRecord[];
  readonly transcripts: readonly Transcript[];
  readonly main: Transcript;
  readonly findings: readonly ReadFinding[];
}

/** Reads a JSONL file with one line a value. */
export const readValues = (format: Format, values: readonly JsonValue[]): Promise<ReadLog> =>
  readBytes(format, Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join('')));

export async function readBytes(format: Format, bytes: Buffer): Promise<ReadLog> {
  const records: SourceRecord[] = [];
  const findings: ReadFinding[] = [];
  for await (const found of readRecords(chunks(bytes))) {
    if ('value' in found) records.push(found);
    else findings.push({ level: 'skipped', line: found.line, message: found.message });
  }
  const reader = format.reader((finding) => findings.push(finding));
  for (const record of records) reader.add(record);
  const transcripts = reader.end();
  const [main] = transcripts;
  assert.ok(main, 'a file gives at least one transcript');
  return { bytes, records, transcripts, main, findings };
}

async function* chunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

export const fixture = (name: string): Buffer => readFileSync(new URL(`../../fixtures/logs/${name}`, import.meta.url));

/** The values that a writer gives for a transcript. */
export function writtenBy(format: Format, transcript: Transcript): JsonValue[] {
  assert.ok(format.write, `${format.name} can be written`);
  const text = [...format.write(transcript)].join('');
  // Lines of a JSONL file are JSON.
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as JsonValue);
}

/** Every byte of the file stands in a record of messages or in a kept one, and none in two records. */
export function assertCovered({ bytes, transcripts }: ReadLog): void {
  const spans = transcripts.flatMap((transcript) => [...messageSpans(transcript), ...keptSpans(transcript)]);
  let end = 0;
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    assert.equal(bytes.subarray(end, span.start).toString().trim(), '', 'only blank lines stand between the spans');
    assert.ok(span.start >= end, 'no byte belongs to two records');
    end = span.end;
  }
  assert.equal(bytes.subarray(end).toString().trim(), '');
}

/** One for each record: messages that were read from the same one share it. */
const messageSpans = ({ messages }: Transcript): readonly SourceSpan[] => spansOf(messages);

function keptSpans(transcript: Transcript): { start: number; end: number }[] {
  return keptOf(transcript).map(({ start, end }) => {
    assert.ok(typeof start === 'number' && typeof end === 'number');
    return { start, end };
  });
}

export function keptOf(transcript: Transcript): JsonObject[] {
  const records = transcript.extra?.fields.records;
  assert.ok(Array.isArray(records));
  return records.filter(isJsonObject);
}

/** Ids of calls without a result in any group but the last. */
export const openCalls = (messages: readonly Message[]): readonly string[] =>
  groupsOf(messages)
    .slice(0, -1)
    .flatMap((group) => group.open);

/** No message with results stands outside the group of its calls. */
export function assertResultsFollow(messages: readonly Message[]): void {
  const covered = new Set<number>();
  for (const group of groupsOf(messages)) for (let i = group.start + 1; i < group.end; i++) covered.add(i);
  const called = new Set<string>();
  messages.forEach((message, index) => {
    for (const part of message.parts) {
      if (part.type === 'toolCall' && !part.server) called.add(part.callId);
      if (part.type === 'toolResult' && !part.server && called.has(part.callId)) assert.ok(covered.has(index));
    }
  });
}

const dataFolder = new URL('../../../../shared/data/transcripts/', import.meta.url);

/** Real logs, which are no part of the repository; the reason to skip where they are absent. */
export function realLogs(folder: string): {
  skip: string | false;
  files: readonly { name: string; bytes: () => Buffer }[];
} {
  const path = new URL(`${folder}/`, dataFolder);
  if (!existsSync(path)) return { skip: 'the real logs are not beside the repository', files: [] };
  const names = readdirSync(path).filter((name) => name.endsWith('.gz'));
  return {
    skip: false,
    files: names.map((name) => ({ name, bytes: () => gunzipSync(readFileSync(new URL(name, path))) })),
  };
}
