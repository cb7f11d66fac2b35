/** Which session a person means by an id, the beginning of one, or a title; and how lists and programs name one. */
import { PalimpsestError, redact } from '@palimpsest/core';
import { conversationTitle } from '@palimpsest/core/search';
import { type Conversation, type Session, type SessionId, type Store, titleNumber } from '@palimpsest/core/store';
import { firstOf, oneLine, timeStamp, timeText } from './render/text.ts';

/**
 * The newest session of the conversation that is meant. A title stands for the newest of those that are numbered after
 * it. Throws `ID_UNKNOWN`, and `ID_AMBIGUOUS` with those that it may stand for.
 */
export async function findSession(store: Store, wanted: string): Promise<Session> {
  const found = await store.sessions.find(wanted);
  const [best] = found;
  const evidence = { session: wanted.slice(0, 80) };
  if (!best) {
    const message = `no conversation has the id or title ${JSON.stringify(wanted)}: \`palimpsest sessions list\` lists all`;
    throw new PalimpsestError('ID_UNKNOWN', message, { evidence });
  }
  const text = wanted.trim();
  if (found.length === 1 || best.id === text || best.sourceId === text || isTitle(best, text)) return best;
  const many = found.length < mostFound ? String(found.length) : 'many';
  const message = `${JSON.stringify(wanted)} matches ${many} conversations: give more of the id of one of them:\n${await listed(store, found)}`;
  throw new PalimpsestError('ID_AMBIGUOUS', message, { evidence });
}

const isTitle = ({ title }: Session, text: string): boolean =>
  title !== undefined && [title, titleNumber(title).base].some((one) => one.toLowerCase() === text.toLowerCase());

/** How many a store looks for. */
const mostFound = 20;
/** More lines than this are no help in an error. */
export const mostListed = 12;

async function listed(store: Store, found: readonly Session[]): Promise<string> {
  const lines = found.map(async ({ id, lastActiveAt, source }) =>
    `  ${id}  ${timeText(lastActiveAt)}  ${oneLine(source)}  ${oneLine(await sessionTitle(store, id))}`.trimEnd(),
  );
  return firstOf(await Promise.all(lines), mostListed, (rest) => `  … and ${rest} more`).join('\n');
}

/** Enough of each id to tell it from the others; at least the milliseconds in which it was given. */
export function shortIds(ids: readonly string[]): readonly string[] {
  const sorted = [...new Set(ids)].sort();
  const lengths = new Map(
    sorted.map((id, at) => {
      const near = [sorted[at - 1], sorted[at + 1]].map((other) => 1 + shared(id, other));
      return [id, Math.max(least, ...near)];
    }),
  );
  return ids.map((id) => id.slice(0, lengths.get(id) ?? id.length).replace(/-$/, ''));
}

/** Of `0193a2b4-c5d6-7…`, the time. */
const least = 13;

function shared(id: string, other: string | undefined): number {
  let length = 0;
  while (other !== undefined && length < id.length && id[length] === other[length]) length++;
  return length;
}

/** A conversation with what it is called; empty where nobody named it and nobody asked anything in it. */
export interface TitledConversation extends Conversation {
  readonly title: string;
}

/** For a person to read where there is no title. */
export const untitled = 'untitled';

export const withTitles = (store: Store, all: readonly Conversation[]): Promise<readonly TitledConversation[]> =>
  Promise.all(all.map(async (one) => ({ ...one, title: await conversationTitle(store, one) })));

/** What the conversation of a session is called. */
export async function sessionTitle(store: Store, id: SessionId): Promise<string> {
  const chain = await store.sessions.chain(id);
  const [root] = chain;
  if (!root) return '';
  const title = chain.findLast((session) => session.title !== undefined)?.title;
  return conversationTitle(store, { root, ...(title === undefined ? {} : { title }) });
}

// A conversation as programs get it; `docs/guide/sessions.md` describes it.

/** One row of the list. Previews are redacted, as titles are: they are shown, and the messages keep what was said. */
export const conversationRow = ({ tip, root, sessions, title, preview }: TitledConversation): object => ({
  ...about(tip),
  rootId: root.id,
  title: title || null,
  preview: redact(preview),
  sessions,
  startedAt: timeStamp(root.startedAt),
  lastActiveAt: timeStamp(tip.lastActiveAt),
  sourceId: root.sourceId ?? null,
});

/** One session of a chain. */
export const sessionRow = (session: Session): object => ({
  ...about(session),
  rootId: session.rootId,
  title: session.title === undefined ? null : redact(session.title),
  titleFrom: session.titleFrom ?? null,
  sourceId: session.sourceId ?? null,
  sourcePath: session.sourcePath ?? null,
  startedAt: timeStamp(session.startedAt),
  lastActiveAt: timeStamp(session.lastActiveAt),
  endedAt: session.endedAt === undefined ? null : timeStamp(session.endedAt),
  endReason: session.endReason ?? null,
  toolCalls: session.toolCalls,
  usage: session.usage,
});

const about = ({ id, relation, parentId, source, project, model, messages }: Session): object => ({
  id,
  relation,
  parentId: parentId ?? null,
  source,
  project: project ?? null,
  model: model ?? null,
  messages,
});
