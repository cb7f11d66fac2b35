/** Answers that broke off: each is kept as a side conversation, whose end says why. No sub-agent has said them. */
import type { Session } from './session-store.ts';

/** Why there is no more of an answer: its stream failed, or nobody wanted the rest. */
export type BrokenAnswerEnd = 'broken_off' | 'called_off';

const ends: ReadonlySet<string | undefined> = new Set<BrokenAnswerEnd>(['broken_off', 'called_off']);

/** True for the session of an answer that broke off. */
export const isBrokenAnswer = ({ relation, endReason }: Pick<Session, 'relation' | 'endReason'>): boolean =>
  relation === 'side' && ends.has(endReason);
