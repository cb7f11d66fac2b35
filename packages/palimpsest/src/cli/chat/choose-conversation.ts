/** `palimpsest chat --resume` without a name: the newest conversations of the folder to choose from. */
import type { Console } from '../../terminal/console.ts';
import { oneLine, timeText } from '../render/text.ts';
import type { Chat } from './open-chat.ts';

/** As many as there are digits to choose with. */
const most = 9;

/** Asks which one; undefined for none of them. Other conversations are found with `/resume TITLE`. */
export const chooseConversation =
  (console: Console) =>
  async ({ store, project }: Pick<Chat, 'store' | 'project'>): Promise<string | undefined> => {
    const all = await store.sessions.list({ source: 'chat', project, limit: 50 });
    const found = all.filter(({ tip }) => tip.messages > 0).slice(0, most);
    if (found.length === 0) {
      console.print(['There is no conversation in this folder yet: this is a new one.']);
      return undefined;
    }
    const answer = await console.ask({
      title: 'Which conversation?',
      choices: [
        ...found.map(({ tip, title, preview }, at) => ({
          key: String(at + 1),
          label: `${timeText(tip.lastActiveAt)}  ${oneLine(title ?? preview)}`,
        })),
        { key: 'n', label: 'None of them: a new conversation' },
      ],
    });
    return answer.type === 'chosen' ? found[Number(answer.key) - 1]?.tip.id : undefined;
  };
