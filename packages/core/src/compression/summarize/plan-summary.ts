/**
 * Fits a summary to a model's window before it is called: all records in one call, or parts that are summarised one by
 * one and merged. A part ends between groups; only a group that no window of this size can hold is divided, between its
 * records. Pure.
 */
import { groupsOf } from '../../transcript/text.ts';
import { buildPrompt, type PromptFrame, type PromptTask, systemContract, type UserPresence } from './build-prompt.ts';
import type { PartRead, SummaryCoverage } from './coverage.ts';
import type { SerializedMessages, SummaryMessage, SummaryRecord } from './serialize.ts';
import { type Summarizer, SummarizerError } from './summarizer.ts';

/** Everything about a summary that does not depend on the model that writes it. */
export interface SummaryJob {
  readonly messages: readonly SummaryMessage[];
  readonly serialized: SerializedMessages;
  readonly frame: PromptFrame;
  readonly user: UserPresence;
  readonly budgetTokens: number;
  readonly previous: string | undefined;
  readonly facts: string | undefined;
  readonly count: (text: string) => number;
}

/** How a model is to write it. */
export interface SummaryPlan {
  readonly window: SummaryCoverage['window'];
  /** One for everything at once; of several, each is summarised and all are merged. */
  readonly parts: readonly (readonly SummaryRecord[])[];
  /** True where the parts, even a single one, are merged with each other or with the earlier summary afterwards. */
  readonly merges: boolean;
  readonly partBudgetTokens: number;
  /** Facts that there is room for. */
  readonly facts: string | undefined;
}

/** The window of a model that nobody knows. */
export const assumedWindow = 128_000;

/** The reply may be longer than the budget it was told. */
const replyRatio = 1.5;
/** Tokens are counted as the other model's, and messages have a frame. */
const countMargin = 1.03;
/** Facts that would take more of the window than this are left out. */
const factsShare = 0.25;
/** A part's summary should not have to be shorter than this, and says nothing where it has to be much shorter. */
const leastPartBudget = 800;
const shortestPartBudget = 100;

/** What of a model a plan depends on. */
export type PlannedModel = Pick<Summarizer, 'name' | 'contextLength'>;

/** The plan for one model. @throws SummarizerError `other` when its window holds not even one record and the prompt */
export function planSummary(job: SummaryJob, summarizer: PlannedModel): SummaryPlan {
  const tokens = summarizer.contextLength ?? assumedWindow;
  const window = { model: summarizer.name, tokens, assumed: summarizer.contextLength === undefined };
  const facts = job.facts !== undefined && job.count(job.facts) <= tokens * factsShare ? job.facts : undefined;
  const { records } = job.serialized;
  const all = records.reduce((sum, record) => sum + record.tokens, 0);
  const fitting = { window, facts, partBudgetTokens: job.budgetTokens };
  if (all <= roomFor(job, tokens, wholeTask(job, facts))) return { ...fitting, parts: [records], merges: false };

  const mergeRoom = roomFor(job, tokens, mergeTask(job, facts));
  if (mergeRoom < 3 * shortestPartBudget) throw noRoomToMerge(summarizer, job, tokens);
  const roughRoom = Math.max(roomFor(job, tokens, partTask(job.budgetTokens)), tokens / 8);
  const fair = Math.floor(mergeRoom / (Math.ceil(all / roughRoom) * countMargin));
  const least = Math.min(leastPartBudget, Math.floor(mergeRoom / 3));
  const partBudgetTokens = Math.min(job.budgetTokens, Math.max(fair, least));
  const room = roomFor(job, tokens, partTask(partBudgetTokens));
  const largest = records.reduce((most, record) => Math.max(most, record.tokens), 0);
  if (largest > room) throw tooSmall(summarizer, tokens, { largest, room });
  return { ...fitting, partBudgetTokens, parts: partsOf(unitsOf(job, room), room), merges: true };
}

/** Tokens that a call with this task has for its texts; may be negative. */
export function roomFor({ frame, count }: SummaryJob, windowTokens: number, task: PromptTask): number {
  const fixed = count(systemContract) + count(buildPrompt(frame, { ...task, texts: [] }));
  return Math.floor(windowTokens / countMargin) - Math.ceil(task.budgetTokens * replyRatio) - fixed;
}

