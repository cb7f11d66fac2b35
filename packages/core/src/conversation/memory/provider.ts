/**
 * The memory provider of a conversation: started with its first request, asked once a turn, told of what happens, and stopped
 * with the conversation. No request waits longer for it than its limits say, and none fails because of it.
 */
import { personMessage } from '../../compression/handoff-block.ts';
import { untilAborted } from '../../compression/summarize/summarizer.ts';
import type { MemoryWritten } from '../../memory/entries/write.ts';
import { fence } from '../../memory/fence/fence.ts';
import { scrub } from '../../memory/fence/scrubber.ts';
import { builtInProvider } from '../../memory/providers/built-in.ts';
import { createMemoryProviders, type MemoryProviders } from '../../memory/providers/memory-providers.ts';
import type { MemoryProvider, ProviderSession } from '../../memory/providers/provider.ts';
import { redact } from '../../redaction/redact.ts';
import { defined } from '../../shared/defined.ts';
import type { SessionId } from '../../store/ids.ts';
import { newestSession, type Session } from '../../store/session-store.ts';
import type { Message } from '../../transcript/message.ts';
import { messageText, toolCalls } from '../../transcript/text.ts';
import { note } from '../call-hooks.ts';
import { type Asked, type HostedProvider, type LiveConversation, type Runtime, type Step, turnOf } from '../live.ts';
import { recalledTexts } from '../recalled.ts';
import { providerToolNames } from './provider-tools.ts';
import { providerWrites } from './provider-writes.ts';
import { judgeOver, saidRecord } from './record.ts';

type Serving = Pick<Step, 'runtime' | 'live'> & {
  readonly asked: Pick<Asked, 'notices' | 'call'>;
};

/** The provider of a conversation, as a program may use it. */
export type ConversationProvider = Pick<MemoryProviders, 'tools' | 'runTool' | 'status'>;

// Its life: from the first request of a conversation to its end.

/**
 * Has the provider serve the session that the conversation is in: starts it with the first request, also of a process that
 * comes later, and tells it where a compression, of this process or another one, went on. @throws the signal's reason
 */
export async function serveSession({ runtime, live, asked }: Serving): Promise<HostedProvider | undefined> {
  const provider = runtime.settings.memory?.provider;
  if (!provider) return undefined;
  const { id, rootId } = live.session;
  const hosted = runtime.hosted.get(rootId) ?? open(runtime, live, provider);
  runtime.hosted.delete(rootId);
  runtime.hosted.set(rootId, hosted);
  const [oldest] = runtime.hosted.keys();
  if (oldest !== undefined && runtime.hosted.size > runtime.settings.maxLive) leave(runtime, oldest);
  hosted.notices = asked.notices;
  const { signal } = asked.call;
  await untilAborted(hosted.started, signal);
  if (hosted.sessionId === id) return hosted;
  hosted.sessionId = id;
  await untilAborted(hosted.providers.continueSession(sessionOf(runtime, id)), signal);
  return hosted;
}

/** What is learned in one project is not shown in another: the provider keeps to that of the memory. */
const sessionOf = ({ settings: { memory } }: Runtime, sessionId: SessionId): ProviderSession => ({
  sessionId,
  ...defined({ project: memory?.memory.project }),
});

function open(runtime: Runtime, { session }: LiveConversation, external: MemoryProvider): HostedProvider {
  const { now, timers } = runtime.settings;
  const providers = createMemoryProviders({
    // Its files are shown and written by the runtime itself.
    builtIn: builtInProvider({ tools: [] }),
    external,
    reservedTools: ownTools,
    clock: defined({ now, timers }),
    mayWrite: (text) => whyNot(runtime, hosted.sessionId, text),
    onNotice: ({ level, message }) =>
      note(
        { runtime, asked: { notices: hosted.notices, call: {} } },
        { type: 'memory', level: level === 'info' ? 'log' : level, message },
      ),
  });
  const hosted: HostedProvider = {
    providers,
    sessionId: session.id,
    notices: [],
    turn: undefined,
    recalled: undefined,
    absent: undefined,
    // Behind the assignment: a provider that is not usable says so at once.
    started: Promise.resolve().then(() => providers.start(sessionOf(runtime, session.id))),
  };
  return hosted;
}

/** What Palimpsest itself offers to models. */
const ownTools = ['memory', 'remember', 'session_search', 'expand', 'read_output', 'search_output'] as const;

/** Nobody waits for it but `stopProviders`. */
function leave({ hosted: all, leaving }: Runtime, rootId: SessionId): void {
  const hosted = all.get(rootId);
  all.delete(rootId);
  if (!hosted) return;
  const work = hosted.started.then(() => hosted.providers.stop()).finally(() => leaving.delete(work));
  leaving.add(work);
}

/** The conversation is over; also one that only its provider is left of here. */
export async function endProvider(runtime: Runtime, { id, rootId }: Session): Promise<void> {
  const hosted = runtime.hosted.get(rootId);
  if (!hosted) return;
  await hosted.started;
  const view = await runtime.settings.store.messages.view(id);
  await hosted.providers.endSession(saidBy(view.map(({ message }) => message)));
  leave(runtime, rootId);
  await Promise.all(runtime.leaving);
}

