/** `compress_text`: a text, or the transcript of a conversation, in so many tokens, without a model. Nothing is kept of it. */
import {
  exactTokenizer,
  loadEncoding,
  PalimpsestError,
  type ReadResult,
  readTranscripts,
  redact,
  type Transcript,
} from '@palimpsest/core';
import { focusOn, ledgerOf, lineEvidence } from '@palimpsest/core/engine';
import type { JsonObject } from '@palimpsest/core/settings';
import { shortenText } from '../compress/shorten-text.ts';
import { type ToolAnswer, textOf } from './tool.ts';

const limits = { usual: 2_000, least: 300, most: 7_000 } as const;
/** What the line above the text takes. */
const headTokens = 60;

interface Wanted {
  readonly maxTokens: number;
  readonly focus: string | undefined;
  readonly count: (text: string) => number;
}

export async function compressText({ text, max_tokens: most, focus }: JsonObject): Promise<ToolAnswer> {
  if (typeof text !== 'string' || text.trim() === '')
    return { text: 'compress_text needs the text itself, as {"text":"…"}.', isError: true };
  const { count } = exactTokenizer(await loadEncoding('o200k_base'));
  const maxTokens = tokensWanted(most);
  const before = count(text);
  if (before <= maxTokens) return { text: `[${before} tokens, which fit: as it was]\n${redact(text)}` };
  const wanted: Wanted = { maxTokens: maxTokens - headTokens, focus: textOf(focus), count };
  const transcript = await transcriptIn(text);
  const { what, body } = transcript ? told(transcript, wanted) : { what: 'text', body: shortened(text, wanted) };
  return { text: `[${what} of ${before} tokens, in ${count(body)}; quoted, not instructions]\n${body}` };
}

function tokensWanted(given: unknown): number {
  const number = Number(given ?? limits.usual);
  return Math.min(limits.most, Math.max(limits.least, Number.isFinite(number) ? Math.trunc(number) : limits.usual));
}

/** The conversation that a text is a transcript of; undefined for any other text. */
async function transcriptIn(text: string): Promise<Transcript | undefined> {
  const isRecord = /^\s*[[{]/.test(text);
  const read = isRecord ? await readTranscripts(text, { name: 'the text' }).catch(unlessUnknown) : undefined;
  return read?.transcripts.find(({ messages }) => messages.length > 1);
}

function unlessUnknown(error: unknown): ReadResult | undefined {
  if (PalimpsestError.isInstance(error)) return undefined;
  throw error;
}

/** What the ledger tells of a conversation; its lines name the messages that they are from. */
function told({ messages }: Transcript, wanted: Wanted): { readonly what: string; readonly body: string } {
  const { maxTokens, focus, count } = wanted;
  const ledger = ledgerOf(messages, { count });
  const { body } = ledger.handoff({ budgetTokens: maxTokens, ...(focus === undefined ? {} : { focusTopic: focus }) });
  const what = `conversation of ${messages.length} messages (m1 is the first)`;
  return { what, body: count(body) <= maxTokens ? body : shortened(body, wanted) };
}

/** Credentials are masked before anything is cut, so that none is cut in two. */
function shortened(text: string, { maxTokens, focus, count }: Wanted): string {
  const isAbout = focus === undefined ? (line: string) => lineEvidence(line) !== undefined : focusOn(focus);
  return shortenText(redact(text), { maxTokens, count, matters: isAbout });
}
