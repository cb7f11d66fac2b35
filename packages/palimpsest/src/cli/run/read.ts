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
import type { Call } from '../commands/build.ts';
import { findSession, mostListed, untitled } from '../find-session.ts';
import { openStoreFor, type StoreFlags } from '../open-store.ts';
import { badOption, bothGiven, numberOf, quoted } from '../option-values.ts';
import { glyph, type Screen, styled } from '../render/screen.ts';
import { counted, linesOf, oneLine, thousands, timeStamp, timeText, visible } from '../render/text.ts';
import { stdoutScreen, type Terminal, writeJson, writeLines, writeNotes, writePieces } from '../terminal.ts';

interface ReadFlags extends StoreFlags {
  readonly around?: string;
  readonly raw?: boolean;
}

interface Task {
  readonly flags: ReadFlags;
  readonly terminal: Terminal;
  readonly notes: readonly string[];
}

/** The word is the id of a message, or stands for a conversation. */
export async function runRead({ words: [id = ''], flags, terminal }: Call<ReadFlags>): Promise<void> {
  if (terminal.json && flags.raw) throw bothGiven('--json', '--raw', { option: '--raw' });
  const limits = { option: '--around', from: 0, to: 200, evidence: 'around' };
  const window = flags.around === undefined ? 0 : numberOf(flags.around, limits);
  const { store, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const message = await messageFor(opened, id.trim().toLowerCase());
  const around = message === undefined ? undefined : await readAround(opened, message, { window });
  if (around) await showMessage(around, { flags, terminal, notes });
  else await showConversation(id, opened, { flags, terminal, notes });
}

/** The message with the id, or the only one whose id begins so; undefined where a conversation is meant. */
async function messageFor(store: Store, wanted: string): Promise<MessageId | undefined> {
  const found = await store.messages.find(wanted, mostListed + 1);
  if (found[0] === undefined || found[0] === wanted) return found[0];
  const [session, ...others] = await store.sessions.find(wanted);
  if (session === undefined && found.length === 1) return found[0];
  if (session?.sourceId === wanted || session?.title?.toLowerCase() === wanted) return undefined;
  const lines = linesOf(
    found.slice(0, mostListed).map((id) => `${id}  message`),
    session && `${session.id}  conversation`,
    (found.length > mostListed || others.length > 0) && '… and more',
  ).map((line) => `  ${line}`);
  const message = `${JSON.stringify(wanted)} matches several ids: give more characters of one of them:\n${lines.join('\n')}`;
  throw new PalimpsestError('ID_AMBIGUOUS', message, { evidence: { id: wanted } });
}

/** A text that nobody's terminal shows whole. */
const whole = Number.MAX_SAFE_INTEGER;

async function showMessage(around: AroundMessage, { flags, terminal, notes }: Task): Promise<void> {
  const { message, before, after, earlier, later } = around;
  const messages = [...before, message, ...after];
  if (flags.raw) return await writeRaw(messages, terminal);
  const shown = shownMessages(messages, { max: whole });
  if (terminal.json) {
    const about = { ...conversationJson(around), message: message.id, earlier, later };
    return await writeJson(terminal, { command: 'read', ...about, messages: rowsOf(shown, messages), notes });
  }
  if (flags.around !== undefined) {
    const screen = stdoutScreen(terminal);
    await writeNotes(terminal, notes);
    return await writeLines(terminal.stdout, [
      conversationLine(around, screen),
      ...betweenLine(earlier, screen),
      ...shown.flatMap((one) => messageLines(one, screen, message.id)),
      ...betweenLine(later, screen),
    ]);
  }
  const text = shown.map((one) => one.text).join('\n');
  await writeNotes(terminal, [...notes, ...aboutMessage(around, shown[0])]);
  // A terminal must not be driven by what a transcript holds; a pipe gets every character as it is.
  await writePieces(terminal.stdout, [terminal.stdout.isTTY ? `${visible(text)}\n` : text]);
}

function aboutMessage({ lineage, title, message }: AroundMessage, shown: ShownMessage | undefined): readonly string[] {
  const where = title === '' ? lineage.tip.id : `${lineage.tip.id} (${title})`;
  return linesOf(
    `${shown?.speaker ?? message.message.role}, ${timeStamp(message.time)}, in ${where}`,
    shown?.text.includes('[REDACTED:') && 'credentials are masked (--raw shows them)',
  );
}

async function showConversation(id: string, store: Store, { flags, terminal, notes }: Task): Promise<void> {
  const session = await sessionFor(store, id);
  if (flags.around !== undefined) {
    const message = `expected --around with a message, got the conversation ${session}: omit --around, or name a message`;
    throw badOption(message, { id: session });
  }
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
  const shown = shownMessages(messages, { max: terminal.json ? whole : mostOfMessage });
  if (terminal.json) {
    const rows = rowsOf(shown, messages);
    const ends = { head: rows.slice(0, head.length), between, tail: rows.slice(head.length) };
    return await writeJson(terminal, { command: 'read', ...conversationJson(read), ...ends, notes });
  }
  const screen = stdoutScreen(terminal);
  const rows = shown.map((one) => messageLines(one, screen));
  await writeNotes(terminal, notes);
  await writeLines(terminal.stdout, [
    conversationLine(read, screen),
    ...rows.slice(0, head.length).flat(),
    ...betweenLine(between, screen),
    ...rows.slice(head.length).flat(),
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
    if (!PalimpsestError.isInstance(error) || error.code !== 'ID_UNKNOWN') throw error;
    const message = `there is no message or conversation ${quoted(id, 80)}: give the id of a message (\`palimpsest search\` shows it), or the id or title of a conversation`;
    throw new PalimpsestError('ID_UNKNOWN', message, { evidence: { id: id.slice(0, 80) } });
  }
}

/** The bytes as they are kept; several divided by line breaks, one without, so that its hash can be taken. */
async function writeRaw(messages: readonly StoredMessage[], terminal: Terminal, isPart = false): Promise<void> {
  const texts = messages.map(({ message }) => messageBody(message, 0).text);
  const end = isPart || texts.length > 1 || terminal.stdout.isTTY ? '\n' : '';
  await writePieces(terminal.stdout, [texts.join('\n') + end]);
}

type Lineage = Pick<ReadConversation, 'lineage' | 'title'>;

const conversationJson = ({ lineage, title }: Lineage): object => ({
  session: lineage.tip.id,
  rootId: lineage.root.id,
  title: title || null,
  size: lineage.size,
});

const rowsOf = (shown: readonly ShownMessage[], stored: readonly StoredMessage[]): readonly object[] =>
  shown.map(({ from: _from, to: _to, ...one }, at) => ({
    ...one,
    position: stored[at]?.position,
    time: timeStamp(one.time),
  }));

function conversationLine({ lineage, title }: Lineage, screen: Screen): string {
  const about = [oneLine(title) || untitled, lineage.tip.id, counted(lineage.size, 'message')];
  return styled(about.join('  '), 'bold', screen);
}

/** `named` is the message that was asked for. */
function messageLines(message: ShownMessage, screen: Screen, named?: MessageId): readonly string[] {
  const { id, time, speaker, name, tools, text, to, characters } = message;
  const who = [speaker, name, ...tools].map((word) => oneLine(word ?? '')).filter(Boolean);
  const sign = id === named ? `${glyph(screen, '▶', '>')} ` : '';
  const rest = characters - to;
  return linesOf(
    '',
    `${sign}${styled(id, 'cyan', screen)}  ${styled(`${timeText(time)}  ${who.join(' ')}`, 'dim', screen)}`,
    visible(text).split('\n'),
    rest > 0 && styled(`${thousands(rest)} more characters: palimpsest read ${id}`, 'dim', screen),
  );
}

/** How many messages are not shown; nothing for none. */
const betweenLine = (messages: number, screen: Screen): readonly string[] =>
  messages > 0
    ? ['', styled(`${glyph(screen, '…', '...')} ${counted(messages, 'message')} not shown`, 'dim', screen)]
    : [];
