/** What a short answer chose among the points that it answers: "A.", "the second one", "2번". */
import { goOnWords, ordinals, yesWords } from '../../language/requests.ts';

/** An answer up to this many characters says nothing else; longer ones say what they mean. */
export const assentChars = 80;

/** The sign of a point: `A.`, `**Option B:**`, `2)`. */
const pointSign = /^[\s>*_(-]*(?:\p{L}{3,10}\s)?([A-Ha-h]|\d{1,2})[.):：、]/u;
/** An answer that opens with the sign, whatever it goes on to say: `2. keep 1 in mind`, `②번`. */
const leadingSign = /^["'(]?([A-Ha-h1-9])(?:[.)]|번|番|$)(?=\s|$|[으로은でが、，])/u;
/** The same in an answer, where nothing stands right beside it. */
const namedSign = /(?<![\p{L}\p{N}.'’-])([A-H]|[a-h](?=[.)]|$)|[1-9])(?![\p{Script=Latin}\p{N}'’-])/u;

/** The sign that an answer names; undefined where it names none. */
export function choiceIn(answer: string): string | undefined {
  const text = answer.trim();
  const opening = leadingSign.exec(text)?.[1];
  if (opening !== undefined) return opening.toLowerCase();
  if (text.length > assentChars) return undefined;
  const ordinal = ordinals.find(([words]) => words.test(text));
  return ordinal ? String(ordinal[1]) : namedSign.exec(text)?.[1]?.toLowerCase();
}

/** True for an answer that only agrees, chooses, or lets the agent go on. */
export const isAssent = (text: string): boolean =>
  text.length <= assentChars && (goOnWords.test(text) || yesWords.test(text) || choiceIn(text) !== undefined);

/** The point with a sign among lines: by its own sign, or the nth point of the list where an ordinal is meant. */
export function pointWith<T extends { readonly text: string }>(lines: readonly T[], sign: string): T | undefined {
  const own = lines.find(({ text }) => pointSign.exec(text)?.[1]?.toLowerCase() === sign);
  if (own || !/^\d$/.test(sign)) return own;
  const letter = String.fromCharCode(96 + Number(sign));
  return lines.find(({ text }) => pointSign.exec(text)?.[1]?.toLowerCase() === letter);
}

/** True for a line that opens a point of a list. */
export const isPoint = (text: string): boolean => /^[\s>]*[-*•]\s/.test(text) || pointSign.test(text);
