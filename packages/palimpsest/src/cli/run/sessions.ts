/** `palimpsest sessions list`, `show`, `title` and `export`: the conversations of the store. */
import { type FormatName, type Message, redact, writeTranscript } from '@palimpsest/core';
import { isFromPerson, messageText, readableText, redactedMessage, writableFormats } from '@palimpsest/core/formats';
import {
  cleanTitle,
  exportSession,
  isBrokenAnswer,
  keptForSession,
  type Session,
  type Store,
  type StoredMessage,
  sumUsage,
  transcriptWithKept,
  type UsageTotals,
} from '@palimpsest/core/store';
import { costText, promptTokensIn } from '@palimpsest/core/usage';
import { clip, type Screen, styled } from '../../terminal/screen.ts';
import { visible } from '../../terminal/visible.ts';
import type { Call } from '../commands/build.ts';
import { callsById, kindOf, kindTitles, toolsOf } from '../message-kinds.ts';
import {
  conversationRow,
  findSession,
  openStoreFor,
  type StoreFlags,
  sessionRow,
  sessionTitle,
  shortIds,
  type TitledConversation,
  untitled,
  withTitles,
} from '../open-store.ts';
import { badOption, given, numberOf, projectFolder, type TimeFlags, timeRange } from '../option-values.ts';
import { outputFile } from '../output-file.ts';
import { copied, gives, right, tableOf } from '../render/table.ts';
import { counted, fill, linesOf, oneLine, thousands, timeStamp, timeText } from '../render/text.ts';
import * as write from '../terminal.ts';

interface ListFlags extends StoreFlags, TimeFlags {
  readonly limit?: string;
  readonly source?: string;
  readonly project?: string;
  readonly sides?: boolean;
}

