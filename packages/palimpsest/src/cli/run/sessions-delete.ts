/** `palimpsest sessions delete` and `prune`: what is no longer wanted goes, and nothing else. */
import type { Conversation, Deleted, Store } from '@palimpsest/core/store';
import type { Call } from '../commands/build.ts';
import {
  conversationRow,
  findSession,
  openStoreFor,
  type StoreFlags,
  type StorePlace,
  type TitledConversation,
  withTitles,
} from '../open-store.ts';
import { badOption, given, timeOf } from '../option-values.ts';
import { counted, timeStamp, timeText } from '../render/text.ts';
import { stderrScreen, type Terminal, writeResult } from '../terminal.ts';
import { isAgreed } from '../terminal-question.ts';
import { conversationTable } from './sessions.ts';

interface DeleteFlags extends StoreFlags {
  readonly dryRun?: boolean;
  /** Whoever says so beforehand is not asked. */
  readonly yes?: boolean;
}

interface PruneFlags extends DeleteFlags {
  readonly before?: string;
  readonly source?: string;
}

export async function runSessionsDelete({ words, flags, terminal }: Call<DeleteFlags>): Promise<void> {
  const opened = await openStoreFor(flags, terminal);
  await using store = opened.store;
  const tips = new Set<string>();
  for (const one of words) tips.add((await findSession(store, one)).id);
  const going = await withTitles(store, await withSides(store, tips));
  const remove = async (): Promise<Pick<Deleted, 'sessions' | 'messages'>> => {
    const sum = { sessions: 0, messages: 0 };
    for (const { tip } of going) {
      const { sessions, messages } = await store.sessions.delete(tip.id);
      sum.sessions += sessions;
      sum.messages += messages;
    }
    return sum;
  };
  await perform({ command: 'sessions delete', place: opened, going, remove }, flags, terminal);
}

export async function runSessionsPrune({ flags, terminal }: Call<PruneFlags>): Promise<void> {
  if (flags.before === undefined) throw badOption('expected --before TIME, such as --before 90d');
  const before = timeOf('--before', flags.before, { now: Date.now() });
  const opened = await openStoreFor(flags, terminal);
  await using store = opened.store;
  const filter = given({ source: flags.source });
  const going = await withTitles(store, await everything(store, { ...filter, until: before }));
  const remove = (): Promise<Deleted> => store.sessions.prune(before, filter);
  await perform({ command: 'sessions prune', place: opened, going, remove, before }, flags, terminal);
}

const everything = (store: Store, filter: Parameters<Store['sessions']['list']>[0] = {}) =>
  store.sessions.list({ ...filter, sides: true, limit: Number.MAX_SAFE_INTEGER });

/** The conversations with these tips, and those of their sub-agents. */
async function withSides(store: Store, tips: ReadonlySet<string>): Promise<readonly Conversation[]> {
  const all = await everything(store);
  const roots = new Map(all.flatMap(({ tip, root }) => [tip, root].map(({ id }) => [id, root.id] as const)));
  /** The side conversations of each conversation, by the sessions that they began with. */
  const sides = new Map<string, string[]>();
  for (const { root } of all) {
    if (root.relation !== 'side' || root.parentId === undefined) continue;
    // Any session of a conversation may have started them.
    const parent = roots.get(root.parentId) ?? (await store.sessions.get(root.parentId))?.rootId ?? '';
    sides.set(parent, [...(sides.get(parent) ?? []), root.id]);
  }
  // What is found while it runs is looked at too.
  const going = new Set(all.flatMap(({ tip, root }) => (tips.has(tip.id) ? [root.id] : [])));
  for (const root of going) for (const side of sides.get(root) ?? []) going.add(side);
  return all.filter(({ root }) => going.has(root.id));
}

interface Deletion {
  readonly command: string;
  readonly place: StorePlace;
  readonly going: readonly TitledConversation[];
  readonly remove: () => Promise<Pick<Deleted, 'sessions' | 'messages'>>;
  readonly before?: number;
}

async function perform(deletion: Deletion, { dryRun = false, yes }: DeleteFlags, terminal: Terminal): Promise<void> {
  const { command, place, going, remove, before } = deletion;
  const isWanted =
    !dryRun &&
    going.length > 0 &&
    (yes || (await isAgreed(questionFor(going, terminal), 'deleted conversations cannot be restored', terminal)));
  const done = isWanted ? await remove() : undefined;
  await writeResult(terminal, {
    json: () => ({
      command,
      store: place.path,
      dryRun,
      conversations: going.map(conversationRow),
      ...(before === undefined ? {} : { before: timeStamp(before) }),
      deleted: done ? { sessions: done.sessions, messages: done.messages } : null,
    }),
    notes: place.notes,
    lines: (screen) => (dryRun ? conversationTable(going, screen) : []),
    done: outcome(deletion, dryRun, done),
  });
}

function outcome(
  { going, before }: Deletion,
  dryRun: boolean,
  done: Pick<Deleted, 'sessions' | 'messages'> | undefined,
) {
  const when = before === undefined ? '' : ` last active before ${timeText(before)}`;
  const conversations = `${counted(going.length, 'conversation')}${when}`;
  if (going.length === 0) return `nothing to delete: there is no conversation${when}`;
  if (dryRun) return `would delete ${conversations}; messages that other sessions contain would stay`;
  if (!done) return 'nothing was deleted';
  return `deleted ${conversations}: ${counted(done.sessions, 'session')}, ${counted(done.messages, 'message')} that no other session contains`;
}

const mostShown = 15;

function questionFor(going: readonly TitledConversation[], terminal: Terminal): string {
  const shown = conversationTable(going.slice(0, mostShown), stderrScreen(terminal));
  const rest = going.length - mostShown;
  const more = rest > 0 ? [`… and ${rest} more: --dry-run lists all`] : [];
  return [...shown, ...more, `Delete ${counted(going.length, 'conversation')} for good?`].join('\n');
}
