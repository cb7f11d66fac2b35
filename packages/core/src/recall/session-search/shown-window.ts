/** What of an excerpt a model is shown: the best window of it, as large as the model can hold. */
import { learntWindow, learnWindow, namedWindow } from '../../compression/summarize/learnt-window.ts';
import { unforged } from '../../compression/summarize/record-text.ts';
import type { Summarizer, SummarizerError } from '../../compression/summarize/summarizer.ts';
import type { MessageId } from '../../store/ids.ts';
import { estimateTextTokens } from '../../tokens/estimate.ts';
import type { Message } from '../../transcript/message.ts';
import type { Excerpt, RecordStart } from './excerpt.ts';
import { bestWindow } from './window.ts';

/** What a model reads of an excerpt, and the messages that it is from. */
export interface ShownWindow {
  readonly text: string;
  /** Each at the place that its label names, so that both name the same; nothing is said in those between. */
  readonly messages: readonly Message[];
  /** The ids of those that are shown, by place. */
  readonly ids: ReadonlyMap<number, MessageId>;
}

/** The records in the window that bears most on the query, of at most so many characters. */
export function shownWindow(
  excerpt: Excerpt,
  query: string,
  { characters, summarizer }: { readonly characters: number; readonly summarizer: Summarizer },
): ShownWindow {
  const { text, starts } = excerpt;
  const { from, to } = bestWindow(text, query, fitting(text, summarizer, characters));
  const first = starts.findLastIndex(({ at }) => at <= from);
  const start = starts[first]?.at ?? from;
  const next = Math.min(to, starts[first + 1]?.at ?? to);
  const opening = start < from ? cutRecord(text, { start, from, end: next }) : text.slice(from, next);
  const shown = starts.filter(({ at, place }, i) => i >= first && at < to && place >= 0);
  const marks = { before: from > 0 ? `${leftOut}\n\n` : '', after: to < text.length ? `\n\n${leftOut}` : '' };
  return {
    text: `${marks.before}${opening}${text.slice(next, to).toWellFormed()}${marks.after}`,
    messages: inPlace(shown),
    ids: new Map(shown.map(({ place, stored }) => [place, stored.id])),
  };
}

function inPlace(shown: readonly RecordStart[]): readonly Message[] {
  const size = shown.reduce((most, { place }) => Math.max(most, place + 1), 0);
  const messages = Array.from({ length: size }, () => silent);
  for (const { place, stored } of shown) messages[place] = stored.message;
  return messages;
}

const silent: Message = { role: 'assistant', parts: [] };

/** The rest of a record whose beginning is left out, below its label: what a record says must not look like a label. */
function cutRecord(text: string, { start, from, end }: { start: number; from: number; end: number }): string {
  const label = text.slice(start, text.indexOf('\n', start));
  return `${label}\n${unforged(text.slice(from, end).toWellFormed())}`;
}

const leftOut = '[… more of the conversation left out …]';

/** Of a small model's window this share is filled with records; the rest is for its answer. */
const windowShare = 0.7;

/** Remembers what a model has refused: no other conversation is sent as much of. */
export function learnFromRefusal(summarizer: Summarizer, refusal: SummarizerError, shown: string): void {
  const half = Math.ceil(estimateTextTokens(shown) / 2 / windowShare);
  const named = namedWindow(refusal);
  learnWindow(summarizer, named === undefined ? { tokens: half, isNamed: false } : { tokens: named, isNamed: true });
}

/** As many characters as the model's window holds, at most those wanted. */
function fitting(text: string, summarizer: Summarizer, characters: number): number {
  const contextLength = learntWindow(summarizer)?.tokens ?? summarizer.contextLength;
  if (contextLength === undefined) return characters;
  const sample = text.slice(0, characters);
  const tokens = estimateTextTokens(sample);
  const room = contextLength * windowShare;
  return tokens <= room ? characters : Math.floor((sample.length * room) / tokens);
}
