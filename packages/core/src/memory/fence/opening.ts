/** Whether an opening of a block stands at a place, read a character at a time, so that a stream may be cut anywhere. */
import { type FenceKind, fenceKinds } from './kinds.ts';

/** What is known after a character: not yet, no, or the block that has begun. */
export type Verdict = 'more' | 'no' | FenceKind;

/** More than the longest opening of ours: a tag that never ends is text. */
const mostChars = 4_096;

/**
 * A reader of what comes behind a `<` at the start of a line. A block of ours is a tag, and the end of the line. Inside a code
 * fence, and where a tag alone does not tell that it is ours, the words of the block have to follow too: people show each
 * other what such a tag looks like.
 */
export function createOpeningReader(isInCode: boolean): (char: string) => Verdict {
  let expects: 'name' | 'attributes' | 'lineEnd' | 'telltale' = 'name';
  let [read, text, isQuoted] = [1, '', false];
  let kind: FenceKind | undefined;

  const inName = (char: string): Verdict => {
    if (char === '>' || isBlank(char)) {
      if (text === '') return char === '>' ? 'no' : 'more';
      kind = fenceKinds.find(({ name }) => name === text);
      if (!kind) return 'no';
      [text, expects] = ['', char === '>' ? 'lineEnd' : 'attributes'];
      return 'more';
    }
    text += char.toLowerCase();
    return fenceKinds.some(({ name }) => name.startsWith(text)) ? 'more' : 'no';
  };
  const inAttributes = (char: string): Verdict => {
    if (char === '<' || isLineEnd(char)) return 'no';
    if (char === '"') isQuoted = !isQuoted;
    if (char !== '>' || isQuoted) text += char.toLowerCase();
    else if (text.endsWith('/')) return 'no';
    else expects = 'lineEnd';
    return 'more';
  };
  const atLineEnd = (char: string): Verdict => {
    if (isBlank(char)) return 'more';
    if (!kind || !isLineEnd(char)) return 'no';
    if (!isInCode && text.includes(kind.attribute ?? '')) return kind;
    [text, expects] = [char, 'telltale'];
    return 'more';
  };
  const inTelltale = (char: string): Verdict => {
    // One end of a line may be two characters.
    if (text === '\r' && char === '\n') text = '\n';
    else text += char.toLowerCase();
    const said = text.slice(1);
    const telltale = kind?.telltale.toLowerCase() ?? '';
    return said === telltale ? (kind ?? 'no') : telltale.startsWith(said) ? 'more' : 'no';
  };
  const readers = { name: inName, attributes: inAttributes, lineEnd: atLineEnd, telltale: inTelltale };
  return (char) => (++read > mostChars ? 'no' : readers[expects](char));
}

export const isBlank = (char: string): boolean => char === ' ' || char === '\t';
export const isLineEnd = (char: string): boolean => char === '\n' || char === '\r';
