/** The elements of a JSON array that was cut off: Gemini streams one where a client does not ask for server-sent events. */

/** The texts of the objects in an array that came whole, without what stands between them. */
export function* wholeElements(text: string): Iterable<string> {
  let depth = 0;
  let start = 0;
  for (let at = text.indexOf('[') + 1; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '{' || character === '[') {
      if (depth === 0) start = at;
      depth++;
    } else if (character === '}' || character === ']') {
      depth--;
      if (depth === 0) yield text.slice(start, at + 1);
      if (depth < 0) return;
    }
  }
}

/** The index of the quotation mark that ends a string, or the length of a text that ends within one. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
