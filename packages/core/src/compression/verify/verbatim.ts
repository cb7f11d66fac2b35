/** Lines that need no check: the conversation says them word for word, or the ledger derives them from its facts. */
import { plainUnmarked } from '../handoff-rows.ts';
import type { LedgerFacts } from '../ledger/facts.ts';
import { type ClaimLine, refHeader } from './claim-line.ts';
import { negatedSentence } from './cut-quotes.ts';
import type { RecordRows } from './record-rows.ts';
import type { Source } from './source.ts';
import { createToldRows } from './told-rows.ts';
import { lettersOf } from './user-words.ts';
import { isNegated } from './words/negations.ts';

/** Shorter texts occur by chance. */
const leastChars = 12;

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
      // What the assistant said of a file stands below its row; what another row says already does not.
      return content === 'files'
        ? [...rows, ...rows.map((row) => `${row}:`)]
        : [...rows, ...rows.map((row) => row.replace(/:$/, ''))];
    }),
  );
  const isToldRow = createToldRows(facts, spokenIn);
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
  /** Sentences of one message, in their order; a handoff leaves out what stands between them. */
  const isSpoken = (text: string, scope: number | undefined): boolean => {
    const letters = scope === undefined ? '' : lettersOf(text);
    let at = 0;
    for (const said of letters === '' ? [] : spokenIn(scope ?? -1).map(lettersOf))
      if (said !== '' && letters.startsWith(said, at)) at += said.length;
    return letters !== '' && at === letters.length;
  };
  const look = ({ content, text: whole, scope, isUnder }: ClaimLine): boolean => {
    if (derived.has(content.trim()) || derived.has(whole.replace(/^[\s#]+/, '').trim())) return true;
    if (scope !== undefined && of(scope).includes(content)) return true;
    if (isToldRow(content, scope)) return true;
    if (isSpoken(plainUnmarked(whole.trim().replace(refHeader, '')), scope)) return true;
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
