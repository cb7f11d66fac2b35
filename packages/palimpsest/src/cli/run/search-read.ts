/** `palimpsest read`: a message with what stands around it, or a conversation from both ends. */
import { PalimpsestError } from '@palimpsest/core';
import {
  type AroundMessage,
  lineageOf,
  type ReadConversation,
  readAround,
  readConversation,
  readLineage,
  type ShownMessage,
  shownMessages,
} from '@palimpsest/core/search';
import { type MessageId, messageBody, type Store, type StoredMessage } from '@palimpsest/core/store';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { findSession } from '../find-session.ts';
import { type OpenedStore, openStoreFor, type StoreFlags } from '../open-store.ts';
import { numberOf, requireOneForm } from '../option-values.ts';
import { betweenLine, conversationLine, readReport } from '../render/search-report.ts';
import { timeStamp, visible } from '../render/text.ts';
import { stdoutScreen, type Terminal, writeJson, writeLines, writeNotes, writePieces } from '../terminal.ts';

export interface ReadFlags extends StoreFlags {
  readonly around?: string;
  readonly raw?: boolean;
}

interface Task {
  readonly opened: OpenedStore;
  readonly flags: ReadFlags;
  readonly terminal: Terminal;
}

/** `id` is that of a message, or stands for a conversation. */
export async function runRead(id: string, flags: ReadFlags, terminal: Terminal): Promise<ExitCode> {
  requireOneForm(flags);
  const window =
    flags.around === undefined
      ? undefined
      : numberOf(flags.around, { option: '--around', from: 0, to: 200, evidence: 'around' });
  const opened = await openStoreFor(flags, terminal);
  await using _ = opened.store;
  const task: Task = { opened, flags, terminal };
  const message = await messageFor(opened.store, id.trim().toLowerCase());
  const around = message === undefined ? undefined : await readAround(opened.store, message, { window: window ?? 0 });
  if (around) await showMessage(around, { ...task, isAlone: window === undefined });
  else await showConversation(id, task);
  return exitCodes.fine;
}

/** So many messages are named where a beginning may stand for several. */
const mostListed = 12;

/** The message with the id, or the only one whose id begins so; undefined where a conversation is meant. */
async function messageFor(store: Store, wanted: string): Promise<MessageId | undefined> {
  const found = await store.messages.find(wanted, mostListed + 1);
  if (found[0] === undefined || found[0] === wanted) return found[0];
  const [session, ...others] = await store.sessions.find(wanted);
  if (session === undefined && found.length === 1) return found[0];
  if (session?.sourceId === wanted || session?.title?.toLowerCase() === wanted) return undefined;
  const messages = found.slice(0, mostListed).map((id) => `${id}  message`);
  const conversations = session ? [`${session.id}  conversation`] : [];
  const isMore = found.length > mostListed || others.length > 0;
  const lines = [...messages, ...conversations, ...(isMore ? ['… and more'] : [])].map((line) => `  ${line}`);
  const message = `${JSON.stringify(wanted)} matches several ids: give more characters of one of them:\n${lines.join('\n')}`;
  throw new PalimpsestError('ID_AMBIGUOUS', message, { evidence: { id: wanted } });
}

/** A text that nobody's terminal shows whole. */
const whole = Number.MAX_SAFE_INTEGER;

async function showMessage(
  around: AroundMessage,
  { opened, flags, terminal, isAlone }: Task & { readonly isAlone: boolean },
): Promise<void> {
  const { message, before, after, earlier, later } = around;
  const messages = [...before, message, ...after];
  if (flags.raw) return await writeRaw(messages, terminal);
  const shown = shownMessages(messages, { max: whole });
  if (flags.json) {
    const about = { ...conversationJson(around), message: message.id, earlier, later };
    const rows = shown.map((one, i) => messageJson(one, messages[i]));
    await writeJson(terminal.stdout, { command: 'read', ...about, messages: rows, notes: opened.notes });
    return;
  }
  const screen = stdoutScreen(terminal, flags);
  if (!isAlone) {
    await writeNotes(terminal, opened.notes, flags);
    await writeLines(terminal.stdout, [
      conversationLine(around, screen),
      ...betweenLine(earlier, screen),
      ...readReport(shown, { screen, named: message.id }),
      ...betweenLine(later, screen),
    ]);
    return;
  }
  const text = shown.map((one) => one.text).join('\n');
  await writeNotes(terminal, [...opened.notes, ...aboutMessage(around, shown[0])], flags);
  // A terminal must not be driven by what a transcript holds; a pipe gets every character as it is.
  await writePieces(terminal.stdout, [terminal.stdout.isTTY ? `${visible(text)}\n` : text]);
}

