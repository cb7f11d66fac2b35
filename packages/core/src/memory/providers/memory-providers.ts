/** ★ Start here: the memory providers of a conversation: the one that comes with Palimpsest, and one other at most. */

import type { EngineTool } from '../../context/engine.ts';
import { lazily } from '../../shared/lazily.ts';
import type { MemorySource } from '../../store/memory-store.ts';
import type { Message } from '../../transcript/message.ts';
import { cleaned, sendable, sendableMessages } from './cleaning.ts';
import { type GuardedProvider, guardProvider, type ProviderState } from './guarded-provider.ts';
import { checkedSettings, type MemoryProvidersOptions, type Settings } from './options.ts';
import type { ProviderSession, ProviderTurn, ProviderWrite } from './provider.ts';
import { createSaveLine, type SaveLine } from './save-line.ts';
import { admittedTools, answerOf, leftOut, type OfferedTool } from './tools.ts';

/** Text that a provider recalled for a turn. */
export interface RecalledMemory {
  readonly provider: string;
  /** Scanned and cut, without a fence: `fence` puts one around it, and so does the runtime's `recall`. */
  readonly text: string;
  /** `outside-tool` for what came from an external provider; absent for the built-in memory, whose entries have their own. */
  readonly source?: MemorySource;
}

/** How a provider does. */
export interface ProviderStatus {
  readonly name: string;
  readonly isExternal: boolean;
  readonly state: ProviderState;
  /** When it last saved something, in milliseconds since 1970; undefined where it never has. */
  readonly savedAt: number | undefined;
  /** When it last was asked and answered. */
  readonly recalledAt: number | undefined;
  /** What is still to be saved. */
  readonly waiting: number;
  /** What was given up. */
  readonly lost: number;
}

/**
 * The providers of one conversation. No member throws, none waits longer than its limit, and a provider that fails costs
 * nothing but a notice: after three failures of one kind it is down, which is told once. Then its tools are gone and what is to
 * be saved waits, until a note can be written and read again; that is tried at the start of turns, with growing pauses.
 */
export interface MemoryProviders {
  start(session: ProviderSession): Promise<void>;
  /** What the system prompt says of them: the same text throughout a session. */
  promptText(): string;
  /** The tools that work now. */
  tools(): readonly EngineTool[];
  /** The answer to a call; undefined for a tool that belongs to no provider. */
  runTool(name: string, args: unknown, signal?: AbortSignal): Promise<string | undefined>;
  /** Begins a turn of the person, with its number in the session. @default one more than the turn before */
  startTurn(number?: number): Promise<void>;
  /** What helps with these words of the person, the built-in memory first. */
  recall(text: string, signal?: AbortSignal): Promise<readonly RecalledMemory[]>;
  /** Has the turn saved, the one that began last where no number is given. Nobody waits for that. */
  saveTurn(turn: SaidTurn): void;
  /** Tells the external provider what was written to the built-in memory. */
  tellWrite(write: Omit<ProviderWrite, 'sessionId'>): void;
  /**
   * What the providers want kept in a handoff, without a fence; empty for nothing. What an external one gives is left out
   * whole where a part of it reads like an order: it would stand in every request that follows.
   */
  beforeCompression(messages: readonly Message[]): Promise<string>;
  /** The conversation goes on in another session. */
  continueSession(session: ProviderSession): Promise<void>;
  endSession(messages: readonly Message[]): Promise<void>;
  status(): readonly ProviderStatus[];
  /** Has every provider write a note and read it back now, as far as it can, and says how all of them do. */
  check(): Promise<readonly ProviderStatus[]>;
  /** Saves what waits, as far as the time allows, tells what is lost, and lets go of everything. */
  stop(): Promise<void>;
}

/** What was said in a turn. */
export type SaidTurn = Pick<ProviderTurn, 'user' | 'assistant'> & Partial<Pick<ProviderTurn, 'number'>>;

interface Member {
  readonly guarded: GuardedProvider;
  readonly line: SaveLine;
  readonly isExternal: boolean;
  readonly note: (level: 'info' | 'warn', message: string) => void;
  prompt: string;
}

interface Host {
  readonly settings: Settings;
  readonly members: readonly Member[];
  offered: readonly OfferedTool[];
  session: ProviderSession;
  turn: number;
}

/**
 * @throws BAD_OPTION for an option that is none, for two external providers, and for two providers of one name
 *
 * @example
 * import { builtInProvider, createMemoryProviders } from '@palimpsest/core/memory';
 * const notes = { name: 'notes', recall: async () => 'The staging server is called heron.' };
 * const providers = createMemoryProviders({ builtIn: builtInProvider({ tools: [] }), external: notes });
 * await providers.start({ sessionId: 'session-1' });
 * await providers.recall('Which server is for staging?');
 */
