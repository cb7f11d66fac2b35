/** Any language model of the AI SDK as the model that writes summaries. */

import type { FailureKind } from '../compression/policy/state.ts';
import {
  type Summarizer,
  SummarizerError,
  type SummaryCall,
  type SummaryReply,
  untilAborted,
} from '../compression/summarize/summarizer.ts';
import { defined } from '../shared/defined.ts';
import { PalimpsestError } from '../shared/errors.ts';
import { checkKnownOptions, type KnownOptions } from '../shared/options/known-options.ts';
import { type Deadlines, platformTimers, startDeadlines, type Timers } from '../shared/timers.ts';
import { estimateTextTokens } from '../tokens/estimate.ts';
import { promptTokensOf, type Usage } from '../usage/normalise.ts';
import { type AiSdkModel, isAiSdkModel, knownVersions, type StopReason, streamPart } from './ai-sdk-model.ts';
import { diagnose, saidLine } from './errors/classify.ts';
import { type FailureFacts, factsOf } from './errors/facts.ts';
import { isOverflow, reasonRows } from './errors/reasons.data.ts';

/** How a model of the AI SDK is called; everything has a default. */
export interface AiSdkSummarizerOptions {
  /** `provider/model`, as people and reports name it. @default what the model says of itself */
  readonly name?: string;
  /** Its window in tokens. @default unknown */
  readonly contextLength?: number;
  /** Milliseconds without any sign of life after which a call is given up. @default 120000 */
  readonly idleTimeoutMs?: number;
  /** Milliseconds after which a call is given up, whatever it does. @default 600000 */
  readonly totalTimeoutMs?: number;
  /** The environment variable that the key came from, for the message when it is refused. @default unknown */
  readonly keyVariable?: string;
  /** Asked once, for the whole job, when this one fails. @default nobody */
  readonly fallback?: Summarizer;
}

const known: KnownOptions<AiSdkSummarizerOptions> = {
  name: true,
  contextLength: true,
  idleTimeoutMs: true,
  totalTimeoutMs: true,
  keyVariable: true,
  fallback: true,
};

/** The timeouts of a call where nothing else is said. */
export const summarizerTimeouts = { idleTimeoutMs: 120_000, totalTimeoutMs: 600_000 } as const;

/**
 * A summariser that streams from a language model of the AI SDK (interface v2, v3 or v4). It calls once: when to try
 * again is for the policy to say. It sets no limit for the output; a temperature, which some models refuse, only where the
 * call names one.
 *
 * `write` throws `SummarizerError` for everything that keeps the model from a complete answer: a refused request, a
 * stream that breaks off, silence, a prompt that was not read whole. A refusal and a reached limit of length are
 * answers: `finish` says so. It throws the signal's reason when the caller aborts.
 * @throws BAD_OPTION when `model` is no language model of the AI SDK
 *
 * @example
 * import { openai } from '@ai-sdk/openai';
 * import { aiSdkSummarizer } from '@palimpsest/core';
 * const summarizer = aiSdkSummarizer(openai('gpt-5-mini'), { contextLength: 400_000 });
 */
export function aiSdkSummarizer(model: AiSdkModel, options: AiSdkSummarizerOptions = {}): Summarizer {
  return summarizerOn(platformTimers, model, options);
}

/** The same on other timers. */
export function summarizerOn(timers: Timers, model: AiSdkModel, options: AiSdkSummarizerOptions): Summarizer {
  if (!isAiSdkModel(model) || !knownVersions.includes(model.specificationVersion)) throw noModel(model);
  checkKnownOptions('aiSdkSummarizer', options, known);
  const { contextLength, keyVariable, fallback } = options;
  const timeouts = { ...summarizerTimeouts, ...defined(options) };
  const name = options.name ?? `${model.provider.replace(/\..*$/, '')}/${model.modelId}`;
  const called: CalledModel = { name, ...defined({ keyVariable }) };
  return {
    name,
    ...defined({ contextLength, fallback }),
    // Its own timeouts hold.
    timeoutMs: 0,
    async write(call) {
      call.signal?.throwIfAborted();
      const deadlines = startDeadlines(timeouts, { timers, caller: call.signal });
      try {
        return await answerOf(model, { call, deadlines, called });
      } finally {
        deadlines.stop();
      }
    },
  };
}

