/** What a guard knows of the engine that it holds. */
import { engineState } from '../../context/define-engine.ts';
import type { ContextEngine, EngineModel, EngineState } from '../../context/engine.ts';
import { redact } from '../../redaction/redact.ts';
import { PalimpsestError } from '../../shared/errors.ts';
import { checkKnownOptions } from '../../shared/options/known-options.ts';
import type { Timers } from '../../shared/timers.ts';
import { type Copies, createCopies } from './copies.ts';

/** How an engine is guarded; only the fallback is needed. */
export interface GuardOptions<M> {
  /** Does the work of every step in which the guarded engine fails; it hears everything that the engine hears. */
  readonly fallback: ContextEngine<M>;
  /** Told what went wrong, in a line that names the engine; the same thing once. */
  readonly onNotice?: (notice: string) => void;
  /** How long `compress`, a tool or a session hook may take, in milliseconds. @default 120_000 */
  readonly timeoutMs?: number;
  /**
   * What follows where a compression fails: the fallback does it, or `BAD_PLUGIN` is thrown, with the reason.
   * @default 'takeover'
   */
  readonly onFailure?: 'takeover' | 'throw';
}

/** One question to the engine. */
export interface Question<M, T> {
  readonly call: (engine: ContextEngine<M>) => T;
  readonly isValid: (value: T) => boolean;
  /** The answer where the engine has none. */
  readonly instead: () => T;
}

export interface Guarded<M> {
  readonly name: string;
  readonly engine: ContextEngine<M>;
  readonly fallback: ContextEngine<M>;
  readonly timers: Timers;
  readonly timeoutMs: number;
  readonly onFailure: 'takeover' | 'throw';
  readonly copies: Copies<M>;
  /** The model as it was last told, which the engine may have failed to take. */
  model: EngineModel | undefined;
  /** What the calls used, as it was reported: facts that no engine can change. */
  readonly reported: EngineState;
  /** Compressions that the fallback did. */
  rescued: number;
  /** The engine does not know that the fallback has compressed: its last prompt says nothing about the context now. */
  isStale: boolean;
  /** Compressions that failed, one after the other. */
  failures: number;
  /** The engine's answer, or the one instead, with a notice. */
  ask<T>(method: string, question: Question<M, T>): T;
  /** Tells the person once that a method failed, and why. */
  tell(method: string, error: unknown, what?: string): void;
}

const defaultTimeoutMs = 120_000;

/** Throws `BAD_OPTION` for a timeout that is none. */
export function startGuard<M>(engine: ContextEngine<M>, options: GuardOptions<M>, timers: Timers): Guarded<M> {
  checkKnownOptions('guardEngine', options, { fallback: true, onNotice: true, timeoutMs: true, onFailure: true });
  const { fallback, onNotice, timeoutMs = defaultTimeoutMs, onFailure = 'takeover' } = options;
  if (!(timeoutMs > 0)) {
    const message = `expected as timeoutMs a number of milliseconds above 0, got ${timeoutMs}`;
    throw new PalimpsestError('BAD_OPTION', message, { evidence: { option: 'timeoutMs' } });
  }
  const name = nameOf(engine);
  const told = new Set<string>();
  const guarded: Guarded<M> = {
    name,
    engine,
    fallback,
    timers,
    timeoutMs,
    onFailure,
    copies: createCopies<M>(),
    model: undefined,
    reported: engineState(),
    rescued: 0,
    isStale: false,
    failures: 0,
    ask: (method, { call, isValid, instead }) => {
      try {
        const value = call(engine);
        hush(value, (error) => guarded.tell(method, error));
        if (isValid(value)) return value;
        throw new Error(`it returned ${shown(value)}`);
      } catch (error) {
        guarded.tell(method, error);
        return instead();
      }
    },
    tell: (method, error, what = 'the built-in engine took over') => {
      const notice = `The context engine "${name}" failed in ${method} (${reasonOf(error)}); ${what}.`;
      if (told.has(notice)) return;
      told.add(notice);
      try {
        onNotice?.(notice);
      } catch {
        // A listener that fails must not cost a message.
      }
    },
  };
  return guarded;
}

/** A promise where none was expected: its failure would end the process. */
function hush(value: unknown, tell: (error: unknown) => void): void {
  if (value instanceof Promise) value.catch(tell);
}

function nameOf(engine: ContextEngine<unknown> | undefined): string {
  try {
    if (typeof engine?.name === 'string' && engine.name !== '') return engine.name;
  } catch {
    // Its getter failed: the engine is as good as nameless.
  }
  return 'nameless';
}

const mostReason = 300;
/** Read of a reason, however long it is. */
const mostRead = 10_000;

/** In one line, without credentials. */
export function reasonOf(error: unknown): string {
  // Redacted before it is cut: half a credential is not recognised.
  const text = redact(textOf(error).slice(0, mostRead)).replaceAll(/\s+/g, ' ').trim();
  return text.slice(0, mostReason) || 'it gave no reason';
}

/** Whatever was thrown, which may itself throw when it is read. */
function textOf(error: unknown): string {
  try {
    if (error === undefined || error === null || error === '')
      return `it threw ${JSON.stringify(error) ?? 'undefined'}`;
    return String(error instanceof Error ? error.message || error.name : error);
  } catch {
    return 'it threw something that cannot be read';
  }
}

const shown = (value: unknown): string =>
  value === null || typeof value !== 'object'
    ? String(value).slice(0, 40)
    : Array.isArray(value)
      ? 'a list'
      : 'an object';