/** Saves what waits, as far as the limits allow, and lets go of all providers; the next request starts one anew. */
export async function stopProviders(runtime: Runtime): Promise<void> {
  for (const rootId of [...runtime.hosted.keys()]) leave(runtime, rootId);
  await Promise.all(runtime.leaving);
}

// What it gives: all of it is foreign.

/** What the prompt says of it; the same throughout. */
export function providerText({ hosted }: Runtime, { session }: LiveConversation): string {
  return redact(hosted.get(session.rootId)?.providers.promptText() ?? '');
}

/** What it recalls for the turn, asked once however many steps the turn has. @throws the signal's reason */
export async function recallOfProvider(step: Step, words: string): Promise<string | undefined> {
  const hosted = await serveSession(step);
  if (!hosted) return undefined;
  const { signal } = step.asked.call;
  const turn = turnOf(step.live);
  if (hosted.turn !== turn) {
    Object.assign(hosted, { turn, recalled: undefined, absent: undefined });
    await untilAborted(hosted.providers.startTurn(turnNumber(step.asked.said)), signal);
  }
  if (hosted.recalled === undefined) {
    const found = await hosted.providers.recall(words, signal);
    signal?.throwIfAborted();
    hosted.recalled = redact(found.map(({ text }) => text).join('\n\n')).trim();
  }
  return hosted.recalled || undefined;
}

/** Also in another process the same turn has the same number, so that services tell one that comes twice. */
const turnNumber = (said: readonly Message[]): number =>
  said.reduce((turns, message) => turns + (personMessage(message) ? 1 : 0), 0);

/**
 * Its tools that do not work in this turn. They neither go nor come within a turn: a list of tools that changes costs
 * everything that a cache holds.
 */
export function absentTools({ runtime, live }: Pick<Step, 'runtime' | 'live'>): readonly string[] {
  const hosted = runtime.hosted.get(live.session.rootId);
  if (!hosted) return [];
  const working = new Set(hosted.providers.tools().map(({ name }) => name));
  hosted.absent ??= providerToolNames(runtime.settings.memory).filter((name) => !working.has(name));
  return hosted.absent;
}

/**
 * What it wants kept of what a compression covers, in a fence behind what a hook wants kept; null for nothing. It would be
 * read in every request until the next compression: where a line of it reads like an order, nothing of it is kept.
 *
 * @throws the signal's reason
 */
export async function withKeptByProvider(
  { runtime, live, asked }: Serving,
  kept: string | null,
  covered: readonly Message[],
): Promise<string | null> {
  const hosted = runtime.hosted.get(live.session.rootId);
  if (!hosted) return kept;
  const text = await untilAborted(hosted.providers.beforeCompression(saidBy(covered)), asked.call.signal);
  return [kept ?? '', fence(redact(text))].filter((part) => part !== '').join('\n\n') || null;
}

/** What persons and the model said: a handoff is nobody's words. */
const saidBy = (messages: readonly Message[]): readonly Message[] =>
  messages.flatMap((message) => (message.role === 'user' ? (personMessage(message) ?? []) : [message]));

// What it is told.

/** Has a turn saved that is over: the model asks for no more tools. */
export async function saveTurn(step: Step, reply: Message): Promise<void> {
  const assistant = scrub(messageText(reply));
  if (toolCalls(reply).length > 0 || assistant.trim() === '') return;
  const { said } = step.asked;
  const asked = said.findLast((message) => personMessage(message) !== undefined);
  if (!asked) return;
  const hosted = await serveSession(step);
  const user = messageText(personMessage(asked) ?? asked);
  hosted?.providers.saveTurn({ user, assistant, number: turnNumber(said) });
}

/** Tells it what was written to the files of the memory in this conversation. */
export function tellProvider({ hosted }: Pick<Runtime, 'hosted'>, rootId: SessionId, written: MemoryWritten): void {
  const providers = hosted.get(rootId)?.providers;
  if (providers) for (const write of providerWrites(written)) providers.tellWrite(write);
}

// What it has to do with what may be remembered.

/** Why a text waits for the person, by what was said in the conversation. */
async function whyNot(runtime: Runtime, sessionId: SessionId, text: string): Promise<string | undefined> {
  const { settings } = runtime;
  const judge = judgeOver(await saidRecord(settings, sessionId), settings, foreignText(runtime, sessionId));
  const { decision, reason } = judge(text);
  if (decision === 'write') return undefined;
  return reason?.replace(/\.$/, '') ?? 'the person has to confirm it';
}

/** What stood before the model beside the conversation, in words of others. */
export function foreignText(runtime: Runtime, sessionId: SessionId): string | undefined {
  const live = runtime.live.get(sessionId);
  if (!live) return undefined;
  const kept = keptFence.exec(live.state.kept ?? '')?.[0];
  const provided = runtime.hosted.get(live.session.rootId)?.recalled;
  const texts = [recalledTexts(live), provided, providerText(runtime, live), kept];
  return texts.filter((text) => text !== undefined && text !== '').join('\n\n') || undefined;
}

const keptFence = /<memory-context>[\s\S]*<\/memory-context>/;

/** The provider of a conversation that this process follows. @throws ID_UNKNOWN */
export async function providerFor(runtime: Runtime, sessionId: SessionId): Promise<ConversationProvider | undefined> {
  const { rootId } = await newestSession(runtime.settings.store.sessions, sessionId);
  return runtime.hosted.get(rootId)?.providers;
}
