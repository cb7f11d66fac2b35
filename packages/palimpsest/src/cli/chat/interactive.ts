/** ★ The conversation at a terminal: what a person types goes to the agent or to a command, and what happens is shown. */
import { PalimpsestError } from '@palimpsest/core';
import type { RequestKind } from '../../agent/events.ts';
import type { Complete } from '../../terminal/completion.ts';
import type { Console, ConsoleEvent } from '../../terminal/console.ts';
import type { Line } from '../../terminal/spans.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { givenTitle } from '../open-store.ts';
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
import { sessionToResume } from './session-to-resume.ts';
import { errorLines } from './show-event.ts';
import { runSlash } from './slash-commands.ts';

/** What the console needs before there is a conversation. */
export interface OpenedConsole {
  readonly console: Console;
  /** From here on the events go there, those that have come before first. */
  listen(onEvent: (event: ConsoleEvent) => void): void;
  completeWith(complete: Complete): void;
}

/** Opens the conversation on a console, and holds it until the person leaves. Throws what opening it throws. */
export async function converse(opened: OpenedConsole, flags: ChatFlags, terminal: Terminal): Promise<ExitCode> {
  const { console } = opened;
  const screen = createScreen(console);
  const { openChat } = await import('./open-chat.ts');
  await using chat = await openChat(flags, terminal, {
    onEvent: (event) => screen.show(event),
    ask: askApproval(console),
  });
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  const host = hostOf({ chat, console, screen, terminal, leave });
  opened.completeWith(async ({ text, cursor }) => complete(text, cursor, chat));
  screen.follow(chat);
  console.print(openingLines(chat));
  const choose = chooseConversation(console);
  const sessionId = flags.resume === true ? await choose(chat) : await sessionToResume(flags, chat);
  if (sessionId !== undefined) await host.resume(sessionId);
  console.activity(undefined);
  screen.refresh();
  opened.listen((event) => void heard(event, { host, chat, console, screen, leave }));
  await left;
  console.activity('leaving');
  console.close();
  await farewell(chat, terminal);
  return exitCodes.fine;
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
    console.print(errorLines(messageOf(error)));
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
        .catch((error: unknown) => console.print(errorLines(messageOf(error))))
        .finally(() => screen.refresh());
      screen.refresh();
    },
    async hold(activity, work) {
      const held = agent.between(async (signal) => {
        try {
          await work(signal);
        } catch (error) {
          if (!signal.aborted) throw error;
          console.print(['  Stopped; the conversation is as it was.']);
        }
      });
      console.activity(activity);
      await held.finally(() => screen.refresh());
      if (agent.queue.length > 0) this.work(() => agent.goOn());
    },
    async resume(sessionId) {
      await agent.resume(sessionId);
      console.print(await endOfConversation(store, sessionId));
    },
    async useModel(name, signal) {
      // It brings the SDK along, which nobody waits for at the start.
      const { switchModel } = await import('./switch-model.ts');
      const print = (lines: readonly Line[]): void => console.print(lines);
      await switchModel({ chat, name, contextTokens: screen.contextTokens(), print, signal });
    },
    exit: leave,
  };
}

/** Where to go on: printed below the conversation, where it stays. */
async function farewell({ agent, store }: Chat, terminal: Terminal): Promise<void> {
  const { sessionId } = agent;
  if (sessionId === undefined || agent.messages === 0) return;
  const title = await givenTitle(store, sessionId);
  const name = title === undefined ? sessionId : JSON.stringify(title);
  terminal.stdout.write(`To go on: palimpsest chat --resume ${name}\n`);
}
