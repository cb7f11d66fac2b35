/** Tells whether a line is about a topic that a person named. */
import { topicStopWords } from '../../language/languages.ts';
import type { LineStats } from './corpus.ts';

/** A test for texts that share a word with the topic; words are compared without case, CJK by pairs of characters. */
export function focusOn(topic: string): (text: string) => boolean {
  const words = topicWords(topic);
  return (text) => hasOne(text, words);
}

const hasOne = (text: string, words: readonly string[]): boolean => {
  const lower = text.toLowerCase();
  return words.some((word) => has(lower, word));
};

/** A conversation in which a topic is looked for. */
export interface FocusSource {
  /** The lines of every message. */
  readonly messageLines: readonly (readonly LineStats[])[];
  /** Messages to look at: `from` to before `to`. */
  readonly from: number;
  readonly to: number;
  /** Index of the message that opens the step a message belongs to. */
  readonly stepOf: (message: number) => number;
}

/** Of the words of a topic those count that are in at most so many times as many messages as the rarest: the others tell nothing apart. */
const commonest = 2;
/** A turn that makes up more of the conversation than this is about more than one thing. */
const longestTurn = 0.5;

/**
 * A test for lines that are about the topic: they share a telling word with it, or belong to a step whose call does, or to a turn
 * whose request does.
 */
export function focusIn(topic: string, source: FocusSource): (line: LineStats) => boolean {
  const { from, to, messageLines, stepOf } = source;
  const words = tellingWords(topicWords(topic), messageLines.slice(from, to));
  const isAbout = ({ text }: LineStats): boolean => hasOne(text, words);
  const steps = new Set<number>();
  const turns: { readonly start: number; readonly isAbout: boolean }[] = [];
  for (let message = from; message < to; message++) {
    const lines = messageLines[message] ?? [];
    if (lines.some(({ voice }) => voice === 'user')) turns.push({ start: message, isAbout: lines.some(isAbout) });
    if (lines.some((line) => line.voice === 'call' && isAbout(line))) steps.add(stepOf(message));
  }
  const messages = new Set<number>();
  for (const [at, { start, isAbout: isTurn }] of turns.entries()) {
    const end = turns[at + 1]?.start ?? to;
    if (isTurn && end - start <= (to - from) * longestTurn) for (let one = start; one < end; one++) messages.add(one);
  }
  return (line) => messages.has(line.lastMessage) || steps.has(stepOf(line.lastMessage)) || isAbout(line);
}

function tellingWords(words: readonly string[], messages: FocusSource['messageLines']): readonly string[] {
  const counts = new Map(words.map((word) => [word, 0]));
  for (const lines of messages) {
    const text = lines.map((line) => line.text.toLowerCase()).join('\n');
    for (const [word, count] of counts) if (has(text, word)) counts.set(word, count + 1);
  }
  const known = [...counts].filter(([, count]) => count > 0);
  const rarest = Math.min(...known.map(([, count]) => count));
  return known.filter(([, count]) => count <= rarest * commonest).map(([word]) => word);
}

/** A word that ends in a number is another one than the same with more digits, and a number is another one within a longer one. */
function has(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isLonger = /\d$/.test(word) && /\d/.test(text[at + word.length] ?? '');
    if (!isLonger && !(/^\d+$/.test(word) && /[\d.]/.test(text[at - 1] ?? ''))) return true;
  }
  return false;
}

const cjk = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/** A topic is a phrase or a request: every line of a conversation is held against each of its words. */
const topicChars = 2_000;

function topicWords(topic: string): readonly string[] {
  const start = topic.slice(0, topicChars).toLowerCase();
  return (start.match(/[\p{L}\p{N}_./-]+/gu) ?? []).flatMap((token) => {
    if (cjk.test(token)) return token.length <= 2 ? [token] : pairs(token);
    const isTelling = /^\d+$/.test(token) || (token.length >= 3 && !topicStopWords.has(token));
    return isTelling ? [stem(token)] : [];
  });
}

const pairs = (token: string): string[] => Array.from({ length: token.length - 1 }, (_, i) => token.slice(i, i + 2));

/** Without the plural or participle ending, so that "caches" finds "cache" and "caching". */
const stem = (word: string): string => (/^[a-z]{5,}$/.test(word) ? word.replace(/(?:ing|ed|es|s|e)$/, '') : word);
