/** A store of any size, filled with invented sessions through the public door, and questions about what is in it. */
import { estimateTextTokens, fromOpenAiChat, type Message } from '@palimpsest/core';
import type { Store } from '@palimpsest/core/store';
import { messageText } from '../../packages/core/src/transcript/text.ts';
import { inventedSession } from '../invented-session.ts';
import { diceOf, pick } from '../invented-texts.ts';

/** Messages of one session. */
const sessionSize = 200;
/** Every session begins this long after the one before. */
const gapMs = 45 * 60_000;
const firstDay = Date.UTC(2024, 0, 1);

/** What was put in. */
export interface Filling {
  readonly messages: number;
  readonly sessions: readonly string[];
  /** Bytes in UTF-8 of all texts, calls and results. */
  readonly textBytes: number;
  readonly tokens: number;
  readonly seconds: number;
  /** A few messages, to ask for. */
  readonly samples: readonly Message[];
}

const keptSamples = 400;

/** Fills a store with `count` messages; `onProgress` hears how many there are. */
export async function fill(store: Store, count: number, onProgress: (done: number) => void): Promise<Filling> {
  const sessions: string[] = [];
  const samples: Message[] = [];
  let [textBytes, tokens, seconds] = [0, 0, 0];
  for (let done = 0; done < count; done += sessionSize) {
    const at = sessions.length;
    const messages = timed(fromOpenAiChat(inventedSession(Math.min(sessionSize, count - done), at + 1)), at);
    for (const message of messages) {
      const text = JSON.stringify(message.parts);
      textBytes += Buffer.byteLength(text);
      tokens += estimateTextTokens(text);
    }
    const sample = messages[(at * 37) % messages.length];
    if (sample && samples.length < keptSamples) samples.push(sample);
    const start = performance.now();
    const project = `/projects/${at % 40}`;
    const { id } = await store.sessions.create({ source: 'library', project, startedAt: firstDay + at * gapMs });
    await store.messages.append(id, messages);
    seconds += (performance.now() - start) / 1_000;
    sessions.push(id);
    onProgress(done + messages.length);
  }
  return { messages: count, sessions, textBytes, tokens, seconds, samples };
}

/** As a log would have it: every message has the time at which it was said. */
const timed = (messages: readonly Message[], session: number): readonly Message[] =>
  messages.map((message, i) => ({
    ...message,
    time: new Date(firstDay + session * gapMs + i * 5_000).toISOString(),
  }));

/** Something that is looked for. */
export interface Question {
  readonly type: QuestionType;
  readonly query: string;
}

export const questionTypes = ['one word', 'some words', 'phrase', 'name', 'Han, kana, hangul', 'sentence'] as const;

export type QuestionType = (typeof questionTypes)[number];

/** Questions with words of the samples, as many of each type. */
export function questionsFor(samples: readonly Message[], each: number): readonly Question[] {
  const dice = diceOf(11);
  const questions: Question[] = [];
  for (const type of questionTypes) {
    for (let tries = 0, found = 0; found < each && tries < each * 40; tries++) {
      const query = queryFrom(type, messageText(pick(dice, samples)), dice);
      if (query === undefined) continue;
      questions.push({ type, query });
      found++;
    }
  }
  return questions;
}

function queryFrom(type: QuestionType, text: string, dice: (sides: number) => number): string | undefined {
  const words = text.match(/\p{Script=Latin}{3,}/gu) ?? [];
  const start = dice(Math.max(1, words.length - 8));
  switch (type) {
    case 'one word':
      return words[start];
    case 'some words':
      return words.length < 4
        ? undefined
        : [words[start], words[start + 2], words[start + 3]].filter(Boolean).join(' ');
    case 'phrase': {
      const found = /\p{Script=Latin}{3,} \p{Script=Latin}{3,} \p{Script=Latin}{3,}/u.exec(
        text.slice(dice(text.length + 1)),
      );
      return found ? `"${found[0]}"` : undefined;
    }
    case 'name':
      return /[a-z]+[A-Z]\w+|[\w-]+(?:\/[\w.-]+)+/.exec(text.slice(dice(text.length + 1)))?.[0];
    case 'Han, kana, hangul': {
      const run = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2,}/u.exec(text);
      return run?.[0].slice(0, 1 + dice(4));
    }
    case 'sentence':
      return words.length < 10 ? undefined : `where did we ${words.slice(start, start + 7).join(' ')}`;
  }
}
