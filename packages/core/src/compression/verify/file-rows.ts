/** Rows of a handoff that tell of files: borne out where the facts say the same, and the assistant what it was for. */
import type { FileFact, LedgerFacts } from '../ledger/facts.ts';
import { shortPath } from '../ledger/state-rows.ts';
import { lettersOf } from './user-words.ts';

/** `m437 changed api/auth.ts: Add the address to the session` */
const purposeRow = /^m(\d{1,6}) (created|changed|deleted) (\S.*?): (.+)$/;
/** `m35-m154 also changed: src/main.ts, src/new.ts` */
const namesRow = /^m(\d{1,6})(?:-m(\d{1,6}))? (also changed|read, not changed): (.+)$/;

/** True for a row of files as the facts have them. `spokenIn`: what an assistant says in a message, by its index. */
export function isFileRow(
  text: string,
  { files }: Pick<LedgerFacts, 'files'>,
  spokenIn: (message: number) => readonly string[],
): boolean {
  const [, at, state, path, words = ''] = purposeRow.exec(text) ?? [];
  if (at !== undefined) {
    const isKnown = files.some(
      (file) => file.ref === `m${at}` && file.state === state && shortPath(file.path) === path,
    );
    // The words stand beside the call, or in the message before it.
    const said = [Number(at) - 1, Number(at) - 2].flatMap(spokenIn);
    return isKnown && said.some((sentence) => lettersOf(sentence) === lettersOf(words));
  }
  const [, first, last = first, how, names = ''] = namesRow.exec(text) ?? [];
  if (first === undefined) return false;
  const isMeant = ({ ref, state }: FileFact): boolean => {
    const number = Number(ref.slice(1));
    return number >= Number(first) && number <= Number(last) && (state === 'read') === (how !== 'also changed');
  };
  const known = new Set(files.filter(isMeant).map((file) => shortPath(file.path)));
  return names.split(', ').every((name) => known.has(name));
}
