/** `palimpsest sessions list`, `show`, `title` and `export`: the conversations of the store. */
import { type FormatName, type Message, PalimpsestError, redact, writeTranscript } from '@palimpsest/core';
import { isFromPerson, messageText, readableText, redactedMessage, writableFormats } from '@palimpsest/core/formats';
import {
  type ConversationFilter,
  cleanTitle,
  exportSession,
  keptForSession,
  type Session,
  type Store,
  type StoredMessage,
  sumUsage,
  transcriptWithKept,
} from '@palimpsest/core/store';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { conversationRow, findSession, sessionRow, sessionTitle, withTitles } from '../find-session.ts';
import { callsById, kindOf, kindTitles, toolsOf } from '../message-kinds.ts';
import { openStoreFor, type StoreFlags } from '../open-store.ts';
import { numberOf, projectFolder, type TimeFlags, timeRange } from '../option-values.ts';
import { outputFile } from '../output-file.ts';
import { styled } from '../render/screen.ts';
import { type ConversationFacts, conversationReport, conversationTable } from '../render/session-report.ts';
import { counted, oneLine, timeStamp, timeText, visible } from '../render/text.ts';
import {
  stdoutScreen,
  type Terminal,
  writeJson,
  writeLines,
  writeNotes,
  writePieces,
  writeReport,
  writeResult,
} from '../terminal.ts';

interface SessionsListFlags extends StoreFlags, TimeFlags {
  readonly limit?: string;
  readonly source?: string;
  readonly project?: string;
  readonly sides?: boolean;
}

export async function runSessionsList(flags: SessionsListFlags, terminal: Terminal): Promise<ExitCode> {
  const limit = numberOf(flags.limit ?? '20', { option: '--limit', from: 1, evidence: 'limit' });
  const filter = { ...filterOf(flags, terminal), limit: limit + 1 };
  const { store, path, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const found = await opened.sessions.list(filter);
  const shown = await withTitles(opened, found.slice(0, limit));
  const hasMore = found.length > limit;
  const json = (): object => {
    return { command: 'sessions list', store: path, conversations: shown.map(conversationRow), hasMore };
  };
  const remarks = [
    ...(hasMore
      ? [`showing the first ${limit}: --limit N shows more; --since, --source and --project narrow the list`]
      : []),
    ...(shown.length === 0 ? ['no conversation matches'] : []),
  ];
  await writeResult({ json, notes, remarks, lines: (screen) => conversationTable(shown, screen) }, flags, terminal);
  return exitCodes.fine;
}

function filterOf({ source, project, sides, since, until }: SessionsListFlags, { cwd }: Terminal): ConversationFilter {
  const times = timeRange({ since, until });
  return {
    ...times,
    ...(source === undefined ? {} : { source }),
    ...(project === undefined ? {} : { project: projectFolder(project, cwd) }),
    ...(sides ? { sides } : {}),
  };
}

// `palimpsest sessions show`: one conversation, and what was said in it.

interface SessionsShowFlags extends StoreFlags {
  readonly messages?: boolean;
}

export async function runSessionsShow(wanted: string, flags: SessionsShowFlags, terminal: Terminal): Promise<ExitCode> {
  const { store, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const facts = await factsOf(opened, await findSession(opened, wanted));
  const text = await keptForSession(opened, facts.root.id);
  const kept = text === null ? null : redact(text);
  if (flags.json) {
    const messages = flags.messages ? { messages: (await opened.messages.view(facts.tip.id)).map(messageRow) } : {};
    await writeJson(terminal.stdout, {
      command: 'sessions show',
      ...conversationJson(facts),
      kept,
      ...messages,
      notes,
    });
    return exitCodes.fine;
  }
  await writeNotes(terminal, notes, flags);
  if (flags.messages) await writeMessages(opened, facts.tip, { kept, flags, terminal });
  else await writeReport(terminal, conversationReport(facts, stdoutScreen(terminal, flags)), flags);
  return exitCodes.fine;
}

/** How many messages are in memory at once. */
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
    const range =
      which === 'first'
        ? { from: seen, to: seen + pageSize }
        : { from: messages - seen - pageSize, to: messages - seen };
    const page = await store.messages.view(id, range);
    const found = which === 'first' ? page.find(isRequest) : page.findLast(isRequest);
    if (found) return found.message;
  }
  return undefined;
}

interface Showing {
  readonly kept: string | null;
  readonly flags: SessionsShowFlags;
  readonly terminal: Terminal;
}

