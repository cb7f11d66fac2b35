/** Tells of short texts whether a long one holds them: for most of them without a look at the long one. */

/** A byte for each value of the hash of three signs. */
const gramBits = 16;
const gramChars = 3;

/** Answers as `text.includes` does. Three signs that stand nowhere in the text rule out every name with them. */
export function holderOf(text: string): (part: string) => boolean {
  const grams = new Uint8Array(1 << gramBits);
  for (let at = 0; at + gramChars <= text.length; at++) grams[gramAt(text, at)] = 1;
  return (part) => {
    for (let at = 0; at + gramChars <= part.length; at++) if (grams[gramAt(part, at)] === 0) return false;
    return text.includes(part);
  };
}

const gramAt = (text: string, at: number): number => {
  const sum = text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2);
  return Math.imul(sum, 0x9e3779b1) >>> (32 - gramBits);
};
