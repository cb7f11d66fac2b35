/** `palimpsest read` and `palimpsest expand`: messages and conversations of the store, and the exact original of messages. */
import { type Expanded, expand, type Message, PalimpsestError } from '@palimpsest/core';
import { readableText } from '@palimpsest/core/formats';
import {
  type AroundMessage,
  type ExpandedMessage,
  expandSession,
  lineageOf,
  type ReadConversation,
  readAround,
  readConversation,
  readLineage,
  type ShownMessage,
  shownMessages,
  sourceRanges,
  spansOf,
} from '@palimpsest/core/search';
import { type MessageId, messageBody, type Store, type StoredMessage } from '@palimpsest/core/store';
import { glyph, type Screen, styled } from '../../terminal/screen.ts';
import { visible } from '../../terminal/visible.ts';
import type { Call } from '../commands/build.ts';
import { openInput } from '../input.ts';
import { fileAndExample, type InputFlags, inputDocument, type LoadedConversation, loadConversation } from '../load.ts';
import { callsById, kindOf, kindTitles, toolsOf } from '../message-kinds.ts';
import { findSession, mostListed, openStoreFor, type StoreFlags, untitled } from '../open-store.ts';
import { badOption, bothGiven, given, numberOf, quoted } from '../option-values.ts';
import { counted, linesOf, oneLine, thousands, timeStamp, timeText } from '../render/text.ts';
import {
  stderrScreen,
  stdoutScreen,
  type Terminal,
  writeJson,
  writeLines,
  writeNotes,
  writePieces,
} from '../terminal.ts';

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
  const { id, time, speaker, name, tools, text, to, characters, isTakenBack } = message;
  const who = [speaker, name, ...tools, isTakenBack ? '(taken back)' : '']
    .map((word) => oneLine(word ?? ''))
    .filter(Boolean);
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

// `palimpsest expand`: the exact original of messages.

type ExpandFlags = InputFlags & StoreFlags & { readonly raw?: boolean };

/** What names messages and no file. */
const refsOnly = /^\[?m?\d[\d\sm,;.[\]–—-]*$/i;

/** The words are FILE and the refs, or the refs alone with `--example` and with `--session` of the store. */
export async function runExpand({ words, flags, terminal }: Call<ExpandFlags>): Promise<void> {
  const { example, session, raw } = flags;
  const isStored = session !== undefined && !example && (words[0] === undefined || refsOnly.test(words[0]));
  const [file, ...rest] = example || isStored ? [undefined, ...words] : words;
  if (example && rest[0] !== undefined && !refsOnly.test(rest[0])) throw fileAndExample(rest[0]);
  const refs = rest.join(' ');
  if (!refs) throw badOption('expected the refs of the messages to show, such as: palimpsest expand FILE m42');
  if (terminal.json && raw) throw bothGiven('--json', '--raw', { option: '--raw' });
  if (isStored) return expandStored({ wanted: session, refs }, flags, terminal);
  const keptBytes: Uint8Array[] = [];
  // Standard input cannot be read a second time, so its bytes are kept while they pass.
  const isKept = raw && !example && file === '-';
  const tee = isKept ? (chunk: Uint8Array) => void keptBytes.push(chunk.slice()) : undefined;
  const loaded = await loadConversation(file, flags, { terminal, ...given({ tee }) });
  const found = expand(loaded.messages, refs);
  if (raw) return writeRecords(found, loaded, { keptBytes, terminal });
  if (!terminal.json) return writeText(found, loaded, terminal);
  const messages = found.map(({ ref, message }): { ref: string; message: Message } => ({ ref, message }));
  await writeJson(terminal, { command: 'expand', input: inputDocument(loaded), messages, notes: loaded.notes });
}

/** The same for a conversation of the store. */
async function expandStored(
  { wanted, refs }: { readonly wanted: string; readonly refs: string },
  flags: ExpandFlags,
  terminal: Terminal,
): Promise<void> {
  if (flags.raw) throw badOption('--raw needs FILE: for a message in the store, use `palimpsest read ID --raw`');
  const { store, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const { id } = await findSession(opened, wanted);
  const found = await expandSession(opened, id, refs);
  if (terminal.json) return writeJson(terminal, { command: 'expand', session: id, messages: found, notes });
  await writeText(found, { messages: found.map(({ message }) => message), notes }, terminal);
}

/** The text alone on standard output, so that it can be piped as it is; who said it on stderr. */
async function writeText(
  found: readonly Pick<ExpandedMessage, 'ref' | 'message' | 'isTakenBack'>[],
  { messages, notes }: Pick<LoadedConversation, 'messages' | 'notes'>,
  terminal: Terminal,
): Promise<void> {
  await writeNotes(terminal, notes);
  const calls = callsById(messages);
  for (const [index, { ref, message, isTakenBack }] of found.entries()) {
    const tools = toolsOf(message, calls).join(', ');
    const fate = isTakenBack ? '(taken back)' : '';
    const about = [ref, kindTitles[kindOf(message)], tools, message.time, fate].filter(Boolean).join('  ');
    if (!terminal.quiet) await writeLines(terminal.stderr, [styled(about, 'dim', stderrScreen(terminal))]);
    const text = readableText(message);
    const isLast = index === found.length - 1;
    // A terminal must not be driven by what a transcript holds; a pipe gets every character as it is.
    await writePieces(terminal.stdout, [terminal.stdout.isTTY ? `${visible(text)}\n` : isLast ? text : `${text}\n`]);
  }
}

/** The bytes of the records in the file; a line break divides two records, because none of them ends with one. */
async function writeRecords(
  found: readonly Expanded[],
  { path, notes }: LoadedConversation,
  { keptBytes, terminal }: { readonly keptBytes: readonly Uint8Array[]; readonly terminal: Terminal },
): Promise<void> {
  const spans = spansOf(found.map(({ message }) => message));
  const without = found.filter(({ message }) => !message.source?.length).map(({ ref }) => ref);
  if (without.length > 0) {
    const has = without.length === 1 ? 'has no record of its own' : 'have no record of their own';
    const evidence = { ref: without[0] };
    throw new PalimpsestError('ID_UNKNOWN', `${without.join(', ')} ${has} in the file: omit --raw`, { evidence });
  }
  const again = path === undefined ? streamOf(keptBytes) : (await openInput(path, terminal)).bytes;
  const ranges = await sourceRanges(again, spans);
  await writeNotes(terminal, notes);
  const pieces = ranges.flatMap((bytes, index) => (index === 0 ? [bytes] : ['\n', bytes]));
  await writePieces(terminal.stdout, terminal.stdout.isTTY ? [...pieces, '\n'] : pieces);
}

async function* streamOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