/** The view as text, page by page, so that a pager shows the beginning at once; what a hook keeps stands where it is sent. */
async function writeMessages(
  store: Store,
  { id, messages }: Session,
  { kept, flags, terminal }: Showing,
): Promise<void> {
  const screen = stdoutScreen(terminal, flags);
  let due = kept === null ? [] : [`${styled('kept by a hook', 'dim', screen)}\n${visible(kept)}\n\n`];
  for (let from = 0; from < messages; from += pageSize) {
    const page = await store.messages.view(id, { from, to: from + pageSize });
    const calls = callsById(page.map(({ message }) => message));
    const pieces = page.flatMap(({ position, time, message }) => {
      const clean = redactedMessage(message);
      const tools = oneLine(toolsOf(clean, calls).join(', '));
      const about = [`m${position + 1}`, kindTitles[kindOf(clean)], tools, timeText(time)].filter(Boolean).join('  ');
      const before = clean.role === 'system' ? [] : due;
      if (clean.role !== 'system') due = [];
      return [...before, `${styled(about, 'dim', screen)}\n${visible(readableText(clean))}\n\n`];
    });
    await writePieces(terminal.stdout, pieces);
  }
  await writePieces(terminal.stdout, due);
}

function conversationJson({ chain, root, tip, title, first, last, usage }: ConversationFacts): Record<string, unknown> {
  const text = (message: Message | undefined): string | null =>
    message ? messageText(redactedMessage(message)) : null;
  const requests = { firstRequest: text(first), lastRequest: text(last) };
  return {
    ...sessionRow(tip),
    rootId: root.id,
    title: title || null,
    ...requests,
    usage,
    chain: chain.map(sessionRow),
  };
}

const messageRow = ({ id, position, time, origin, message }: StoredMessage): Record<string, unknown> => ({
  id,
  position,
  time: timeStamp(time),
  ...(origin === undefined ? {} : { origin }),
  message: redactedMessage(message),
});

// `palimpsest sessions title`: what a conversation is called.

interface SessionsTitleFlags extends StoreFlags {
  readonly clear?: boolean;
}

/** `words` are the session, and the title where there is one. */
export async function runSessionsTitle(
  [wanted = '', given]: readonly (string | undefined)[],
  flags: SessionsTitleFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  if (given !== undefined && flags.clear) throw wrong('expected a TITLE or --clear, got both');
  if (given !== undefined && cleanTitle(given, 'user') === undefined) {
    throw wrong('expected a TITLE with visible characters, got none; to remove the title, use --clear');
  }
  const { store, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const tip = await findSession(opened, wanted);
  const changes = given !== undefined || flags.clear === true;
  if (changes) await opened.sessions.title(tip.id, given);
  const own = (await opened.sessions.chain(tip.id)).findLast((session) => session.title !== undefined);
  const shown = await sessionTitle(opened, tip.id);
  if (flags.json) {
    const about = { id: tip.id, title: shown || null, titleFrom: own?.titleFrom ?? null };
    await writeJson(terminal.stdout, { command: 'sessions title', ...about, notes });
    return exitCodes.fine;
  }
  const taken =
    given !== undefined && own?.title !== cleanTitle(given, 'user')
      ? ['the title is already in use, so a number was added']
      : [];
  const none = shown === '' ? 'it has no title' : 'it has no title: this is how its first request begins';
  await writeNotes(terminal, [...notes, ...taken, ...(own === undefined ? [none] : [])], flags);
  await writeLines(terminal.stdout, shown === '' ? [] : [visible(shown)]);
  return exitCodes.fine;
}

const wrong = (message: string): PalimpsestError => new PalimpsestError('BAD_OPTION', message);

// `palimpsest sessions export`: a stored conversation as a file of any format.

interface SessionsExportFlags extends StoreFlags {
  readonly to?: FormatName;
  readonly output?: string;
  readonly force?: boolean;
  readonly view?: boolean;
}

/** What a conversation of a tool is written as whose own format can only be read. */
const otherwise: FormatName = 'openai-chat';

export async function runSessionsExport(
  wanted: string,
  flags: SessionsExportFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const isFile = flags.output !== undefined && flags.output !== '-';
  const output = isFile && (await outputFile(flags.output, { terminal, force: flags.force, store: flags.store }));
  const { store, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const { id, rootId } = await findSession(opened, wanted);
  const stored = await exportSession(opened, id, { what: flags.view ? 'view' : 'conversation' });
  const transcript = flags.view ? transcriptWithKept(stored, await keptForSession(opened, rootId)) : stored;
  const own = writableFormats.includes(transcript.format) ? transcript.format : otherwise;
  const format = flags.to ?? own;
  const pieces = writeTranscript(transcript, format);
  if (output) await output.write(pieces);
  else await writePieces(terminal.stdout, pieces);
  const said = `${counted(transcript.messages.length, 'message')} written as ${format}${isFile ? ` to ${flags.output}` : ''}`;
  const lost = format === transcript.format ? [] : ['fields that only the original format has were left out'];
  await writeNotes(terminal, [...notes, ...lost, ...(isFile ? [said] : [])], flags);
  return exitCodes.fine;
}