/** How a request of somebody else's is continued. */
export interface WriteBehind extends Omit<SummaryCall, 'system' | 'temperature'> {
  /** `provider/model`, as people and reports name it. */
  readonly name: string;
  /** @default that of `summarizerTimeouts` */
  readonly idleTimeoutMs?: number;
  readonly totalTimeoutMs?: number;
}

/**
 * The answer to a request that ends with a call for a summary, read as `aiSdkSummarizer` reads one. A model that calls a tool has
 * not written any. @throws SummarizerError, the signal's reason
 */
export async function writeBehind<Asked extends object>(
  model: StreamingModel<Asked>,
  asked: Asked,
  { name, idleTimeoutMs, totalTimeoutMs, ...call }: WriteBehind,
): Promise<SummaryReply> {
  call.signal?.throwIfAborted();
  const timeouts = { ...summarizerTimeouts, ...defined({ idleTimeoutMs, totalTimeoutMs }) };
  const deadlines = startDeadlines(timeouts, { timers: platformTimers, caller: call.signal });
  try {
    return await answerTo(model, asked, { call: { system: '', ...call }, deadlines, called: { name }, hasTools: true });
  } finally {
    deadlines.stop();
  }
}

/** A model, as far as it is asked here. */
export interface StreamingModel<Asked> {
  doStream(options: Asked & { abortSignal: AbortSignal }): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
}

interface Running {
  readonly call: SummaryCall;
  readonly deadlines: Deadlines;
  readonly called: CalledModel;
  /** True where it may call tools, which nobody runs here. */
  readonly hasTools?: boolean;
}

function answerOf(model: AiSdkModel, running: Running): Promise<SummaryReply> {
  const { system, prompt: text, temperature } = running.call;
  const prompt = [
    { role: 'system' as const, content: system },
    { role: 'user' as const, content: [{ type: 'text' as const, text }] },
  ];
  return answerTo(model, { prompt, ...defined({ temperature }) }, running);
}

async function answerTo<Asked extends object>(
  model: StreamingModel<Asked>,
  asked: Asked,
  running: Running,
): Promise<SummaryReply> {
  const { call, called, deadlines } = running;
  const options = { ...asked, abortSignal: deadlines.signal };
  const { stream } = await heard(running, 'request', async () => model.doStream(options));
  const reader = stream.getReader();
  const answer = emptyAnswer();
  try {
    while (!answer.finish) {
      const { done, value } = await heard(running, 'stream', () => reader.read());
      deadlines.touch();
      if (done) break;
      const part = streamPart(value);
      if (part.type === 'error') throw summaryFailure(part.error, { model: called, phase: 'stream' });
      if (part.type === 'call' && running.hasTools)
        throw failed('bad_output', called, 'called a tool in place of a summary.');
      if (part.type === 'reasoning') answer.reasoning.push(part.text);
      if (part.type === 'finish') answer.finish = part;
      if (part.type !== 'text' || part.text === '') continue;
      answer.text.push(part.text);
      call.onText?.(part.text);
    }
  } finally {
    // Of a stream that is not read to its end the connection would stay open.
    void reader.cancel().catch(ignore);
  }
  return replyOf(answer, running);
}

/** What the model does next. The signal is also watched here, since a model may not listen to it. */
async function heard<T>(running: Running, phase: CallPhase, work: () => Promise<T>): Promise<T> {
  try {
    const next = await untilAborted(work(), running.deadlines.signal);
    throwIfInterrupted(running);
    return next;
  } catch (thrown) {
    throwIfInterrupted(running);
    throw summaryFailure(thrown, { model: running.called, phase });
  }
}

