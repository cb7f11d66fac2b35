/**
 * What the policy of automatic compression knows about a session. It is plain JSON and is stored with the session, so
 * that a restart does not disarm it. Times are milliseconds since 1970, as the events brought them.
 */

import {
  count,
  type Field,
  flag,
  group,
  nullable,
  numberFrom,
  oneOf,
  problemLog,
  variants,
} from '../../shared/options/schema.ts';

/** Why a summary could not be had. `nothing`: there was nothing to compress. `cancelled`: a person stopped it. */
export const failureKinds = [
  'no_provider',
  'auth',
  'quota',
  'timeout',
  'rate_limit',
  'server_error',
  'network',
  'bad_output',
  'empty_output',
  'nothing',
  'cancelled',
  'other',
] as const;

/** Why a summary could not be had: decides how long to wait and whether the conversation is left as it is. */
export type FailureKind = (typeof failureKinds)[number];

/**
 * What stops automatic passes: two of them saved little; several left the prompt over the threshold; the model failed
 * several times in a row; the turn has used up its attempts.
 */
export const blockReasons = ['ineffective', 'still_over', 'fallback', 'attempts'] as const;

export type BlockReason = (typeof blockReasons)[number];

/** A stretch of time that a phase lasts at most. */
export interface Stretch {
  readonly since: number;
  readonly until: number;
}

/**
 * ```
 *            started                finished, failed
 *   armed ────────────▶ running ───────────────────────▶ armed | cooling | blocked
 *   cooling ── until ─▶ (as armed)                          a reading below the threshold arms a blocked session
 *   blocked ── until ─▶ probing (running) ─ finished ─▶ probing (waiting) ─ reading ─▶ armed | blocked
 * ```
 * The passing of time is not a transition: a phase whose `until` is over counts as over.
 */
export type Phase =
  | { readonly type: 'armed' }
  | ({ readonly type: 'running'; readonly cause: 'automatic' | 'person' | 'overflow' } & Stretch)
  | ({ readonly type: 'cooling'; readonly reason: FailureKind } & Stretch)
  | ({ readonly type: 'blocked'; readonly reason: BlockReason } & Stretch)
  | ({ readonly type: 'probing'; readonly step: 'running' | 'waiting' } & Stretch);

/** A finished pass whose worth the next reading will tell. */
export interface Verdict {
  /** What the pass itself estimated: a saving below the limit is a provisional strike. */
  readonly saved: 'little' | 'enough';
  /** The reported prompt tokens before the pass; null where nothing was reported. */
  readonly before: number | null;
}

export interface PolicyState {
  readonly phase: Phase;
  /** Passes in a row that are known to have saved little. */
  readonly strikes: number;
  /** Passes in a row after which the prompt was still over the threshold. */
  readonly stillOver: number;
  /** Handoffs in a row that were written without a model because it failed. */
  readonly fallbacks: number;
  /** Timeouts, rate limits, server and network errors in a row: the rung of the ladder. */
  readonly overloads: number;
  /** Passes of this turn since the last reported prompt below the threshold. */
  readonly attempts: number;
  readonly verdict: Verdict | null;
  /** A pass that was asked for and has not started. */
  readonly request: 'person' | 'overflow' | null;
  /** Whether the provider has ever reported usage; if not, estimates take its place. */
  readonly usageSeen: boolean;
  /** The prompt tokens of the last report. */
  readonly lastPromptTokens: number | null;
}

export const initialPolicyState: PolicyState = {
  phase: { type: 'armed' },
  strikes: 0,
  stillOver: 0,
  fallbacks: 0,
  overloads: 0,
  attempts: 0,
  verdict: null,
  request: null,
  usageSeen: false,
  lastPromptTokens: null,
};

/**
 * The state in a stored value. A record that cannot be used says why: the caller warns and starts with
 * `initialPolicyState`, for a broken record must not stop a session.
 */
