/** A line of a summary, taken apart once for all the checks. */
import type { Ref } from '../ref.ts';
import type { SummaryLine } from '../summary-lines.ts';
import { type Atom, atomsIn } from './atoms.ts';
import type { ClaimType, WrongClaim } from './claims.ts';
import { wordsOf } from './words-of.ts';

/** A word of a line. */
export interface LineWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly isPiece: boolean;
}

export interface ClaimLine extends SummaryLine {
  readonly atoms: readonly Atom[];
  readonly words: readonly LineWord[];
  /** Refs of ours that the line names, as indexes of messages. */
  readonly refs: readonly number[];
  /** How many messages there are to name. */
  readonly messages: number;
  /** The message whose header stands above the line, or that the line opens with; undefined when there is none. */
  readonly scope: number | undefined;
  /** True for a line below such a header, as the ledger indents them. */
  readonly isUnder: boolean;
  /** Of a row of the index, the first and the last message in which its names were seen, and where they begin. */
  readonly index: IndexSpan | undefined;
}

/** The messages of a row of the index, and the column of its first name. */
export interface IndexSpan {
  readonly first: number;
  readonly last: number;
  readonly start: number;
}

/** The claim of a whole line, which the message contradicts; why is for the caller to say. */
export const lineClaim = (type: ClaimType, { content, number }: ClaimLine, ref: Ref): Omit<WrongClaim, 'why'> => ({
  type,
  text: content,
  line: number,
  verdict: 'contradicted',
  refs: [ref],
});

const refMark = /(?<![\w/.-])m(\d{1,6})(?:-m(\d{1,6}))?(?![\w/])/g;
const refOpening = /^(?:→\s*)?m(\d{1,6})(?:-m\d{1,6})?(?=[\s:,：，、])/;
/** A header of ours covers the lines below it that begin with a space. */
const below = /^ (?! )/;

/** The lines of a summary with their atoms and words. `messages`: how many there are to name. */
export function claimLines(lines: readonly SummaryLine[], messages: number): readonly ClaimLine[] {
  let header: number | undefined;
  return lines.map((line): ClaimLine => {
    const { content } = line;
    const words: LineWord[] = [];
    const isJudged = content.length <= maxLineChars;
    if (isJudged) wordsOf(content, (word, { start, end, isPiece }) => words.push({ word, start, end, isPiece }));
    const opening = refAtStart(content, messages);
    if (opening !== undefined) header = opening;
    else if (line.type === 'blank' || (line.type === 'heading' && !below.test(line.text))) header = undefined;
    // A line that somebody put between them takes nothing from those behind it.
    const isBelow = opening === undefined && header !== undefined && below.test(line.text);
    const atoms =
      !isJudged || line.type === 'fence' || line.type === 'blank' ? [] : atomsIn(content, line.type === 'code');
    return {
      ...line,
      atoms,
      words,
      refs: refsIn(content, messages),
      messages,
      scope: opening ?? (isBelow ? header : undefined),
      isUnder: isBelow,
      index: indexOf(line),
    };
  });
}

/** How a line names the message that it is of, and who spoke. */
export const refHeader: RegExp =
  /^(?:#+ )?(?:→\s*)?m\d{1,6}(?:-m\d{1,6})?\s+(?:(?:user|assistant(?:'s plan)?|host|system|earlier summary):\s*)?/;

/** How the ledger opens a message of the user. */
export const userHeader: RegExp = /^m\d{1,6}(?:-m\d{1,6})? user:\s*/;

/** True for the ledger's list of names: a row of the index, or below a step, as older handoffs have them. */
export const isNames = (line: ClaimLine): boolean =>
  line.index !== undefined || (line.isUnder && line.text.startsWith(' + '));

/** With a file of older handoffs, or with what the messages are about. */
const indexOpening = /^m(\d{1,6})(?:-m(\d{1,6}))?(?: [\w.@-]+| \([\p{L}\p{M}\p{N} ]+\))?: /u;

function indexOf({ text, content }: SummaryLine): IndexSpan | undefined {
  const row = text.startsWith(' + ') ? indexOpening.exec(content) : null;
  if (!row) return undefined;
  const first = Number(row[1]) - 1;
  return { first, last: Number(row[2] ?? row[1]) - 1, start: row[0].length };
}

function refAtStart(content: string, messages: number): number | undefined {
  const at = Number(refOpening.exec(content)?.[1] ?? 0) - 1;
  return at >= 0 && at < messages ? at : undefined;
}

/** Refs of ours in a text, as indexes of messages. */
export function refsIn(content: string, messages: number): readonly number[] {
  return [...content.matchAll(refMark)].map((match) => Number(match[1]) - 1).filter((at) => at >= 0 && at < messages);
}

/** Checks look at a line as a whole, at times word against word: longer ones are held piece by piece. */
const pieceChars = 1_000;

/** No line of a summary is so long; one that is can only be held as a whole, against the very words of the record. */
export const maxLineChars = 8_000;

/** The line, or its pieces where it is very long, each with what it names; cut between words where there are any. */
export function piecesOf(line: ClaimLine): readonly ClaimLine[] {
  if (line.content.length <= pieceChars) return [line];
  const pieces: ClaimLine[] = [];
  for (let from = 0; from < line.content.length; ) {
    const space = line.content.lastIndexOf(' ', from + pieceChars);
    const to =
      from + pieceChars >= line.content.length ? line.content.length : space > from ? space : from + pieceChars;
    const content = line.content.slice(from, to);
    const [piece] = claimLines([{ ...line, text: content, content }], line.messages);
    const { scope, isUnder, index } = line;
    if (piece) pieces.push({ ...piece, text: isNames(line) ? line.text : content, scope, isUnder, index });
    from = to;
  }
  return pieces;
}
