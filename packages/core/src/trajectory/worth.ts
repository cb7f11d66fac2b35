/** What turns and lines are worth to a model that learns from the rest, beside what they cost. */
import type { Names } from './names.ts';
import type { Turn } from './turn.ts';

/** What counts how much beside the chance of a name to be needed; measured on whole sessions (docs/decisions/0041-trajectory-value.md). */
const worthWeights = {
  /** By a UTF-16 unit of the model's own text, which bears labels, and of the person's. */
  label: 0.008,
  human: 0.004,
  /** A name in an answer that nobody used afterwards counts so much. */
  unused: 0.3,
  /** But where little came after it, for what is to stay in all: as a share of the target. */
  open: 0.6,
} as const;

/** What a turn is worth beside its names. */
export function ownWorth({ speaker, text }: Turn): number {
  if (speaker === 'gpt') return worthWeights.label * text.length;
  return speaker === 'human' ? worthWeights.human * text.length : 0;
}

/** Where a name stands: the names of its trajectory, and the tokens that are to stay of it. */
export interface NameScope {
  readonly names: Names;
  readonly targetTokens: number;
}

/** What it is worth to show a name of a turn to what stands behind the turn: less where nobody used it in all that came. */
export function nameWorth(name: number, at: number, { names, targetTokens }: NameScope): number {
  const { worths, lastUse, behind } = names;
  const worth = worths[name] ?? 0;
  if ((lastUse[name] ?? -1) > at) return worth;
  const { unused, open } = worthWeights;
  return worth * (unused + (1 - unused) * Math.exp(-(behind[at] ?? 0) / (open * targetTokens)));
}
