/**
 * ★ Holds a summary against the conversation it stands for: which of its claims nobody made, which say the opposite of
 * what happened, what it leaves out; and the summary without those faults. No model, time in proportion to both texts.
 */

import { oppositeStatus, type StatusClaim } from '../../language/status.ts';
import { redact } from '../../redaction/redact.ts';
import { PalimpsestError } from '../../shared/errors.ts';
import { checkKnownOptions } from '../../shared/options/known-options.ts';
import type { Message } from '../../transcript/message.ts';
import { redactedMessage } from '../../transcript/redact.ts';
import type { LedgerFacts } from '../ledger/facts.ts';
import { spokenIn } from '../ledger/lines.ts';
import { Tracker } from '../ledger/tracker.ts';
import { refAt } from '../record.ts';
import type { Ref } from '../ref.ts';
import { excessOf, mostOfSummary, summaryLines } from '../summary-lines.ts';
import { mend } from './apply.ts';
import { checkAnswers } from './check-answers.ts';
import { checkAtoms } from './check-atoms.ts';
import { checkChoices } from './check-choices.ts';
import { checkDecisions } from './check-decisions.ts';
import { checkPairs } from './check-pairs.ts';
import { checkQuotes } from './check-quotes.ts';
import { checkRequests } from './check-requests.ts';
import { checkRetyped } from './check-retyped.ts';
import { checkRows } from './check-rows.ts';
import { checkInstructions, secretClaims } from './check-safety.ts';
import { checkSense } from './check-sense.ts';
import { checkUndone } from './check-undone.ts';
import { type ClaimLine, claimLines, maxLineChars, piecesOf } from './claim-line.ts';
import type { ClaimType, MissingFact, Verification, WrongClaim } from './claims.ts';
import { clauseOf } from './clause.ts';
import { type Check, type Checked, type Context, nothing } from './context.ts';
import { Lookup } from './lookup.ts';
import { askChars, missingFrom } from './missing.ts';
import { decide } from './outcomes.ts';
import { createPassages } from './passages.ts';
import { createRecordRows } from './record-rows.ts';
import { createSource } from './source.ts';
import { checkTrackedLines } from './tracked-lines.ts';
import { createUserWords, lettersOf, userTextWith } from './user-words.ts';
import { createVerbatim } from './verbatim.ts';
import { isPlan } from './words/plans.ts';
import { statusClaims } from './words/statuses.ts';
import { wordsOf } from './words-of.ts';

// What a summary says passed, failed, was fixed, done or deleted: the record must not say the opposite.

/** Holds what a line says of outcomes against the outcomes. */
const checkStatuses: Check = (line, context) => {
  if (line.type === 'code' || context.isVerbatim(line) || isFuture(line)) return nothing;
  const from = headerStatusFrom(line);
  const claims = statusClaims(line.content).filter(({ hedged, start }) => !hedged && start >= from);
  if (claims.length === 0) return nothing;
  const wrong = claims.flatMap((claim) => judge(claim, { line, context }) ?? []);
  return { claims: claims.map(() => 'status' as const), wrong };
};

/** Headers of ours tell what was done, under any heading. */
const isFuture = ({ content, heading }: ClaimLine): boolean => !header.test(content) && isPlan(content, heading);

const header = /^m\d{1,6}\s.*:$/;

/** A header of ours names a call by its words, and says what became of it at its end. */
function headerStatusFrom({ content }: ClaimLine): number {
  if (!header.test(content)) return 0;
  return /\sfailed(?: \(exit \d+\))?:$/.exec(content)?.index ?? content.length;
}

interface Case {
  readonly line: ClaimLine;
  readonly context: Context;
}

function judge(claim: StatusClaim, { line, context }: Case): WrongClaim | undefined {
  const opposite = oppositeStatus(claim.status);
  const clause = clauseOf(line, claim);
  const decided = decide(claim, clause, context);
  if (decided?.status !== opposite) return undefined;
  const said = line.content.slice(claim.start, claim.end);
  return {
    type: 'status',
    text: said,
    line: line.number,
    verdict: 'contradicted',
    refs: decided.refs,
    why: `${decided.refs[0] ?? 'the record'} says: ${decided.status}`,
    ...failedRow(decided.refs, context),
  };
}

