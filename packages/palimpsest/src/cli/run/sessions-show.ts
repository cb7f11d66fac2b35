/** `palimpsest sessions show`: one conversation, and what was said in it. */

import { type Message, redact } from '@palimpsest/core';
import { isFromPerson, messageText, readableText, redactedMessage } from '@palimpsest/core/formats';
import { type Session, type Store, type StoredMessage, sumUsage } from '@palimpsest/core/store';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { callsById, kindOf, kindTitles, toolsOf } from '../message-kinds.ts';
import { openStoreFor, type StoreFlags } from '../open-store.ts';
import { keptForSession } from '../plugins/kept-text.ts';
import { styled } from '../render/screen.ts';
import { type ConversationFacts, conversationReport } from '../render/session-report.ts';
import { oneLine, visible } from '../render/text.ts';
import { timeStamp, timeText } from '../render/time.ts';
import { sessionRow } from '../sessions/conversation-row.ts';
import { findSession } from '../sessions/find-session.ts';
import { sessionTitle } from '../sessions/titles.ts';
import { stdoutScreen, type Terminal, writeJson, writeNotes, writePieces, writeReport } from '../terminal.ts';

export interface SessionsShowFlags extends StoreFlags {
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
    ...{ chain, tip, root },
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
  ...{ id, position, time: timeStamp(time) },
  ...(origin === undefined ? {} : { origin }),
  message: redactedMessage(message),
});
