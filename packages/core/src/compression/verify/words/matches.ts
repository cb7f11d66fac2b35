/** Where the hundreds of expressions for turns of speech stand in a line. */

/**
 * What `text.matchAll(words)` gives. That copies the expression, which costs far more than to see that it matches nothing, as
 * nearly all of them do in nearly every line.
 * @param words global and not sticky
 */
export function matchesIn(text: string, words: RegExp): Iterable<RegExpExecArray> {
  words.lastIndex = 0;
  const isThere = words.test(text);
  words.lastIndex = 0;
  return isThere ? text.matchAll(words) : [];
}
