/** Running text, line by line and sentence by sentence. */

/** Where a sentence ends and another one begins. */
export const sentenceBreak: RegExp = /(?<=[.!?]["')]?)\s+(?=\S)|(?<=[。！？])/u;

/** Lines of running text: no code, quotation, heading, table or diff; list signs taken off. */
export function* proseLines(text: string): Generator<string> {
  let inCode = false;
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (line.startsWith('```') || line.startsWith('~~~')) inCode = !inCode;
    else if (!inCode && line.length >= 4 && !/^(?:[#>|<+]|-{2,}|\d+\s*[→|]|[$%] )/.test(line))
      yield line.replace(/^(?:[-*•]|\d+[.)])\s+/, '');
  }
}
