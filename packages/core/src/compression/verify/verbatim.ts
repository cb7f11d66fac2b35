/** Lines that need no check: the conversation says them word for word, or the ledger derives them from its facts. */
import { plainUnmarked } from '../handoff-rows.ts';
import type { LedgerFacts } from '../ledger/facts.ts';
import { turnLines } from '../ledger/outline.ts';
import { lengthOf } from '../ledger/quotes.ts';
import type { Ref } from '../ref.ts';
import { type ClaimLine, refHeader } from './claim-line.ts';
import { negatedSentence } from './cut-quotes.ts';
import { isFileRow } from './file-rows.ts';
import type { RecordRows } from './record-rows.ts';
import type { Source } from './source.ts';
import { lettersOf } from './user-words.ts';
import { isNegated } from './words/negations.ts';

const turnSpan = /^m(\d{1,6})(?:-m(\d{1,6}))? changed /;
/** Shorter texts occur by chance. */
const leastChars = 12;
/** Letters of a piece between two marks. */
const leastPiece = 4;

/** What else tells such lines. */
export interface VerbatimInput {
  readonly facts: LedgerFacts;
  readonly rows: RecordRows;
  /** What an assistant says in a message, sentence by sentence, as the ledger reads it. */
  readonly spokenIn: (message: number) => readonly string[];
}

interface Wanted {
  readonly least: number;
  readonly scope: number | undefined;
}

/** Tells such lines; the answer is remembered for each line. */
export function createVerbatim(
  source: Source,
  { facts, rows: { outline, of }, spokenIn }: VerbatimInput,
): (line: ClaimLine) => boolean {
  const derived = new Set(
    outline.flatMap(({ content, text }) => {
      const rows = text.split('\n').map((line) => line.replace(/^#+ /, '').trim());
      // What the assistant said of a file stands below its row.
      return content === 'files' ? [...rows, ...rows.map((row) => `${row}:`)] : rows;
    }),
  );
  const known = new Map<ClaimLine, boolean>();
  /** An earlier summary bears a line out only where the line names it, and a part of a sentence of others likewise. */
  const isSaid = (text: string, { least, scope }: Wanted): boolean =>
    text.length >= least &&
    source.textSearch(text).some((at) => {
      const [speaker, isNamed] = [source.speakerOf(at), source.messageOf(at) === scope];
      if (speaker === 'summary' && !isNamed) return false;
      return (isNamed && speaker !== 'person') || !isCutFromDenial(text, at);
    });
  /** `delete user data` is not what `under no circumstances delete user data` says. */
  const isCutFromDenial = (text: string, at: number): boolean =>
    !isNegated(text) && negatedSentence([text], source.around(at, 1)) !== undefined;
  /** `m3-m77 changed ledger.ts view.ts +2`: looked up again. */
  const isTurn = (text: string): boolean => {
    const span = turnSpan.exec(text);
    if (!span) return false;
    const [first, last] = [Number(span[1]), Number(span[2] ?? span[1])];
    const within = (ref: Ref): boolean => Number(ref.slice(1)) >= first && Number(ref.slice(1)) <= last;
    return turnLines(facts, within).some((line) => line.text.trim() === text.trim());
  };
  /** `Move … to the shelf. (2706 characters in all)`: pieces of a long request in their order. */
  const isShortened = (text: string, scope: number | undefined): boolean => {
    const [, said = '', length] =
      /^([\s\S]*?)(?: \((\d+) characters in all\))?$/.exec(text.replace(refHeader, '')) ?? [];
    const ask = facts.asks.find(({ ref }) => ref === `m${(scope ?? -1) + 1}`);
    if (!ask || !said.includes('…') || (length !== undefined && lengthOf(ask) !== Number(length))) return false;
    return standInOrder(said.split('…').map(lettersOf), lettersOf(ask.text));
  };
  const look = ({ content, text: whole, scope, isUnder }: ClaimLine): boolean => {
    if (derived.has(content.trim()) || derived.has(whole.replace(/^[\s#]+/, '').trim())) return true;
    if (scope !== undefined && of(scope).includes(content)) return true;
    if (isTurn(content) || isShortened(content, scope) || isFileRow(content, facts, spokenIn)) return true;
    const spoken = scope === undefined ? [] : spokenIn(scope).map(lettersOf);
    if (isOfSentences(lettersOf(plainUnmarked(whole.trim().replace(refHeader, ''))), spoken)) return true;
    const text = plainUnmarked(content.replace(refHeader, '').replace(/…$/, '').trim());
    // What stands below a header comes from its message, however short it is.
    const least = isUnder ? 2 : leastChars;
    const wanted = { least, scope };
    // A heading of an earlier summary opens a row.
    const title = /\d earlier summary: (.+)[:：]$/u.exec(content)?.[1];
    if (title !== undefined && isSaid(title, { least: 2, scope })) return true;
    return isSaid(text, wanted) || isSaid(text.replaceAll('`', '').replaceAll('**', ''), wanted);
  };
  return (line) => {
    const found = known.get(line) ?? look(line);
    known.set(line, found);
    return found;
  };
}

/** True where a text has pieces in their order, none of them shorter than `leastPiece`. */
function standInOrder(pieces: readonly string[], text: string): boolean {
  let from = 0;
  return pieces.every((piece) => {
    const at = text.indexOf(piece, from);
    from = at + piece.length;
    return at >= 0 && piece.length >= leastPiece;
  });
}

/** True for sentences of one message, in their order; a handoff leaves out what stands between them. */
function isOfSentences(text: string, sentences: readonly string[]): boolean {
  let at = 0;
  for (const said of sentences) if (said !== '' && text.startsWith(said, at)) at += said.length;
  return text !== '' && at === text.length;
}
