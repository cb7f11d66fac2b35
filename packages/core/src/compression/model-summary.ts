/**
 * Has a model write the summary of what a cut takes out, and holds it against the record before anybody sees it. A
 * model that fails costs nothing but its answer: what happens then is decided here, by the kind of the failure.
 */

import { summaryModelShare } from '../context/threshold.ts';
import type { Message } from '../transcript/message.ts';
import { messageText } from '../transcript/text.ts';
import type { Cut } from './boundaries.ts';
import type { Drafted, DraftedHandoff } from './draft.ts';
import { personMessage } from './handoff-block.ts';
import { composing } from './ledger/compose.ts';
import { resolveTemplate } from './ledger/templates.ts';
import { withoutPinned, withoutPinnedHeadings } from './pinned.ts';
import type { FailureKind } from './policy/state.ts';
import { nowhere, refAt } from './record.ts';
import type { Ref, SummaryAttempt, SummaryReport } from './result.ts';
import { type Run, total } from './run.ts';
import { type Continuation, namedStart } from './summarize/continued.ts';
import type { SummaryMessage } from './summarize/serialize.ts';
import { SummarizerError } from './summarize/summarizer.ts';
import { previousSummary, SummaryFailed, writeSummary } from './summarize/write-summary.ts';
import { type SummaryLine, summaryLines } from './summary-lines.ts';
import { verifySummary } from './verify/verify.ts';
import { statusClaims } from './verify/words/statuses.ts';

/** What became of the attempt to have a model write. */
export type ModelSummary =
  | { readonly type: 'written'; readonly text: string; readonly report: SummaryReport }
  /** No summary; the ledger writes the handoff alone, or `keep`: the conversation stays as it is. */
  | { readonly type: 'failed'; readonly keep: boolean; readonly attempt: SummaryAttempt };

/** Tokens of the ledger's spine that the model is shown beside the records: what its summary is completed from afterwards. */
const factTokens = 1_200;
/** More is never asked for: no reply of so many tokens is longer than a summary may be. */
const mostTokens = 24_000;

/** The summary of the messages that a draft takes out; undefined where no model is asked or there is nothing to tell. */
export async function modelSummary(run: Run, drafted: Drafted): Promise<ModelSummary | undefined> {
  const { summarizer, signal, onSummaryProgress } = run.options;
  if (!summarizer || !drafted.cut || !drafted.handoff) return undefined;
  const { messages, previous } = coveredBy(run, drafted.cut);
  const { ledger } = run.record;
  const { focusTopic } = run.options;
  try {
    const written = await writeSummary({
      messages,
      summarizer,
      ...continuationFor(run, drafted.cut),
      ...(previous === undefined ? {} : { previous }),
      template: resolveTemplate(run.config.summary.template),
      budgetTokens: budgetFor(run, drafted.cut, drafted.handoff),
      focusMessages: composing.focusMessages,
      ...(focusTopic === undefined ? {} : { focusTopic }),
      facts: ledger.handoff({ budgetTokens: Math.min(factTokens, toldTokens(drafted.handoff)), spineOnly: true }).body,
      pinned: drafted.handoff.pinned,
      userSpeaksElsewhere: run.listed.some((message) => personMessage(message) !== undefined),
      count: (text) => run.options.tokenizer.count(text),
      ...(signal === undefined ? {} : { signal }),
      ...(onSummaryProgress === undefined ? {} : { onProgress: onSummaryProgress }),
    });
    const verification = verifySummary(withEarlierOutcomes(written.text, previous), everyMessage(run), {
      facts: ledger.facts(),
      covers: coversOf(drafted),
      add: false,
    });
    const { model, coverage, calls } = written;
    const failures = written.failures.map(attemptOf);
    const text = withoutPinnedHeadings(numberedThrough(verification.text, previous));
    return { type: 'written', text, report: { model, coverage, calls, failures, verification } };
  } catch (error) {
    return failed(run, error);
  }
}

