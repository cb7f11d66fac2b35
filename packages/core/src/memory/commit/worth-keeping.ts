/**
 * What a person said that has to outlive the conversation, found without a model: what they wanted remembered, and rules
 * that they laid down for every time. Before a compression it is committed to memory, so that no summary decides on it.
 */
import { personMessage } from '../../compression/handoff-block.ts';
import { rulesIn } from '../../compression/ledger/cues.ts';
import { ownSentences } from '../../compression/ledger/own-words.ts';
import { rememberEndings, rememberOpenings } from '../../language/remembering.ts';
import { everyTime } from '../../language/standing.ts';
import type { Message } from '../../transcript/message.ts';
import { messageText } from '../../transcript/text.ts';

/** A sentence that is worth keeping, in the person's own words. */
export interface WorthKeeping {
  /** Without the words that ask to remember it. */
  readonly text: string;
  /** Index of the message that says it. */
  readonly at: number;
  /** `asked`: the person wanted it remembered; `rule`: it holds every time. */
  readonly why: 'asked' | 'rule';
}

const mostChars = 400;
const leastChars = 4;

/**
 * What is worth keeping of messages, oldest first, each thing once. Pasted documents, tool results, summaries and texts of
 * programs give nothing: no one of them can decide what is remembered. Linear in the length of the messages.
 */
export function worthKeeping(messages: readonly Message[]): readonly WorthKeeping[] {
  const found = new Map<string, WorthKeeping>();
  for (const [at, message] of messages.entries()) {
    const said = personMessage(message);
    if (!said) continue;
    const text = messageText(said);
    for (const one of [
      ...askedFor(text),
      ...rulesIn(text)
        .filter(isLasting)
        .map((rule) => ({ text: rule, why: 'rule' as const })),
    ]) {
      const key = one.text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim();
      const isInside = [...found.keys()].some((other) => other.includes(key) || key.includes(other));
      if (!isInside && one.text.length >= leastChars && one.text.length <= mostChars) found.set(key, { ...one, at });
    }
  }
  return [...found.values()];
}

const isLasting = (rule: string): boolean => everyTime.test(rule);

/** Sentences that ask to be remembered, without the asking; an opening alone speaks of the sentence behind it. */
function askedFor(text: string): readonly { readonly text: string; readonly why: 'asked' }[] {
  const sentences = ownSentences(text).filter(({ place }) => place !== 'title');
  return sentences.flatMap(({ text: sentence }, at) => {
    // Asked of the agent, it is a question about memory and nothing to keep.
    if (/[?？]\s*$/.test(sentence)) return [];
    const opening = rememberOpenings.exec(sentence)?.[0] ?? '';
    const ending = rememberEndings.exec(sentence)?.[0] ?? '';
    if (opening === '' && ending === '') return [];
    const rest = sentence.slice(opening.length, sentence.length - (opening === '' ? ending.length : 0)).trim();
    const whole = /\p{L}{2}/u.test(rest) ? rest : (sentences[at + 1]?.text ?? '');
    return whole === '' ? [] : [{ text: capital(whole), why: 'asked' as const }];
  });
}

const capital = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