export function parsePolicyState(
  value: unknown,
): { readonly type: 'ok'; readonly state: PolicyState } | { readonly type: 'broken'; readonly reason: string } {
  const log = problemLog('camelCase');
  const state = stateField.parse(value, log.place);
  if (state && 'until' in state.phase && state.phase.until < state.phase.since) {
    log.place.report({ at: 'phase.until', message: `expected no less than since, got ${state.phase.until}` });
  }
  if (state && log.problems.length === 0) return { type: 'ok', state };
  return {
    type: 'broken',
    reason: log.problems.map((problem) => `${problem.at} ${problem.message}`.trim()).join('; '),
  };
}

const time = numberFrom(0, Number.MAX_SAFE_INTEGER);
const stretch = { since: time, until: time };

const phaseField: Field<Phase> = variants<Phase>({
  armed: group({}),
  running: group({ cause: oneOf(['automatic', 'person', 'overflow']), ...stretch }),
  cooling: group({ reason: oneOf(failureKinds), ...stretch }),
  blocked: group({ reason: oneOf(blockReasons), ...stretch }),
  probing: group({ step: oneOf(['running', 'waiting']), ...stretch }),
});

const stateField: Field<PolicyState> = group<PolicyState>({
  phase: phaseField,
  strikes: count(0),
  stillOver: count(0),
  fallbacks: count(0),
  overloads: count(0),
  attempts: count(0),
  verdict: nullable(group<Verdict>({ saved: oneOf(['little', 'enough']), before: nullable(time) })),
  request: nullable(oneOf(['person', 'overflow'])),
  usageSeen: flag,
  lastPromptTokens: nullable(time),
});

// What the policy of automatic compression is told.

/** Something that happened, with its time in milliseconds since 1970. */
export type PolicyEvent =
  /** The size of the prompt was reported, or estimated before a call. */
  | { type: 'reading'; now: number; source: 'usage' | 'estimate'; promptTokens: number; thresholdTokens: number }
  /** A user message opened a turn. */
  | { type: 'turn'; now: number }
  /** A pass begins, because `decide` said so. */
  | { type: 'started'; now: number }
  /** The pass that runs goes on: a model answers call by call, which may take longer than a pass is given. */
  | { type: 'alive'; now: number }
  | FinishedEvent
  /** A pass changed nothing, for this reason. */
  | { type: 'failed'; now: number; kind: FailureKind }
  /** A person asked for a pass, or the provider refused the prompt as too long. */
  | { type: 'forced'; now: number; by: 'person' | 'overflow' }
  | { type: 'tick'; now: number }
  /** The session goes on with another model: what was learnt about the old one is void. */
  | { type: 'modelChanged'; now: number }
  /** A new session. */
  | { type: 'reset'; now: number };

/** A pass made a new context. */
export interface FinishedEvent {
  readonly type: 'finished';
  readonly now: number;
  /** Share of the tokens that it saved, by the pass's own estimate; negative when the context grew. */
  readonly savedShare: number;
  /** Whether there are fewer messages or clearly fewer tokens (`madeProgress`). @default true */
  readonly progress?: boolean;
  /** Set when `savedShare` comes from exact counts, so that no reading need confirm it. @default false */
  readonly confirmed?: boolean;
  /** Why the handoff had to be written without a model, if it had to. */
  readonly failure?: FailureKind;
}

// Whether a pass was worth another one.

export interface ContextSize {
  readonly messages: number;
  readonly tokens: number;
}

/** Below this share of the tokens before, a pass made progress even with as many messages. */
const progressShare = 0.95;

/** True when there are fewer messages, or less than 95 % of the tokens. */
export function madeProgress(before: ContextSize, after: ContextSize): boolean {
  return after.messages < before.messages || after.tokens < before.tokens * progressShare;
}

/** Share of the tokens that was saved: 0 for nothing, negative when the context grew. */
export function savedShare(before: ContextSize, after: ContextSize): number {
  return before.tokens > 0 ? 1 - after.tokens / before.tokens : 0;
}
