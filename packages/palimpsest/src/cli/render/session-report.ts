/** Conversations of the store: one in full, and many as a table. */
import { type Message, redact } from '@palimpsest/core';
import { messageText } from '@palimpsest/core/formats';
import { isBrokenAnswer, type Session, type UsageTotals } from '@palimpsest/core/store';
import { costText, promptTokensIn } from '@palimpsest/core/usage';
import { shortIds, type TitledConversation, untitled } from '../find-session.ts';
import { type Screen, styled } from './screen.ts';
import { table } from './table.ts';
import { counted, fill, oneLine, thousands, timeText } from './text.ts';
import { clip } from './width.ts';

/** One conversation, its sessions from the first to the newest. */
export interface ConversationFacts {
  readonly chain: readonly Session[];
  readonly tip: Session;
  readonly root: Session;
  /** Empty where it has none. */
  readonly title: string;
  /** What a person asked for first, and last. */
  readonly first: Message | undefined;
  readonly last: Message | undefined;
  /** Over all sessions. */
  readonly usage: UsageTotals;
}

const nameWidth = 12;

export function conversationReport(facts: ConversationFacts, screen: Screen): readonly string[] {
  const { tip, root, title, chain, usage, first, last } = facts;
  const row = (name: string, value: string | undefined): readonly string[] =>
    value === undefined || value === ''
      ? []
      : [`  ${styled(fill(name, nameWidth), 'dim', screen)}${clip(oneLine(value), screen.columns - nameWidth - 2)}`];
  const request = (message: Message | undefined): string | undefined => message && redact(messageText(message));
  return [
    styled(clip(oneLine(title) || untitled, screen.columns), 'bold', screen),
    ...row('id', tip.id),
    ...row('source', [root.source, root.sourceId].filter(Boolean).join('  ')),
    ...row('file', root.sourcePath),
    ...row('project', tip.project),
    ...row('model', tip.model),
    ...row('parent', root.parentId && `${root.parentId} (${kindOf(root)})`),
    ...row('started', timeText(root.startedAt)),
    ...row('last active', timeText(tip.lastActiveAt)),
    ...row('ended', tip.endedAt === undefined ? undefined : `${timeText(tip.endedAt)} (${tip.endReason ?? ''})`),
    ...row('messages', `${thousands(tip.messages)} in view, ${counted(tip.toolCalls, 'tool call')}`),
    ...row('usage', usageText(usage)),
    ...row('first asked', request(first)),
    ...row('last asked', first === last ? undefined : request(last)),
    ...(chain.length > 1 ? ['', ...chainTable(chain, screen)] : []),
  ];
}

function kindOf(root: Session): string {
  if (isBrokenAnswer(root)) return 'a broken-off answer';
  return root.relation === 'side' ? 'sub-agent or branch' : 'branch';
}

function usageText(usage: UsageTotals): string {
  if (usage.calls === 0) return 'no calls';
  const tokens = `${thousands(promptTokensIn(usage))} tokens in, ${thousands(usage.outputTokens)} out`;
  const price = costText(usage);
  return `${counted(usage.calls, 'call')}, ${tokens}, ${price === 'unknown' ? 'price unknown' : price}`;
}

function chainTable(chain: readonly Session[], screen: Screen): readonly string[] {
  const columns = [
    { title: 'session', whole: true as const },
    { title: 'started' },
    { title: 'ended' },
    { title: 'messages', align: 'right' as const },
  ];
  const ids = shortIds(chain.map(({ id }) => id));
  const rows = chain.map(({ startedAt, endedAt, endReason, messages }, at) => [
    ids[at] ?? '',
    timeText(startedAt),
    endedAt === undefined ? 'open' : `${timeText(endedAt)} ${endReason ?? ''}`,
    thousands(messages),
  ]);
  return table(columns, rows, { screen });
}

// Conversations as a table: one row each.

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
