/** ★ The conversation at a terminal: what a person types goes to the agent or to a command, and what happens is shown. */
import { join } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import type { RequestKind } from '../../agent/events.ts';
import { dataFolder } from '../../config/folders.ts';
import type { Console, ConsoleEvent } from '../../terminal/console.ts';
import { openConsole } from '../../terminal/open-console.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { askApproval } from './ask-approval.ts';
import { chooseConversation } from './choose-conversation.ts';
import { complete } from './complete.ts';
import { endOfConversation } from './end-of-conversation.ts';
import type { ChatHost } from './host.ts';
import type { Chat, ChatFlags } from './open-chat.ts';
import { openingLines } from './opening.ts';
import { runCommand } from './run-command.ts';
import { type ChatScreen, createScreen } from './screen.ts';
import { runSlash } from './slash-commands.ts';
import { switchModel } from './switch-model.ts';
import { openTypedTexts } from './typed-texts.ts';

/** What is loaded while the person sees the prompt already, and may type. */
interface Loading {
  open(
    flags: ChatFlags,
    terminal: Terminal,
    door: Parameters<typeof import('./open-chat.ts').openChat>[2],
  ): Promise<Chat>;
  /** The session to go on with; undefined for a new conversation. */
  sessionOf(chat: Chat, choose: (chat: Chat) => Promise<string | undefined>): Promise<string | undefined>;
}

/** Holds the conversation until the person leaves. Throws what opening it throws, with the terminal as it was. */
export async function runInteractive(flags: ChatFlags, terminal: Terminal, loading: Loading): Promise<ExitCode> {
  const { tty, env } = terminal;
  if (!tty) return exitCodes.internal;
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  const waiting: ConsoleEvent[] = [];
  let hear = (event: ConsoleEvent): void => {
    if (event.type === 'exit') leave();
    else waiting.push(event);
  };
  const typed = await openTypedTexts(typedPath(terminal), terminal.cwd);
  const texts = [...typed.entries];
  let chat: Chat | undefined;
  const console = openConsole({
    ...tty,
    env,
    onEvent: (event) => hear(event),
    ...(terminal.color === false ? { look: { colour: false } } : {}),
    entries: {
      texts: () => texts,
      add(text) {
        texts.push(text);
        void typed.add(text);
      },
    },
    complete: async ({ text, cursor }) => (chat ? complete(text, cursor, chat) : undefined),
  });
  try {
    console.activity('starting');
    const screen = createScreen(console);
    const ask = askApproval(console);
    chat = await loading.open(flags, terminal, { onEvent: (event) => screen.show(event), ask });
    await using opened = chat;
    const host = hostOf({ chat: opened, console, screen, terminal, leave });
    screen.follow(opened);
    console.print(openingLines(opened));
    const sessionId = await loading.sessionOf(opened, chooseConversation(console));
    if (sessionId !== undefined) await host.resume(sessionId);
    console.activity(undefined);
    screen.refresh();
    hear = (event) => void heard(event, { host, chat: opened, console, screen, leave });
    for (const event of waiting) hear(event);
    await left;
    console.activity('leaving');
    console.close();
    await farewell(opened, terminal);
    return exitCodes.fine;
  } finally {
    console.close();
  }
}

interface Hearing {
  readonly host: ChatHost;
  readonly chat: Chat;
  readonly console: Console;
  readonly screen: ChatScreen;
  readonly leave: () => void;
}

async function heard(event: ConsoleEvent, { host, chat, console, screen, leave }: Hearing): Promise<void> {
  const { agent } = chat;
  try {
    switch (event.type) {
      case 'send':
        if (event.text.startsWith('/') && (await runSlash(host, event.text))) break;
        say(host, event.text, 'send');
        break;
      case 'steer':
      case 'followUp':
        say(host, event.text, event.type === 'steer' ? 'steer' : 'follow_up');
        break;
      case 'interrupt':
        agent.interrupt();
        break;
      case 'editQueue': {
        const taken = agent.unqueue();
        if (taken) console.setDraft([taken.text, console.draft()].filter((text) => text !== '').join('\n'));
        break;
      }
      case 'expandTool':
        screen.expandTool();
        break;
      case 'exit':
        leave();
        break;
    }
  } catch (error) {
    console.print([[{ text: messageOf(error), style: 'red' }]]);
  }
  screen.refresh();
}

const messageOf = (error: unknown): string =>
  PalimpsestError.isInstance(error) ? error.message : `An error in Palimpsest itself: ${String(error)}`;

/** Says something; while the agent works it is queued, and the screen shows that. */
function say(host: ChatHost, text: string, kind: Exclude<RequestKind, 'retry'>): void {
  host.work(() => host.agent.send(text, kind));
}

interface HostParts {
  readonly chat: Chat;
  readonly console: Console;
  readonly screen: ChatScreen;
  readonly terminal: Terminal;
  readonly leave: () => void;
}

function hostOf({ chat, console, screen, terminal, leave }: HostParts): ChatHost {
  const { agent, store, path, project } = chat;
  return {
    agent,
    chat,
    storeOption: ['--store', path],
    print: (lines) => console.print(lines),
    async run(args) {
      // The console takes styles only as such; what a command paints would show as signs.
      const here = { ...terminal, cwd: project, color: false };
      const { text } = await runCommand(args, here, console.screen().columns);
      console.print(text, true);
    },
    edit: (text) => console.setDraft(text),
    work(begin) {
      begin()
        .catch((error: unknown) => console.print([[{ text: messageOf(error), style: 'red' }]]))
        .finally(() => screen.refresh());
      screen.refresh();
    },
    async resume(sessionId) {
      await agent.resume(sessionId);
      console.print(await endOfConversation(store, sessionId));
    },
    useModel: (name) =>
      switchModel({ chat, name, contextTokens: screen.contextTokens(), print: (lines) => console.print(lines) }),
    exit: leave,
  };
}

/** Where to go on: printed below the conversation, where it stays. */
async function farewell({ agent, store }: Chat, terminal: Terminal): Promise<void> {
  const { sessionId } = agent;
  if (sessionId === undefined || agent.messages === 0) return;
  const title = (await store.sessions.get(sessionId))?.title;
  const name = title === undefined ? sessionId : JSON.stringify(title);
  terminal.stdout.write(`To go on: palimpsest chat --resume ${name}\n`);
}

function typedPath({ env, platform }: Terminal): string | undefined {
  const folder = dataFolder(env, platform);
  return folder === undefined ? undefined : join(folder, 'chat-typed.jsonl');
}
