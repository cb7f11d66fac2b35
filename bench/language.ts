/** Which script the people of a conversation write in, found out by their letters. */
import type { Message } from '@palimpsest/core';
import { isFromPerson } from '../packages/core/src/transcript/origin.ts';
import { messageText } from '../packages/core/src/transcript/text.ts';

export type ScriptName = 'Japanese' | 'Korean' | 'Chinese' | 'Cyrillic' | 'Latin';

/** Scripts by their letters. A Japanese sentence has kana among its Han; a Chinese one has not. */
const scripts: readonly { readonly name: ScriptName; readonly letters: RegExp }[] = [
  { name: 'Japanese', letters: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu },
  { name: 'Korean', letters: /\p{Script=Hangul}/gu },
  { name: 'Chinese', letters: /\p{Script=Han}/gu },
  { name: 'Cyrillic', letters: /\p{Script=Cyrillic}/gu },
  { name: 'Latin', letters: /\p{Script=Latin}/gu },
];

/** People paste code and prompts, which are Latin; what they write themselves is in every message, however short. */
const fewestLetters = 2;

/** The first script that stands in at least half of the messages that people wrote; `Latin` where none does. */
export function scriptOf(messages: Iterable<Message>): ScriptName {
  const texts = [...messages].filter(isFromPerson).map(messageText);
  const written = scripts.find(({ letters }) => {
    const having = texts.filter((text) => (text.match(letters)?.length ?? 0) >= fewestLetters);
    return having.length > 0 && having.length >= texts.length / 2;
  });
  return written?.name ?? 'Latin';
}
