/** The commands of a conversation: a line that begins with `/`. A new one is a row of this table. */
import { PalimpsestError } from '@palimpsest/core';
import { nearest } from '@palimpsest/core/settings';
import { compressFeedback } from '../../models/compression-lines.ts';
import type { Line } from '../../terminal/spans.ts';
import { findSession, givenTitle } from '../open-store.ts';
import { given } from '../option-values.ts';
import { fill, linesOf } from '../render/text.ts';
import type { ChatHost } from './host.ts';
import { errorLines } from './show-event.ts';

/** A command. */
export interface SlashCommand {
  /** Without the slash; the first one is shown. */
  readonly names: readonly [string, ...string[]];
  /** What may stand behind it. */
  readonly argument?: string;
  readonly summary: string;
  /** True for what would get in the way of a turn: it is refused while the agent works. */
  readonly waits?: true;
  /** The same, and a turn would get in its way: what goes on while it runs, in words for the screen. */
  readonly holds?: string;
  /** The signal fires when the person stops a command that holds the conversation. */
  run(host: ChatHost, words: string, signal: AbortSignal): Promise<void> | void;
}

/** In the order of the help. */
export const slashCommands: readonly SlashCommand[] = [
  {
    names: ['help'],
    summary: 'these commands, and the keys',
    run: (host) => host.print(helpLines()),
  },
  {
    names: ['compress', 'compact'],
    argument: '[topic]',
    summary: 'compress the conversation now; a topic is kept in full detail',
    holds: 'compressing',
    run: compress,
  },
  { names: ['usage'], summary: 'tokens and cost of this conversation', run: (host) => ofConversation(host, 'usage') },
  {
    names: ['insights'],
    argument: '[options]',
    summary: 'tokens and cost over time',
    run: (host, words) => host.run(['insights', ...wordsOf(words), ...host.storeOption]),
  },
  { names: ['new'], summary: 'begin another conversation', holds: 'beginning anew', run: beginAnew },
  {
    names: ['resume'],
    argument: '[id|title]',
    summary: 'go on with an earlier conversation; without one, list them',
    holds: 'opening',
    run: resume,
  },
  { names: ['title'], argument: '[text]', summary: 'name this conversation', run: title },
  {
    names: ['model'],
    argument: '[provider/name]',
    summary: 'go on with another model; a smaller window is compressed for first',
    holds: 'changing the model',
    run: (host, words, signal) =>
      words === '' ? host.print([`  ${host.agent.model.name}`]) : host.useModel(words, signal),
  },
  { names: ['status'], summary: 'what is set up, and when compression starts', run: status },
  {
    names: ['memory'],
    argument: '[command]',
    summary: 'what is remembered: show, pending, approve, reject, replace, remove, undo',
    run: (host, words) => host.run(['memory', ...memoryWords(words), ...host.storeOption]),
  },
  {
    names: ['search'],
    argument: 'words',
    summary: 'find what was said, in all conversations',
    run: (host, words) =>
      words === ''
        ? host.print(['  /search needs words to look for'])
        : host.run(['search', words, ...host.storeOption]),
  },
  {
    names: ['pin'],
    argument: '[list|remove REF]',
    summary: 'keep your newest message word for word through every compression',
    run: (host, words) => pinCommand(host, wordsOf(words)),
  },
  {
    names: ['undo'],
    summary: 'take your last turn back, and get its text into the editor; files that it changed stay changed',
    holds: 'taking back',
    run: undo,
  },
  {
    names: ['branch'],
    argument: '[title]',
    summary: 'go on with a copy of this conversation, which stays as it is',
    holds: 'copying',
    run: branch,
  },
  {
    names: ['approvals'],
    argument: '[remove N]',
    summary: 'what is allowed in this project without a question',
    run: (host, words) => host.run(['approvals', ...(words === '' ? ['list'] : wordsOf(words))]),
  },
  {
    names: ['prompt'],
    summary: 'the system prompt, part by part, with its tokens',
    run: (host) =>
      host.run(['prompt', 'show', '--model', host.agent.model.name, ...windowOf(host), ...host.storeOption]),
  },
  { names: ['retry'], summary: 'send the newest request once more, where it has no answer', waits: true, run: retry },
  { names: ['exit', 'quit'], summary: 'leave; palimpsest chat --continue goes on', run: (host) => host.exit() },
];

/** The command and what stands behind it; undefined for a line that is none. */
export function parseSlash(line: string): { readonly name: string; readonly words: string } | undefined {
  const found = /^\/([a-z][\w-]*)(?:\s+([\s\S]*))?$/i.exec(line.trim());
  return found?.[1] === undefined ? undefined : { name: found[1].toLowerCase(), words: found[2]?.trim() ?? '' };
}

/** Runs the command of a line. True where the line was one, also one that does not exist. */
export async function runSlash(host: ChatHost, line: string): Promise<boolean> {
  const parsed = parseSlash(line);
  if (!parsed) return false;
  host.print(line.split('\n').map((text): Line => [{ text: `> ${text}`, style: 'dim' }]));
  const command = slashCommands.find(({ names }) => names.includes(parsed.name));
  if (!command) {
    const near = nearest(
      parsed.name,
      slashCommands.flatMap(({ names }) => names),
    );
    host.print([
      `  There is no command /${parsed.name}${near === undefined ? '.' : `: did you mean /${near}?`} /help lists all.`,
    ]);
    return true;
  }
  const { waits, holds } = command;
  if ((waits || holds !== undefined) && host.agent.isBusy) {
    host.print([`  /${parsed.name} has to wait until what goes on is over: Esc stops it.`]);
    return true;
  }
  try {
    const run = async (signal: AbortSignal): Promise<void> => command.run(host, parsed.words, signal);
    await (holds === undefined ? run(neverStopped) : host.hold(holds, run));
  } catch (error) {
    if (!PalimpsestError.isInstance(error)) throw error;
    host.print(errorLines(`  ${error.message}`));
  }
  return true;
}

