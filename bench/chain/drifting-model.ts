/**
 * A model that brings a summary up to date as it should and then, as models do, gets a share of its lines wrong and
 * forgets another: what it falsified is known, so that it can be looked for.
 */

import { faithfulSummary, type MisbehaviourName, misbehaviours } from '@palimpsest/core/testing';
import type { Summarizer } from '../../packages/core/src/compression/summarize/summarizer.ts';
import type { FakeRequest } from '../../packages/core/src/testing/request.ts';
import { estimateTextTokens } from '../../packages/core/src/tokens/estimate.ts';
import { type Dice, diceOf, pick } from '../invented-texts.ts';
import { flat } from './first-facts.ts';

/** A false line that was put into a summary. */
export interface Planted {
  readonly name: MisbehaviourName;
  /** The true line; absent for one that was put in. */
  readonly before?: string;
  /** The words around what is false, with single blanks: a stretch to look for. */
  readonly words: string;
}

export interface DriftingModel extends Summarizer {
  /** All that it falsified so far. */
  readonly planted: readonly Planted[];
  /** Lines that it has left out so far, without those that the length allowed it no more. */
  readonly dropped: () => number;
}

export interface DriftOptions {
  readonly seed: number;
  /** Share of the lines that become false, and of those that are left out, at every update. @default 0.05 */
  readonly share?: number;
}

/** What can go wrong with one line of a summary. */
const lies: readonly MisbehaviourName[] = [
  'inventsRequest',
  'flipsResult',
  'flipsResult',
  'changesPath',
  'changesNumber',
  'changesVersion',
  'misquotesUser',
  'obeysInjection',
];

export function driftingModel({ seed, share = 0.05 }: DriftOptions): DriftingModel {
  const dice = diceOf(seed);
  const planted: Planted[] = [];
  let dropped = 0;
  return {
    name: 'bench/drifting',
    planted,
    dropped: () => dropped,
    write: async ({ prompt }) => {
      const request = requestWith(prompt);
      const lines = withinBudget((faithfulSummary(request).text ?? '').split('\n'), budgetIn(prompt));
      const said = lines.filter(says).length;
      const kept = lines.filter((line) => !says(line) || dice(1_000) >= share * 1_000);
      dropped += lines.length - kept.length;
      let text = kept.join('\n');
      for (let left = timesOf(said * share, dice); left > 0; left--) {
        const lie = lieIn(text, request, dice);
        // What is falsified twice may be true again.
        if (!lie || planted.some(({ words }) => flat(lie.planted.before ?? '').includes(words))) continue;
        text = lie.text;
        planted.push(lie.planted);
      }
      return { text, finish: 'stop' };
    },
  };
}

/** A whole number near a broken one, right on average. */
const timesOf = (wanted: number, dice: Dice): number =>
  Math.floor(wanted) + (dice(1_000) < (wanted % 1) * 1_000 ? 1 : 0);

const says = (line: string): boolean => line.trim() !== '' && !line.startsWith('#') && !/^None\b/.test(line);

/** As a script sees the prompt of a summariser. */
const requestWith = (prompt: string): FakeRequest => ({
  number: 1,
  dialect: 'openai-chat',
  method: 'POST',
  path: '',
  headers: {},
  body: {},
  model: '',
  stream: false,
  messages: [{ role: 'user', parts: [{ type: 'text', text: prompt }] }],
  status: undefined,
  aborted: false,
  ended: Promise.resolve(),
});

/** The length that the prompt asks for. */
const budgetIn = (prompt: string): number => {
  const told = [...prompt.matchAll(/at most about (\d+) tokens/g)].at(-1)?.[1];
  return told === undefined ? Number.POSITIVE_INFINITY : Number(told);
};

/** The longest section loses its oldest lines until the rest is as short as it was asked to be. */
function withinBudget(lines: readonly string[], budget: number): readonly string[] {
  const kept = lines.map((text) => ({ text, tokens: estimateTextTokens(text) + 1 }));
  let tokens = kept.reduce((sum, line) => sum + line.tokens, 0);
  while (tokens > budget) {
    const section = longestSection(kept);
    if (!section) break;
    const at = kept.findIndex((line, index) => index > section && says(line.text));
    if (at < 0) break;
    tokens -= kept[at]?.tokens ?? 0;
    kept.splice(at, 1);
  }
  return kept.map(({ text }) => text);
}

/** Where the heading of the section with the most tokens stands, of those that say more than one thing. */
function longestSection(lines: readonly { readonly text: string; readonly tokens: number }[]): number | undefined {
  let best: { readonly at: number; readonly tokens: number } | undefined;
  let open: { at: number; tokens: number; said: number } | undefined;
  for (const [at, { text, tokens }] of [...lines, { text: '## ', tokens: 0 }].entries()) {
    if (text.startsWith('## ')) {
      if (open && open.said > 1 && open.tokens > (best?.tokens ?? 0)) best = open;
      open = { at, tokens: 0, said: 0 };
    } else if (open) {
      open.tokens += tokens;
      open.said += says(text) ? 1 : 0;
    }
  }
  return best?.at;
}

/** The text with one false line in it; undefined where nothing could be falsified. */
function lieIn(
  text: string,
  request: FakeRequest,
  dice: Dice,
): { readonly text: string; readonly planted: Planted } | undefined {
  const name = pick(dice, lies);
  const reply = misbehaviours[name].reply(text, request, { seed: dice(1_000_000) });
  // A page that tells the model to say one sentence only would end the chain.
  if (reply.text === undefined || (name === 'obeysInjection' && reply.lost)) return undefined;
  const [before, after] = [text.split('\n'), reply.text.split('\n')];
  const at = after.findIndex((line, index) => line !== before[index]);
  const line = after[at];
  if (line === undefined) return undefined;
  const isPutIn = after.length > before.length;
  const was = isPutIn ? undefined : before[at];
  const words = was === undefined ? flat(line).slice(0, 160) : around(was, line);
  return { text: reply.text, planted: { name, words, ...(was === undefined ? {} : { before: was }) } };
}

/** Characters on both sides of a change that are enough to tell where it stands. */
const sideChars = 24;

/** What is different in a line, with its surroundings. */
function around(before: string, after: string): string {
  let start = 0;
  while (start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return flat(after.slice(Math.max(0, start - sideChars), after.length - Math.max(0, end - sideChars)));
}