export function createMemoryProviders(options: MemoryProvidersOptions): MemoryProviders {
  const settings = checkedSettings(options);
  const members = settings.providers.map((provider, at): Member => {
    const note = (level: 'info' | 'warn', message: string): void => settings.note(provider.name, level, message);
    const { now, timers, marker } = settings;
    const guarded = guardProvider(provider, { limits: settings.limitsOf(provider), now, timers, marker, note });
    return { guarded, line: createSaveLine(guarded, note), isExternal: at > 0, note, prompt: '' };
  });
  const host: Host = { settings, members, offered: [], session: { sessionId: '' }, turn: 0 };
  return {
    start: (session) => start(host, session),
    promptText: () =>
      members
        .map(({ prompt }) => prompt)
        .filter((text) => text !== '')
        .join('\n\n'),
    tools: () => host.offered.filter(({ owner }) => owner.state().type === 'ready').map(({ tool }) => shownTool(tool)),
    runTool: (name, args, signal) => runTool(host, name, { args, signal }),
    startTurn: (number) => startTurn(host, number),
    recall: async (text, signal) => {
      const found = members.map((member) => recalled(host, member, { text, signal }));
      return (await Promise.all(found)).flatMap((memory) => memory ?? []);
    },
    saveTurn: (turn) => saveTurn(host, turn),
    tellWrite: (write) => tellWrite(host, write),
    beforeCompression: (messages) => beforeCompression(host, messages),
    continueSession: (session) => continueSession(host, session),
    endSession: async (messages) => {
      const said = sendableMessages(messages);
      await saved(host);
      await event(host, 'event', ({ guarded: { provider } }, call) => provider.onSessionEnd?.(said, call));
    },
    status: () => members.map(statusOf),
    check: async () => {
      await Promise.all(members.map(verify));
      return members.map(statusOf);
    },
    stop: () => stop(host),
  };
}

const shownTool = ({ name, description, parameters }: EngineTool): EngineTool => ({ name, description, parameters });

async function start(host: Host, session: ProviderSession): Promise<void> {
  host.session = session;
  await Promise.all(host.members.map(({ guarded }) => guarded.start(session)));
  const taken = new Set(host.settings.reservedTools);
  const offered: OfferedTool[] = [];
  for (const member of host.members) {
    const { guarded, isExternal, note } = member;
    member.prompt = promptOf(member);
    const refuse = (reason: string): void => note('warn', `The memory provider ${guarded.name}: ${reason}.`);
    for (const tool of admittedTools(guarded.provider, { taken, isExternal, refuse })) {
      taken.add(tool.name);
      offered.push({ tool, owner: guarded, isExternal });
    }
  }
  host.offered = offered;
}

const mostPromptChars = 2_000;

function promptOf({ guarded, isExternal, note }: Member): string {
  if (guarded.state().type !== 'ready') return '';
  try {
    const text: unknown = guarded.provider.promptText?.() ?? '';
    if (typeof text !== 'string') throw new Error('it is not a text');
    return isExternal ? cleaned(text, mostPromptChars).text : text;
  } catch {
    note('warn', `The memory provider ${guarded.name} has no usable text for the system prompt.`);
    return '';
  }
}

async function runTool(
  { settings, offered, members }: Host,
  name: string,
  { args, signal }: { readonly args: unknown; readonly signal: AbortSignal | undefined },
): Promise<string | undefined> {
  const found = offered.find(({ tool }) => tool.name === name);
  if (!found) return undefined;
  const note = (message: string): void =>
    members
      .find(({ guarded }) => guarded === found.owner)
      ?.note('warn', `The memory provider ${found.owner.name} gave something for a tool: ${message}.`);
  const { maxAnswerChars: maxChars, mayWrite } = settings;
  return answerOf(found, { args, maxChars, mayWrite, note, signal });
}

async function startTurn(host: Host, number = host.turn + 1): Promise<void> {
  host.turn = number;
  const { sessionId } = host.session;
  // A provider that is down is tried beside the turn, which does not wait for it.
  for (const member of host.members) void revive(member);
  const turn = { sessionId, number: host.turn };
  await event(host, 'turn', ({ guarded: { provider } }, call) => provider.onTurnStart?.(turn, call));
}

async function revive({ guarded, line }: Member): Promise<void> {
  if (await guarded.revive()) line.resume();
}

async function verify({ guarded, line }: Member): Promise<void> {
  if (await guarded.verify()) line.resume();
}

/** What waits has been saved, as far as the time allows. */
const saved = async ({ members, settings }: Host): Promise<void> => {
  const lines = members.map(({ guarded, line }) =>
    settings.atMost(settings.limitsOf(guarded.provider).stopMs, line.settled()),
  );
  await Promise.all(lines);
};

async function continueSession(host: Host, session: ProviderSession): Promise<void> {
  const { userId, project } = host.session;
  await saved(host);
  // What still waits would be saved in the next project or for the next person.
  const isElsewhere = session.userId !== userId || session.project !== project;
  for (const { guarded, line } of host.members) {
    if (isElsewhere) line.drop('the session went on elsewhere');
    guarded.moveTo(session);
  }
  host.session = session;
  await event(host, 'event', ({ guarded: { provider } }, call) => provider.onSessionContinue?.(session, call));
}

/** Two words at least: what answers a question with a nod recalls nothing. */
const isWorthAsking = (text: string): boolean => {
  const words = [...wordsIn().segment(text.slice(0, 400))].filter(({ isWordLike }) => isWordLike);
  return words.length >= 2;
};
const wordsIn = lazily(() => new Intl.Segmenter(undefined, { granularity: 'word' }));

