/** What of a message goes into the index. */
import type { Message } from '../../transcript/message.ts';
import { searchFields } from './fields.ts';
import { newCollection, type TermCollection, takeTerms, termsIn } from './known-words.ts';
import { usualForm } from './scan.ts';
import { type Stretch, walk } from './walk.ts';
import { termOfName, termsOfWord } from './word-terms.ts';

/** How much of one text is indexed, in characters; what stands behind is found by nothing. */
export const longestIndexed = 1_000_000;

export interface IndexedMessage {
  /** Distinct. */
  readonly terms: readonly string[];
  /** Characters of the texts that can be searched for. */
  readonly length: number;
}

/** The terms of a message: those that `scanTerms` finds in its texts. */
export function indexed(message: Message): IndexedMessage {
  const collection = newCollection();
  let length = 0;
  for (const { text } of searchFields(message)) {
    collect(text.slice(0, longestIndexed), collection);
    length += text.length;
  }
  return { terms: termsIn(collection), length };
}

function collect(text: string, collection: TermCollection): void {
  const take = (stretch: Stretch, termsOf: (stretch: Stretch) => readonly string[]): void =>
    takeTerms(stretch, collection, termsOf);
  const wordTerms = (stretch: Stretch): readonly string[] => {
    const terms: string[] = [];
    termsOfWord(textOf(stretch), stretch, (term) => terms.push(term));
    return terms;
  };
  walk(text, {
    word: (stretch) => take(stretch, wordTerms),
    name: ({ start, end }) => {
      const term = termOfName(text.slice(start, end));
      if (term !== '') collection.names.add(term);
    },
    character: (stretch) => take(stretch, itself),
    pair: (stretch) => take(stretch, itself),
    variants: ({ start, end }) => collect(usualForm(text, start, end) ?? '', collection),
  });
}

/** A text of its own: a slice would keep alive the whole text that it was cut from. */
const textOf = ({ codes, start, end }: Stretch): string => String.fromCharCode(...codes.subarray(start, end));

const itself = (stretch: Stretch): readonly string[] => [textOf(stretch)];
