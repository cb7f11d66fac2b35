/** Tells an engine what it cannot know: where sessions begin, and which window there is. */
import type { SessionStart } from '../context/engine.ts';
import { bounded } from './bounded.ts';
import { tellContinued } from './compress/compression-hooks.ts';
import type { HookCall } from './hooks.ts';
import type { LiveConversation } from './live/live.ts';
import type { ConversationNotice } from './request.ts';
import type { Asked, Runtime } from './runtime.ts';

interface Starting {
  readonly reason: SessionStart['reason'];
  readonly asked: Pick<Asked, 'notices' | 'call'>;
}

/** Tells the engine and the hooks that a session begins: anew, read back, or behind a compression. */
export async function noteSessionStart(
  runtime: Runtime,
  { engine, session }: LiveConversation,
  { reason, asked }: Starting,
): Promise<void> {
  const { hooks, model } = runtime.settings;
  const { id: sessionId, parentId: from } = session;
  const { signal } = asked.call;
  // What an engine is told comes before what it is asked, also by the next request.
  const starts = (): Promise<void> => engine.onSessionStart(sessionId, { reason, model });
  await bounded(runtime, asked, { name: `onSessionStart of the engine "${engine.name}"`, work: starts });
  const { onSessionStart } = hooks;
  if (reason !== 'compression' && onSessionStart) {
    const work = (call: HookCall): unknown => onSessionStart({ sessionId, reason }, call);
    await bounded(runtime, asked, { name: 'onSessionStart', work, signal });
  }
  if (reason === 'compression' && from !== undefined)
    await tellContinued(runtime, { notices: asked.notices, signal }, { from, to: sessionId });
}

/** Tells the engine and the hooks that a conversation has really ended. */
export async function noteSessionEnd(
  runtime: Runtime,
  { engine, session, view }: LiveConversation,
  reason: string,
): Promise<void> {
  const notices: ConversationNotice[] = [];
  const { id: sessionId } = session;
  const messages = view.map(({ message }) => message);
  const ends = (): Promise<void> => engine.onSessionEnd(sessionId, messages);
  await bounded(runtime, { notices }, { name: `onSessionEnd of the engine "${engine.name}"`, work: ends });
  const { onSessionEnd } = runtime.settings.hooks;
  if (!onSessionEnd) return;
  const work = (call: HookCall): unknown => onSessionEnd({ sessionId, reason }, call);
  await bounded(runtime, { notices }, { name: 'onSessionEnd', work });
}

/** Nothing is told that the engine knows: a change of the model makes it forget what it has learnt. */
export function useWindow({ settings }: Runtime, { engine }: LiveConversation, contextLength: number): void {
  if (engine.contextLength === contextLength) return;
  const { model, reservedOutputTokens } = settings;
  engine.updateModel({ model, contextLength, reservedOutputTokens });
}
