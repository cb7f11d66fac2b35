/** The engine of a conversation: how it is made, and what it is told that it cannot know: sessions and the window. */
import { createCompressor } from '../compression/engine.ts';
import type { PolicyState } from '../compression/policy/state.ts';
import type { SessionStart } from '../context/engine.ts';
import { defined } from '../shared/defined.ts';
import type { Session } from '../store/session-store.ts';
import { bounded, callHook, type Host } from './call-hooks.ts';
import type { BuiltIn, LiveConversation, Runtime, Step } from './live.ts';

interface EngineBasis extends Omit<BuiltIn, 'compressor'> {
  readonly policy: PolicyState;
  readonly compressions: number;
}

/** The engine of the settings, else the built-in one. */
export function engineFor(
  { runtime, basis }: Pick<Step, 'runtime' | 'basis'>,
  session: Session,
  { record, ids, policy, compressions: compressionCount }: EngineBasis,
): Pick<LiveConversation, 'engine' | 'builtIn'> {
  const { engine, model, reservedOutputTokens, now, config, store } = runtime.settings;
  if (engine) return { engine: engine(session.id), builtIn: undefined };
  const { tokenizer, contextLength, summarizer, fallbackSummarizer } = basis;
  const known = {
    model,
    contextLength,
    reservedOutputTokens,
    now,
    tokenizer,
    config,
    record,
    policy,
    compressionCount,
  };
  const compressor = createCompressor({ ...known, ...defined({ keptIn: store.name, summarizer, fallbackSummarizer }) });
  return { engine: compressor, builtIn: { compressor, record, ids } };
}

/** Tells the engine and the hooks that a session begins: anew, read back, or behind a compression. */
export async function noteSessionStart(
  host: Host & { readonly runtime: Runtime },
  { engine, session }: LiveConversation,
  reason: SessionStart['reason'],
): Promise<void> {
  const { id: sessionId, parentId: from } = session;
  const { model } = host.runtime.settings;
  // What an engine is told comes before what it is asked, also by the next request.
  const work = (): Promise<void> => engine.onSessionStart(sessionId, { reason, model });
  await bounded(host, { name: `onSessionStart of the engine "${engine.name}"`, work });
  if (reason !== 'compression') {
    await callHook(host, 'onSessionStart', (hooks, call) => hooks.onSessionStart?.({ sessionId, reason }, call));
  } else if (from !== undefined) await tellContinued(host, from, sessionId);
}

/** Tells the hook that a compression goes on in another session. */
export const tellContinued = (host: Host, from: string, to: string): Promise<void> =>
  callHook(host, 'onSessionContinue', (hooks, call) => hooks.onSessionContinue?.({ from, to }, call));

/** Tells the engine and the hooks that a conversation has really ended. */
export async function noteSessionEnd(runtime: Runtime, live: LiveConversation, reason: string): Promise<void> {
  const { engine, session, view } = live;
  const host = { runtime, asked: { notices: [], call: {} } };
  const messages = view.map(({ message }) => message);
  const work = (): Promise<void> => engine.onSessionEnd(session.id, messages);
  await bounded(host, { name: `onSessionEnd of the engine "${engine.name}"`, work });
  await callHook(host, 'onSessionEnd', (hooks, call) => hooks.onSessionEnd?.({ sessionId: session.id, reason }, call));
}

/** Nothing is told that the engine knows: a change of the model makes it forget what it has learnt. */
export function useWindow({ runtime, live }: Pick<Step, 'runtime' | 'live'>, contextLength: number): void {
  if (live.engine.contextLength === contextLength) return;
  const { model, reservedOutputTokens } = runtime.settings;
  live.engine.updateModel({ model, contextLength, reservedOutputTokens });
}