interface Answer {
  readonly text: string[];
  readonly reasoning: string[];
  finish: { readonly reason: StopReason; readonly usage?: Usage } | undefined;
}

const emptyAnswer = (): Answer => ({ text: [], reasoning: [], finish: undefined });

function replyOf({ text, reasoning, finish }: Answer, { call, called }: Running): SummaryReply {
  const thoughts = reasoning.join('');
  const usage = finish?.usage;
  if (!finish || finish.reason === 'cut') {
    throw failed('bad_output', called, 'stopped before its answer was complete. Try again.');
  }
  if (finish.reason === 'failed')
    throw failed('server_error', called, 'stopped because of an error on the server side.');
  const sentTokens = estimateTextTokens(call.system) + estimateTextTokens(call.prompt);
  const readTokens = (usage && promptTokensOf(usage)) ?? sentTokens;
  if (readTokens >= leastReadTokens && readTokens < sentTokens * leastReadShare) {
    throw new SummarizerError(
      'other',
      `${called.name} read only ${readTokens} of about ${sentTokens} tokens: its server cut the prompt. Give the ` +
        'server a larger window (for Ollama OLLAMA_CONTEXT_LENGTH), or set context_length so that the text is split.',
      { model: called.name, evidence: { overflow: true, contextLength: readTokens } },
    );
  }
  return {
    text: text.join(''),
    ...(thoughts === '' ? {} : { reasoning: thoughts }),
    finish: finish.reason,
    ...defined({ usage }),
  };
}

/** Throws the error for a call that was given up, or the reason of the caller who gave it up. */
function throwIfInterrupted({ deadlines, called }: Running): void {
  const interruption = deadlines.interruption();
  if (!interruption) return;
  if (interruption.type === 'aborted') throw interruption.reason;
  const seconds = Math.round(interruption.afterMs / 1_000);
  throw interruption.type === 'idle'
    ? failed('timeout', called, `sent nothing for ${seconds} s. Try again later, or raise timeout_seconds.`)
    : failed('timeout', called, `did not finish within ${seconds} s. Try again later, or raise total_timeout_seconds.`);
}

const failed = (
  kind: 'timeout' | 'bad_output' | 'server_error',
  { name }: CalledModel,
  what: string,
): SummarizerError => new SummarizerError(kind, `${name} ${what}`, { model: name });

function noModel(value: unknown): PalimpsestError {
  const version = isAiSdkModel(value) ? `version ${value.specificationVersion}` : typeof value;
  return new PalimpsestError(
    'BAD_OPTION',
    `Expected a language model of the AI SDK (interface ${knownVersions.join(', ')}), such as openai('gpt-5'); got ${version}.`,
  );
}

/** A stream that was given up has nothing more to say. */
const ignore = (): void => {};

/**
 * Some local servers cut a prompt that does not fit, and answer as if nothing were missing. Tokenizers differ by less than
 * this factor from our estimate; the smallest window that a server cuts to is larger than this number, below which reports
 * are those of routers that count only what is new. No report is no reason to doubt.
 */
const leastReadShare = 0.4;
const leastReadTokens = 1_000;

// Puts a failed call into words: who failed, how, and what to do about it.

/** What is known of the model beside its failure. */
interface CalledModel {
  /** `provider/model`. */
  readonly name: string;
  /** The environment variable that its key came from. */
  readonly keyVariable?: string;
}

/** The error for a failed call. What a provider wrote is quoted in part; what was sent to it never is. */
export function summaryFailure(
  thrown: unknown,
  { model, phase }: { model: CalledModel; phase: CallPhase },
): SummarizerError {
  const failure = failureOf(thrown, phase);
  const { status, overflow, contextLength, retryAfterSeconds, retryable, codes } = failure;
  const code = codes[0];
  return new SummarizerError(failure.kind, messageOf(failure, model), {
    model: model.name,
    // The errors of the SDK carry the whole request, which a log would print with the cause.
    evidence: defined({ status, code, overflow: overflow || undefined, contextLength, retryAfterSeconds, retryable }),
  });
}