export async function runSessionsList({ flags, terminal }: Call<ListFlags>): Promise<void> {
  const limit = numberOf(flags.limit ?? '20', { option: '--limit', from: 1, evidence: 'limit' });
  const { source, sides, since, until } = flags;
  const project = flags.project === undefined ? undefined : projectFolder(flags.project, terminal.cwd);
  const filter = { ...timeRange({ since, until }), ...given({ source, project, sides }), limit: limit + 1 };
  const { store, path, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const found = await opened.sessions.list(filter);
  const shown = await withTitles(opened, found.slice(0, limit));
  const hasMore = found.length > limit;
  await write.writeResult(terminal, {
    json: () => ({ command: 'sessions list', store: path, conversations: shown.map(conversationRow), hasMore }),
    notes,
    remarks: linesOf(
      hasMore && `showing the first ${limit}: --limit N shows more; --since, --source and --project narrow the list`,
      shown.length === 0 && 'no conversation matches',
    ),
    lines: (screen) => conversationTable(shown, screen),
  });
}

/** One row a conversation. */
export function conversationTable(conversations: readonly TitledConversation[], screen: Screen): readonly string[] {
  if (conversations.length === 0) return [];
  const ids = shortIds(conversations.map(({ tip }) => tip.id));
  const lastName = (path = ''): string => path.split(/[\\/]/).findLast(Boolean) ?? path;
  return tableOf(
    conversations,
    [
      ['id', (_, at) => ids[at] ?? '', copied],
      ['last active', ({ tip }) => timeText(tip.lastActiveAt)],
      ['source', ({ tip }) => oneLine(tip.source)],
      ['project', ({ tip }) => clip(oneLine(lastName(tip.project)), 18), { from: 100 }],
      ['messages', ({ tip }) => thousands(tip.messages), right],
      ['title', ({ title }) => oneLine(title) || untitled, gives],
    ],
    { screen, indent: 0 },
  );
}

// `palimpsest sessions show`: one conversation, and what was said in it.

interface ShowFlags extends StoreFlags {
  readonly messages?: boolean;
}

export async function runSessionsShow({ words: [wanted = ''], flags, terminal }: Call<ShowFlags>): Promise<void> {
  const { store, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const facts = await factsOf(opened, await findSession(opened, wanted));
  const { tip, root } = facts;
  const text = await keptForSession(opened, root.id);
  const kept = text === null ? null : redact(text);
  if (terminal.json) {
    const said = flags.messages ? { messages: (await opened.messages.view(tip.id)).map(messageRow) } : {};
    const document = { command: 'sessions show', ...conversationJson(facts), kept, ...said, notes };
    return await write.writeJson(terminal, document);
  }
  await write.writeNotes(terminal, notes);
  if (flags.messages) await writeMessages(opened, { tip, kept }, terminal);
  else await write.writeReport(terminal, conversationReport(facts, write.stdoutScreen(terminal)));
}

interface ConversationFacts {
  readonly chain: readonly Session[];
  readonly tip: Session;
  readonly root: Session;
  /** Empty where it has none. */
  readonly title: string;
  /** What a person asked for first, and last. */
  readonly first: Message | undefined;
  readonly last: Message | undefined;
  readonly usage: UsageTotals;
}

const pageSize = 200;

async function factsOf(store: Store, tip: Session): Promise<ConversationFacts> {
  const chain = await store.sessions.chain(tip.id);
  const root = chain[0] ?? tip;
  return {
    chain,
    tip,
    root,
    title: await sessionTitle(store, tip.id),
    first: await request(store, root, 'first'),
    last: await request(store, tip, 'last'),
    usage: sumUsage(chain.map(({ usage }) => usage)),
  };
}

/** What a person asked for first or last, looked for page by page from that end. */
async function request(store: Store, { id, messages }: Session, which: 'first' | 'last'): Promise<Message | undefined> {
  const isRequest = ({ message }: StoredMessage): boolean =>
    isFromPerson(message) && messageText(message).trim() !== '';
  for (let seen = 0; seen < messages; seen += pageSize) {
    const from = which === 'first' ? seen : messages - seen - pageSize;
    const page = await store.messages.view(id, { from, to: from + pageSize });
    const found = which === 'first' ? page.find(isRequest) : page.findLast(isRequest);
    if (found) return found.message;
  }
  return undefined;
}

/** The view as text, page by page, so that a pager shows the beginning at once; what a hook keeps stands where it is sent. */
async function writeMessages(
  store: Store,
  { tip: { id, messages }, kept }: { readonly tip: Session; readonly kept: string | null },
  terminal: write.Terminal,
): Promise<void> {
  const screen = write.stdoutScreen(terminal);
  const piece = (about: string, text: string): string => `${styled(about, 'dim', screen)}\n${visible(text)}\n\n`;
  let due = kept === null ? [] : [piece('kept by a hook', kept)];
  for (let from = 0; from < messages; from += pageSize) {
    const page = await store.messages.view(id, { from, to: from + pageSize });
    const calls = callsById(page.map(({ message }) => message));
    for (const { position, time, message } of page) {
      const clean = redactedMessage(message);
      const tools = oneLine(toolsOf(clean, calls).join(', '));
      const about = [`m${position + 1}`, kindTitles[kindOf(clean)], tools, timeText(time)].filter(Boolean).join('  ');
      const before = clean.role === 'system' ? [] : due;
      if (clean.role !== 'system') due = [];
      await write.writePieces(terminal.stdout, [...before, piece(about, readableText(clean))]);
    }
  }
  await write.writePieces(terminal.stdout, due);
}

function conversationJson({ chain, root, tip, title, first, last, usage }: ConversationFacts): object {
  const text = (message: Message | undefined): string | null =>
    message ? messageText(redactedMessage(message)) : null;
  const about = { rootId: root.id, title: title || null, firstRequest: text(first), lastRequest: text(last) };
  return { ...sessionRow(tip), ...about, usage, chain: chain.map(sessionRow) };
}

const messageRow = ({ id, position, time, origin, message }: StoredMessage): object => ({
  id,
  position,
  time: timeStamp(time),
  ...given({ origin }),
  message: redactedMessage(message),
});

const nameWidth = 12;

function conversationReport(facts: ConversationFacts, screen: Screen): readonly string[] {
  const { tip, root, title, chain, usage, first, last } = facts;
  const asked = (message: Message | undefined): string | undefined => message && redact(messageText(message));
  const rows: readonly (readonly [name: string, value: string | undefined])[] = [
    ['id', tip.id],
    ['source', [root.source, root.sourceId].filter(Boolean).join('  ')],
    ['file', root.sourcePath],
    ['project', tip.project],
    ['model', tip.model],
    ['parent', root.parentId && `${root.parentId} (${kindName(root)})`],
    ['started', timeText(root.startedAt)],
    ['last active', timeText(tip.lastActiveAt)],
    ['ended', tip.endedAt === undefined ? undefined : `${timeText(tip.endedAt)} (${tip.endReason ?? ''})`],
    ['messages', `${thousands(tip.messages)} in view, ${counted(tip.toolCalls, 'tool call')}`],
    ['usage', usageText(usage)],
    ['first asked', asked(first)],
    ['last asked', first === last ? undefined : asked(last)],
  ];
  const line = (name: string, value: string): string =>
    `  ${styled(fill(name, nameWidth), 'dim', screen)}${clip(oneLine(value), screen.columns - nameWidth - 2)}`;
  return linesOf(
    styled(clip(oneLine(title) || untitled, screen.columns), 'bold', screen),
    rows.flatMap(([name, value]) => (value ? [line(name, value)] : [])),
    chain.length > 1 && ['', ...chainTable(chain, screen)],
  );
}

function kindName(root: Session): string {
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
  const ids = shortIds(chain.map(({ id }) => id));
  return tableOf(
    chain,
    [
      ['session', (_, at) => ids[at] ?? '', { whole: true }],
      ['started', ({ startedAt }) => timeText(startedAt)],
      [
        'ended',
        ({ endedAt, endReason = '' }) => (endedAt === undefined ? 'open' : `${timeText(endedAt)} ${endReason}`),
      ],
      ['messages', ({ messages }) => thousands(messages), right],
    ],
    { screen },
  );
}

// `palimpsest sessions title` and `export`.

interface TitleFlags extends StoreFlags {
  readonly clear?: boolean;
}

/** The words are the session, and the title where there is one. */
export async function runSessionsTitle({ words, flags, terminal }: Call<TitleFlags>): Promise<void> {
  const [wanted = '', title] = words;
  if (title !== undefined && flags.clear) throw badOption('expected a TITLE or --clear, got both');
  const clean = title === undefined ? undefined : cleanTitle(title, 'user');
  if (title !== undefined && clean === undefined)
    throw badOption('expected a TITLE with visible characters, got none; to remove the title, use --clear');
  const { store, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const { id } = await findSession(opened, wanted);
  if (title !== undefined || flags.clear) await opened.sessions.title(id, title);
  const own = (await opened.sessions.chain(id)).findLast((session) => session.title !== undefined);
  const shown = await sessionTitle(opened, id);
  const none = shown === '' ? 'it has no title' : 'it has no title: this is how its first request begins';
  if (terminal.json) {
    const about = { id, title: shown || null, titleFrom: own?.titleFrom ?? null };
    return await write.writeJson(terminal, { command: 'sessions title', ...about, notes });
  }
  const isTaken = title !== undefined && own?.title !== clean;
  const taken = isTaken && 'the title is already in use, so a number was added';
  await write.writeNotes(terminal, linesOf(notes, taken, own === undefined && none));
  await write.writeLines(terminal.stdout, shown === '' ? [] : [visible(shown)]);
}

interface ExportFlags extends StoreFlags {
  readonly to?: FormatName;
  readonly output?: string;
  readonly force?: boolean;
  readonly view?: boolean;
}

export async function runSessionsExport({ words: [wanted = ''], flags, terminal }: Call<ExportFlags>): Promise<void> {
  const name = flags.output === '-' ? undefined : flags.output;
  const rules = { terminal, force: flags.force, store: flags.store };
  const output = name === undefined ? undefined : await outputFile(name, rules);
  const { store, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const { id, rootId } = await findSession(opened, wanted);
  const stored = await exportSession(opened, id, { what: flags.view ? 'view' : 'conversation' });
  const transcript = flags.view ? transcriptWithKept(stored, await keptForSession(opened, rootId)) : stored;
  // What a conversation of a tool is written as whose own format can only be read.
  const own = writableFormats.includes(transcript.format) ? transcript.format : 'openai-chat';
  const format = flags.to ?? own;
  const pieces = writeTranscript(transcript, format);
  if (output) await output.write(pieces);
  else await write.writePieces(terminal.stdout, pieces);
  const said = linesOf(
    notes,
    format !== transcript.format && 'fields that only the original format has were left out',
    name !== undefined && `${counted(transcript.messages.length, 'message')} written as ${format} to ${name}`,
  );
  await write.writeNotes(terminal, said);
}
