/** Holds the results of tools to their room in the window: what is too large is saved whole, and its start stands for it. */

import { defined } from '../shared/defined.ts';
import { checkKnownOptions, type KnownOptions } from '../shared/options/known-options.ts';
import type { SessionId } from '../store/ids.ts';
import type { OutputStore } from '../store/store.ts';
import type { ToolResultPart } from '../transcript/message.ts';
import { spilledOutput } from '../transcript/text.ts';
import {
  limitOf,
  type OutputLimits,
  type OutputOptions,
  outputLimits,
  resolveOutputConfig,
  type ToolLimits,
} from './settings.ts';
import { type Spilled, type SpillOptions, spill } from './spill.ts';
import { beforePair, grouped, isOwnTool, noun, oneLine, pageFrameChars } from './text.ts';
import {
  type AnyResult,
  charsOf,
  type HeldText,
  isForeign,
  isMcpResult,
  leastChars,
  type TextOfResults,
  type ToolOutput,
  textsOf,
  toolNameOf,
  withText,
} from './tool-output.ts';
import { requireOutputs } from './tools/find-output.ts';
import { createOutputTools, type OutputTool } from './tools/output-tools.ts';

/** What a budget is made of. */
export interface OutputBudgetOptions {
  /** Where results are saved: `store.outputs`. */
  readonly outputs: OutputStore;
  /** The model's window in tokens. @default a window that is large enough for all limits of `config` */
  readonly contextLength?: number;
  /** The session that results are saved under; one that the store does not have yet is left out. */
  readonly sessionId?: SessionId;
  /** The sessions that it continues: the tools find their results too. @default [] */
  readonly lineage?: readonly SessionId[];
  readonly config?: OutputOptions;
  /** What tools say of themselves, by name: the most characters that they give back. @default {} */
  readonly declaredChars?: Readonly<Record<string, number>>;
  /** Told why a result could not be saved and was cut instead. */
  readonly onSaveFailure?: (error: unknown) => void;
}

const known: KnownOptions<OutputBudgetOptions> = {
  outputs: true,
  contextLength: true,
  sessionId: true,
  lineage: true,
  config: true,
  declaredChars: true,
  onSaveFailure: true,
};

/** Holds results to their limits, and brings back what was saved. */
export interface OutputBudget {
  /** `read_output` and `search_output`, for the model. */
  readonly tools: readonly OutputTool[];
  /** One result as it arrives; the same object when it is small enough. Never throws for what a tool or the store does. */
  admit<R extends ToolOutput | ToolResultPart>(result: R): Promise<R>;
  /**
   * All results of one answer before the model sees them: each as `admit` has it, then the largest are saved until
   * they fit together. The same list when nothing had to change. Never throws for what a tool or the store does.
   */
  admitTurn<R extends ToolOutput | ToolResultPart>(results: readonly R[]): Promise<readonly R[]>;
}

/**
 * Makes the budget for a window. Give it results before the model has seen them, so that no cached prompt breaks; what it
 * changed once stays as it is. Throws `BAD_CONFIG` and `BAD_OPTION`.
 *
 * @example
 * import { createOutputBudget } from '@palimpsest/core';
 * import { openStore } from '@palimpsest/core/store';
 * await using store = await openStore({ path: 'agent.db' });
 * const budget = createOutputBudget({ outputs: store.outputs, contextLength: 200_000 });
 * await budget.admit({ toolName: 'bash', callId: 'call_1', content: 'a long text' });
 */
export function createOutputBudget(options: OutputBudgetOptions): OutputBudget {
  return budgetWith(options, shownChars);
}

/** Characters of a saved result that are shown. */
const shownChars = 1_500;

/** The same for tests, with so many characters of a saved result that are shown. */
export function budgetWith(options: OutputBudgetOptions, previewChars: number): OutputBudget {
  checkKnownOptions('createOutputBudget', options, known);
  requireOutputs('createOutputBudget', options);
  const { outputs, sessionId, lineage = [], declaredChars: declared = {} } = options;
  const config = resolveOutputConfig(options.config);
  const limits = outputLimits(options.contextLength, config);
  const admission = (): Admission => ({
    limits,
    tools: { config, declared },
    shorten: shortenerFor(options, previewChars),
  });
  const scope = sessionId === undefined ? {} : { sessionIds: [sessionId, ...lineage] };
  return {
    tools: createOutputTools({ outputs, pageChars: limits.page, ...scope }),
    admit: (result) => admitResult(result, admission()),
    admitTurn: (results) => admitResults(results, admission()),
  };
}

