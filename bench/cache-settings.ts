/** By whose cache rules sessions are played, and with which pauses. */
import type { CacheTtl, Message, Transcript } from '@palimpsest/core';
import { callsOf } from '../packages/palimpsest/src/simulate/replay.ts';
import { diceOf } from './invented-texts.ts';

/** A model, and how long Anthropic is asked to keep text. */
export interface Rules {
  readonly model: string;
  readonly ttl: CacheTtl;
}

/** By name; what is no name here is the id of a model. */
const namedRules: Readonly<Record<string, Rules>> = {
  'claude-5m': { model: 'claude-opus-4-5', ttl: '5m' },
  'claude-1h': { model: 'claude-opus-4-5', ttl: '1h' },
  'gpt-5.5': { model: 'gpt-5.5', ttl: '5m' },
  'gpt-5.6': { model: 'gpt-5.6', ttl: '5m' },
  gemini: { model: 'gemini-3-1-pro', ttl: '5m' },
  // It was sold without a price for what is read from a cache.
  'no-discount': { model: 'gpt-4o-2024-05-13', ttl: '5m' },
};

export const ruleNames: readonly string[] = Object.keys(namedRules);

export const rulesNamed = (name: string): Rules => namedRules[name] ?? { model: name, ttl: '5m' };

/** From the seconds between the calls of a session to others. */
type Change = (gaps: readonly number[], chance: () => number) => readonly number[];

const namedGaps: Readonly<Record<string, Change>> = {
  own: (gaps) => gaps,
  none: (gaps) => gaps.map(() => 10),
  shuffled: (gaps, chance) =>
    gaps
      .map((gap) => [chance(), gap] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, gap]) => gap),
  rare: (gaps, chance) => gaps.map(() => (chance() < 0.05 ? 400 + 4_000 * chance() : 20)),
  often: (gaps, chance) => gaps.map(() => (chance() < 0.3 ? 400 : 20)),
};

export const gapNames: readonly string[] = Object.keys(namedGaps);

/** The transcript with other pauses between its calls; the same ones each time. */
export function withGaps({ messages, ...rest }: Transcript, name: string): Transcript {
  const change = namedGaps[name];
  if (!change) throw new Error(`expected as --gaps some of ${gapNames.join(', ')}, got ${name}`);
  if (name === 'own') return { ...rest, messages };
  const { calls } = callsOf(messages, () => 0);
  const gaps = calls.map(({ seconds }, at) => (at === 0 ? 0 : seconds - (calls[at - 1]?.seconds ?? 0)));
  const times = new Map<number, string>();
  let seconds = 0;
  const dice = diceOf(calls.length);
  for (const [number, gap] of change(gaps, () => dice(2 ** 32) / 2 ** 32).entries()) {
    seconds += gap;
    // A call is made when the message before its answer has come.
    const before = (calls[number]?.at ?? 0) - 1;
    times.set(before, new Date(Date.UTC(2026, 0, 1) + 1_000 * seconds).toISOString());
  }
  return { ...rest, messages: messages.map((one, at): Message => timed(one, times.get(at))) };
}

function timed({ time: _, ...message }: Message, time: string | undefined): Message {
  return time === undefined ? message : { ...message, time };
}
