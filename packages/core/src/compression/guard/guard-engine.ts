/** ★ Holds an engine of others to its contract: whatever it does, a session goes on and no message is lost. */
import { stateKeys } from '../../context/define-engine.ts';
import type { CompressOptions, ContextEngine, EngineState } from '../../context/engine.ts';
import { platformTimers, type Timers } from '../../shared/timers.ts';
import { badPlugin } from './bad-plugin.ts';
import { answersOf, notesOf } from './guard-hooks.ts';
import { type Guarded, type GuardOptions, reasonOf, startGuard } from './guarded.ts';
import { inTime } from './in-time.ts';
import { takeList } from './take-list.ts';

/**
 * The engine, held to its contract. It is shown frozen copies, waited for no longer than `timeoutMs`, and its answers
 * are checked: a list that is no list of messages, is not smaller, leaves out the newest request or the system prompt,
 * or would be refused by providers is not used. Where it fails, the fallback does that step; after three failures in a
 * row the fallback compresses for the rest of the session. Messages are JSON values. An engine that never lets go of
 * the processor cannot be interrupted. Throws `BAD_OPTION` for a timeout that is none.
 */
export function guardEngine<M>(engine: ContextEngine<M>, options: GuardOptions<M>): ContextEngine<M> {
  return guardOn(platformTimers, engine, options);
}

/** The same on other timers. */
export function guardOn<M>(timers: Timers, engine: ContextEngine<M>, options: GuardOptions<M>): ContextEngine<M> {
  const guarded = startGuard(engine, options, timers);
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

// One compression by an engine of others, or by the fallback where that fails.

/** So many failures in a row, and the engine is not asked again: every one of them may cost the whole time limit. */
const mostFailures = 3;

/** Throws what the fallback throws, and the reason of the caller's signal; `BAD_PLUGIN` where nobody takes over. */
async function compressGuarded<M>(
  guarded: Guarded<M>,
  messages: readonly M[],
  options: CompressOptions = {},
): Promise<readonly M[]> {
  if (guarded.failures >= mostFailures) return rescued(guarded, messages, options);
  try {
    const list = await ownList(guarded, messages, options);
    guarded.failures = 0;
    if (list !== messages) guarded.isStale = false;
    return list;
  } catch (error) {
    // Nobody waits any more.
    options.signal?.throwIfAborted();
    if (guarded.onFailure === 'throw')
      throw badPlugin(`The context engine "${guarded.name}" failed in compress (${reasonOf(error)})`, error);
    guarded.failures++;
    guarded.tell('compress', error, whatNext(guarded));
    return rescued(guarded, messages, options);
  }
}

function whatNext<M>({ failures, fallback }: Guarded<M>): string {
  const done = `"${fallback.name}" compressed instead`;
  return failures < mostFailures ? done : `${done}, and will for the rest of the session`;
}

async function ownList<M>(
  guarded: Guarded<M>,
  messages: readonly M[],
  options: CompressOptions,
): Promise<readonly M[]> {
  const { engine, copies, timers, timeoutMs } = guarded;
  const shown = copies.shown(messages);
  const result = await inTime<unknown>({ timers, timeoutMs, signal: options.signal }, (signal) =>
    engine.compress(shown, { ...options, signal }),
  );
  return takeList({ before: messages, shown, result }, copies);
}

async function rescued<M>(
  guarded: Guarded<M>,
  messages: readonly M[],
  options: CompressOptions,
): Promise<readonly M[]> {
  const list = await guarded.fallback.compress(messages, options);
  if (list === messages) return messages;
  guarded.rescued++;
  guarded.isStale = true;
  return list;
}
