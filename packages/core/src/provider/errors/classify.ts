/** Says why a call of a model failed, by the table in `rules.data.ts`. */
import { type FailureFacts, factsOf } from './facts.ts';
import { type FailureLimits, isWindow, limitsOf, promptIn, roomIn, type Sizes, sizesIn } from './limits.ts';
import { type FailureReason, isOverflow, reasonRows } from './reasons.data.ts';
import { type FailureRule, type LargeSession, usualWindow } from './rules/rule.ts';
import { failureRules } from './rules.data.ts';
import { saidLine } from './said.ts';
import { saysNothing } from './silence.ts';

/** What is known of the call that failed. Without it nothing is guessed from sizes. */
export interface FailureSession {
  /** The window in tokens. */
  readonly contextLength: number;
  /** Tokens of the prompt: reported, or estimated. */
  readonly promptTokens?: number;
  /** How many messages the prompt had. */
  readonly messages?: number;
  /** The `max_tokens` that the call asked for. */
  readonly maxTokens?: number;
  /** The model reasons before it answers. @default false */
  readonly reasoning?: boolean;
  /** Part of the answer had come. @default false */
  readonly answering?: boolean;
}

/** Why a call of a model failed, and what to do. */
export interface ProviderFailure {
  readonly reason: FailureReason;
  /** The same model may still answer: after a wait, or when the request is changed as `recoveryFor` says. */
  readonly retryable: boolean;
  /** One sentence for a person. */
  readonly advice: string;
  /** Sizes that the provider named. */
  readonly limits: FailureLimits;
  /** True when the window in `limits` is what the account may use now, and not what the model has. */
  readonly guessedWindow: boolean;
  /** Set where nothing but the size of the session says that it was too long. */
  readonly presumed?: true;
  /** HTTP status, or the status that an error inside a stream names. */
  readonly status?: number;
  /** How long the provider asks to wait. */
  readonly retryAfterSeconds?: number;
  /** What the provider said: one line, cut, without credentials. Empty when it said nothing. */
  readonly said: string;
}

/**
 * Classifies anything that a call of a model threw, or that a provider sent as an error: errors of the AI SDK and of the
 * SDKs of OpenAI and Anthropic, failures of `fetch`, and bodies as text or values. Never throws.
 */
export function classifyFailure(thrown: unknown, session?: FailureSession): ProviderFailure {
  const facts = factsOf(thrown);
  const { reason, limits, rule } = diagnose(facts, session);
  const { cure, advice } = reasonRows[reason];
  return {
    reason,
    retryable: cure !== 'none',
    advice,
    limits,
    ...(rule?.large ? { presumed: true } : {}),
    guessedWindow: reason === 'long_context_tier' || rule?.contextLength !== undefined,
    said: saidLine(facts.messages),
    ...(facts.status === undefined ? {} : { status: facts.status }),
    ...(facts.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: facts.retryAfterSeconds }),
  };
}

/** The rule that fits, and what the sizes in the message make of it. */
export interface Diagnosis {
  readonly reason: FailureReason;
  readonly limits: FailureLimits;
  readonly rule: FailureRule | undefined;
}

/** Finds the reason for facts that were gathered already. */
export function diagnose(facts: FailureFacts, session: Partial<FailureSession> = {}): Diagnosis {
  const text = facts.messages.join('\n');
  const rule = failureRules.find((candidate) => fits(candidate, { facts, text, session }));
  const found = rule?.reason ?? 'unknown';
  if (!isOverflow(found) && found !== 'output_limit') return { reason: found, limits: {}, rule };
  const told = sizesIn([text, ...facts.sizes].join('\n'), { tier: found === 'long_context_tier' });
  const sizes = withPrompt(told, session);
  const reason = toldApart(found, sizes, session);
  const limits = limitsOf(sizes, { output: reason === 'output_limit' });
  const contextLength = limits.contextLength ?? rule?.contextLength;
  return { reason, rule, limits: contextLength === undefined ? limits : { ...limits, contextLength } };
}

/** Where a provider says only how large the whole request was, the rest is the prompt. */
function withPrompt(sizes: Sizes, { maxTokens }: Partial<FailureSession>): Sizes {
  const { total } = sizes;
  if (promptIn(sizes) !== undefined || total === undefined || maxTokens === undefined) return sizes;
  return total > maxTokens ? { ...sizes, prompt: total - maxTokens, output: maxTokens } : sizes;
}

/**
 * The two kinds of overflow. A prompt that fits by itself needs less output, and compressing it would lose what it says for
 * nothing; a prompt that does not fit needs compressing, and less output would not help.
 */
function toldApart(reason: FailureReason, sizes: Sizes, { promptTokens }: Partial<FailureSession>): FailureReason {
  const { window, atLeast, output, cap, below } = sizes;
  if (reason !== 'context_overflow' && reason !== 'output_limit') return reason;
  const prompt = promptIn(sizes) ?? (atLeast === undefined ? undefined : Math.max(atLeast, promptTokens ?? 0));
  if (!isWindow(window) || prompt === undefined) return reason;
  if (prompt >= window) return 'context_overflow';
  if (output === undefined && reason !== 'output_limit') return reason;
  const capped = cap !== undefined || below !== undefined;
  return capped || (roomIn(sizes) ?? 0) >= leastRoom(window) ? 'output_limit' : 'context_overflow';
}

/** Where the prompt leaves less than this, an answer would be cut at once: the prompt is the trouble. */
const leastRoom = (window: number): number => Math.min(1_024, Math.floor(window / 64));

interface Case {
  readonly facts: FailureFacts;
  readonly text: string;
  readonly session: Partial<FailureSession>;
}

function fits(rule: FailureRule, { facts, text, session }: Case): boolean {
  const status = facts.status ?? 0;
  if (rule.phase !== undefined && rule.phase !== (session.answering ? 'stream' : 'request')) return false;
  if (rule.status && !rule.status.includes(status)) return false;
  if (rule.not?.includes(status)) return false;
  if (rule.codes && !rule.codes.some((code) => facts.codes.includes(code))) return false;
  if (rule.names && !rule.names.some((name) => facts.names.includes(name))) return false;
  if (rule.unlessReasoning && session.reasoning) return false;
  if (rule.silent && !saysNothing(facts)) return false;
  if (rule.large && !isLarge(session, rule.large)) return false;
  return rule.text === undefined || rule.text.test(text);
}

function isLarge(
  { contextLength, promptTokens = 0, messages = 0 }: Partial<FailureSession>,
  than: LargeSession,
): boolean {
  if (contextLength === undefined) return false;
  if (promptTokens > contextLength * than.share) return true;
  return contextLength <= usualWindow && (promptTokens > than.tokens || messages > than.messages);
}
