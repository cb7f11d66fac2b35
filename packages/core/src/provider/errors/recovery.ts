/**
 * What to do after a failed call: a pure decision from the failure, what was tried already, and the call itself. Each cure has
 * a budget, and a compression must have made the request smaller before there is another one; so every chain of failures ends,
 * whatever a provider says.
 */
import { type ContextSize, madeProgress } from '../../compression/policy/state.ts';
import type { MetaStore } from '../../store/store.ts';
import type { ProviderFailure } from './classify.ts';
import { isWindow } from './limits.ts';
import { reasonRows } from './reasons.data.ts';

/** What to do next. The request is built anew for every retry, with `state` in mind: its clamp, and what it leaves out. */
export type Recovery =
  /** Compress, wait a little, and send again. */
  | {
      readonly type: 'compress';
      readonly pauseMs: number;
      /** A lower window than the one reckoned with, to be used from now on. */
      readonly window?: LowerWindow;
    }
  /** Send again with this much output at most, for this answer only; messages and window stay as they are. */
  | { readonly type: 'lower_output'; readonly maxTokens: number }
  /** Send again without these parts. */
  | { readonly type: 'strip'; readonly parts: StrippedParts }
  | { readonly type: 'wait'; readonly ms: number }
  /** Go on with the next of the other models. */
  | { readonly type: 'fall_back' }
  /** Nothing is left to try; `advice` is for the person. */
  | { readonly type: 'give_up'; readonly advice: string };

/**
 * Where the size of a window comes from. `guessed`: it holds for the account, for now; or the provider refused what should have
 * fitted without naming a size, and the next lower of the usual windows is tried.
 */
export type WindowSource = 'stated' | 'guessed';

/** A window that is smaller than was thought. */
export interface LowerWindow {
  readonly tokens: number;
  readonly source: WindowSource;
}

/** The call that failed. */
export interface FailedCall {
  /** Messages and tokens of its prompt, reported or estimated. */
  readonly messages: number;
  readonly tokens: number;
  /** The window that was reckoned with. */
  readonly contextLength: number;
  /** The `max_tokens` that it asked for. */
  readonly maxTokens?: number;
  /** Whether the prompt has images or files. @default true */
  readonly images?: boolean;
  /** Whether it may be compressed. @default true */
  readonly compressible?: boolean;
  /** How often it was made smaller in this turn, where not every compression did. @default as often as one was asked for */
  readonly compressed?: number;
  /** How many other models may be asked. @default 0 */
  readonly otherModels?: number;
}

/** A decision, and the state for the next failure of the turn. */
export interface RecoveryStep {
  readonly recovery: Recovery;
  readonly state: RecoveryState;
}

interface Situation {
  readonly failure: ProviderFailure;
  readonly state: RecoveryState;
  readonly call: FailedCall;
}

/**
 * Decides what to do about a failure.
 *
 * @example
 * import { classifyFailure, noRecovery, recoveryFor } from '@palimpsest/core';
 * const failure = classifyFailure({ status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' });
 * const call = { messages: 80, tokens: 210_000, contextLength: 200_000 };
 * const { recovery, state } = recoveryFor(failure, noRecovery, call);
 */
export function recoveryFor(failure: ProviderFailure, state: RecoveryState, call: FailedCall): RecoveryStep {
  const situation: Situation = { failure, state, call };
  return cured(situation) ?? elsewhere(situation) ?? gaveUp(situation);
}

/** The cure of the reason, while there is something left of it. */
function cured(situation: Situation): RecoveryStep | undefined {
  switch (reasonRows[situation.failure.reason].cure) {
    case 'compress':
      return compressed(situation);
    case 'lower_output':
      return lowered(situation);
    case 'strip_images':
      return stripped(situation, 'images');
    case 'strip_reasoning':
      return stripped(situation, 'reasoning');
    case 'wait':
      return waited(situation);
    case 'none':
      return undefined;
  }
}

function compressed({ failure, state, call }: Situation): RecoveryStep | undefined {
  const size = { messages: call.messages, tokens: call.tokens };
  const worked = state.compressedAt === null || madeProgress(state.compressedAt, size);
  if (call.compressible === false || !worked || state.compressions >= limits.compressions) {
    // Bytes are not tokens: images may be what is too large.
    return failure.reason === 'payload_too_large' ? stripped({ failure, state, call }, 'images') : undefined;
  }
  const window = lowerWindow({ failure, state, call });
  return {
    recovery: { type: 'compress', pauseMs: limits.pauseMs, ...(window ? { window } : {}) },
    state: { ...state, compressions: state.compressions + 1, compressedAt: size },
  };
}