/** The task that reads all records at once, without its texts. */
export function wholeTask(job: SummaryJob, facts: string | undefined): PromptTask {
  return { ...mergeTask(job, facts), type: 'records' };
}

/** The task that merges what parts say, and brings the earlier summary up to date, without its texts. */
export function mergeTask(
  { serialized, previous, user, budgetTokens }: SummaryJob,
  facts: string | undefined,
): PromptTask {
  const newest = serialized.records.findLast(({ isUser }) => isUser)?.ref;
  return {
    type: 'merge',
    texts: [],
    budgetTokens,
    user,
    ...(newest === undefined ? {} : { newest }),
    ...(previous === undefined ? {} : { previous }),
    ...(facts === undefined ? {} : { facts }),
  };
}

/** Its numbers are at least as long as any that will stand there. */
const partTask = (budgetTokens: number): PromptTask => ({
  type: 'records',
  texts: [],
  budgetTokens,
  user: 'nowhere',
  part: { part: 9_999, of: 9_999 },
});

/**
 * The window to plan with after a model has refused a call as too long: the one that it
 * named, where the call was larger; else half of what would have held the call.
 */
export function smallerWindow(
  { window, partBudgetTokens }: SummaryPlan,
  inputTokens: number,
  named: number | undefined,
): number {
  const needed = Math.ceil((inputTokens + partBudgetTokens * replyRatio) * countMargin);
  const refused = Math.min(window.tokens, needed);
  return named !== undefined && named < refused ? named : Math.floor(refused / 2);
}

function tooSmall(summarizer: PlannedModel, tokens: number, sizes: { largest: number; room: number }): SummarizerError {
  const message =
    `expected a window with room for the instructions, one message and a reply, got the ${tokens} tokens of ` +
    `${summarizer.name}: they leave ${Math.max(0, sizes.room)} for messages, and the longest record has ` +
    `${sizes.largest}. Use a model with a larger window, or state its real window.`;
  return new SummarizerError('other', message, { model: summarizer.name });
}

function noRoomToMerge(summarizer: PlannedModel, job: SummaryJob, tokens: number): SummarizerError {
  const earlier = job.previous === undefined ? '' : `an earlier summary of ${job.count(job.previous)} tokens, `;
  const message =
    `expected a window with room for the instructions, ${earlier}a reply of ${job.budgetTokens} tokens and what it is ` +
    `made of, got the ${tokens} tokens of ${summarizer.name}. Use a model with a larger window, or ask for a shorter summary.`;
  return new SummarizerError('other', message, { model: summarizer.name });
}

interface Unit {
  readonly records: readonly SummaryRecord[];
  readonly tokens: number;
}

/** Records that stay together: those of a group, or one by one where the group is larger than the room. */
function unitsOf({ messages, serialized }: SummaryJob, room: number): readonly Unit[] {
  const byMessage = Map.groupBy(serialized.records, ({ at }) => at);
  return groupsOf(messages.map(({ message }) => message)).flatMap(({ start, end }): readonly Unit[] => {
    const records: SummaryRecord[] = [];
    for (let at = start; at < end; at++) records.push(...(byMessage.get(at) ?? []));
    const unit = unitOf(records);
    if (unit.tokens > room) return records.map((record) => unitOf([record]));
    return records.length > 0 ? [unit] : [];
  });
}

const unitOf = (records: readonly SummaryRecord[]): Unit => ({
  records,
  tokens: records.reduce((sum, record) => sum + record.tokens, 0),
});

/** Parts of about equal size, none larger than the room. */
function partsOf(units: readonly Unit[], room: number): readonly (readonly SummaryRecord[])[] {
  const all = units.reduce((sum, { tokens }) => sum + tokens, 0);
  const fair = all / Math.max(1, Math.ceil(all / room));
  const parts: SummaryRecord[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const { records, tokens } of units) {
    if (used + tokens > room || used >= fair) {
      parts.push([]);
      used = 0;
    }
    parts.at(-1)?.push(...records);
    used += tokens;
  }
  return parts;
}

/** What a part read, for the report. */
export function partRead(records: readonly SummaryRecord[]): PartRead {
  const tokens = records.reduce((sum, record) => sum + record.tokens, 0);
  const from = records[0]?.ref ?? 'm0';
  return { from, to: records.at(-1)?.ref ?? from, messages: new Set(records.map(({ at }) => at)).size, tokens };
}