function aboutMessage({ lineage, title, message }: AroundMessage, shown: ShownMessage | undefined): readonly string[] {
  const masked = shown?.text.includes('[REDACTED:') ? ['credentials are masked (--raw shows them)'] : [];
  const where = title === '' ? lineage.tip.id : `${lineage.tip.id} (${title})`;
  return [`${shown?.speaker ?? message.message.role}, ${timeStamp(message.time)}, in ${where}`, ...masked];
}

async function showConversation(id: string, { opened, flags, terminal }: Task): Promise<void> {
  const { store } = opened;
  const session = await sessionFor(store, id);
  if (flags.around !== undefined) throw aroundConversation(session);
  if (flags.raw) {
    const lineage = await lineageOf(store, session);
    for (let from = 0; from < lineage.size; from += rawStep) {
      await writeRaw(await readLineage(store, lineage, { from, to: from + rawStep }), terminal, true);
    }
    return;
  }
  const read = await readConversation(store, session);
  const { head, between, tail } = read;
  const messages = [...head, ...tail];
  const shown = shownMessages(messages, { max: flags.json ? whole : mostOfMessage });
  if (flags.json) {
    const rows = shown.map((one, i) => messageJson(one, messages[i]));
    const ends = { head: rows.slice(0, head.length), between, tail: rows.slice(head.length) };
    await writeJson(terminal.stdout, { command: 'read', ...conversationJson(read), ...ends, notes: opened.notes });
    return;
  }
  const screen = stdoutScreen(terminal, flags);
  await writeNotes(terminal, opened.notes, flags);
  await writeLines(terminal.stdout, [
    conversationLine(read, screen),
    ...readReport(shown.slice(0, head.length), { screen }),
    ...betweenLine(between, screen),
    ...readReport(shown.slice(head.length), { screen }),
  ]);
}

/** Messages that are in memory at once. */
const rawStep = 200;
/** Characters of a message of a conversation that is read from both ends. */
const mostOfMessage = 1_200;

async function sessionFor(store: Store, id: string): Promise<string> {
  try {
    return (await findSession(store, id)).id;
  } catch (error) {
    throw PalimpsestError.isInstance(error) && error.code === 'ID_UNKNOWN' ? noMessage(id) : error;
  }
}

function noMessage(id: string): PalimpsestError {
  const message = `there is no message or conversation ${JSON.stringify(id.slice(0, 80))}: give the id of a message (\`palimpsest search\` shows it), or the id or title of a conversation`;
  return new PalimpsestError('ID_UNKNOWN', message, { evidence: { id: id.slice(0, 80) } });
}

function aroundConversation(id: string): PalimpsestError {
  const message = `expected --around with a message, got the conversation ${id}: omit --around, or name a message`;
  return new PalimpsestError('BAD_OPTION', message, { evidence: { id } });
}

/** The bytes as they are kept; several divided by line breaks, one without, so that its hash can be taken. */
async function writeRaw(messages: readonly StoredMessage[], terminal: Terminal, isPart = false): Promise<void> {
  const texts = messages.map(({ message }) => messageBody(message, 0).text);
  const end = isPart || texts.length > 1 || terminal.stdout.isTTY ? '\n' : '';
  await writePieces(terminal.stdout, [texts.join('\n') + end]);
}

const conversationJson = ({ lineage, title }: Pick<ReadConversation, 'lineage' | 'title'>): object => ({
  session: lineage.tip.id,
  rootId: lineage.root.id,
  title: title || null,
  size: lineage.size,
});

const messageJson = ({ from: _from, to: _to, ...shown }: ShownMessage, stored: StoredMessage | undefined): object => ({
  ...shown,
  position: stored?.position,
  time: timeStamp(shown.time),
});
