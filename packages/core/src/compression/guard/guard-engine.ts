/** ★ Holds an engine of others to its contract: whatever it does, a session goes on and no message is lost. */
import { stateKeys } from '../../context/define-engine.ts';
import type { ContextEngine, EngineState } from '../../context/engine.ts';
import { platformTimers } from '../../shared/timers.ts';
import { compressGuarded } from './guard-compress.ts';
import { answersOf, notesOf } from './guard-hooks.ts';
import { type Guarded, type GuardOptions, startGuard } from './guarded.ts';

/**
 * The engine, held to its contract. It is shown frozen copies, waited for no longer than `timeoutMs`, and its answers
 * are checked: a list that is no list of messages, is not smaller, leaves out the newest request or the system prompt,
 * or would be refused by providers is not used. Where it fails, the fallback does that step; after three failures in a
 * row the fallback compresses for the rest of the session. Messages are JSON values. An engine that never lets go of
 * the processor cannot be interrupted. Throws `BAD_OPTION` for a timeout that is none.
 */
export function guardEngine<M>(engine: ContextEngine<M>, options: GuardOptions<M>): ContextEngine<M> {
  const guarded = startGuard(engine, options, platformTimers);
  const guard: Omit<ContextEngine<M>, keyof EngineState> = {
    name: guarded.name,
    compress: (messages, call) => compressGuarded(guarded, messages, call),
    ...answersOf(guarded),
    ...notesOf(guarded),
  };
  for (const key of stateKeys)
    Object.defineProperty(guard, key, { get: () => stateOf(guarded, key), enumerable: true });
  // The loop above has just added the members of EngineState.
  return guard as ContextEngine<M>;
}

/** A number of the engine's, or the fallback's where the engine has none; what was reported is known to the guard itself. */
function stateOf<M>(guarded: Guarded<M>, key: keyof EngineState): number {
  if (reportedKeys.has(key)) return guarded.reported[key];
  const value = guarded.ask(key, {
    call: ({ [key]: own }) => own,
    isValid: (own) => Number.isFinite(own) && own >= 0,
    instead: () => (key === 'compressionCount' ? 0 : guarded.fallback[key]),
  });
  if (key === 'contextLength') return guarded.model?.contextLength ?? value;
  return key === 'compressionCount' ? value + guarded.rescued : value;
}

const reportedKeys: ReadonlySet<keyof EngineState> = new Set([
  'lastPromptTokens',
  'lastCompletionTokens',
  'lastTotalTokens',
]);