/** The window that the provider named, where that is lower; else the next of the usual ones below what it refused. */
function lowerWindow({ failure, state, call }: Situation): LowerWindow | undefined {
  const named = failure.limits.contextLength;
  if (isWindow(named) && named < call.contextLength) {
    return { tokens: named, source: failure.guessedWindow ? 'guessed' : 'stated' };
  }
  // What is larger than the named window is compressed to fit it; what is not is counted otherwise than here.
  const isTold = isWindow(named) && call.tokens > named;
  if (isTold || failure.presumed || !isForLength(failure, call)) return undefined;
  const refused = Math.min(call.tokens, call.contextLength);
  // Each attempt of a turn asks for half of the one before: four times less is reached by the last of three.
  const most = Math.max(refused / 2 ** state.compressions, smallestWindow);
  const tokens = usualWindows.find((window) => window <= most && window < refused);
  return tokens === undefined ? undefined : { tokens, source: 'guessed' };
}

/** Bytes are not tokens: where there are images, they may be what is too large. */
const isForLength = ({ reason }: ProviderFailure, { images = true }: FailedCall): boolean =>
  reason !== 'payload_too_large' || !images;

const smallestWindow = 4_000;
/** Windows that models have, in tokens. */
const usualWindows = [1e6, 512_000, 256_000, 200_000, 128_000, 64_000, 32_000, 16_000, 8_000, smallestWindow] as const;

/** Less than this is no answer. */
const leastOutput = 16;

function lowered({ failure, state, call }: Situation): RecoveryStep | undefined {
  if (state.lowerings >= limits.lowerings) return undefined;
  const asked = state.maxTokens ?? call.maxTokens;
  const room = failure.limits.outputTokens ?? Math.floor((asked ?? unknownOutput * 2) / 2);
  // A provider that names what was asked for already is not believed: half of it, then.
  const maxTokens = asked !== undefined && room >= asked ? Math.floor(asked / 2) : room;
  if (maxTokens < leastOutput) return undefined;
  return {
    recovery: { type: 'lower_output', maxTokens },
    state: { ...state, lowerings: state.lowerings + 1, maxTokens },
  };
}

/** Tokens of output that every model of the last years writes. */
const unknownOutput = 4_096;

function stripped({ state, call }: Situation, parts: StrippedParts): RecoveryStep | undefined {
  if (state.stripped.includes(parts) || (parts === 'images' && call.images === false)) return undefined;
  return { recovery: { type: 'strip', parts }, state: { ...state, stripped: [...state.stripped, parts] } };
}

/** Without a word of the provider: 2, 8 and 32 seconds. */
const firstWaitMs = 2_000;

function waited({ failure, state }: Situation): RecoveryStep | undefined {
  if (state.waits >= Math.min(limits.waits, reasonRows[failure.reason].waits ?? limits.waits)) return undefined;
  const { retryAfterSeconds } = failure;
  const ms = retryAfterSeconds === undefined ? firstWaitMs * 4 ** state.waits : retryAfterSeconds * 1_000;
  if (ms > limits.longestWaitMs) return undefined;
  return { recovery: { type: 'wait', ms }, state: { ...state, waits: state.waits + 1 } };
}

/** The next model starts with waits and output of its own; compressions of the turn count on. */
function elsewhere({ failure, state, call }: Situation): RecoveryStep | undefined {
  if (!reasonRows[failure.reason].elsewhere || state.leftBehind >= (call.otherModels ?? 0)) return undefined;
  return {
    recovery: { type: 'fall_back' },
    state: { ...state, leftBehind: state.leftBehind + 1, waits: 0, lowerings: 0, maxTokens: null },
  };
}

function gaveUp(situation: Situation): RecoveryStep {
  return { recovery: { type: 'give_up', advice: adviceFor(situation) }, state: situation.state };
}

function adviceFor({ failure, state, call }: Situation): string {
  const { cure, advice } = reasonRows[failure.reason];
  const { retryAfterSeconds } = failure;
  if (cure === 'wait' && retryAfterSeconds !== undefined && retryAfterSeconds * 1_000 > limits.longestWaitMs) {
    return `${advice} It asks to wait ${retryAfterSeconds} s.`;
  }
  if (cure === 'lower_output' && state.lowerings > 0) {
    return `${advice} It was lowered to ${state.maxTokens} and refused again; /compress and /new make room too.`;
  }
  if (cure !== 'compress') return advice;
  if (call.compressible === false)
    return `${advice} It is not compressed automatically, because compression is turned off.`;
  if (state.compressions === 0) return advice;
  const { compressed: times = state.compressions } = call;
  const often = times === 1 ? 'once' : `${times} times`;
  const done =
    times === 0
      ? 'Compression found nothing to make smaller.'
      : `It was compressed ${often} in this turn, but is still refused.`;
  const said = `${advice} ${done}`;
  const isNamed = isWindow(failure.limits.contextLength) && !failure.guessedWindow;
  return isNamed || !isForLength(failure, call) ? said : `${said} If you know its window, set contextLength.`;
}

