/** What of a message goes into the index. */
import type { Message } from '../../transcript/message.ts';
import { searchFields } from './fields.ts';
import { scanTerms } from './scan.ts';

/** How much of one text is indexed, in characters; what stands behind is found by nothing. */
export const longestIndexed = 1_000_000;

export interface IndexedMessage {
  /** Distinct. */
  readonly terms: ReadonlySet<string>;
  /** Characters of the texts that can be searched for. */
  readonly length: number;
}

/** The terms of a message. */
export function indexed(message: Message): IndexedMessage {
  const terms = new Set<string>();
  let length = 0;
  for (const { text } of searchFields(message)) {
    for (const term of scanTerms(text.slice(0, longestIndexed)).terms) terms.add(term);
    length += text.length;
  }
  return { terms, length };
}
