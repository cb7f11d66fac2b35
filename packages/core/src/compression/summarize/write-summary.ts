/**
 * ★ Has a model write the summary of messages: reads as a table of contents of this folder. Nothing of the messages is
 * changed, nothing is left out silently, and what comes back is a summary or an error that says why there is none.
 */
import { redact } from '../../redaction/redact.ts';
import { PalimpsestError } from '../../shared/errors.ts';
import type { Message } from '../../transcript/message.ts';
import { withoutMarkers } from '../../transcript/summary-text.ts';
import { unwrapHandoff } from '../handoff-block.ts';
import type { Template } from '../ledger/templates.ts';
import type { Ref } from '../ref.ts';
import { daysOf, newestRequests, noUserSentinel, sectionsOf, type UserPresence } from './build-prompt.ts';
import { askContinued, type Continuation, continuedCoverage, continuedPrompt, isWorthAnotherWay } from './continued.ts';
import type { SummaryCoverage } from './coverage.ts';
import { partRead, planSummary, type SummaryJob, type SummaryPlan, smallerWindow } from './plan-summary.ts';
import { runPlan, type SummaryCallReport, type SummaryProgress } from './run-plan.ts';
import { type SummaryMessage, serialize } from './serialize.ts';
import {
  forgetWindow,
  isOverflow,
  type LearntWindow,
  learntWindow,
  learnWindow,
  namedWindow,
  type Summarizer,
  SummarizerError,
} from './summarizer.ts';

/** What is to be summarised, how, and by whom. */
export interface SummaryInput {
  /** Oldest first. A summary of an earlier compression among them is no record: it counts as `previous`. */
  readonly messages: readonly SummaryMessage[];
  /** The summary that these messages go on from. @default the newest one among the messages, if there is one */
  readonly previous?: string;
  readonly template: Template;
  /** Length of the summary. The model is told it; nothing cuts the summary to it. */
  readonly budgetTokens: number;
  /** A topic that gets most of the summary. */
  readonly focusTopic?: string;
  /** Without a topic, so many newest messages of the user are the focus; 0 for none. */
  readonly focusMessages: number;
  /** Facts of the ledger, as text: the model must not contradict them. */
  readonly facts?: string;
  /** Messages that stand word for word beside the summary, because a person has pinned them. @default none */
  readonly pinned?: readonly Ref[];
  /** Today, as in `2026-05-03`, where it is known: then actions are told with their dates. */
  readonly date?: string;
  /**
   * Whether a person speaks in the conversation outside of these messages. Where nobody speaks anywhere, the summary may
   * name no request of a user.
   * @default false
   */
  readonly userSpeaksElsewhere?: boolean;
  /** Tokens of a text, exact or estimated. */
  readonly count: (text: string) => number;
  readonly summarizer: Summarizer;
  /** The request behind which the summarizer may be asked, where it is the model of the session. @default none */
  readonly continuation?: Continuation;
  /** Parts that are summarised at the same time. @default 3 */
  readonly maxParallel?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (event: SummaryProgress) => void;
}

/** A summary that a model wrote, and how it came about. */
export interface WrittenSummary {
  /** Under the headings of the template, redacted. */
  readonly text: string;
  /** The model that wrote it: `provider/model`. */
  readonly model: string;
  readonly coverage: SummaryCoverage;
  /** Every answered call, also of a model that failed in the end. */
  readonly calls: readonly SummaryCallReport[];
  /** What went wrong before it succeeded. */
  readonly failures: readonly SummarizerError[];
}

/** No model could write the summary: the error of the last one, with what each of them said and cost. */
export class SummaryFailed extends SummarizerError {
  readonly failures: readonly SummarizerError[];
  readonly calls: readonly SummaryCallReport[];

  constructor(failures: readonly SummarizerError[], calls: readonly SummaryCallReport[]) {
    const last = failures.at(-1);
    const said = failures.map(({ message }) => message).join('; then: ');
    super(last?.kind ?? 'other', said, { model: last?.model ?? 'no model', cause: last });
    this.name = 'SummaryFailed';
    this.failures = failures;
    this.calls = calls;
  }
}

/**
 * The summary of messages by a model: all of them in one call where its window holds them, else in parts that are merged.
 *
 * @throws SummaryFailed when the model, and the fallback after it, could not write one; SummarizerError of kind
 * `nothing` when the messages say nothing; BAD_OPTION for numbers that make no sense; the signal's reason
 */