// What was tried in a turn to get an answer after all. Plain JSON; `recoveryFor` makes the next one.

/** How often each cure is tried before it is given up, and for how long: three attempts a turn, as everywhere. */
const limits = {
  /** Compressions of a turn; the same budget as the policy of automatic compression. */
  compressions: 3,
  /** Waits for one answer. */
  waits: 3,
  /** Times that the output is lowered for one answer. */
  lowerings: 3,
  /** A provider that asks for more is not waited for. */
  longestWaitMs: 120_000,
  /** Before a retry with a compressed context. */
  pauseMs: 2_000,
} as const;

/** Parts of messages that a retry can do without. */
export type StrippedParts = 'images' | 'reasoning';

/** What was tried so far. */
export interface RecoveryState {
  /** Compressions of this turn since the last reading below the threshold. */
  readonly compressions: number;
  /** The request that the last of them was made for. */
  readonly compressedAt: ContextSize | null;
  /** Waits for this answer. */
  readonly waits: number;
  /** Times that the output was lowered for this answer. */
  readonly lowerings: number;
  /** The `max_tokens` that this answer's retries must use. */
  readonly maxTokens: number | null;
  /** What the retries of this turn leave out. */
  readonly stripped: readonly StrippedParts[];
  /** Models that were left behind in this turn. */
  readonly leftBehind: number;
}

/** Where every turn starts. */
export const noRecovery: RecoveryState = {
  compressions: 0,
  compressedAt: null,
  waits: 0,
  lowerings: 0,
  maxTokens: null,
  stripped: [],
  leftBehind: 0,
};

/** What an answer told about the size of its prompt. */
export interface AnswerReading {
  /** As the provider reported it; 0 and `undefined` are no report. */
  readonly promptTokens?: number;
  readonly thresholdTokens: number;
}

/**
 * The state after an answer. What was lowered was lowered for that call only, and waiting starts afresh. Compressions are
 * only forgotten after a report below the threshold: an estimate, or no report, proves nothing.
 *
 * @example
 * import { afterAnswer, noRecovery } from '@palimpsest/core';
 * const state = afterAnswer(noRecovery, { promptTokens: 40_000, thresholdTokens: 100_000 });
 */
export function afterAnswer(state: RecoveryState, { promptTokens = 0, thresholdTokens }: AnswerReading): RecoveryState {
  const fits = promptTokens > 0 && promptTokens < thresholdTokens;
  return {
    ...state,
    ...(fits ? { compressions: 0, compressedAt: null } : {}),
    waits: 0,
    lowerings: 0,
    maxTokens: null,
  };
}

// Windows that were learnt from failures. What a provider stated is remembered in the store; what was only concluded
// holds while the process runs. A window is only ever learnt downwards: a model does not grow because an error names a
// number.

/** A window that a failure named. */
export interface LearntWindow {
  readonly tokens: number;
  readonly source: WindowSource;
  /** The window reckoned with so far; only a lower one is taken. @default no window */
  readonly current?: number;
}

/** Windows by model. A model is named with its provider, and with its base URL where that is not the provider's own. */
export interface KnownWindows {
  /** The lowest window that was learnt for a model; undefined when none was. */
  get(model: string): Promise<number | undefined>;
  /** Takes a window when it is one and lower than what is known; tells whether it was taken. */
  learn(model: string, window: LearntWindow): Promise<boolean>;
  /** Forgets what was learnt about a model: it was changed, or its server was started with another window. */
  forget(model: string): Promise<void>;
}

const keyOf = (model: string): string => `context_length:${model}`;

/**
 * Windows that are kept among the small values of a store.
 *
 * @example
 * import { knownWindows } from '@palimpsest/core';
 * import { openStore } from '@palimpsest/core/store';
 * await using store = await openStore({ path: 'agent.db' });
 * const windows = knownWindows(store.meta);
 * await windows.get('openai/gpt-5'); // undefined, until one was learnt
 */
export function knownWindows(values: Pick<MetaStore, 'get' | 'set'>): KnownWindows {
  const guessed = new Map<string, number>();
  const get = async (model: string): Promise<number | undefined> => {
    const kept = Number(await values.get(keyOf(model)));
    const known = [kept, guessed.get(model)].filter(isWindow);
    return known.length === 0 ? undefined : Math.min(...known);
  };
  return {
    get,
    async learn(model, { tokens, source, current }) {
      const known = Math.min((await get(model)) ?? Number.POSITIVE_INFINITY, current ?? Number.POSITIVE_INFINITY);
      if (!isWindow(tokens) || tokens >= known) return false;
      if (source === 'stated') await values.set(keyOf(model), String(tokens));
      else guessed.set(model, tokens);
      return true;
    },
    async forget(model) {
      guessed.delete(model);
      await values.set(keyOf(model), undefined);
    },
  };
}
