/**
 * What a summary of found records names by their labels, named as the model that asked can bring it back: `m12` counts the
 * messages of that conversation, and `expand` would take it for one of its own.
 */
import type { MessageId } from '../../store/ids.ts';
import type { Message } from '../../transcript/message.ts';
import { readableText } from '../../transcript/text.ts';
import type { ShownWindow } from './shown-window.ts';

/** `m12`, `m12-m14`, and both in brackets. */
const label =
  /(?<space> ?)(?<open>[[(])?(?<![\w/.-])m(?<first>\d{1,9})(?:\s*[-–—]\s*m?(?<last>\d{1,9}))?(?![\w/])(?<close>[\])])?/g;

/** The text with message ids in place of labels. What the records themselves call so stays, what they do not show goes. */
export function withMessageIds(text: string, { messages, ids }: Pick<ShownWindow, 'messages' | 'ids'>): string {
  if (text.search(label) < 0) return text;
  const names = namesIn(messages);
  return text.replace(label, (whole: string, ...rest: unknown[]) => {
    // The last argument holds the named groups of the expression above.
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    const { space = '', open = '', first = '', last = first, close = '' } = groups;
    if (open === '' && names.has(`m${first}`)) return whole;
    const named = [...new Set([first, last])].flatMap((number): readonly MessageId[] => {
      const id = ids.get(Number(number) - 1);
      return id === undefined ? [] : [id];
    });
    const isWhole = open !== '' && close !== '';
    if (named.length === 0) return isWhole ? '' : `${space}${open}a message${close}`;
    return `${space}${open}message_id ${named.join(' to ')}${close}`;
  });
}

/** What looks like a label in the messages and was said by somebody, such as the name of a chip. */
function namesIn(messages: readonly Message[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const message of messages) {
    for (const [name] of readableText(message).matchAll(/\bm\d{1,9}\b/g)) names.add(name);
  }
  return names;
}