/** The request behind which the model may be asked: one that held everything that the cut takes out. */
function continuationFor(
  { prefix, origins, input }: Run,
  { tailStart }: Cut,
): { readonly continuation?: Continuation } {
  const last = origins[tailStart - 1];
  if (!prefix || last === undefined || last >= prefix.messages) return {};
  const kept = input[tailStart];
  return { continuation: { prefix, keptFrom: kept ? namedStart(messageText(kept)) : '' } };
}

/**
 * What the model may use of the handoff, however much of it the ledger alone could fill: the user's words and the ledger's lines
 * need the rest. What is longer than that which it stands for would be refused.
 */
function budgetFor(run: Run, { headEnd, tailStart }: Cut, handoff: DraftedHandoff): number {
  const { budget } = handoff;
  const most = Math.max(toldTokens(handoff), Math.min(budget, total(run.input.slice(headEnd, tailStart), run)));
  return Math.max(1, Math.min(mostTokens, Math.floor(most * summaryModelShare)));
}

/** What the handoff tells beside what is pinned in it. */
const toldTokens = ({ tokens, pinnedTokens }: DraftedHandoff): number => Math.max(0, tokens - pinnedTokens);

/** An abort and an error of ours go on; what the model failed at is an outcome. */
function failed(run: Run, error: unknown): ModelSummary {
  run.options.signal?.throwIfAborted();
  if (!(error instanceof SummarizerError)) throw error;
  const fits = total(run.listed, run) <= run.sizes.contextLength;
  const calls = error instanceof SummaryFailed ? error.calls : [];
  const before = error instanceof SummaryFailed ? error.failures.slice(0, -1).map(attemptOf) : [];
  return { type: 'failed', keep: fits && keepsTranscript(error.kind), attempt: { ...attemptOf(error), before, calls } };
}

/**
 * After these the conversation stays whole while the window holds it: the next attempt may well succeed, and a cut
 * without a model cannot be taken back (F2).
 */
function keepsTranscript(kind: FailureKind): boolean {
  return kind === 'auth' || kind === 'quota' || kind === 'network';
}

const attemptOf = ({ kind, model, message }: SummarizerError): SummaryAttempt => ({ kind, model, message });

interface Covered {
  readonly messages: readonly SummaryMessage[];
  readonly previous?: string;
}

/** What the model reads: the originals of the messages that the cut takes out, and the summary they go on from. */
function coveredBy(run: Run, cut: NonNullable<Drafted['cut']>): Covered {
  const messages: SummaryMessage[] = [];
  const earlier = previousSummary(run.input);
  for (let at = cut.headEnd; at < cut.tailStart; at++) {
    const place = run.places[at] ?? nowhere;
    const original = run.record.at(place);
    // A handoff of this record stands for messages that it has told already.
    if (original) messages.push({ ref: refAt(place), message: original });
  }
  const previous = earlier && withoutPinned(earlier.body);
  return previous ? { messages, previous } : { messages };
}

/** Every message of the record under its number; a claim may rest on any of them. One that is not here says nothing. */
function everyMessage({ record }: Run): readonly Message[] {
  return Array.from({ length: record.size }, (_, place) => record.at(place) ?? silent);
}

const silent: Message = { role: 'assistant', parts: [] };

function coversOf({ handoff }: Drafted): (ref: Ref) => boolean {
  const covered = new Set(handoff?.covers);
  return (ref) => covered.has(ref);
}

// The numbered list of finished actions across updates of a summary (S4): what an earlier summary tells keeps its
// outcome, nothing stands there twice, and the numbers go on without gaps.

interface Entry {
  /** Index of its line. */
  readonly at: number;
  readonly number: number;
  /** What stands before and behind the number. */
  readonly indent: string;
  readonly mark: string;
  readonly content: string;
}

const numberedLine = /^( ?)(\d{1,4})([.)]\s+)(?=\S)/;