/** The row of the newest call that failed: the line of the record that says so. */
function failedRow(refs: readonly Ref[], { facts, rows }: Context): { readonly row?: string } {
  const failed = refs.findLast((ref) => facts.actions.some((action) => action.ref === ref && action.ok === false));
  const row = failed && rows.step(failed);
  return row === undefined ? {} : { row };
}

/** What is known of the conversation beside its messages. */
export interface VerifyOptions {
  /** The ledger's facts of the same messages. @default extracted anew */
  readonly facts?: LedgerFacts;
  /** False for a message that stays in the context beside the summary, which need not repeat it. @default all are covered */
  readonly covers?: (ref: Ref) => boolean;
  /** Add what is missing to the text; a caller that adds it in its own way reads it from the report. @default true */
  readonly add?: boolean;
}

const checks: readonly Check[] = [
  checkAtoms,
  checkQuotes,
  checkRequests,
  checkRows,
  checkStatuses,
  checkUndone,
  checkTrackedLines,
  checkInstructions,
  checkSense,
  checkAnswers,
  checkPairs,
  checkChoices,
  checkDecisions,
];

/**
 * Holds a summary of any origin against the messages that it stands for, in their order; `m1` is the first of them.
 * Nothing is thrown for a bad summary: the report says what is wrong, and `text` is the summary with that put right.
 *
 * @throws SUMMARY_TOO_LONG for more than 60,000 characters or 1,500 lines, which no summary has
 *
 * @example
 * import { fromOpenAiChat, verifySummary } from '@palimpsest/core';
 * const messages = fromOpenAiChat([{ role: 'user', content: 'Move the ledgers.' }]);
 * const { holds, wrong, text } = verifySummary('## Active Task\n- Move the ledgers.', messages);
 */
export function verifySummary(
  summary: string,
  messages: readonly Message[],
  options: VerifyOptions = {},
): Verification {
  checkKnownOptions('verifySummary', options, { facts: true, covers: true, add: true });
  const { facts = factsOf(messages), covers = () => true, add = true } = options;
  refuseTooLong(summary);
  const clean = redact(summary);
  const lines = claimLines(summaryLines(clean), messages.length);
  const source = createSource(messages, wantedWords(lines, facts));
  const rows = createRecordRows(facts);
  const context: Context = {
    source,
    facts,
    rows,
    lines,
    lookup: new Lookup(source, facts),
    passages: createPassages(source),
    isVerbatim: createVerbatim(source, { facts, rows, spokenIn: spokenBy(messages) }),
    userWords: createUserWords(source),
    isUsers: (text) => lettersOf(text).length > 3 && userTextWith([lettersOf(text)], source) !== undefined,
  };
  const findings = rememberFindings(context);
  const checked: Partial<Record<ClaimType, number>> = {};
  const wrong: WrongClaim[] = [...secretClaims(summary)];
  for (const { type } of wrong) checked[type] = (checked[type] ?? 0) + 1;
  for (const line of lines) {
    if (line.type === 'blank' || line.type === 'fence') continue;
    if (line.content.length > maxLineChars) {
      checked.quote = (checked.quote ?? 0) + 1;
      wrong.push(...endlessLine(line, context));
      continue;
    }
    for (const found of findings(line)) {
      for (const type of found.claims) checked[type] = (checked[type] ?? 0) + 1;
      for (const claim of found.wrong) wrong.push({ ...claim, line: line.number });
    }
  }
  const input = { summary, clean, wrong };
  const missing = missingIn(context, { ...input, covers, add });
  const { text, changes } = mend(context, { ...input, missing: add ? missing : [] });
  return { holds: wrong.length === 0 && missing.length === 0, checked, wrong, missing, text, changes };
}

