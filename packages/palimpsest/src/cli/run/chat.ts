import type { ChatFlags } from '../chat/open-chat.ts';
import type { Call } from '../commands/build.ts';
import type { ExitCode } from '../exit-codes.ts';
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
  const { runInteractive } = await import('../chat/begin.ts');
  return runInteractive(flags, terminal);
}

async function runRequest(request: string, flags: ChatFlags, terminal: Terminal): Promise<ExitCode> {
  const { openChat } = await import('../chat/open-chat.ts');
  const { onePrinter, runOnce } = await import('../chat/one-shot.ts');
  await using chat = await openChat(flags, terminal, { onEvent: onePrinter(terminal), ask: undefined });
  if (!terminal.json) await writeNotes(terminal, chat.notes);
  const { sessionToResume } = await import('../chat/session-to-resume.ts');
  const sessionId = await sessionToResume(flags, chat);
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
