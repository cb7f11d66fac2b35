/** Carries out a plan with a model: one call, or parts beside each other and then their merge, in levels where needed. */
import { redact } from '../../redaction/redact.ts';
import { inModelCall } from '../../tracing/model-call.ts';
import { buildPrompt, type PromptTask, systemContract, type UserPresence } from './build-prompt.ts';
import { checkReply } from './check-reply.ts';
import { mergeTask, partRead, roomFor, type SummaryJob, type SummaryPlan, wholeTask } from './plan-summary.ts';
import { type SummaryRecord, unforged } from './serialize.ts';
import {
  type Bounds,
  inTime,
  mapBounded,
  type Summarizer,
  SummarizerError,
  type SummaryCall,
  type SummaryReply,
  type SummaryUsage,
} from './summarizer.ts';

/** What a caller may show while a summary is written. */
export type SummaryProgress =
  /** A call begins: everything at once, a part of the records, or the merge of parts; `part` counts from 1. */
  | {
      readonly type: 'calling';
      readonly model: string;
      readonly purpose: CallPurpose;
      readonly part: number;
      readonly of: number;
      /** Estimated. */
      readonly inputTokens: number;
    }
  /** A piece of the text that a call writes, as it comes: neither checked nor redacted yet. */
  | { readonly type: 'text'; readonly purpose: CallPurpose; readonly part: number; readonly text: string }
  /** A call was answered: what it cost. The result has the reports too, but where it is aborted there is none. */
  | { readonly type: 'answered'; readonly report: SummaryCallReport }
  /** A model failed; the job starts again on `next` where there is one: in smaller parts where that is the same. */
  | { readonly type: 'failed'; readonly error: SummarizerError; readonly next?: string };

/** What a call is for; `continued`: everything at once, behind the conversation's own request. */
export type CallPurpose = 'whole' | 'part' | 'merge' | 'continued';

/** One call that was answered, usable or not: what it cost. */
export interface SummaryCallReport {
  readonly model: string;
  readonly purpose: CallPurpose;
  /** As the provider reported it. */
  readonly usage?: SummaryUsage;
  /** Estimated. */
  readonly inputTokens: number;
  /** As the provider reported it, else estimated from the text. */
  readonly outputTokens: number;
}

/** A plan with what it needs to run. */
export interface PlanRun extends Bounds {
  readonly job: SummaryJob;
  readonly plan: SummaryPlan;
  readonly summarizer: Summarizer;
  readonly onProgress: (event: SummaryProgress) => void;
}

/** The text of the summary. @throws SummarizerError when a call fails or gives no summary; the signal's reason */
export async function runPlan(run: PlanRun): Promise<string> {
  const { job, plan, signal } = run;
  const { parts } = plan;
  if (!plan.merges) {
    const records = parts[0] ?? [];
    const task = { ...wholeTask(job, plan.facts), texts: records.map(({ text }) => text) };
    return ask(run, { task, purpose: 'whole', part: 1, of: 1, tokens: partRead(records).tokens }, signal);
  }
  const partials = await mapBounded(parts, run, async (records, at, stop): Promise<Partial> => {
    const text = await ask(run, partCall(run, records, at), stop);
    const { from, to } = partRead(records);
    return partial(job, { first: at + 1, last: at + 1, from, to, text });
  });
  return merged(run, partials);
}

/** A call before it is made. */
interface PlannedCall {
  readonly task: PromptTask;
  readonly purpose: CallPurpose;
  readonly part: number;
  readonly of: number;
  /** Tokens of the texts. */
  readonly tokens: number;
}

function partCall({ job, plan }: PlanRun, records: readonly SummaryRecord[], at: number): PlannedCall {
  const newest = records.findLast(({ isUser }) => isUser)?.ref;
  const place = { part: at + 1, of: plan.parts.length };
  const task: PromptTask = {
    type: 'records',
    texts: records.map(({ text }) => text),
    budgetTokens: plan.partBudgetTokens,
    user: newest ? 'here' : job.user === 'nowhere' ? 'nowhere' : 'elsewhere',
    ...(newest ? { newest } : {}),
    part: place,
  };
  return { task, purpose: 'part', ...place, tokens: partRead(records).tokens };
}

/** The summary of one part, or of several that were merged. */
interface Partial {
  readonly first: number;
  readonly last: number;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly tokens: number;
}

const partial = ({ count }: SummaryJob, told: Omit<Partial, 'tokens'>): Partial => ({
  ...told,
  tokens: count(labelled(told)) + 1,
});

const labelled = ({ first, last, from, to, text }: Omit<Partial, 'tokens'>): string =>
  `[${first === last ? `PART ${first}` : `PART ${first}-${last}`}: ${from} to ${to}]\n${unforged(text)}`;

/** Merges until everything fits one call, which also brings the earlier summary up to date. */
async function merged(run: PlanRun, partials: readonly Partial[]): Promise<string> {
  const { job, plan, signal } = run;
  const last = mergeTask(job, plan.facts);
  const lastRoom = roomFor(job, plan.window.tokens, last);
  let level = partials;
  while (tokensOf(level) > lastRoom) level = await nextLevel(run, level);
  const task = { ...last, texts: level.map(labelled) };
  return ask(run, { task, purpose: 'merge', part: 1, of: 1, tokens: tokensOf(level) }, signal);
}

