/** Puts kept turns and summaries together, so that no two turns of the person stand behind each other. */
import type { Piece } from './formats/entry.ts';
import { pieceBreak } from './formats/entry.ts';
import type { Range } from './groups.ts';
import type { Turn } from './turn.ts';
import { keptTurn, type NewTurn } from './write.ts';

/** A region and the text that stands for it. */
export interface Told extends Range {
  readonly text: string;
}

export interface Assembling {
  /** The turns as they stand in the new record, by index. */
  readonly turns: readonly Turn[];
  /** False for a plan that puts turns beside each other. */
  readonly joins: boolean;
  /** True for a turn that the format writes in the name of the person, as results of tools are in Anthropic's. */
  readonly isPersons: (turn: Turn) => boolean;
}

/**
 * The turns of the new record. A summary is a turn of the person; where it would stand beside one that stays, both become one
 * turn, in their order, and every word of it is there.
 */
export function assembleTurns(told: readonly Told[], { turns, joins, isPersons }: Assembling): readonly NewTurn[] {
  const made: NewTurn[] = [];
  let at = 0;
  for (const { from, to, text } of told) {
    for (; at < from; at++) made.push(keptTurn(at));
    const before = turns[from - 1];
    const last = made.at(-1);
    if (joins && before && isPersons(before) && last && last.type !== 'changed') {
      made[made.length - 1] = joined([...piecesOf(turns, last), text]);
    } else made.push(joined([text]));
    at = to;
    const next = turns[to];
    if (joins && next?.speaker === 'human' && !told.some((other) => other.from === to)) {
      made[made.length - 1] = joined([...piecesOf(turns, made.at(-1) ?? joined([])), next]);
      at = to + 1;
    }
  }
  for (; at < turns.length; at++) made.push(keptTurn(at));
  return made;
}

function piecesOf(turns: readonly Turn[], turn: NewTurn): readonly Piece[] {
  if (turn.type === 'made') return turn.pieces;
  const kept = turns[turn.at];
  return kept ? [kept] : [];
}

function joined(pieces: readonly Piece[]): NewTurn & { readonly type: 'made' } {
  const text = pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join(pieceBreak);
  return { type: 'made', pieces, text };
}
