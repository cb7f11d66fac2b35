/** `palimpsest chat`: an agent at the terminal, or one request and its answer. */
import { PalimpsestError } from '@palimpsest/core';
import { newestSession, type SessionId, type Store } from '@palimpsest/core/store';
import type { ChatFlags } from '../chat/open-chat.ts';
import type { Call } from '../commands/build.ts';
import type { ExitCode } from '../exit-codes.ts';
import { findSession } from '../open-store.ts';
import { badOption, bothGiven, quoted } from '../option-values.ts';
import { type Terminal, writeNotes } from '../terminal.ts';

export async function runChat({ flags, words, terminal }: Call<ChatFlags>): Promise<ExitCode> {
  checkFlags(flags, words);
  const request = await requestOf(flags, terminal);
  if (request !== undefined) return runRequest(request, flags, terminal);
  if (terminal.json) throw badOption('expected -p TEXT beside --json, or a text on standard input');
  if (!terminal.stdout.isTTY || !terminal.tty) {
    throw badOption('expected a terminal, or a request: give -p TEXT, or a text on standard input');
  }
  const { runInteractive } = await import('../chat/interactive.ts');
  return runInteractive(flags, terminal, {
    open: async (...given) => (await import('../chat/open-chat.ts')).openChat(...given),
    sessionOf: (chat, choose) => (flags.resume === true ? choose(chat) : sessionOf(flags, chat.store, chat.project)),
  });
}

async function runRequest(request: string, flags: ChatFlags, terminal: Terminal): Promise<ExitCode> {
  const { openChat } = await import('../chat/open-chat.ts');
  const { onePrinter, runOnce } = await import('../chat/one-shot.ts');
  await using chat = await openChat(flags, terminal, { onEvent: onePrinter(terminal), ask: undefined });
  if (!terminal.json) await writeNotes(terminal, chat.notes);
  const sessionId = await sessionOf(flags, chat.store, chat.project);
  if (sessionId !== undefined) await chat.agent.resume(sessionId);
  return await runOnce(chat.agent, request, terminal);
}

function checkFlags({ resume, continue: isContinued }: ChatFlags, words: readonly string[]): void {
  if (resume !== undefined && isContinued) throw bothGiven('--resume', '--continue');
  const [word] = words;
  if (word !== undefined) throw badOption(`expected no words behind chat, got ${quoted(word)}: -p TEXT asks once`);
}

/** What is asked once; undefined at a terminal where nothing was given. */
async function requestOf({ prompt }: ChatFlags, terminal: Terminal): Promise<string | undefined> {
  const piped = terminal.stdin.isTTY ? '' : (await textOf(terminal)).trim();
  if (prompt === undefined) return piped === '' ? undefined : piped;
  if (prompt.trim() === '') throw badOption('expected a text behind -p, got none');
  return piped === '' ? prompt : `${prompt}\n\n<stdin>\n${piped}\n</stdin>`;
}

/** A request is no file: what is larger belongs into one, which the agent reads in parts. */
const mostInput = 1_000_000;

async function textOf({ stdin }: Terminal): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stdin) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    if (text.length > mostInput)
      throw badOption(`expected at most ${mostInput} characters on standard input: put them into a file and name it`);
  }
  return text + decoder.decode();
}

/** The session to go on with; undefined for a new conversation. */
async function sessionOf(
  { resume, continue: isContinued }: ChatFlags,
  store: Store,
  project: string,
): Promise<SessionId | undefined> {
  if (typeof resume === 'string') return checked((await findSession(store, resume)).id, store);
  if (!isContinued && resume === undefined) return undefined;
  const newest = (await store.sessions.list({ source: 'chat', project, limit: 20 })).find(
    ({ tip }) => tip.messages > 0,
  );
  if (newest) return newest.tip.id;
  const message =
    'there is no conversation to go on with in this folder: palimpsest sessions list shows those of others';
  throw new PalimpsestError('ID_UNKNOWN', message, { evidence: { project } });
}

/** Nobody resumes nothing: a session in which nothing was said is an error that says so. */
async function checked(id: SessionId, store: Store): Promise<SessionId> {
  const { messages } = await newestSession(store.sessions, id);
  if (messages > 0) return id;
  throw new PalimpsestError('ID_UNKNOWN', `nothing was said in session ${id}: there is nothing to go on with`);
}