const neverStopped = new AbortController().signal;

function helpLines(): readonly Line[] {
  const label = ({ names: [name], argument = '' }: SlashCommand): string => `/${name} ${argument}`.trimEnd();
  const width = Math.max(...slashCommands.map((command) => label(command).length));
  return [
    ...slashCommands.map(
      (command): Line => [`  ${fill(label(command), width)}  `, { text: command.summary, style: 'dim' }],
    ),
    '',
    '  Enter sends; while the agent works, it is heard at the next step, and with Alt+Enter when it is done.',
    '  Shift+Enter or Ctrl+J begins a new line. Esc stops the work and keeps your draft. Ctrl+C twice leaves.',
  ];
}

async function compress(host: ChatHost, topic: string, signal: AbortSignal): Promise<void> {
  if (host.agent.sessionId === undefined) return host.print(['  Nothing was said yet.']);
  const report = await host.agent.compress({ topic: topic || undefined, signal });
  const { headline, tokenLine, note, failures } = compressFeedback(report);
  // How much smaller it is was told as it happened.
  const told = report.status === 'compressed' ? [] : [headline, tokenLine];
  host.print(linesOf(...told, note, failures).map((line) => `  ${line}`));
}

async function ofConversation(host: ChatHost, command: string): Promise<void> {
  const { sessionId } = host.agent;
  if (sessionId === undefined) return host.print(['  Nothing was said yet.']);
  await host.run([command, sessionId, ...windowOf(host), ...host.storeOption]);
}

/** The window as it is known here, for commands that would look it up. */
function windowOf({ agent }: ChatHost): readonly string[] {
  const { contextLength } = agent.model;
  return contextLength === undefined ? [] : ['--context-length', String(contextLength)];
}

async function beginAnew(host: ChatHost): Promise<void> {
  const { sessionId } = host.agent;
  await host.agent.begin();
  const before = sessionId === undefined ? '' : ` The one before: /resume ${sessionId.slice(0, 13)}`;
  host.print([`  A new conversation.${before}`]);
}

async function resume(host: ChatHost, wanted: string): Promise<void> {
  if (wanted === '') {
    await host.run(['sessions', 'list', '--source', 'chat', ...host.storeOption]);
    return host.print(['  /resume ID or /resume TITLE goes on with one of them.']);
  }
  const { id } = await findSession(host.chat.store, wanted);
  await host.resume(id);
}

async function title(host: ChatHost, text: string): Promise<void> {
  const { sessionId } = host.agent;
  if (sessionId === undefined)
    return host.print(['  Nothing was said yet: a conversation has a title once it has begun.']);
  if (text === '') return host.print([`  ${(await givenTitle(host.chat.store, sessionId)) ?? '(no title)'}`]);
  host.print([`  The title is now: ${await host.chat.store.sessions.title(sessionId, text)}`]);
}

async function status(host: ChatHost): Promise<void> {
  await host.run(['status', '--model', host.agent.model.name, ...windowOf(host)]);
}

async function pinCommand(host: ChatHost, [what, ref]: readonly string[]): Promise<void> {
  const { sessionId } = host.agent;
  if (sessionId === undefined) return host.print(['  Nothing was said yet.']);
  if (what === 'remove' && ref !== undefined)
    return host.run(['sessions', 'unpin', sessionId, ref, ...host.storeOption]);
  if (what === undefined) {
    const report = await (await host.agent.runtime()).pin({ sessionId });
    return host.print([`  ${report.message}`]);
  }
  if (/^m\d+$/.test(what))
    return host.run(['sessions', 'pin', sessionId, what, ...windowOf(host), ...host.storeOption]);
  await host.run(['sessions', 'pins', sessionId, ...windowOf(host), ...host.storeOption]);
}

async function undo(host: ChatHost): Promise<void> {
  const { sessionId } = host.agent;
  if (sessionId === undefined) return host.print(['  Nothing was said yet.']);
  const report = await (await host.agent.runtime()).undo({ sessionId });
  host.print([`  ${report.message}`]);
  if (report.status === 'refused') return;
  await host.agent.reload(report.sessionId);
  if (report.text !== undefined) host.edit(report.text);
}

async function branch(host: ChatHost, name: string): Promise<void> {
  const { sessionId } = host.agent;
  if (sessionId === undefined) return host.print(['  Nothing was said yet.']);
  const report = await (await host.agent.runtime()).branch({ sessionId, ...given({ title: name || undefined }) });
  await host.agent.reload(report.sessionId);
  host.print([`  ${report.message}`]);
}

function retry(host: ChatHost): void {
  host.work(async () => {
    const end = await host.agent.retry();
    if (end === undefined) host.print(['  The newest request has its answer.']);
  });
}

/** What stands behind `add` is one text, with or without quotes. */
function memoryWords(line: string): readonly string[] {
  const added = /^add\s+(.+)$/is.exec(line)?.[1];
  if (added === undefined) return line === '' ? ['show'] : wordsOf(line);
  return ['add', /^(["']).*\1$/s.test(added) ? added.slice(1, -1) : added];
}

/** The words of a line as a shell would read them, so far as a person types them here: quotes hold words together. */
export function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
}
