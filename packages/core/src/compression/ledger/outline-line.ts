/** A line of a handoff that a fact fills. */
import type { Ref } from '../result.ts';
import type { SectionContent } from './templates.ts';

/** One line, where it belongs, and the message it tells of. */
export interface OutlineLine {
  readonly content: SectionContent;
  readonly ref: Ref;
  readonly text: string;
  /** Set for a rule that stands in a long request, which has a line of its own. */
  readonly isRule?: true;
}

/** No line has fewer tokens. */
export const leastLine = 6;

/** The number in a ref. */
export const position = (ref: Ref): number => Number(ref.slice(1));
