/** Summaries to verify: read from a file or found in a conversation, and held against what was said before them. */
import { basename } from 'node:path';
import {
  type Message,
  PalimpsestError,
  readTranscripts,
  type Transcript,
  type Verification,
  verifySummary,
} from '@palimpsest/core';
import { unwrapHandoff } from '@palimpsest/core/engine';
import { indexesOf, refOf } from '@palimpsest/core/search';
import { isJsonObject, parseJson } from '@palimpsest/core/settings';
import { openInput } from './input.ts';
import { chooseConversation } from './load.ts';
import { badOption, given } from './option-values.ts';
import { counted } from './render/text.ts';
import type { Terminal } from './terminal.ts';

interface Summary {
  /** For reports: where it is from. */
  readonly title: string;
  /** As it came, with the block of the tool that wrote it. */
  readonly text: string;
  /** The summary alone. */
  readonly body: string;
  /** Where the body begins in the text; undefined where the text has it in other characters. */
  readonly start?: number;
  /** Refs of the messages that it stands for, where its block names them, such as `m4-m160`. */
  readonly covers?: string;
}

export interface ReadSummary {
  readonly summary: Summary;
  /** As typed; `-` for standard input. */
  readonly label: string;
  /** True when the file is the summary and nothing else. */
  readonly isText: boolean;
  readonly notes: readonly string[];
}

/** Throws `FILE_UNREADABLE` for what cannot be read and `TRANSCRIPT_BROKEN` for what holds no summary. */
export async function readSummary(file: string, terminal: Terminal): Promise<ReadSummary> {
  const { bytes, path, label, notes } = await openInput(file, terminal);
  const title = path === undefined ? 'standard input' : basename(path);
  const text = new TextDecoder().decode(Buffer.concat(await Array.fromAsync(bytes)));
  if (text.includes('\0')) throw broken(`${title} is not text: expected a summary as text or Markdown`);
  if (text.trim() === '') throw broken(`${title} is empty: expected a summary as text or Markdown`);
  const carried = await summaryInside(text, title);
  return { label, notes, summary: carried ?? summaryOf(text, title), isText: carried === undefined };
}

/** The summary in JSON: the newest one of a conversation, or the handoff of a compression; undefined for a plain text. */
async function summaryInside(text: string, title: string): Promise<Summary | undefined> {
  const first = parseJson(text.trimStart().split('\n', 1)[0] ?? '') ?? parseJson(text);
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

/** A text as a summary; a block of ours or of another tool around it is recognised. */
export function summaryOf(text: string, title: string): Summary {
  return summaryIn({ role: 'user', parts: [{ type: 'text', text }] }, title) ?? { title, text, body: text, start: 0 };
}

/** The summary that a message carries; undefined when there is none in it. */
function summaryIn(message: Message, title: string): Summary | undefined {
  const body = unwrapHandoff(message)?.body.trim();
  if (!body) return undefined;
  const text = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const start = text.indexOf(body);
  const covers = /^\s*<handoff covers="([^"\n]*)"/.exec(text)?.[1]?.trim() || undefined;
  return { title, text, body, ...given({ start: start < 0 ? undefined : start, covers }) };
}

/** Lines of the text above the body. */
export const linesAbove = ({ text, start = 0 }: Summary): number => text.slice(0, start).split('\n').length - 1;

/** The text with another body, in the same block; the body alone where its place is not known. */
export function withBody({ text, body, start }: Summary, changed: string): string {
  return start === undefined ? changed : text.slice(0, start) + changed + text.slice(start + body.length);
}

// Which summaries a conversation carries, and the messages before a place in it.

interface CarriedSummary {
  /** Index of the message that carries it. */
  readonly at: number;
  readonly summary: Summary;
}

/** Every summary that a compression left in the messages, oldest first. */
export function carriedSummaries(messages: readonly Message[]): readonly CarriedSummary[] {
  return messages.flatMap((message, at) => {
    const summary = summaryIn(message, refOf(at));
    return summary ? [{ at, summary }] : [];
  });
}