async function recalled(
  { settings, session: { sessionId } }: Host,
  { guarded, isExternal, note }: Member,
  { text, signal }: { readonly text: string; readonly signal: AbortSignal | undefined },
): Promise<RecalledMemory | undefined> {
  const { provider, name } = guarded;
  const asked = isExternal ? sendable(text.slice(0, mostSentChars).toWellFormed()) : text;
  const query = { sessionId, text: asked, maxChars: settings.maxRecallChars };
  if (!provider.recall || !isWorthAsking(query.text)) return undefined;
  const outcome = await guarded.call('recall', (call) => provider.recall?.(query, call), signal);
  const given: unknown = outcome.type === 'done' ? (outcome.value ?? '') : '';
  if (typeof given !== 'string') {
    guarded.fail('recall', `it gave ${typeof given} instead of a text`);
    return undefined;
  }
  if (!isExternal) return given.trim() === '' ? undefined : { provider: name, text: given };
  const { text: fit, threats, isCut } = cleaned(given, query.maxChars);
  if (threats.length > 0) note('warn', `Of what ${name} recalled, Palimpsest ${leftOut(threats)}.`);
  if (isCut && given.length > 10 * query.maxChars) {
    note('warn', `The memory provider ${name} recalled ${given.length} characters; ${query.maxChars} were asked for.`);
  }
  return fit === '' ? undefined : { provider: name, text: fit, source: 'outside-tool' };
}

/** Services take no more of a text. */
const mostSentChars = 24_000;

function saveTurn(host: Host, { user, assistant, number = host.turn }: SaidTurn): void {
  for (const { guarded, line, isExternal } of host.members) {
    const { provider } = guarded;
    if (!provider.saveTurn || guarded.state().type === 'missing') continue;
    // An order that a page planted in an answer is not for a service that makes memories of answers.
    const said = isExternal
      ? { user: sendable(user.slice(0, mostSentChars)), assistant: sendable(cleaned(assistant, mostSentChars).text) }
      : { user, assistant };
    const turn = { sessionId: host.session.sessionId, number, ...said };
    if (turn.user.trim() === '') continue;
    line.add({ what: 'a turn', run: (call) => provider.saveTurn?.(turn, call) });
  }
}

function tellWrite({ members, session: { sessionId } }: Host, write: Omit<ProviderWrite, 'sessionId'>): void {
  for (const { guarded, line, isExternal } of members) {
    const { provider } = guarded;
    if (!isExternal || !provider.onMemoryWrite || guarded.state().type === 'missing') continue;
    const { text, before } = write;
    const told = {
      ...write,
      sessionId,
      text: sendable(text),
      ...(before === undefined ? {} : { before: sendable(before) }),
    };
    line.add({ what: 'a memory', run: (call) => provider.onMemoryWrite?.(told, call) });
  }
}

const mostKeptChars = 8_000;

async function beforeCompression(host: Host, messages: readonly Message[]): Promise<string> {
  const said = sendableMessages(messages);
  const texts = await event(host, 'event', ({ guarded: { provider } }, call) =>
    provider.beforeCompression?.(said, call),
  );
  return texts
    .flatMap(({ member, value }) => {
      if (typeof value !== 'string') return [];
      return member.isExternal ? keepable(value, member) : value;
    })
    .filter((text) => text.trim() !== '')
    .join('\n\n');
}

function keepable(given: string, { guarded: { name }, note }: Member): string {
  const { text, threats } = cleaned(given, mostKeptChars);
  if (threats.length === 0) return text;
  note('warn', `Nothing of what ${name} wanted kept is kept: Palimpsest ${leftOut(threats)}.`);
  return '';
}

/** Tells all providers at once; what those gave that have answered. */
async function event<T>(
  { members }: Host,
  work: 'turn' | 'event',
  tell: (member: Member, call: { readonly signal: AbortSignal }) => T | PromiseLike<T>,
): Promise<readonly { readonly member: Member; readonly value: T }[]> {
  const told = members.map(async (member) => {
    if (member.guarded.state().type !== 'ready') return [];
    const outcome = await member.guarded.call(work, (call) => tell(member, call));
    return outcome.type === 'done' ? [{ member, value: outcome.value }] : [];
  });
  return (await Promise.all(told)).flat();
}

function statusOf({ guarded, line, isExternal }: Member): ProviderStatus {
  return {
    name: guarded.name,
    isExternal,
    state: guarded.state(),
    savedAt: guarded.lastDone.get('save'),
    recalledAt: guarded.lastDone.get('recall'),
    waiting: line.waiting(),
    lost: line.lost(),
  };
}

async function stop({ members, settings }: Host): Promise<void> {
  await Promise.all(
    members.map(async ({ guarded, line, note }) => {
      line.resume();
      await settings.atMost(settings.limitsOf(guarded.provider).stopMs, line.settled());
      const left = line.waiting();
      if (left > 0) note('warn', `The memory provider ${guarded.name} ends with ${left} not saved.`);
      await guarded.stop();
    }),
  );
}