// Results of an answer that were said before: they get the shape that they had, whatever the limits are now.

/** The texts that a notice stands for in what was made of the results of an answer. */
export function spilledTexts(results: readonly AnyResult[], admitted: readonly AnyResult[]): readonly TextOfResults[] {
  return results.flatMap((one, result) => {
    const made = new Map(textsOf(admitted[result] ?? one).map(({ at, text }) => [at, text]));
    return textsOf(one).flatMap(({ at, text }) => {
      const now = made.get(at) ?? text;
      return now !== text && spilledOutput(now, shownChars) !== undefined ? [{ result, at }] : [];
    });
  });
}

/** The results with notices for these texts, and for no others. Never throws for what the store does. */
export async function spillTexts<R extends AnyResult>(
  results: readonly R[],
  texts: readonly TextOfResults[],
  options: OutputBudgetOptions,
): Promise<readonly R[]> {
  const shorten = shortenerFor(options, shownChars);
  const shaped: R[] = [];
  for (const [result, one] of results.entries()) {
    let made = one;
    for (const held of largestTexts(one)) {
      if (!texts.some((text) => text.result === result && text.at === held.at)) continue;
      made = (await shorten(made, held, 0)).result;
    }
    shaped.push(made);
  }
  return shaped;
}

// Which texts of which results have to go, and in which order.

/** What results are held to, and what makes them shorter. */
interface Admission {
  readonly limits: OutputLimits;
  readonly tools: ToolLimits;
  readonly shorten: Shortener;
}

/** A result within the limit of its tool: its largest texts go first. */
async function admitResult<R extends AnyResult>(result: R, admission: Admission): Promise<R> {
  if (isLeftAlone(result, admission)) return result;
  const inEnvelope = (): boolean =>
    chars > admission.limits.mcpResult && textsOf(result).some(({ text }) => isMcpResult(text));
  let chars = charsOf(result);
  const limit = limitOf(toolNameOf(result), admission.limits, { ...admission.tools, inEnvelope });
  let admitted = result;
  for (const held of chars > limit ? largestTexts(result) : []) {
    if (chars <= limit) break;
    const shorter = await admission.shorten(admitted, held, chars - limit);
    admitted = shorter.result;
    chars -= shorter.saved;
  }
  return admitted;
}

/** Results that fit together: the largest go first, and those of pinned tools only when nothing else is left. */
async function admitResults<R extends AnyResult>(results: readonly R[], admission: Admission): Promise<readonly R[]> {
  const admitted: R[] = [];
  for (const result of results) admitted.push(await admitResult(result, admission));
  const limit = admission.limits.turn;
  let chars = admitted.reduce((sum, result) => sum + charsOf(result), 0);
  for (const { at, held } of chars > limit ? largestOf(admitted, admission) : []) {
    const result = admitted[at];
    if (chars <= limit || result === undefined) break;
    const shorter = await admission.shorten(result, held, chars - limit);
    admitted[at] = shorter.result;
    chars -= shorter.saved;
  }
  return admitted.some((result, at) => result !== results[at]) ? admitted : results;
}

/**
 * Results of the provider's own tools go back as they came. Our tools hold themselves to a page, and saving a page of what
 * is saved would never end.
 */
function isLeftAlone(result: AnyResult, { limits }: Admission): boolean {
  if (isForeign(result)) return true;
  return isOwnTool(toolNameOf(result)) && charsOf(result) <= limits.page + pageFrameChars;
}

interface Candidate {
  readonly at: number;
  readonly held: HeldText;
}

function largestOf(results: readonly AnyResult[], admission: Admission): readonly Candidate[] {
  const { pinned } = admission.tools.config;
  return results
    .map((result, at) => ({
      result,
      at,
      isPinned: Number(pinned.includes(toolNameOf(result))),
      chars: charsOf(result),
    }))
    .filter(({ result }) => !isLeftAlone(result, admission))
    .sort((one, other) => one.isPinned - other.isPinned || other.chars - one.chars || one.at - other.at)
    .flatMap(({ result, at }) => largestTexts(result).map((held) => ({ at, held })));
}

const largestTexts = (result: AnyResult): readonly HeldText[] =>
  textsOf(result).toSorted((one, other) => other.text.length - one.text.length || one.at - other.at);