/**
 * The index that `--at` names: of the message with a ref, or of the one that carries the n-th summary. Throws
 * `ID_UNKNOWN` for one that is not there, and `BAD_OPTION` for what is neither.
 */
export function placeAt(at: string, messages: readonly Message[]): number {
  if (!/^\d{1,6}$/.test(at.trim())) {
    const [index = 0, ...more] = indexesOf(at, messages.length);
    if (more.length === 0) return index;
    throw badOption(`expected one place in --at, such as m42 or 2, got ${JSON.stringify(at)}`);
  }
  const carried = carriedSummaries(messages);
  const found = carried[Number(at) - 1];
  if (found) return found.at;
  const there = carried.map(({ at: index }, number) => `${number + 1} (${refOf(index)})`).join(', ');
  const has = carried.length === 0 ? 'the conversation contains none' : `there are ${there}`;
  const message = `there is no summary ${at}: ${has}; to name a message, use --at m42`;
  throw new PalimpsestError('ID_UNKNOWN', message, { evidence: { at } });
}

/** Why a carried summary cannot be held against what stands before it; undefined where it can. */
export function whyUnverifiable(
  { at, summary }: CarriedSummary,
  { messages, compressions }: Pick<Transcript, 'messages' | 'compressions'>,
): string | undefined {
  const ref = refOf(at);
  const before = messages.slice(0, at).filter(({ role }) => role !== 'system').length;
  if (before === 0) return `${ref} contains a summary, and there is no message before it`;
  if (summary.covers !== undefined) {
    const last = Math.max(0, ...[...summary.covers.matchAll(/\d+/g)].map(([digits]) => Number(digits)));
    if (last <= at) return undefined;
    return `${ref} contains the summary of ${summary.covers}, which the file no longer contains`;
  }
  const opening = compressions?.findLast((start) => start <= at);
  // What the user said stands between: Codex keeps it beside its summary.
  if (opening !== undefined && messages.slice(opening, at).every(({ role }) => role !== 'assistant')) return undefined;
  return `${ref} contains a summary after ${counted(before, 'message')}, but it is not known whether it covers them`;
}

/** A summary, what it was held against, and what came of it. */
export interface HeldSummary {
  readonly summary: Summary;
  /** Ref of the message that carries it; absent for one that was given. */
  readonly ref?: string;
  readonly messages: readonly Message[];
  /** Its lines are those of the summary as it was read. */
  readonly verification: Verification;
}

export function hold(summary: Summary, against: Pick<HeldSummary, 'messages' | 'ref'>): HeldSummary {
  const { messages } = against;
  const covered = coveredRefs(summary, messages.length);
  const verification = verifySummary(summary.body, messages, covered ? { covers: (one) => covered.has(one) } : {});
  const above = linesAbove(summary);
  const moved = <T extends { readonly line: number }>(entry: T): T =>
    entry.line === 0 ? entry : { ...entry, line: entry.line + above };
  const { wrong, changes } = verification;
  return {
    summary,
    ...against,
    verification: { ...verification, wrong: wrong.map(moved), changes: changes.map(moved) },
  };
}

/** A line of a ledger's handoff for a request whose words stand after the block. */
const restated = /^(m\d{1,6}) user: word for word below$/gm;

/** What a block says that it stands for: it need not repeat what stays beside it. */
function coveredRefs({ covers, body }: Summary, count: number): ReadonlySet<string> | undefined {
  if (covers === undefined) return undefined;
  const beside = new Set([...body.matchAll(restated)].map(([, ref = '']) => ref));
  try {
    return new Set(indexesOf(covers, count).map(refOf)).difference(beside);
  } catch (error) {
    // A block from elsewhere may say anything; then all messages count.
    if (PalimpsestError.isInstance(error)) return undefined;
    throw error;
  }
}
