/** What of a request is looked for: all of a short one, of a long one what it asks. */
import { personMessage } from '../../compression/handoff-block.ts';
import { questionEnds, questionOpenings, questionWords } from '../../language/requests.ts';
import type { Message } from '../../transcript/message.ts';
import { messageText } from '../../transcript/text.ts';
import { askedWords } from './question.ts';

/** Nobody asks at greater length; what is longer carries a text, a log or an order beside the question. */
const mostCharacters = 320;

/** The part of a request that asks; where nothing does, its beginning. */
export function focusOf(request: string): string {
  const text = request.trim();
  if (text.length <= mostCharacters) return text;
  const sentences = text.slice(0, 20_000).match(/[^.!?。！？\n]+[.!?。！？]*/gu) ?? [];
  const asking = sentences.map((one) => one.trim()).filter(asks);
  const found = asking.length > 0 ? asking.join(' ') : text;
  return found.slice(0, mostCharacters).toWellFormed();
}

const asks = (sentence: string): boolean =>
  sentence !== '' &&
  [questionEnds, questionWords, questionOpenings].some(
    (form) => sentence.length <= mostCharacters && form.test(sentence),
  );

/** A question of fewer words is understood from the one before: "and when?". */
const fewestWords = 2;

/** What is looked for in a turn: of a short follow-up, the request before it as well. */
export function questionOf(text: string, messages: readonly Message[]): string {
  const focus = focusOf(text);
  if (askedWords(focus).length >= fewestWords) return focus;
  const before = requestBefore(messages, text);
  return before === undefined ? focus : `${focusOf(before)}\n${focus}`;
}

/** The words of the person before the newest ones. */
function requestBefore(messages: readonly Message[], text: string): string | undefined {
  const said = messages.flatMap((message) => {
    const own = personMessage(message);
    return own ? [messageText(own)] : [];
  });
  return said.at(-1) === text ? said.at(-2) : said.at(-1);
}
