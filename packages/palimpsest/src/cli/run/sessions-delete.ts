/** `palimpsest sessions delete` and `prune`: what is no longer wanted goes, and nothing else. */
import { PalimpsestError } from '@palimpsest/core';
import type { Conversation, Deleted, Store } from '@palimpsest/core/store';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { conversationRow, findSession, type TitledConversation, withTitles } from '../find-session.ts';
import { type OpenedStore, openStoreFor, type StoreFlags } from '../open-store.ts';
import { timeOf } from '../option-values.ts';
import type { Screen } from '../render/screen.ts';
import { conversationTable } from '../render/session-report.ts';
import { counted, timeStamp, timeText } from '../render/text.ts';
import { stderrScreen, type Terminal, writeLines, writeResult } from '../terminal.ts';

interface SessionsDeleteFlags extends StoreFlags, AskFlags {
  readonly dryRun?: boolean;
}

interface SessionsPruneFlags extends SessionsDeleteFlags {
  readonly before?: string;
  readonly source?: string;
}

export async function runSessionsDelete(
  wanted: readonly string[],
  flags: SessionsDeleteFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const opened = await openStoreFor(flags, terminal);
  await using store = opened.store;
  const tips = new Set<string>();
  for (const one of wanted) tips.add((await findSession(store, one)).id);
  const going = await withTitles(store, await withSides(store, tips));
  const remove = async (): Promise<Deleted> => {
    const done: Deleted[] = [];
    for (const { tip } of going) done.push(await store.sessions.delete(tip.id));
    return total(done);
  };
  return await deleted({ command: 'sessions delete', opened, going, remove }, flags, terminal);
}

export async function runSessionsPrune(flags: SessionsPruneFlags, terminal: Terminal): Promise<ExitCode> {
  if (flags.before === undefined)
    throw new PalimpsestError('BAD_OPTION', 'expected --before TIME, such as --before 90d');
  const before = timeOf('--before', flags.before, { now: Date.now() });
  const opened = await openStoreFor(flags, terminal);
  await using store = opened.store;
  const filter = flags.source === undefined ? {} : { source: flags.source };
  const found = await store.sessions.list({ ...filter, until: before, sides: true, limit: everyOne });
  const going = await withTitles(store, found);
  const remove = (): Promise<Deleted> => store.sessions.prune(before, filter);
  return await deleted({ command: 'sessions prune', opened, going, remove, before }, flags, terminal);
}

const everyOne = Number.MAX_SAFE_INTEGER;

const everything = (store: Store): Promise<readonly Conversation[]> =>
  store.sessions.list({ sides: true, limit: everyOne });

/** The conversations with these tips, and those of their sub-agents. */
async function withSides(store: Store, tips: ReadonlySet<string>): Promise<readonly Conversation[]> {
  const all = await everything(store);
  const sides = await sidesByRoot(store, all);
  // What is found while it runs is looked at too.
  const going = new Set(all.flatMap(({ tip, root }) => (tips.has(tip.id) ? [root.id] : [])));
  for (const root of going) for (const side of sides.get(root) ?? []) going.add(side);
  return all.filter(({ root }) => going.has(root.id));
}

/** The side conversations of each conversation, by the sessions that they began with. */
async function sidesByRoot(
  store: Store,
  all: readonly Conversation[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const roots = new Map(all.flatMap(({ tip, root }) => [tip, root].map(({ id }) => [id, root.id] as const)));
  const sides = new Map<string, string[]>();
  for (const { root } of all) {
    if (root.relation !== 'side' || root.parentId === undefined) continue;
    // Any session of a conversation may have started them.
    const parent = roots.get(root.parentId) ?? (await store.sessions.get(root.parentId))?.rootId ?? '';
    const known = sides.get(parent);
    if (known) known.push(root.id);
    else sides.set(parent, [root.id]);
  }
  return sides;
}

interface Deletion {
  readonly command: string;
  readonly opened: OpenedStore;
  readonly going: readonly TitledConversation[];
  readonly remove: () => Promise<Deleted>;
  readonly before?: number;
}

async function deleted(deletion: Deletion, flags: SessionsDeleteFlags, terminal: Terminal): Promise<ExitCode> {
  const { going, opened, remove } = deletion;
  const dryRun = flags.dryRun ?? false;
  const isSure = dryRun || going.length === 0 || (await hasAgreed(deletion, flags, terminal));
  const done = dryRun || going.length === 0 || !isSure ? undefined : await remove();
  const json = (): object => {
    const about = { command: deletion.command, store: opened.path, dryRun, conversations: going.map(conversationRow) };
    const time = deletion.before === undefined ? {} : { before: timeStamp(deletion.before) };
    return { ...about, ...time, deleted: done ? { sessions: done.sessions, messages: done.messages } : null };
  };
  const lines = (screen: Screen): readonly string[] => [
    ...(dryRun ? conversationTable(going, screen) : []),
    ...(flags.quiet ? [] : [outcome(deletion, dryRun, done)]),
  ];
  await writeResult({ json, notes: opened.notes, lines }, flags, terminal);
  return exitCodes.fine;
}

/** Longer lists do not fit a question; `--dry-run` shows all. */
const mostShown = 15;

function hasAgreed({ going }: Deletion, flags: SessionsDeleteFlags, terminal: Terminal): Promise<boolean> {
  const shown = conversationTable(going.slice(0, mostShown), stderrScreen(terminal, flags));
  const rest = going.length > mostShown ? [`… and ${going.length - mostShown} more: --dry-run lists all`] : [];
  const what = `Delete ${counted(going.length, 'conversation')} for good?`;
  return isAgreed([...shown, ...rest, what].join('\n'), flags, terminal);
}

function outcome({ going, before }: Deletion, dryRun: boolean, done: Deleted | undefined): string {
  const when = before === undefined ? '' : ` last active before ${timeText(before)}`;
  const conversations = `${counted(going.length, 'conversation')}${when}`;
  if (going.length === 0) return `nothing to delete: there is no conversation${when}`;
  if (dryRun) return `would delete ${conversations}; messages that other sessions contain would stay`;
  if (!done) return 'nothing was deleted';
  return `deleted ${conversations}: ${counted(done.sessions, 'session')}, ${counted(done.messages, 'message')} that no other session contains`;
}

const total = (all: readonly Deleted[]): Deleted => ({
  sessions: all.reduce((sum, { sessions }) => sum + sessions, 0),
  messages: all.reduce((sum, { messages }) => sum + messages, 0),
  ids: all.flatMap(({ ids }) => ids),
});

// Asks before something is deleted.

interface AskFlags {
  /** Whoever says so beforehand is not asked. */
  readonly yes?: boolean;
}

/**
 * True when a person at a terminal answers with yes. Throws `BAD_OPTION` where nobody can be asked and `--yes` was not
 * given.
 */
async function isAgreed(question: string, flags: AskFlags, terminal: Terminal): Promise<boolean> {
  if (flags.yes) return true;
  if (!terminal.stderr.isTTY) {
    throw new PalimpsestError(
      'BAD_OPTION',
      'expected --yes: there is no terminal to ask on, and deleted conversations cannot be restored',
    );
  }
  terminal.stderr.write(`${question} [y/N] `);
  const answer = await firstLine(terminal);
  if (!answer.includes('\n')) await writeLines(terminal.stderr, ['']);
  return /^\s*y(?:es)?\s*$/i.test(answer);
}

/** Nobody needs more than this to say yes. */
const mostCharacters = 100;

async function firstLine({ stdin }: Terminal): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of stdin) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    if (text.includes('\n') || text.length > mostCharacters) break;
  }
  return text;
}