export async function writeSummary(input: SummaryInput): Promise<WrittenSummary> {
  checkInput(input);
  input.signal?.throwIfAborted();
  const job = jobOf(input);
  if (job.serialized.records.length === 0) throw nothingToSay(input);
  const failures: SummarizerError[] = [];
  const calls: SummaryCallReport[] = [];
  const { fallback } = input.summarizer;
  const models = fallback === undefined ? [input.summarizer] : [input.summarizer, fallback];
  for (const [at, summarizer] of models.entries()) {
    try {
      const { text, coverage } = await attempt(input, job, { summarizer, calls, isFirst: at === 0 });
      return { text, model: summarizer.name, coverage, calls, failures };
    } catch (error) {
      input.signal?.throwIfAborted();
      if (!(error instanceof SummarizerError)) throw error;
      failures.push(error);
      const next = models[at + 1]?.name;
      input.onProgress?.({ type: 'failed', error, ...(next === undefined ? {} : { next }) });
    }
  }
  throw new SummaryFailed(failures, calls);
}

const defaultParallel = 3;

interface Attempt {
  readonly summarizer: Summarizer;
  /** Takes what every answered call cost. */
  readonly calls: SummaryCallReport[];
  /** Only the model of the session has the request in its cache. */
  readonly isFirst: boolean;
}

/** What came of it. */
interface Attempted {
  readonly text: string;
  readonly coverage: SummaryCoverage;
}

/** A summary by one model: behind the request that it has in its cache where that costs less, else in requests of its own. */
async function attempt(input: SummaryInput, job: SummaryJob, trying: Attempt): Promise<Attempted> {
  return (await attemptContinued(input, job, trying)) ?? attemptPlanned(input, job, trying);
}

/** Undefined where the other way is to be gone: it costs less, or the answer was of no use. */
async function attemptContinued(
  input: SummaryInput,
  job: SummaryJob,
  { summarizer, calls, isFirst }: Attempt,
): Promise<Attempted | undefined> {
  const { continuation, signal } = input;
  if (!isFirst || !continuation) return undefined;
  const prompt = continuedPrompt(job, continuation, planOrNone(job, summarizer));
  if (prompt === undefined) return undefined;
  const onProgress = (event: SummaryProgress): void => {
    if (event.type === 'answered') calls.push(event.report);
    input.onProgress?.(event);
  };
  try {
    const text = await askContinued({ job, summarizer, signal, onProgress }, continuation, prompt);
    return { text, coverage: continuedCoverage(job, continuation.prefix, summarizer) };
  } catch (error) {
    signal?.throwIfAborted();
    if (!isWorthAnotherWay(error)) throw error;
    input.onProgress?.({ type: 'failed', error, next: summarizer.name });
    return undefined;
  }
}

/** The plan of the other way; none where no window of this size can hold it. */
function planOrNone(job: SummaryJob, summarizer: Summarizer): SummaryPlan | undefined {
  try {
    return firstPlan(job, summarizer);
  } catch (none) {
    if (none instanceof SummarizerError) return undefined;
    throw none;
  }
}

/** Times that one model is asked again in smaller parts. */
const mostSplits = 3;

/** In requests of its own. Where its window turns out smaller than was thought, it is asked again in parts that may fit. */
async function attemptPlanned(
  input: SummaryInput,
  job: SummaryJob,
  { summarizer, calls }: Attempt,
): Promise<Attempted> {
  let plan = firstPlan(job, summarizer);
  for (let splits = 0; ; splits++) {
    let largest = 0;
    try {
      const text = await runPlan({
        job,
        plan,
        summarizer,
        signal: input.signal,
        maxParallel: input.maxParallel ?? defaultParallel,
        onProgress: (event) => {
          if (event.type === 'calling') largest = Math.max(largest, event.inputTokens);
          if (event.type === 'answered') calls.push(event.report);
          input.onProgress?.(event);
        },
      });
      return { text, coverage: coverageOf(job, plan) };
    } catch (error) {
      input.signal?.throwIfAborted();
      const window = refusedWindow({ plan, largest, error });
      if (window) learnWindow(summarizer, window);
      const smaller = window && splits < mostSplits ? splitPlan(job, summarizer, window) : undefined;
      if (!smaller || !(error instanceof SummarizerError)) throw error;
      plan = smaller;
      input.onProgress?.({ type: 'failed', error, next: summarizer.name });
    }
  }
}

interface Refused {
  readonly plan: SummaryPlan;
  /** Tokens of the largest call. */
  readonly largest: number;
  readonly error: unknown;
}

