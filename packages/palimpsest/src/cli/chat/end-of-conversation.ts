/** Where a conversation stands that is resumed: its newest request and what was answered. */
import { messageText } from '@palimpsest/core/formats';
import { newestSession, type SessionId, type Store } from '@palimpsest/core/store';
import type { Line } from '../../terminal/spans.ts';
import { counted, oneLine } from '../render/text.ts';

/** Messages at its end that are looked through. */
const looked = 60;

/** A line that says how much was said, and the newest words of both. */
export async function endOfConversation(store: Store, id: SessionId): Promise<readonly Line[]> {
  const { messages, title, id: tip } = await newestSession(store.sessions, id);
  const end = await store.messages.view(tip, { from: Math.max(0, messages - looked) });
  const said = end.flatMap(({ message, origin }) => {
    const isSaid = (message.role === 'user' || message.role === 'assistant') && origin === undefined;
    const text = isSaid ? messageText(message).trim() : '';
    return text === '' ? [] : [{ role: message.role, text }];
  });
  const request = said.findLast(({ role }) => role === 'user');
  const answer = said.at(-1)?.role === 'assistant' ? said.at(-1) : undefined;
  const name = title === undefined ? '' : ` "${title}"`;
  return [
    [{ text: `Resumed${name}: ${counted(messages, 'message')} in view.`, style: 'dim' }],
    ...(request ? [[{ text: `> ${oneLine(request.text).slice(0, 300)}`, style: 'bold' }] satisfies Line] : []),
    ...(answer ? [oneLine(answer.text).slice(0, 600)] : []),
    ...(request && !answer
      ? [[{ text: 'It has no answer yet: /retry sends it again.', style: 'yellow' }] satisfies Line]
      : []),
  ];
}