// Makes a result shorter by one of its texts: saved where that works, cut where it does not.

/** A result with one text shorter, and by how many characters. */
interface Shorter<R> {
  readonly result: R;
  readonly saved: number;
}

/** Takes at least `excess` characters out of a text where it can; the same result where nothing can be won. */
type Shortener = <R extends AnyResult>(result: R, held: HeldText, excess: number) => Promise<Shorter<R>>;

interface ShortenerOptions extends SpillOptions {
  readonly onSaveFailure: ((error: unknown) => void) | undefined;
}

const shortenerFor = ({ outputs, sessionId, onSaveFailure }: OutputBudgetOptions, previewChars: number): Shortener =>
  createShortener({ outputs, previewChars, onSaveFailure, ...defined({ sessionId }) });

interface ShorterText {
  readonly text: string;
  readonly isError?: boolean | undefined;
}

/** A shortener for one call: once the store has failed, it is not asked again for the same answer. */
function createShortener(options: ShortenerOptions): Shortener {
  let failure: Extract<Spilled, { type: 'failed' }> | undefined;

  async function shorterText(text: string, result: AnyResult, excess: number): Promise<ShorterText> {
    const spilled = failure ?? (await spill(text, result, options));
    if (spilled.type === 'spilled') return spilled;
    if (!failure) options.onSaveFailure?.(spilled.error);
    failure = spilled;
    const maxChars = Math.max(options.previewChars + leastChars, text.length - excess);
    return { text: cutInline(text, { toolName: toolNameOf(result), maxChars, reason: spilled.reason }) };
  }

  return async (result, { at, text }, excess) => {
    const isDone = text.length < leastChars || spilledOutput(text, options.previewChars) !== undefined;
    const shorter = isDone ? { text } : await shorterText(text, result, excess);
    const saved = text.length - shorter.text.length;
    if (saved <= 0) return { result, saved: 0 };
    const replaced = withText(result, at, shorter.text);
    return { result: shorter.isError ? { ...replaced, isError: true } : replaced, saved };
  };
}

// What becomes of a result that is too large and cannot be saved: its start and its end, and a word on what is lost.
// Pure.

/** Why a text is cut, and how much of it may stay. */
interface InlineCut {
  readonly toolName: string;
  /** Most characters of what is left, the words around it included. */
  readonly maxChars: number;
  /** Why it could not be saved: the code of the failure. */
  readonly reason: string;
}

/** The share of the room that the start gets. */
const startShare = 0.6;

/** The start and the end of a text; the text itself where it is short enough. One that was cut before is cut further. */
function cutInline(text: string, cut: InlineCut): string {
  if (text.length <= cut.maxChars) return text;
  const { start, end, gone } = endsOf(text);
  const whole = start.length + gone + end.length;
  const around = `${header(whole, cut)}\n\n${mark(whole)}\n`.length;
  const room = Math.max(0, cut.maxChars - around);
  const keptStart = start.slice(0, beforePair(start, Math.floor(room * startShare)));
  const from = Math.max(0, end.length - (room - keptStart.length));
  const keptEnd = end.slice(beforePair(end, from) === from ? from : from + 1);
  const lost = whole - keptStart.length - keptEnd.length;
  return `${header(whole, cut)}\n${keptStart.toWellFormed()}\n${mark(lost)}\n${keptEnd.toWellFormed()}`;
}

const header = (whole: number, { toolName, reason }: InlineCut): string =>
  `[truncated: ${oneLine(toolName, 80) || 'tool'} | ${noun(whole, 'character')} | could not be saved (${reason}): what was ` +
  'cut is lost; run the tool again with a narrower question to see it]';

const mark = (lost: number): string => `[… ${grouped(lost)} characters were cut here …]`;

interface Ends {
  readonly start: string;
  readonly end: string;
  /** Characters between them that are lost already. */
  readonly gone: number;
}

/** What may be cut: both halves of a text, or what an earlier cut has left. */
function endsOf(text: string): Ends {
  const earlier = /^\[truncated: [^\n]*\]\n([\s\S]*)\n\[… ([\d,]{1,20}) characters were cut here …\]\n([\s\S]*)$/.exec(
    text,
  );
  if (!earlier) return { start: text, end: text, gone: -text.length };
  const [, start = '', gone = '', end = ''] = earlier;
  return { start, end, gone: Number(gone.replaceAll(',', '')) };
}