function entriesOf(lines: readonly SummaryLine[]): readonly Entry[] {
  return lines.flatMap(({ text, type, about }, at): readonly Entry[] => {
    const found = type === 'text' && about === 'actions' ? numberedLine.exec(text) : null;
    if (!found) return [];
    const [all, indent = '', number = '', mark = ''] = found;
    return [{ at, indent, number: Number(number), mark, content: text.slice(all.length) }];
  });
}

/**
 * An update in which an action whose records the earlier summary has told already ends as it did there: failed does not become
 * done, nor done failed, unless a new record says so.
 */
export function withEarlierOutcomes(summary: string, previous: string | undefined): string {
  if (previous === undefined) return summary;
  const earlier = new Map(entriesOf(summaryLines(previous)).map((entry) => [eventOf(entry.content), entry.content]));
  const lines = summaryLines(summary);
  const texts = lines.map(({ text }) => text);
  for (const { at, indent, number, mark, content } of entriesOf(lines)) {
    const event = eventOf(content);
    const told = event === '' ? undefined : earlier.get(event);
    if (told !== undefined && isFlipped(content, told)) texts[at] = `${indent}${number}${mark}${told}`;
  }
  return texts.join('\n');
}

/** The records that a line cites, with the code that it names; empty for one that cites none. */
function eventOf(content: string): string {
  const refs = content.match(/\bm\d{1,6}\b/g);
  if (!refs) return '';
  const names = content.match(/`[^`]+`/g) ?? [];
  return [...new Set([...refs, ...names])].sort().join(' ');
}

function isFlipped(a: string, b: string): boolean {
  const [ends, told] = [endingOf(a), endingOf(b)];
  return ends !== undefined && told !== undefined && ends !== told;
}

/** Whether a line says that it went well; undefined where it says nothing, or both. */
function endingOf(content: string): boolean | undefined {
  const all = statusClaims(content).filter(({ hedged }) => !hedged);
  // "Ran" says that it was done, what follows says how it went.
  const endings = all.filter(({ status }) => status !== 'done');
  const claims = endings.length > 0 ? endings : all;
  const [first] = claims;
  return first && claims.every(({ positive }) => positive === first.positive) ? first.positive : undefined;
}

/** The summary with its finished actions numbered through, each once; they go on where those of the earlier one end. */
export function numberedThrough(summary: string, previous: string | undefined): string {
  const lines = summaryLines(summary);
  const entries = entriesOf(lines);
  if (entries.length === 0) return summary;
  const earlier = previous === undefined ? [] : entriesOf(summaryLines(previous));
  let next = firstNumber(entries, earlier);
  const seen = new Set<string>();
  const texts: (string | undefined)[] = lines.map(({ text }) => text);
  for (const { at, indent, mark, content } of entries) {
    const words = wordsOf(content);
    texts[at] = seen.has(words) ? undefined : `${indent}${next++}${mark}${content}`;
    seen.add(words);
  }
  return texts.filter((text) => text !== undefined).join('\n');
}

/** As many before the first one that the earlier summary has too; behind all of them where it has none. */
function firstNumber(entries: readonly Entry[], earlier: readonly Entry[]): number {
  const numbers = new Map(earlier.map(({ content, number }) => [wordsOf(content), number]));
  for (const [at, { content }] of entries.entries()) {
    const known = numbers.get(wordsOf(content));
    if (known !== undefined) return Math.max(1, known - at);
  }
  const last = Math.max(0, ...earlier.map(({ number }) => number));
  const isRetold =
    entries[0] !== undefined && earlier.some(({ content }) => isSameEvent(content, entries[0]?.content ?? ''));
  return isRetold ? 1 : last + 1;
}

const isSameEvent = (a: string, b: string): boolean => eventOf(a) !== '' && eventOf(a) === eventOf(b);

const wordsOf = (content: string): string =>
  content
    .toLowerCase()
    .match(/[\p{L}\p{N}_./-]+/gu)
    ?.join(' ') ?? '';
