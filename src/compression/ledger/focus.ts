/** Tells whether a line is about a topic that a person named. */

/** A test for lines that share a word with the topic; words are compared without case, CJK by pairs of characters. */
export function focusOn(topic: string): (text: string) => boolean {
  const words = topicWords(topic);
  return (text) => {
    const lower = text.toLowerCase();
    return words.some((word) => lower.includes(word));
  };
}

const cjk = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
const stopWords = new Set(
  'the and for with that this from about into what when where which how are was were will would should can all any our your'.split(
    ' ',
  ),
);

function topicWords(topic: string): readonly string[] {
  const tokens = topic.toLowerCase().match(/[\p{L}\p{N}_./-]+/gu) ?? [];
  return tokens.flatMap((token) => {
    if (cjk.test(token)) return token.length <= 2 ? [token] : pairs(token);
    return token.length >= 3 && !stopWords.has(token) ? [stem(token)] : [];
  });
}

const pairs = (token: string): string[] => Array.from({ length: token.length - 1 }, (_, i) => token.slice(i, i + 2));

/** Without the plural or participle ending, so that "caches" finds "cache" and "caching". */
const stem = (word: string): string => (/^[a-z]{5,}$/.test(word) ? word.replace(/(?:ing|ed|es|s|e)$/, '') : word);
