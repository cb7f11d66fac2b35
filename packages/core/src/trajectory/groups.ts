/** Turns that are never parted: a model's turn with all that the tools answered; anything else stands alone. */
import type { Turn } from './turn.ts';

/** A stretch of turns, by index: the first, and the one after the last. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The groups of turns, in order. Turns of a model behind each other, and the answers of tools behind anything, go together. */
export function groupsOf(turns: readonly Turn[]): readonly Range[] {
  const groups: { from: number; to: number }[] = [];
  for (const [at, { speaker }] of turns.entries()) {
    const before = turns[at - 1]?.speaker;
    const goesOn = before !== undefined && (speaker === 'tool' || (speaker === 'gpt' && before === 'gpt'));
    const last = groups.at(-1);
    if (goesOn && last) last.to = at + 1;
    else groups.push({ from: at, to: at + 1 });
  }
  return groups;
}
