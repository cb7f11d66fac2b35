/** Rows that the ledger writes of a turn, of files and of a long request: each is looked up in the facts again. */
import { fileListIn } from '../handoff-rows.ts';
import type { LedgerFacts } from '../ledger/facts.ts';
import { leftOutOf } from '../ledger/inherited.ts';
import { flat, position, withinRow } from '../ledger/names.ts';
import { listStateOf, turnLines } from '../ledger/outline.ts';
import { formsOf, lengthOf } from '../ledger/quotes.ts';
import { shortPath, wholePath } from '../ledger/state-rows.ts';
import type { Ref } from '../ref.ts';
import { refHeader } from './claim-line.ts';
import { deniedPart } from './cut-quotes.ts';
import { lettersOf } from './user-words.ts';

const turnSpan = /^m(\d{1,6})(?:-m(\d{1,6}))? changed /;
/** Letters of a piece between two marks. */
const leastPiece = 4;

/** Tells such rows. `scope`: the index of the message that a row is of. */
export function createToldRows(
  facts: LedgerFacts,
  spokenIn: (message: number) => readonly string[],
): (text: string, scope: number | undefined) => boolean {
  /** `m3-m77 changed ledger.ts view.ts +2`: looked up again. */
  const isTurn = (text: string): boolean => {
    const span = turnSpan.exec(text);
    if (!span) return false;
    const [first, last] = [Number(span[1]), Number(span[2] ?? span[1])];
    const within = (ref: Ref): boolean => Number(ref.slice(1)) >= first && Number(ref.slice(1)) <= last;
    return turnLines(facts, within).some((line) => line.text.trim() === text.trim());
  };
  /** `m35-m154 also changed: src/main.ts, src/new.ts`: each of them, between these messages. */
  const isFileList = (text: string): boolean => {
    const list = fileListIn(text);
    if (list === undefined) return false;
    const within = facts.files.filter(
      ({ ref, state }) =>
        listStateOf(state) === list.state && position(ref) >= list.first && position(ref) <= list.last,
    );
    const paths = new Set(within.flatMap(({ path }) => [shortPath(path), wholePath(path)]));
    return list.paths.every((path) => paths.has(path));
  };
  /** `m5-m79 left out here: 5 requests`: no more than were made between these two. */
  const isLeftOut = (text: string): boolean => {
    const row = leftOutOf(text);
    if (!row) return false;
    const [first, last] = [position(row.first), position(row.last)];
    const made = facts.asks.filter(({ ref }) => position(ref) >= first && position(ref) <= last);
    return row.count > 0 && row.count <= made.length + (facts.leftOut?.count ?? 0);
  };
  /** `m437 changed api/auth.ts: Add the e-mail.`: what was done to it, and what the assistant said before it was done. */
  const isPurpose = (text: string, scope: number | undefined): boolean =>
    scope !== undefined &&
    facts.files.some(({ ref, state, path }) => {
      const rows = [shortPath(path), wholePath(path)].map((shown) => `${ref} ${state} ${shown}: `);
      const row = rows.find((one) => text.startsWith(one));
      if (state === 'read' || position(ref) !== scope + 1 || row === undefined) return false;
      const words = lettersOf(text.slice(row.length));
      const before = [...spokenIn(scope), ...spokenIn(scope - 1)];
      return words !== '' && before.some((said) => lettersOf(withinRow(flat(said))) === words);
    });
  /** `Move … to the shelf. (2706 characters in all)`: pieces of a long request in their order. */
  const isShortened = (text: string, scope: number | undefined): boolean => {
    const content = text.replace(refHeader, '');
    const [, said = '', length] = /^([\s\S]*?)(?: \((\d+) characters in all\))?$/.exec(content) ?? [];
    const ask = facts.asks.find(({ ref }) => ref === `m${(scope ?? -1) + 1}`);
    if (!ask || !said.includes('…') || (length !== undefined && lengthOf(ask) !== Number(length))) return false;
    if (formsOf(ask, ask.rules ?? []).includes(content)) return true;
    const letters = lettersOf(ask.text);
    const parts = said.split('…');
    let from = 0;
    const isInOrder = parts.map(lettersOf).every((piece) => {
      const at = letters.indexOf(piece, from);
      from = at + piece.length;
      return at >= 0 && piece.length >= leastPiece;
    });
    return isInOrder && deniedPart(parts, ask.text) === undefined;
  };
  return (text, scope) =>
    isTurn(text) || isLeftOut(text) || isFileList(text) || isPurpose(text, scope) || isShortened(text, scope);
}