function messageOf(failure: Failure, model: CalledModel): string {
  const [what, advice] = wordsFor(failure, model);
  const said = saidLine(failure.messages);
  const marks = [failure.status, failure.status === undefined ? failure.codes[0] : undefined];
  const mark = marks.find((known) => known !== undefined);
  return `${model.name} ${what}${mark === undefined ? '' : ` (${mark})`}${said === '' ? '' : `: "${said}"`}. ${advice}`;
}

type Words = readonly [what: string, advice: string];

/** Where to wait is said by the provider, if anybody. */
const words: Readonly<Record<FailureKind, Words | readonly [what: string]>> = {
  no_provider: ['does not exist', 'Check the name of the model and the base URL, which often ends in /v1.'],
  auth: ['refused the key'],
  quota: ['has no credit left', 'Add credit with the provider, or choose another model.'],
  rate_limit: ['accepts no more requests for now'],
  timeout: ['did not answer in time'],
  server_error: ['failed on the server side'],
  network: ['cannot be reached', 'Check the base URL and the connection.'],
  bad_output: ['sent no usable answer', 'Try again, or choose another model.'],
  empty_output: ['sent an empty answer', 'Try again, or choose another model.'],
  nothing: ['refused the request', 'Its message shows whether another model or setting helps.'],
  cancelled: ['refused the request', 'Its message shows whether another model or setting helps.'],
  other: ['refused the request', 'Its message shows whether another model or setting helps.'],
};

function wordsFor(failure: Failure, { keyVariable = 'the key' }: CalledModel): Words {
  const { kind, overflow, contextLength } = failure;
  if (overflow) {
    const window = contextLength === undefined ? '' : ` of ${contextLength} tokens`;
    const advice = 'Choose a model with a larger window, or set context_length so that the text is split.';
    return [`cannot read a prompt that long: it does not fit its window${window}`, advice];
  }
  if (kind === 'bad_output' && failure.brokeOff) return ['stopped before its answer was complete', 'Try again.'];
  const [what, advice = waitFor(failure)] = words[kind];
  return [what, kind === 'auth' ? `Check ${keyVariable} and its permissions.` : advice];
}

const waitFor = ({ retryAfterSeconds }: Failure): string =>
  retryAfterSeconds === undefined ? 'Try again later.' : `It asks to wait ${retryAfterSeconds} s.`;

// Says what a failed call of a model means for a summary and its policy: the reason, in the policy's words.

/** `request`: no part of the answer has come yet. */
export type CallPhase = 'request' | 'stream';

/** What a failed call of a model means. */
interface Failure extends FailureFacts {
  readonly kind: FailureKind;
  /** The prompt is longer than the model's window: less of it helps, waiting does not. */
  readonly overflow: boolean;
  /** The connection broke after the answer had begun. */
  readonly brokeOff: boolean;
  /** The window in tokens, where the provider's message names it. */
  readonly contextLength?: number;
  /** The same call may be answered after a wait. */
  readonly retryable: boolean;
}

/**
 * Classifies anything that a call of a model threw or sent as an error part. The same error means a different thing
 * once the answer has begun: a connection that breaks then has left half an answer.
 */
export function failureOf(thrown: unknown, phase: CallPhase): Failure {
  const facts = factsOf(thrown);
  const { reason, rule, limits } = diagnose(facts, { answering: phase === 'stream' });
  // A summary asks for no output of a certain size: where prompt and output together do not fit, less of the prompt helps.
  const overflow = isOverflow(reason) || (reason === 'output_limit' && limits.contextLength !== undefined);
  const named = overflow && reason !== 'long_context_tier' ? limits.contextLength : undefined;
  return {
    ...facts,
    kind: rule?.kind ?? reasonRows[reason].kind,
    overflow,
    retryable: reasonRows[reason].cure === 'wait',
    brokeOff: rule?.phase === 'stream',
    ...(named === undefined ? {} : { contextLength: named }),
  };
}