/** The plan for the window as it was said to be, or as it turned out. */
function firstPlan(job: SummaryJob, summarizer: Summarizer): SummaryPlan {
  const learnt = learntWindow(summarizer);
  if (!learnt) return planSummary(job, summarizer);
  try {
    return planWithin(job, summarizer, learnt);
  } catch (none) {
    if (learnt.isNamed || !(none instanceof SummarizerError)) throw none;
    forgetWindow(summarizer);
    return planSummary(job, summarizer);
  }
}

function planWithin(job: SummaryJob, { name }: Summarizer, { tokens, isNamed }: LearntWindow): SummaryPlan {
  const plan = planSummary(job, { name, contextLength: tokens });
  return { ...plan, window: { ...plan.window, assumed: !isNamed } };
}

/** What a refusal tells of the window; undefined for another failure. */
function refusedWindow({ plan, largest, error }: Refused): LearntWindow | undefined {
  if (!isOverflow(error)) return undefined;
  const named = namedWindow(error);
  const tokens = smallerWindow(plan, largest, named);
  return { tokens, isNamed: tokens === named };
}

/** The plan for a smaller window; undefined where there is none. */
function splitPlan(job: SummaryJob, summarizer: Summarizer, window: LearntWindow): SummaryPlan | undefined {
  try {
    return planWithin(job, summarizer, window);
  } catch (none) {
    // Not even one record would fit: the model has said so itself.
    if (none instanceof SummarizerError) return undefined;
    throw none;
  }
}

function jobOf(input: SummaryInput): SummaryJob {
  const { messages, count, template, focusTopic, focusMessages, budgetTokens, facts } = input;
  const previous = input.previous?.trim() || previousSummary(messages.map(({ message }) => message))?.body;
  const serialized = serialize(messages, count);
  const topic = focusTopic?.trim();
  const days = daysOf(messages);
  const frame = {
    sections: sectionsOf(template),
    ...(topic ? { focusTopic: topic } : {}),
    requests: newestRequests(messages, focusMessages),
    pinned: input.pinned ?? [],
    dates: input.date?.trim()
      ? [`Today is ${redact(input.date.trim()).slice(0, 40)}.`, days].filter(Boolean).join(' ')
      : '',
  };
  const speaks = serialized.records.some(({ isUser }) => isUser);
  const user = speaks ? 'here' : presenceBeside(input, previous);
  return { messages, serialized, frame, user, budgetTokens, previous, facts: facts?.trim() || undefined, count };
}

/** An earlier summary knows of a user, unless it says that there is none. */
function presenceBeside({ userSpeaksElsewhere }: SummaryInput, previous: string | undefined): UserPresence {
  if (userSpeaksElsewhere) return 'elsewhere';
  return previous === undefined || previous.includes(noUserSentinel) ? 'nowhere' : 'elsewhere';
}

function coverageOf({ serialized, facts }: SummaryJob, plan: SummaryPlan): SummaryCoverage {
  return {
    ...serialized.coverage,
    parts: plan.parts.map(partRead),
    window: plan.window,
    facts: plan.facts !== undefined ? 'shown' : facts === undefined ? 'none' : 'no room',
  };
}

function nothingToSay({ messages, summarizer }: SummaryInput): SummarizerError {
  const message = `expected messages with something to read, got ${messages.length} without: there is nothing to summarise`;
  return new SummarizerError('nothing', message, { model: summarizer.name });
}

function checkInput({ budgetTokens, focusMessages, maxParallel = defaultParallel }: SummaryInput): void {
  const wrong = [
    { name: 'budgetTokens', value: budgetTokens, least: 1 },
    { name: 'focusMessages', value: focusMessages, least: 0 },
    { name: 'maxParallel', value: maxParallel, least: 1 },
  ].find(({ value, least }) => !(Number.isFinite(value) && value >= least));
  if (!wrong) return;
  const message = `expected as ${wrong.name} a number of at least ${wrong.least}, got ${wrong.value}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { option: wrong.name } });
}

// Finds the summary that an earlier compression left in a list of messages, by whatever tool it was made.

/** An earlier summary and where it stands. */
interface PreviousSummary {
  /** The summary without the block around it, and without the markers of earlier ones in it. */
  readonly body: string;
  /** Index of the message that carries it: what it says is about what came before, what follows it is news. */
  readonly at: number;
}

/** The newest earlier summary with something in it; undefined where the list has none. */
export function previousSummary(messages: readonly Message[]): PreviousSummary | undefined {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    const handoff = message && unwrapHandoff(message);
    const body = handoff && withoutMarkers(handoff.body).trim();
    if (body) return { body, at };
  }
  return undefined;
}
