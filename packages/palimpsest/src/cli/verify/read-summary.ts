/** Reads the SUMMARY of a command line: a text, a conversation that carries one, or the document of `compress --json`. */
import { basename } from 'node:path';
import { PalimpsestError, readTranscripts } from '@palimpsest/core';
import { isJsonObject, parseJson } from '@palimpsest/core/settings';
import { chooseConversation } from '../choose-conversation.ts';
import { openInput } from '../input.ts';
import type { Terminal } from '../terminal.ts';
import { type Summary, summaryIn, summaryOf } from './summary.ts';

/** A summary and where it was read. */
export interface ReadSummary {
  readonly summary: Summary;
  /** As typed; `-` for standard input. */
  readonly label: string;
  /** Absolute path; absent for standard input. */
  readonly path?: string;
  /** True when the file is the summary and nothing else. */
  readonly isText: boolean;
  readonly notes: readonly string[];
}

/** Throws `FILE_UNREADABLE` for what cannot be read and `TRANSCRIPT_BROKEN` for what holds no summary. */
export async function readSummary(file: string, terminal: Terminal): Promise<ReadSummary> {
  const input = await openInput(file, terminal);
  const bytes: Uint8Array[] = [];
  for await (const piece of input.bytes) bytes.push(piece);
  const title = input.path === undefined ? 'standard input' : basename(input.path);
  const text = textOf(bytes, title);
  const about = { label: input.label, ...(input.path === undefined ? {} : { path: input.path }), notes: input.notes };
  const carried = await summaryInside(text, title);
  return { ...about, summary: carried ?? summaryOf(text, title), isText: carried === undefined };
}

function textOf(pieces: readonly Uint8Array[], title: string): string {
  const text = new TextDecoder().decode(Buffer.concat(pieces));
  if (text.includes('\0')) throw broken(`${title} is not text: expected a summary as text or Markdown`);
  if (text.trim() === '') throw broken(`${title} is empty: expected a summary as text or Markdown`);
  return text;
}

/** The summary in JSON: the newest one of a conversation, or the handoff of a compression; undefined for a plain text. */
async function summaryInside(text: string, title: string): Promise<Summary | undefined> {
  const start = text.trimStart();
  const first = parseJson(start.split('\n', 1)[0] ?? '') ?? parseJson(text);
  if (!isJsonObject(first) && !Array.isArray(first)) return undefined;
  const handoff = isJsonObject(first) && isJsonObject(first.handoff) ? first.handoff.text : undefined;
  if (typeof handoff === 'string') return summaryOf(handoff, title);
  const { transcripts } = await readTranscripts(text, { name: title });
  const { messages } = chooseConversation(transcripts, undefined).transcript;
  const found = messages.map((message) => summaryIn(message, title)).findLast((summary) => summary !== undefined);
  if (found) return found;
  throw broken(`${title} is a conversation without a summary: the order is palimpsest verify SUMMARY TRANSCRIPT`);
}

const broken = (message: string): PalimpsestError => new PalimpsestError('TRANSCRIPT_BROKEN', message);
