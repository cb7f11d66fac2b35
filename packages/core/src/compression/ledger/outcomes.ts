/** What came of each request: the words that ended its turn. */
import type { Ref } from '../result.ts';
import { choiceIn, isPoint, pointWith } from './choices.ts';
import type { Corpus, LineStats } from './corpus.ts';
import { leadsIn } from './cues.ts';
import type { LedgerFacts } from './facts.ts';
import { type OutlineLine, position } from './names.ts';
import { bareText } from './once.ts';
import { isTableHead } from './tables.ts';

interface Range {
  readonly corpus: Corpus;
  readonly facts: LedgerFacts;
  readonly from: number;
  readonly to: number;
}

/** The last words that told something about each request that is quoted, by their message. */
export function closingsOf(
  { corpus, facts, from, to }: Range,
  outline: readonly OutlineLine[],
): ReadonlyMap<number, Ref> {
  const quoted = new Set(outline.map(({ ref }) => ref));
  // What is under way has no outcome yet.
  const underWay = new Set(outline.flatMap(({ content, ref }) => (content === 'progress' ? [position(ref) - 1] : [])));
  const closings = new Map<number, Ref>();
  for (const [at, { ref }] of facts.asks.entries()) {
    const end = facts.asks[at + 1];
    const stop = end ? position(end.ref) - 1 : corpus.messageLines.length;
    const last = corpus.messageLines.slice(position(ref), stop).findLastIndex((lines) => lines.some(isTelling));
    const message = position(ref) + last;
    if (last >= 0 && message >= from && message < to && quoted.has(ref) && !underWay.has(message))
      closings.set(message, ref);
  }
  return closings;
}

const isTelling = (line: LineStats): boolean => isSentence(line) || isRow(line);
const isSentence = ({ told, text }: LineStats): boolean => told.length > 0 && !leadsIn(text);
const isRow = (line: LineStats): boolean => line.table !== undefined && !isTableHead(line);

/** The words that ended a turn. */
interface Closing {
  readonly message: number;
  readonly ref: Ref;
  /** True where it ends with a question that nobody has answered yet, and that stands nowhere else. */
  readonly isAsked: boolean;
}

const mostSentences = 2;
const mostRows = 4;

/** The lines that tell an outcome: what was chosen, what was asked, the first that tell something. */
export function outcomeLines(
  { corpus, facts }: Pick<Range, 'corpus' | 'facts'>,
  { message, ref, isAsked }: Closing,
): ReadonlySet<LineStats> {
  // What was said again later stands there.
  const open = facts.outstanding.filter((one) => position(one.ref) === message + 1).map(({ text }) => bareText(text));
  // What is not done yet stands among what is left.
  const lines = (corpus.messageLines[message] ?? []).filter(
    ({ lastMessage, text }) => lastMessage === message && !open.includes(bareText(text)),
  );
  const answer = facts.asks[facts.asks.findIndex((ask) => ask.ref === ref) + 1];
  const choice = answer && choiceIn(answer.text);
  // What was chosen or asked, before what else was said: a short answer alone does not tell.
  const chosen = choice === undefined ? [] : pointFrom(lines, pointWith(lines, choice));
  const isAnswered = isAsked || (answer !== undefined && answer.text.length <= answerChars);
  const question = isAnswered ? lines.findLast(isQuestion) : undefined;
  const sentences = lines.filter(isSentence).slice(0, mostSentences);
  // A table tells where nothing else does.
  const telling = sentences.length > 0 ? sentences : lines.filter(isRow).slice(0, mostRows);
  return new Set([...chosen, question, ...telling].filter((line) => line !== undefined));
}

const mostPointSentences = 3;

/** A point with the sentences that follow it right behind, up to the next one. */
function pointFrom(lines: readonly LineStats[], point: LineStats | undefined): readonly LineStats[] {
  const start = point ? lines.indexOf(point) : -1;
  if (start < 0) return [];
  const next = lines.findIndex(
    (line, at) => at > start && (line.lastLine !== (lines[at - 1]?.lastLine ?? 0) + 1 || isPoint(line.text)),
  );
  return lines.slice(start, Math.min(next < 0 ? lines.length : next, start + mostPointSentences));
}

/** A shorter message may answer a question. */
const answerChars = 60;

const isQuestion = ({ speaker, text }: LineStats): boolean => speaker === 'assistant' && /[?？]["')\]*_]*$/.test(text);
