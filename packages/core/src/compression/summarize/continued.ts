/**
 * The other way to a summary: the model of the session is asked behind the request that it was sent last, which its provider may
 * still have in its cache, instead of in a request of its own. It sees everything as it was sent; the reply goes the same way as any.
 */

import { redact } from '../../redaction/redact.ts';
import { clip, flat } from '../ledger/names.ts';
import { buildPrompt, systemContract } from './build-prompt.ts';
import { buildContinuation } from './continue-prompt.ts';
import type { SummaryCoverage } from './coverage.ts';
import { partRead, type SummaryJob, type SummaryPlan, wholeTask } from './plan-summary.ts';
import { checkedReply, type PlanRun } from './run-plan.ts';
import { unforged } from './serialize.ts';
import { type Summarizer, SummarizerError, type SummaryCall, type SummaryReply } from './summarizer.ts';

/** The newest request of the conversation that its own model has answered. */
export interface SummaryPrefix {
  /** How many messages of the list it held, from the first one on. */
  readonly messages: number;
  /** Its prompt as reported. */
  readonly tokens: number;
  /** What a request may have. */
  readonly contextLength: number;
  /** Whether the summary costs less behind it than in a request of its own. */
  isCheaper(calls: WayTokens): boolean;
  /** Sends it again with one more message. @throws SummarizerError, the signal's reason */
  write(call: Omit<SummaryCall, 'system' | 'temperature'>): Promise<SummaryReply>;
}

/** What both ways read and write, in tokens. */
export interface WayTokens {
  /** Of the message behind the request. */
  readonly askedTokens: number;
  /** Of all calls of the other way. */
  readonly plainTokens: number;
  readonly outputTokens: number;
}

/** A summary that may be asked for in this way. */
export interface Continuation {
  readonly prefix: SummaryPrefix;
  /** The start of the first message that stays as it is behind the summary. */
  readonly keptFrom: string;
}

/** Characters of a message by which a model recognises it; fewer may stand anywhere. */
const keptChars = { from: 24, to: 120 } as const;

/** A message as it is named to the model; empty for one whose words do not name it. */
export function namedStart(text: string): string {
  const start = clip(unforged(redact(flat(text))), keptChars.to);
  return start.length < keptChars.from ? '' : start;
}

/** The reply may be longer than the budget it was told, and tokens are counted otherwise elsewhere. */
const replyRatio = 1.5;
const countMargin = 1.25;

/** The prompt, where this way fits the window and costs less than the plan; undefined otherwise. */
export function continuedPrompt(
  job: SummaryJob,
  { prefix, keptFrom }: Continuation,
  plan: SummaryPlan | undefined,
): string | undefined {
  const prompt = buildContinuation(job.frame, { ...job, keptFrom });
  const { budgetTokens: outputTokens } = job;
  const askedTokens = job.count(prompt);
  const needed = prefix.tokens + Math.ceil(askedTokens * countMargin + outputTokens * replyRatio);
  if (needed > prefix.contextLength) return undefined;
  const plainTokens = plan ? plannedTokens(job, plan) : Number.POSITIVE_INFINITY;
  return prefix.isCheaper({ askedTokens, plainTokens, outputTokens }) ? prompt : undefined;
}

/** What all calls of a plan read, about. */
function plannedTokens(job: SummaryJob, { parts, merges, partBudgetTokens, facts }: SummaryPlan): number {
  const records = job.serialized.records.reduce((sum, { tokens }) => sum + tokens, 0);
  const fixed = job.count(systemContract) + job.count(buildPrompt(job.frame, wholeTask(job, facts)));
  const merged = merges ? parts.length * partBudgetTokens : 0;
  return records + merged + (parts.length + (merges ? 1 : 0)) * fixed;
}

/** Asks, and checks the reply as that of any call. @throws SummarizerError, the signal's reason */
export function askContinued(
  run: Pick<PlanRun, 'job' | 'summarizer' | 'signal' | 'onProgress'>,
  { prefix }: Continuation,
  prompt: string,
): Promise<string> {
  const { job, signal } = run;
  const place = { purpose: 'continued', part: 1, of: 1 } as const;
  const asked = { ...place, inputTokens: prefix.tokens + job.count(prompt), user: job.user };
  return checkedReply(run, { ...asked, send: (call) => prefix.write({ ...call, prompt }) }, signal);
}

/** True for an answer that is of no use: the same model may do better in a request of its own. Who cannot be reached cannot. */
export const isWorthAnotherWay = (error: unknown): error is SummarizerError =>
  error instanceof SummarizerError && ['bad_output', 'empty_output', 'other', 'nothing'].includes(error.kind);

/** What the model saw: everything as it was sent. */
export function continuedCoverage(
  { serialized, facts }: SummaryJob,
  { contextLength }: SummaryPrefix,
  { name }: Summarizer,
): SummaryCoverage {
  const { messages, characters, tokens, skipped } = serialized.coverage;
  return {
    messages,
    characters: { ...characters, read: characters.of },
    tokens: { ...tokens, read: tokens.of },
    shortened: [],
    skipped,
    attachments: [],
    parts: [partRead(serialized.records)],
    window: { model: name, tokens: contextLength, assumed: false },
    continued: true,
    facts: facts === undefined ? 'none' : 'shown',
  };
}
