/** The model calls of a transcript: what was said before each of them, when, and what came back. */
import type { Message } from '@palimpsest/core';
import { isFromPerson } from '@palimpsest/core/formats';

/** One call: every message of the assistant was one. */
export interface ModelCall {
  /** Index of the answer; the messages before it are what was said until then. */
  readonly at: number;
  readonly outputTokens: number;
  /** When the request was sent, in seconds since some fixed time. */
  readonly seconds: number;
  /** True for the first call after something that a person wrote. */
  readonly opensTurn: boolean;
}

export interface ModelCalls {
  readonly calls: readonly ModelCall[];
  /** Calls of which the transcript does not say when they were made. */
  readonly assumedTimes: number;
}

/** Seconds between calls that the transcript does not time: a step of an agent, and a person who reads and types. */
export const assumedPace = { step: 15, turn: 90 } as const;

/** The calls of a transcript in order. Times never run backwards: what is said to be earlier happened at the same time. */
export function callsOf(messages: readonly Message[], tokensOf: (message: Message) => number): ModelCalls {
  const calls: ModelCall[] = [];
  let assumedTimes = 0;
  let opensTurn = false;
  for (const [at, message] of messages.entries()) {
    if (isFromPerson(message)) opensTurn = true;
    if (message.role !== 'assistant' || at === 0) continue;
    const before = calls.at(-1);
    const told = secondsOf(messages[at - 1]) ?? secondsOf(message);
    if (told === undefined) assumedTimes++;
    const pace = before === undefined ? 0 : opensTurn ? assumedPace.turn : assumedPace.step;
    const last = before?.seconds ?? 0;
    const seconds = told === undefined ? last + pace : Math.max(told, before === undefined ? told : last);
    calls.push({ at, outputTokens: tokensOf(message), seconds, opensTurn });
    opensTurn = false;
  }
  return { calls, assumedTimes };
}

function secondsOf(message: Message | undefined): number | undefined {
  const time = message?.time === undefined ? Number.NaN : Date.parse(message.time);
  return Number.isNaN(time) ? undefined : time / 1_000;
}
