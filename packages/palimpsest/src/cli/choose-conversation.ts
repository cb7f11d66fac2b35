/** Which of the conversations of a file a command is about. */
import { type Message, PalimpsestError, type Transcript } from '@palimpsest/core';
import { isTitle, isTitleStart, transcriptTitle } from '@palimpsest/core/search';
import { counted, oneLine } from './render/text.ts';

export interface Choice {
  readonly transcript: Transcript;
  /** Position in the file, from 0. */
  readonly index: number;
  /** Set when the choice was ours and there were others. */
  readonly note?: string;
}

/**
 * The conversation with a number (from 1), an id or the start of one, or a title; without either the longest one that is no
 * side conversation. Throws `ID_UNKNOWN` and `ID_AMBIGUOUS` with the list of those there are.
 */
export function chooseConversation(transcripts: readonly Transcript[], wanted: string | undefined): Choice {
  if (transcripts.length === 0) throw new PalimpsestError('TRANSCRIPT_BROKEN', 'the file contains no conversation');
  const index = wanted === undefined ? longest(transcripts) : wantedIndex(transcripts, wanted.trim());
  const transcript = transcripts[index];
  if (!transcript) throw unknownConversation(transcripts, wanted ?? '');
  const others = transcripts.length - 1;
  if (wanted !== undefined || others === 0) return { transcript, index };
  const name = transcript.id ? ` (${transcript.id})` : '';
  const note = `the file contains ${counted(transcripts.length, 'conversation')}; using number ${index + 1}${name}, the longest${transcript.sideOf === undefined ? '' : ' side'} one: choose another with --session N, an id or a title`;
  return { transcript, index, note };
}

function longest(transcripts: readonly Transcript[]): number {
  const mains = transcripts.filter((transcript) => transcript.sideOf === undefined);
  const candidates = mains.length > 0 ? mains : transcripts;
  const best = candidates.reduce((a, b) => (b.messages.length > a.messages.length ? b : a));
  return transcripts.indexOf(best);
}

function wantedIndex(transcripts: readonly Transcript[], wanted: string): number {
  const exact = transcripts.findIndex((transcript) => transcript.id === wanted);
  if (exact >= 0) return exact;
  if (/^\d{1,9}$/.test(wanted) && Number(wanted) >= 1 && Number(wanted) <= transcripts.length)
    return Number(wanted) - 1;
  const starts = transcripts.flatMap(({ id }, index) => (wanted && id?.startsWith(wanted) ? [index] : []));
  const meant = starts.length > 0 ? starts : withTitle(transcripts, wanted);
  const [first] = meant;
  if (first === undefined) throw unknownConversation(transcripts, wanted);
  if (meant.length === 1) return first;
  const message = `${JSON.stringify(wanted)} matches ${meant.length} conversations in the file: give the number of one of them:\n${listed(transcripts, meant)}`;
  throw new PalimpsestError('ID_AMBIGUOUS', message, { evidence: { conversation: wanted } });
}

/** Those with the title that lists show, in any case; for a text that ends in `…`, those whose title begins so. */
function withTitle(transcripts: readonly Transcript[], wanted: string): readonly number[] {
  const titles = transcripts.map(transcriptTitle);
  const whole = titles.flatMap((title, index) => (isTitle(title, wanted) ? [index] : []));
  return whole.length > 0 ? whole : titles.flatMap((title, index) => (isTitleStart(title, wanted) ? [index] : []));
}

function unknownConversation(transcripts: readonly Transcript[], wanted: string): PalimpsestError {
  const all = transcripts.map((_, index) => index);
  const message = `the file contains no conversation ${JSON.stringify(wanted)}: give the number, the id or the title of one of these:\n${listed(transcripts, all)}`;
  return new PalimpsestError('ID_UNKNOWN', message, { evidence: { conversation: wanted } });
}

/** More lines than this are no help in an error. */
const mostListed = 12;

function listed(transcripts: readonly Transcript[], indexes: readonly number[]): string {
  const lines = indexes.slice(0, mostListed).map((index) => {
    const transcript = transcripts[index];
    const title = transcript ? oneLine(transcriptTitle(transcript)) : '';
    return `  ${index + 1}  ${transcript?.id ?? '(no id)'}  ${counted(transcript?.messages.length ?? 0, 'message')}  ${title}`.trimEnd();
  });
  const rest = indexes.length - lines.length;
  return [...lines, ...(rest > 0 ? [`  … and ${rest} more: palimpsest inspect FILE --json lists all`] : [])].join('\n');
}

/**
 * What the model of the log still saw: its system prompt and everything from its last compression on. The same list
 * when it was never compressed.
 */
export function sinceLastCompression(transcript: Transcript): readonly Message[] {
  const { messages, compressions = [] } = transcript;
  const start = compressions.reduce((last, at) => Math.max(last, at), 0);
  if (start <= 0 || start >= messages.length) return messages;
  const systemEnd = messages.findIndex((message) => message.role !== 'system');
  return [...messages.slice(0, Math.min(start, Math.max(0, systemEnd))), ...messages.slice(start)];
}
