/** What a worker asks the main thread for: summaries of a model. Its own work goes on meanwhile. */
import type { Tokenizer } from '@palimpsest/core';
import type { TrajectorySummarizer } from '@palimpsest/core/trajectories';
import type { SummaryAnswer, SummaryAsk } from '../model/summary-desk.ts';

/** How a worker asks. */
export interface AskingOptions {
  readonly tokenizer: Tokenizer;
  readonly mode: 'value' | 'greedy';
  /** Longest time for the calls of one record, in milliseconds. */
  readonly timeoutMs: number;
  readonly ask: (ask: SummaryAsk) => Promise<SummaryAnswer>;
}

/** The summarizer of one record: all its calls together have the time of a record. */
export function askingSummarizer({ tokenizer, mode, timeoutMs, ask }: AskingOptions): TrajectorySummarizer {
  let withinMs = timeoutMs;
  return async ({ text, targetTokens }) => {
    if (withinMs <= 0) throw failed('the calls of this trajectory took too long', 0);
    const answer = await ask({ text, targetTokens, withinMs });
    if (answer.type === 'unasked') return undefined;
    withinMs -= answer.usedMs;
    if (answer.type === 'failed') throw failed(answer.message, answer.calls);
    // The greedy plan of other tools lets a model write twice as much as it was asked for.
    const most = (mode === 'greedy' ? 2 * targetTokens : targetTokens) - markTokens;
    return { text: fitted(answer.text, most, tokenizer), calls: answer.calls };
  };
}

/** The mark in front of a summary. */
const markTokens = 8;

const failed = (message: string, calls: number): Error => Object.assign(new Error(message), { calls });

/** The text, or as many of its first sentences as fit. */
function fitted(text: string, most: number, tokenizer: Tokenizer): string {
  if (tokenizer.count(text) <= most) return text;
  let [least, longest] = [0, text.length];
  while (longest - least > 1) {
    const middle = Math.floor((least + longest) / 2);
    if (tokenizer.count(`${text.slice(0, middle)}…`) <= most) least = middle;
    else longest = middle;
  }
  const cut = text
    .slice(0, least)
    .toWellFormed()
    .replace(/\uFFFD$/, '');
  const end = Math.max(...['. ', '.\n', '\n', '。', '! ', '? '].map((mark) => cut.lastIndexOf(mark)));
  return end > cut.length / 2 ? cut.slice(0, end + 1).trim() : `${cut.trim()}…`;
}
