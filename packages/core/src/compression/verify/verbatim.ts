/** Lines that need no check: the conversation says them word for word, or the ledger derives them from its facts. */
import type { LedgerFacts } from '../ledger/facts.ts';
import { turnLines } from '../ledger/outline.ts';
import type { Ref } from '../ref.ts';
import { type ClaimLine, refHeader } from './claim-line.ts';
import { negatedSentence } from './cut-quotes.ts';
import type { RecordRows } from './record-rows.ts';
import type { Source } from './source.ts';
import { lettersOf } from './user-words.ts';
import { isNegated } from './words/negations.ts';

const turnSpan = /^m(\d{1,6})(?:-m(\d{1,6}))? did /;
/** Shorter texts occur by chance. */
const leastChars = 12;

interface Wanted {
  readonly least: number;
  readonly scope: number | undefined;
}

/** Tells such lines; the answer is remembered for each line. */
export function createVerbatim(
  source: Source,
  facts: LedgerFacts,
  { outline, of }: RecordRows,
): (line: ClaimLine) => boolean {
  const derived = new Set(
    outline.flatMap(({ text }) => text.split('\n').map((line) => line.replace(/^#+ /, '').trim())),
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
  /** `m3-m77 did 34 bash, 7 view (1 failed)`: counted again. */
  const isCount = (text: string): boolean => {
    const span = turnSpan.exec(text);
    if (!span) return false;
    const [first, last] = [Number(span[1]), Number(span[2] ?? span[1])];
    const within = (ref: Ref): boolean => Number(ref.slice(1)) >= first && Number(ref.slice(1)) <= last;
    return turnLines(facts, within).some((line) => line.text.trim() === text.trim());
  };
  /** `… (2706 characters in all)`: the opening of a long request, and its length. */
  const isLength = (text: string, scope: number | undefined): boolean => {
    const length = /^([\s\S]*?)…? \((\d+) characters in all\)$/.exec(text);
    const ask = facts.asks.find(({ ref }) => ref === `m${(scope ?? -1) + 1}`);
    if (!length || !ask || ask.text.length !== Number(length[2])) return false;
    return lettersOf(ask.text).startsWith(lettersOf((length[1] ?? '').replace(refHeader, '')));
  };
  const look = ({ content, text: whole, scope, isUnder }: ClaimLine): boolean => {
    if (derived.has(content.trim()) || derived.has(whole.replace(/^[\s#]+/, '').trim())) return true;
    if (scope !== undefined && of(scope).includes(content)) return true;
    if (isCount(content) || isLength(content, scope)) return true;
    const text = content.replace(refHeader, '').replace(/…$/, '').trim();
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
