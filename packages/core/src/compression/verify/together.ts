/** Names that do occur, but not together: a file beside the number of a message that is about another file. */
import type { Action } from '../ledger/facts.ts';
import type { Atom } from './atoms.ts';
import type { ClaimLine } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { clauseOf } from './clause.ts';
import type { Context } from './context.ts';
import { bare } from './lookup.ts';

/** Calls on one file. */
const onFiles: ReadonlySet<Action['type']> = new Set(['create', 'change', 'delete']);

/**
 * The line names a message whose calls change files, and a file that none of them, nor anything else in the message or
 * its result, names.
 */
export function otherFile(atom: Atom, whole: ClaimLine, { facts, source, rows }: Context): WrongClaim | undefined {
  if (atom.type !== 'path' || atom.isCut) return undefined;
  const line = clauseOf(whole, atom);
  const [at, ...more] = [...new Set([...line.refs, ...(line.scope === undefined ? [] : [line.scope])])];
  if (at === undefined || more.length > 0 || line.atoms.filter(({ type }) => type === 'path').length !== 1) {
    return undefined;
  }
  const calls = facts.actions.filter(({ ref }) => Number(ref.slice(1)) - 1 === at);
  const name = bare(atom.text).split('/').at(-1) ?? atom.text;
  if (calls.length === 0 || !calls.every(({ type, target }) => onFiles.has(type) && !target.includes(name))) {
    return undefined;
  }
  const isThere = source.textSearch(name).some((place) => [at, at + 1].includes(source.messageOf(place)));
  const [call] = calls;
  if (isThere || !call) return undefined;
  const claim = {
    type: 'path',
    text: atom.text,
    line: whole.number,
    verdict: 'contradicted',
    refs: [call.ref],
  } as const;
  const correction = calls.length === 1 ? { correction: call.target } : {};
  const row = rows.step(call.ref);
  return { ...claim, why: `${call.ref} is about ${call.target}`, ...correction, ...(row === undefined ? {} : { row }) };
}
