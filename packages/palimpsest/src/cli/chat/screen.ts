/** Shows on the console what the agent does, and keeps the line at the bottom true. */

import { basename } from 'node:path';
import { sumUsage } from '@palimpsest/core/store';
import { cacheShareOf, costLabel, costOf } from '@palimpsest/core/usage';
import type { AgentEvent } from '../../agent/events.ts';
import type { Console } from '../../terminal/console.ts';
import type { Line } from '../../terminal/spans.ts';
import { type Segment, windowBar } from '../../terminal/status-bar.ts';
import { givenTitle } from '../open-store.ts';
import { counted, firstOf, percent, shortCount } from '../render/text.ts';
import { type CallLines, createCallLines } from './call-lines.ts';
import type { Chat } from './open-chat.ts';
import { endLines, noticeLines } from './show-event.ts';

/** The screen of a conversation. */
export interface ChatScreen {
  show(event: AgentEvent): void;
  /** From here on the bottom line tells of this conversation. */
  follow(chat: Chat): void;
  /** The bottom line, the queue and what goes on, as they are now. */
  refresh(): void;
  /** The newest result of a tool in full. */
  expandTool(): void;
  /** Tokens of the newest request. */
  contextTokens(): number;
}

/** What the bottom line tells. */
export interface Fullness {
  /** Tokens of the newest request. */
  contextTokens: number;
  cost: string | undefined;
  /** The part of all input that came from a cache, 0 to 1. */
  cacheShare: number | undefined;
  title: string | undefined;
}

const nothingKnown: Fullness = { contextTokens: 0, cost: undefined, cacheShare: undefined, title: undefined };

/** Over a console; nothing is shown of a conversation before `follow`. */
export function createScreen(console: Console): ChatScreen {
  let chat: Chat | undefined;
  let lastResult = '';
  const calls = createCallLines();
  const showInOrder = betweenTexts((event) => showOn(console, event, calls));
  const full: Fullness = { ...nothingKnown };
  const refresh = (): void => {
    if (!chat) return;
    // Another conversation that has not begun.
    if (chat.agent.sessionId === undefined) Object.assign(full, nothingKnown);
    console.status(statusSegments(chat, full, console.screen()));
    console.queue(chat.agent.queue.map(({ text }) => text));
    if (!chat.agent.isBusy) console.activity(undefined);
  };
  const count = async (): Promise<void> => {
    const sessionId = chat?.agent.sessionId;
    if (!chat || sessionId === undefined) return;
    const calls = await chat.store.usage.ofConversation(sessionId);
    const title = await givenTitle(chat.store, sessionId);
    // Another conversation meanwhile: its own figures are on their way.
    if (chat.agent.sessionId !== sessionId) return;
    const totals = sumUsage(calls);
    const newest = calls
      .filter(({ isSide, task }) => !isSide && task === 'turn')
      .toSorted((a, b) => b.lastAt - a.lastAt)[0];
    // Of a conversation that was resumed nothing has been reported yet in this process.
    if (full.contextTokens === 0) full.contextTokens = newest?.lastPromptTokens ?? 0;
    // A price that nobody knows is not worth the room.
    full.cost = costOf(totals).amount === undefined ? undefined : costLabel(totals);
    full.cacheShare = cacheShareOf(totals);
    full.title = title;
    refresh();
  };
  return {
    show(event) {
      if (event.type === 'tool_result') lastResult = event.text;
      if (event.type === 'step' && event.agent === undefined) full.contextTokens = event.contextTokens;
      if (event.type === 'session' && event.agent === undefined) full.contextTokens = 0;
      // A sub-agent's own context is compressed as well.
      if (event.type === 'compressed' && event.report.to === chat?.agent.sessionId)
        full.contextTokens = event.report.tokensAfter;
      showInOrder(event);
      refresh();
      // What it cost is looked up behind what is shown; a store that cannot be read shows itself elsewhere.
      if ('sessionId' in event) count().catch(() => undefined);
    },
    follow(opened) {
      chat = opened;
      refresh();
    },
    refresh() {
      refresh();
      count().catch(() => undefined);
    },
    contextTokens: () => full.contextTokens,
    expandTool() {
      console.print(lastResult === '' ? ['No tool has run yet.'] : lastResult);
    },
  };
}

/** A notice that comes while an answer is written waits for the end of the text: it would stand in the middle of it. */
function betweenTexts(show: (event: AgentEvent) => void): (event: AgentEvent) => void {
  let isOpen = false;
  const held: AgentEvent[] = [];
  return (event) => {
    const isOwn = event.agent === undefined;
    if (event.type === 'notice' && isOpen) {
      held.push(event);
      return;
    }
    if (isOwn && event.type === 'text') isOpen = true;
    const ends = isOwn && (event.type === 'text_end' || event.type === 'turn_end');
    if (isOpen && ends) {
      isOpen = false;
      show({ type: 'text_end' });
      for (const notice of held.splice(0)) show(notice);
    }
    show(event);
  };
}

function showOn(console: Console, event: AgentEvent, calls: CallLines): void {
  const isOwn = event.agent === undefined;
  const lines = calls.of(event);
  switch (event.type) {
    case 'request':
      if (event.text !== '') console.print(requestLines(event.text));
      console.activity('thinking');
      break;
    case 'text':
      if (isOwn) console.write(event.text);
      console.activity('writing');
      break;
    case 'reasoning':
      console.activity('thinking');
      break;
    case 'text_end':
      if (isOwn) console.endText();
      break;
    case 'tool_call':
      console.print(lines);
      console.activity(`running ${event.name}`);
      break;
    case 'tool_output':
      console.activity(`running: ${lastLine(event.text)}`);
      break;
    case 'tool_result': {
      console.print(lines);
      const running = calls.running();
      console.activity(running === undefined ? 'thinking' : `running ${running}`);
      break;
    }
    case 'compressing':
      console.activity('compressing the conversation');
      break;
    case 'compressed':
      console.print(noticeLines(event));
      console.activity('thinking');
      break;
    case 'turn_end':
      if (isOwn) console.endText();
      if (isOwn) console.print(endLines(event.end));
      break;
    default:
      console.print(noticeLines(event));
  }
}

/** Lines of a request that are shown: what was pasted would push away everything above it. */
const mostOfRequest = 20;

function requestLines(text: string): readonly Line[] {
  const lines = text.split('\n').map((line): Line => [{ text: `> ${line}`, style: 'bold' }]);
  return firstOf<Line>(lines, mostOfRequest, (rest) => [
    { text: `  … and ${counted(rest, 'line')} more`, style: 'dim' },
  ]);
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1)?.trim().slice(0, 60) ?? '';

/** In the order of their importance. */
function statusSegments(
  { agent, project, policy }: Chat,
  { contextTokens, cost, cacheShare, title }: Fullness,
  screen: ReturnType<Console['screen']>,
): readonly Segment[] {
  const { name, contextLength } = agent.model;
  const window =
    contextLength === undefined
      ? `${shortCount(contextTokens)} tokens`
      : `${windowBar(contextTokens / contextLength, 10, screen)} ${percent(contextTokens, contextLength)} of ${shortCount(contextLength)}`;
  const rule = policy();
  return [
    { text: window },
    { text: name, style: 'dim' },
    ...(cost === undefined ? [] : [{ text: cost }]),
    ...(cacheShare === undefined ? [] : [{ text: `${Math.round(cacheShare * 100)} % cached`, style: 'dim' as const }]),
    ...(rule === 'ask' ? [] : [{ text: rule, style: 'yellow' as const }]),
    { text: title ?? basename(project), style: 'dim', side: 'right' },
  ];
}
