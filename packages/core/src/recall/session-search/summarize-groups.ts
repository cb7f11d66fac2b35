/**
 * Sums up what conversations hold on a question, several at once, within one time for all. What fails or is late is
 * told, and shown as passages: a search never fails because a model does.
 */
import { mapBounded } from '../../compression/summarize/bounded.ts';
import { inTime } from '../../compression/summarize/in-time.ts';
import { isOverflow } from '../../compression/summarize/learnt-window.ts';
import { withoutDirectives, withoutThoughts } from '../../compression/summarize/record-text.ts';
import { type Summarizer, SummarizerError, type SummaryReply } from '../../compression/summarize/summarizer.ts';
import { excessOf } from '../../compression/summary-lines.ts';
import { verifySummary } from '../../compression/verify/verify.ts';
import { redact } from '../../redaction/redact.ts';
import type { Timers } from '../../shared/timers.ts';
import type { ReadableStore } from '../read/lineage.ts';
import { withMessageIds } from './cited-messages.ts';
import { pause, startDeadline } from './deadline.ts';
import { type Excerpt, excerptOf } from './excerpt.ts';
import type { FoundGroup } from './found-group.ts';
import { learnFromRefusal, shownWindow } from './shown-window.ts';
import { summaryContract, summaryPrompt } from './summary-prompt.ts';

/** The numbers of summaries; a caller may give any of them. */
export interface SummaryLimits {
  /** Summaries that are written at the same time. @default 3 */
  readonly maxConcurrency: number;
  /** Milliseconds for all summaries of an answer together. @default 90000 */
  readonly totalTimeoutMs: number;
  /** Characters of a conversation that a model is shown. @default 100000 */
  readonly windowCharacters: number;
  /** Milliseconds of waiting before the second try, the third, and so on. @default [1000, 2000] */
  readonly retryAfterMs: readonly number[];
}

/** The limits on summaries of found conversations where the caller sets none. */
export const summaryLimits: SummaryLimits = {
  maxConcurrency: 3,
  totalTimeoutMs: 90_000,
  windowCharacters: 100_000,
  retryAfterMs: [1_000, 2_000],
};

/** Asked for, since the facts are wanted and no invention. */
const temperature = 0.1;

/** What became of one summary. */
export type GroupSummary =
  | {
      readonly type: 'written';
      readonly text: string;
      /** Lines that the record does not hold, or holds otherwise: taken out or put right. */
      readonly changes: number;
      /** True when the model stopped at a limit of length. */
      readonly cut: boolean;
    }
  | { readonly type: 'failed'; readonly why: string };

export interface SummaryTask {
  readonly summarizer: Summarizer;
  readonly query: string;
  readonly limits: SummaryLimits;
  readonly timers: Timers;
  readonly signal: AbortSignal | undefined;
}

/** A summary for each group, in their order. Throws only the reason of a caller who aborts. */
export async function summarizeGroups(
  store: ReadableStore,
  groups: readonly FoundGroup[],
  task: SummaryTask,
): Promise<readonly GroupSummary[]> {
  const { limits, timers, signal: caller } = task;
  const deadline = startDeadline(limits.totalTimeoutMs, { timers, caller });
  const bounds = { maxParallel: Math.max(1, limits.maxConcurrency), signal: undefined };
  try {
    const summaries = await mapBounded(groups, bounds, async (group): Promise<GroupSummary> => {
      const excerpt = await excerptOf(store, group, limits.windowCharacters);
      return await summarize(excerpt, { ...task, when: daysOf(group), stop: deadline.signal });
    });
    caller?.throwIfAborted();
    return summaries;
  } finally {
    deadline.stop();
  }
}

interface Attempting extends SummaryTask {
  readonly when: string;
  readonly stop: AbortSignal;
}