function refuseTooLong(summary: string): void {
  const excess = excessOf(summary);
  if (excess === undefined) return;
  const message = `Expected a summary of at most ${mostOfSummary}, got ${excess}: check it part by part, or make sure that it is a summary.`;
  throw new PalimpsestError('SUMMARY_TOO_LONG', message, { evidence: { characters: summary.length } });
}

interface Judged {
  readonly summary: string;
  readonly clean: string;
  readonly wrong: readonly WrongClaim[];
  readonly covers: (ref: Ref) => boolean;
  readonly add: boolean;
}

/** A line more may make a summary one that quotes: then the others have to be quoted too. */
const mostRounds = 3;

/** What is missing once what is wrong has been taken out, and still when what is missing has been added. */
function missingIn(context: Context, { covers, add, ...input }: Judged): readonly MissingFact[] {
  let missing: readonly MissingFact[] = [];
  for (let round = 0; round < (add ? mostRounds : 1); round++) {
    const { text, changes } = mend(context, { ...input, missing });
    const isChanged = changes.some(({ action }) => action !== 'masked');
    const left = isChanged ? text : input.clean;
    const lines = isChanged ? claimLines(summaryLines(left), context.source.messages) : context.lines;
    const known = new Set(missing.map(({ ref }) => ref));
    const more = missingFrom(
      { ...context, lines },
      { clean: round === 0 ? input.clean : left, summary: left, covers },
    ).filter(({ ref }) => !known.has(ref));
    if (more.length === 0) break;
    missing = [...missing, ...more].sort((a, b) => Number(a.ref.slice(1)) - Number(b.ref.slice(1)));
  }
  return missing;
}

/** What the checks find in a line; a line that says the same in the same place is looked at once. */
function rememberFindings(context: Context): (line: ClaimLine) => readonly Checked[] {
  const known = new Map<string, readonly Checked[]>();
  return (line) => {
    const { text, type, heading, scope, isUnder } = line;
    const key = [type, scope, isUnder, heading, text].join('\n');
    const found = known.get(key) ?? piecesOf(line).flatMap((piece) => findingsIn(piece, context));
    known.set(key, found);
    return found;
  };
}

/** Where it is known what the line was meant to say, nothing else that is wrong in it needs a verdict of its own. */
function findingsIn(piece: ClaimLine, context: Context): readonly Checked[] {
  const retyped = checkRetyped(piece, context);
  return retyped.wrong.length > 0 ? [retyped] : [retyped, ...checks.map((check) => check(piece, context))];
}

/** A line that no writer of summaries writes holds where the record says it word for word, and nowhere else. */
function endlessLine({ content, number }: ClaimLine, { source }: Context): readonly WrongClaim[] {
  if (source.textSearch(content.trim()).length > 0) return [];
  const text = `${content.slice(0, 80)}…`;
  const why = `a line of ${content.length} characters that nobody said is none of a summary`;
  return [{ type: 'quote', text, line: number, verdict: 'unsupported', why, refs: [] }];
}

/** The words that places are needed of: the summary's, and those of requests and plans that it should tell of. */
function wantedWords(lines: readonly ClaimLine[], { asks, plan }: LedgerFacts): ReadonlySet<string> {
  const wanted = new Set(lines.flatMap(({ words }) => words.map(({ word }) => word)));
  const told = [...asks.map(({ text }) => text.slice(0, askChars)), ...(plan?.entries ?? []).map(({ text }) => text)];
  for (const text of told) wordsOf(text, (word) => wanted.add(word));
  return wanted;
}

/** What the assistant says in a message, sentence by sentence; read once. */
function spokenBy(messages: readonly Message[]): (message: number) => readonly string[] {
  const known = new Map<number, readonly string[]>();
  return (at) => {
    const message = messages[at];
    const found = known.get(at) ?? (message ? spokenIn(redactedMessage(message)) : []);
    known.set(at, found);
    return found;
  };
}

/** The facts of a conversation, without the lines that a whole ledger would keep beside them. */
function factsOf(messages: readonly Message[]): LedgerFacts {
  const tracker = new Tracker();
  for (const [at, message] of messages.entries()) tracker.add(redactedMessage(message), refAt(at));
  return tracker.facts();
}
