/** Says why a call of a model failed, by the table in `rules.data.ts`. */

import { redact } from '../../redaction/redact.ts';
import { defined } from '../../shared/defined.ts';
import { type FailureFacts, factsOf } from './facts.ts';
import { type FailureLimits, isWindow, limitsOf, promptIn, roomIn, type Sizes, sizesIn } from './limits.ts';
import { type FailureReason, isOverflow, reasonRows } from './reasons.data.ts';
import { type FailureRule, type LargeSession, usualWindow } from './rule.ts';
import { failureRules } from './rules.data.ts';

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
 *
 * @example
 * import { classifyFailure } from '@palimpsest/core';
 * const failure = classifyFailure({ status: 429, message: 'Rate limit reached' });
 * failure.reason; // 'rate_limit'
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
    ...defined({ status: facts.status, retryAfterSeconds: facts.retryAfterSeconds }),
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
  return rule.text === undefined || [rule.text].flat().some((pattern) => pattern.test(text));
}

function isLarge(
  { contextLength, promptTokens = 0, messages = 0 }: Partial<FailureSession>,
  than: LargeSession,
): boolean {
  if (contextLength === undefined) return false;
  if (promptTokens > contextLength * than.share) return true;
  return contextLength <= usualWindow && (promptTokens > than.tokens || messages > than.messages);
}

// Refusals that say nothing: short, and without a word for a part of a request or for a mistake in it. "Invalid JSON"
// and "messages is required" are short as well; they say what is wrong, and fewer messages would not mend it.

/** Longer texts explain something, whatever their words are. */
const explainingChars = 30;

/** Parts of a request. Not among them: `request`, `input` and `prompt`, which stand for the whole. */
const parts =
  'json|ya?ml|xml|utf-?8|unicode|encoding|surrogates?|bod(?:y|ies)|payloads?|messages?|roles?|contents?|turns?|tools?|' +
  'functions?|arguments? of|fields?|param(?:eter)?s?|propert(?:y|ies)|members?|keys?|names?|ids?|types?|values?|strings?|arrays?|' +
  'lists?|objects?|numbers?|integers?|booleans?|schemas?|formats?|syntax|headers?|quer(?:y|ies)|urls?|images?|files?|audio|' +
  'videos?|documents?|temperature|top_?[pk]|stop|seed|logprobs|thinking|reasoning|signatures?|versions?|betas?|' +
  'characters?|tokens?|tool_\\w+|max_\\w+|response_format';
/** Words for a mistake. */
const mistakes =
  'malformed|missing|required|requires?|unsupported|(?:not|n.t) (?:support|allow|permit|found|accept)\\w*|duplicated?|empty|' +
  'null|blank|must|should|expect(?:s|ed)|pars(?:e|ed|ing)|decod(?:e|ed|ing)|deserializ\\w+|unmarshal|validation|alternat\\w+|' +
  'order|between|ranges?|mismatch\\w*|unterminated|illegal|deprecated';
const telling = new RegExp(`(?<![a-z_])(?:${parts}|${mistakes})(?![a-z])`, 'i');
/** The same in Chinese, whose words stand without spaces. */
const tellingInChinese =
  /参数|消息|字段|角色|格式|请求体|内容|工具|函数|图片|文件|类型|名称|缺少|缺失|必填|为空|解析|非法|不支持|不允许|顺序|重复/;

/** Members that stand for the whole request: an error that points at one of them points at nothing. */
const whole = new Set(['messages', 'message', 'prompt', 'input', 'contents', 'body', 'request', '']);

/** Codes that name a mistake in the form of a request. */
const tellingCode = /json|pars|schema|param|field|role|malformed|missing|required|unsupported|tool|type_|_type/;

/** True when neither the texts nor the codes nor the member that it points at say what is wrong. */
function saysNothing({ messages, codes, members }: FailureFacts): boolean {
  return (
    messages.every((message) => !tells(message)) &&
    members.every((member) => whole.has(member)) &&
    !codes.some((code) => tellingCode.test(code))
  );
}

function tells(message: string): boolean {
  if (message.length >= explainingChars) return true;
  // Of the answer, and not of the request: the SDK of OpenAI writes "400 status code (no body)".
  const words = message.replace(/\(no body\)|\bmessage:|\brequest[ _-]?id\b/gi, '');
  return telling.test(words) || tellingInChinese.test(words);
}

// What a provider said, for a person to read.

/** Longer texts of providers are cut: some send the whole request back. */
const shownChars = 300;

/** One line of what a provider said, with a bounded length and without the key that some of them repeat. */
export function saidLine(messages: readonly string[]): string {
  // Wrappers say little: "Provider returned error". The longest message is the one that knows what happened, unless it is
  // the same with its JSON around it.
  const plain = messages.filter((message) => !message.includes('{'));
  const longest = (plain.length > 0 ? plain : messages).toSorted((a, b) => b.length - a.length)[0] ?? '';
  const line = redact(longest).replaceAll(/\s+/g, ' ').replaceAll('"', "'").trim().replace(/\.$/, '');
  return line.length > shownChars ? `${line.slice(0, shownChars)}…` : line;
}