/** Tries until a summary is there, the tries are used up, or the time is over. */
async function summarize(excerpt: Excerpt, task: Attempting): Promise<GroupSummary> {
  const { limits, timers, stop } = task;
  let sent: Sent = { characters: limits.windowCharacters, temperature };
  for (let attempt = 0; ; attempt++) {
    if (stop.aborted) return late(task);
    try {
      return await written(excerpt, { task, sent });
    } catch (error) {
      if (stop.aborted) return late(task);
      const wait = limits.retryAfterMs[attempt];
      if (wait === undefined || isFinal(error)) return { type: 'failed', why: whyOf(error) };
      sent = afterFailure(sent, error);
      await pause(wait, timers, stop);
    }
  }
}

/** What of a conversation is sent, and how. */
interface Sent {
  readonly characters: number;
  readonly temperature: number | undefined;
}

/** Less text for a model that could not hold it; no temperature for one that may not take any. */
function afterFailure({ characters, temperature: asked }: Sent, error: unknown): Sent {
  if (!(error instanceof SummarizerError)) return { characters, temperature: undefined };
  return {
    characters: isOverflow(error) ? Math.floor(characters / 2) : characters,
    temperature: error.kind === 'other' ? undefined : asked,
  };
}

const finalKinds: ReadonlySet<string> = new Set(['no_provider', 'auth', 'quota', 'cancelled']);

/** True where another try would fail in the same way. */
const isFinal = (error: unknown): boolean => error instanceof SummarizerError && finalKinds.has(error.kind);

const mostOfReason = 300;

/** What went wrong, for the model that asked: a provider's words are text from outside. */
const whyOf = (error: unknown): string =>
  redact(error instanceof Error ? error.message : String(error))
    .replaceAll(/\s+/g, ' ')
    .slice(0, mostOfReason)
    .toWellFormed();

const late = ({ limits }: Attempting): GroupSummary => ({
  type: 'failed',
  why: `The summaries were not done after ${Math.round(limits.totalTimeoutMs / 1_000)} s.`,
});

async function written(
  excerpt: Excerpt,
  { task, sent }: { readonly task: Attempting; readonly sent: Sent },
): Promise<GroupSummary> {
  const { summarizer, query, when, stop } = task;
  const { text, messages, ids } = shownWindow(excerpt, query, { characters: sent.characters, summarizer });
  const call = { system: summaryContract, prompt: summaryPrompt(query, text, when) };
  const asked = sent.temperature === undefined ? call : { ...call, temperature: sent.temperature };
  // A model that does not listen to the signal must not keep the others waiting.
  const reply = await inTime(summarizer, stop, (signal) => summarizer.write({ ...asked, signal })).catch((error) => {
    if (isOverflow(error)) learnFromRefusal(summarizer, error, text);
    throw error;
  });
  const said = usable(reply, summarizer.name);
  const { text: held, changes } = verifySummary(said, messages, { add: false, covers: () => false });
  if (held.trim() === '') throw failure('bad_output', summarizer.name, 'wrote nothing that the conversation holds.');
  const named = withMessageIds(redact(held), { messages, ids }).trim();
  return { type: 'written', text: named, changes: changes.length, cut: reply.finish === 'length' };
}

function usable({ text, finish }: SummaryReply, model: string): string {
  if (finish === 'refusal') throw failure('bad_output', model, 'refused to write the summary.');
  const said = withoutDirectives(withoutThoughts(text)).trim();
  if (said === '') throw failure('empty_output', model, 'wrote nothing.');
  const excess = excessOf(said);
  if (excess !== undefined) throw failure('bad_output', model, `wrote ${excess}, which is no summary.`);
  return said;
}

const failure = (kind: 'bad_output' | 'empty_output', model: string, what: string): SummarizerError =>
  new SummarizerError(kind, `${model} ${what}`, { model });

/** The days of a conversation, for the model: no clock, so that the same search asks the same. */
function daysOf({ root, tip }: FoundGroup): string {
  const [first, last] = [day(root.startedAt), day(tip.lastActiveAt)];
  return first === last ? first : `${first} to ${last}`;
}

const day = (instant: number): string => new Date(instant).toISOString().slice(0, 10);