/** One level of merges: neighbours become one, as many at once as the window holds. */
async function nextLevel(run: PlanRun, partials: readonly Partial[]): Promise<readonly Partial[]> {
  const { job, plan, summarizer } = run;
  const { previous: _previous, newest: _newest, ...bare } = mergeTask(job, undefined);
  const task: PromptTask = { ...bare, budgetTokens: plan.partBudgetTokens };
  const neighbours = neighboursWithin(partials, roomFor(job, plan.window.tokens, task));
  if (neighbours.length === partials.length) throw noProgress(summarizer, plan.window.tokens);
  return mapBounded(neighbours, run, async (several, at, stop): Promise<Partial> => {
    const [first, last] = [several[0], several.at(-1)];
    if (!first || !last || first === last) return first ?? partial(job, nothing);
    const texts = several.map(labelled);
    const place = { part: at + 1, of: neighbours.length, tokens: tokensOf(several) };
    const text = await ask(run, { task: { ...task, texts }, purpose: 'merge', ...place }, stop);
    return partial(job, { first: first.first, last: last.last, from: first.from, to: last.to, text });
  });
}

const nothing = { first: 0, last: 0, from: '', to: '', text: '' };

const tokensOf = (partials: readonly Partial[]): number => partials.reduce((sum, { tokens }) => sum + tokens, 0);

function neighboursWithin(partials: readonly Partial[], room: number): readonly (readonly Partial[])[] {
  const found: Partial[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const one of partials) {
    if (used + one.tokens > room) {
      found.push([]);
      used = 0;
    }
    found.at(-1)?.push(one);
    used += one.tokens;
  }
  return found;
}

function noProgress({ name }: Summarizer, tokens: number): SummarizerError {
  const message =
    `expected a window with room to merge the summaries of two parts, got the ${tokens} tokens of ${name}. ` +
    'Use a model with a larger window, or ask for a shorter summary.';
  return new SummarizerError('other', message, { model: name });
}

/** One call and the summary in its reply. */
function ask(run: PlanRun, call: PlannedCall, signal: AbortSignal | undefined): Promise<string> {
  const { job, summarizer } = run;
  const { task, tokens, ...place } = call;
  const prompt = buildPrompt(job.frame, task);
  const fixed = job.count(systemContract) + job.count(buildPrompt(job.frame, { ...task, texts: [] }));
  const send: AskedCall['send'] = (one) => summarizer.write({ system: systemContract, prompt, ...one });
  return checkedReply(run, { ...place, inputTokens: fixed + tokens, user: task.user, send }, signal);
}

/** A call that is ready to be sent. */
export interface AskedCall {
  readonly purpose: CallPurpose;
  readonly part: number;
  readonly of: number;
  /** Estimated. */
  readonly inputTokens: number;
  /** Whether a person speaks in what is summed up. */
  readonly user: UserPresence;
  readonly send: (call: Pick<SummaryCall, 'onText' | 'signal'>) => Promise<SummaryReply>;
}

/** Sends a call, in its time, and takes the summary out of its reply. @throws SummarizerError, the signal's reason */
export async function checkedReply(
  run: Pick<PlanRun, 'job' | 'summarizer' | 'onProgress'>,
  { send, user, ...calling }: AskedCall,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { job, summarizer } = run;
  const { purpose, part, inputTokens } = calling;
  signal?.throwIfAborted();
  run.onProgress({ type: 'calling', model: summarizer.name, ...calling });
  const reply = await inTime(summarizer, signal, (stop) => {
    const onText = (text: string): void => {
      if (!stop.aborted) run.onProgress({ type: 'text', purpose, part, text });
    };
    return answered(summarizer, { onText, signal: stop }, send);
  });
  const usage = reply.usage ? { usage: reply.usage } : {};
  const outputTokens = reply.usage?.outputTokens ?? job.count(reply.text);
  const report = { model: summarizer.name, purpose, inputTokens, outputTokens, ...usage };
  run.onProgress({ type: 'answered', report });
  const checked = checkReply(reply, { sections: job.frame.sections, user });
  if (checked.type === 'summary') return checked.text;
  const message = `expected a summary from ${summarizer.name}, got a reply that is none: ${checked.why}`;
  throw new SummarizerError(checked.kind, message, { model: summarizer.name });
}

/** What an adapter throws that is no error of the port is still a failure of the model, never of the compression. */
async function answered(
  summarizer: Summarizer,
  call: Pick<SummaryCall, 'onText' | 'signal'>,
  send: AskedCall['send'],
): Promise<SummaryReply> {
  try {
    const reply: unknown = await inModelCall(summarizer.name, 'summary', () => send(call));
    if (isReply(reply)) return reply;
  } catch (error) {
    call.signal?.throwIfAborted();
    if (error instanceof SummarizerError) throw error;
    const said = redact(error instanceof Error ? error.message : String(error)).slice(0, 300);
    throw new SummarizerError('other', `${summarizer.name} could not be asked for a summary: ${said}`, {
      model: summarizer.name,
      cause: error,
    });
  }
  const message = `expected a reply with a text from ${summarizer.name}, got nothing of the kind: its write has to return { text, finish }`;
  throw new SummarizerError('bad_output', message, { model: summarizer.name });
}

/** Adapters are not all type-checked. */
const isReply = (reply: unknown): reply is SummaryReply =>
  typeof reply === 'object' && reply !== null && 'text' in reply && typeof reply.text === 'string';
