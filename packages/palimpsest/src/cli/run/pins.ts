/** `palimpsest sessions pins`, `pin` and `unpin`: messages that stay word for word, whatever is compressed. */
import { redact } from '@palimpsest/core';
import {
  listPins,
  type PinList,
  type PinnedMessage,
  type PinRoom,
  pinMessage,
  type Session,
  type SessionId,
  type Store,
  unpinMessage,
} from '@palimpsest/core/store';
import type { Screen } from '../../terminal/screen.ts';
import type { Call } from '../commands/build.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { findSession, openStoreFor, type StoreFlags } from '../open-store.ts';
import { gives, right, tableOf } from '../render/table.ts';
import { linesOf, oneLine, thousands, timeStamp, timeText } from '../render/text.ts';
import { heardSettings } from '../settings.ts';
import type { Terminal } from '../terminal.ts';
import * as write from '../terminal.ts';
import { type ModelFlags, measureFor, sizesFor } from '../window.ts';

interface PinFlags extends StoreFlags, ModelFlags {}

export async function runSessionsPins({ words: [wanted = ''], flags, terminal }: Call<PinFlags>): Promise<void> {
  const { store, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const session = await findSession(opened, wanted);
  const { room, measured } = await roomFor(session, flags, terminal);
  const list = await listPins(opened, session.id, room);
  await write.writeResult(terminal, {
    json: () => ({ command: 'sessions pins', session: session.id, ...listDocument(list) }),
    notes: linesOf(notes, measured),
    lines: (screen) => listLines(list, screen),
  });
}

/** Without a message it is the newest one of the person. */
export async function runSessionsPin({ words, flags, terminal }: Call<PinFlags>): Promise<ExitCode> {
  const [wanted = '', ref] = words;
  return change('sessions pin', { wanted, flags, terminal }, async (store, sessionId, room) => {
    const report = await pinMessage(store, { sessionId, ...(ref === undefined ? {} : { ref }) }, room);
    return { ...report, isDone: report.status !== 'refused', document: report.pin && pinDocument(report.pin) };
  });
}

export async function runSessionsUnpin({ words, flags, terminal }: Call<PinFlags>): Promise<ExitCode> {
  const [wanted = '', ref = ''] = words;
  return change('sessions unpin', { wanted, flags, terminal }, async (store, sessionId, room) => {
    const report = await unpinMessage(store, { sessionId, ref }, room);
    return { ...report, isDone: report.status === 'unpinned' };
  });
}

interface Asked {
  readonly wanted: string;
  readonly flags: PinFlags;
  readonly terminal: Terminal;
}

interface Changed extends PinList {
  readonly status: string;
  readonly message: string;
  readonly isDone: boolean;
  readonly document?: object | undefined;
}

async function change(
  command: string,
  { wanted, flags, terminal }: Asked,
  act: (store: Store, sessionId: SessionId, room: PinRoom) => Promise<Changed>,
): Promise<ExitCode> {
  const { store, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const session = await findSession(opened, wanted);
  const { room, measured } = await roomFor(session, flags, terminal);
  const done = await act(opened, session.id, room);
  const { status, message, isDone, document = null } = done;
  await write.writeResult(terminal, {
    json: () => ({ command, session: session.id, status, message, pin: document, ...listDocument(done) }),
    notes: linesOf(notes, measured),
    ...(isDone ? { done: oneLine(message) } : { lines: () => [oneLine(message)] }),
  });
  return isDone ? exitCodes.fine : exitCodes.finding;
}

interface MeasuredRoom {
  readonly room: PinRoom;
  readonly measured: readonly string[];
}

/** What pins may have beside the model of the conversation. */
async function roomFor({ model }: Session, flags: PinFlags, terminal: Terminal): Promise<MeasuredRoom> {
  const heard = await heardSettings(terminal);
  const transcript = model === undefined ? {} : { model };
  const measure = await measureFor({ messages: [], transcript }, flags);
  const { pinTokens } = sizesFor(measure.window, heard.all.config.compression, measure.model);
  return {
    room: { tokenizer: measure.tokenizer, mostTokens: pinTokens },
    measured: linesOf(heard.all.notes, heard.notes, measure.notes),
  };
}

const listDocument = ({ pins, usedTokens, mostTokens }: PinList): object => ({
  pins: pins.map(pinDocument),
  usedTokens,
  mostTokens,
});

const pinDocument = ({ ref, messageId, speaker, text, tokens, pinnedAt }: PinnedMessage): object => ({
  ref,
  messageId,
  speaker: speaker === 'person' ? 'user' : speaker,
  text: redact(text),
  tokens,
  pinnedAt: timeStamp(pinnedAt),
});

function listLines({ pins, usedTokens, mostTokens }: PinList, screen: Screen): readonly string[] {
  const used = `${thousands(usedTokens)} of ${thousands(mostTokens)} tokens used (compression.pin_ratio)`;
  if (pins.length === 0) return [`nothing is pinned; ${used}`];
  const rows = tableOf(
    pins,
    [
      ['message', ({ ref }) => ref],
      ['pinned', ({ pinnedAt }) => timeText(pinnedAt)],
      ['tokens', ({ tokens }) => thousands(tokens), right],
      ['who', ({ speaker }) => (speaker === 'person' ? 'user' : speaker)],
      ['words', ({ text }) => oneLine(redact(text)), gives],
    ],
    { screen, indent: 0 },
  );
  return [...rows, '', used];
}
