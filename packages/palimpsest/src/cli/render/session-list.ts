/** Conversations as a table: one row each. */
import { shortIds } from '../sessions/find-session.ts';
import { type TitledConversation, untitled } from '../sessions/titles.ts';
import type { Screen } from './screen.ts';
import { table } from './table.ts';
import { oneLine, thousands } from './text.ts';
import { timeText } from './time.ts';
import { clip } from './width.ts';

/** From this width on there is room for the folder. */
const wideFrom = 100;
const projectWidth = 18;

export function conversationTable(conversations: readonly TitledConversation[], screen: Screen): readonly string[] {
  if (conversations.length === 0) return [];
  const isWide = screen.columns >= wideFrom;
  const ids = shortIds(conversations.map(({ tip }) => tip.id));
  const columns = [
    { title: 'id', style: 'cyan' as const, whole: true as const },
    { title: 'last active' },
    { title: 'source' },
    ...(isWide ? [{ title: 'project' }] : []),
    { title: 'messages', align: 'right' as const },
    { title: 'title', gives: true as const },
  ];
  const rows = conversations.map((conversation, at) => {
    const { tip } = conversation;
    const project = clip(oneLine(lastName(tip.project ?? '')), projectWidth);
    const name = [ids[at] ?? '', timeText(tip.lastActiveAt), oneLine(tip.source)];
    return [...name, ...(isWide ? [project] : []), thousands(tip.messages), oneLine(conversation.title) || untitled];
  });
  return table(columns, rows, { screen, indent: 0 });
}

const lastName = (path: string): string => path.split(/[\\/]/).findLast(Boolean) ?? path;
