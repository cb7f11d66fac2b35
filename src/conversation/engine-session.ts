/** Tells an engine what it cannot know: where sessions begin, and which window there is. */
import type { SessionStart } from '../context/engine.ts';
import type { LiveConversation } from './live.ts';
import type { Runtime } from './runtime.ts';

/** What the engine throws is not heard: it must not cost a message. */
export async function noteSessionStart(
  { settings }: Runtime,
  { engine, session }: LiveConversation,
  reason: SessionStart['reason'],
): Promise<void> {
  try {
    await engine.onSessionStart(session.id, { reason, model: settings.model });
  } catch {
    // An engine that cannot begin may still decide and compress.
  }
}

/** Nothing is told that the engine knows: a change of the model makes it forget what it has learnt. */
export function useWindow({ settings }: Runtime, { engine }: LiveConversation, contextLength: number): void {
  if (engine.contextLength === contextLength) return;
  const { model, reservedOutputTokens } = settings;
  engine.updateModel({ model, contextLength, reservedOutputTokens });
}
