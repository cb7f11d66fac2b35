/** Tells of short texts whether a long one holds them: for most of them without a look at the long one. */

/** A byte for each value of the hash of three signs. */
const gramBits = 16;
const gramChars = 3;

/** Answers as `text.includes` does. Three signs that stand nowhere in the text rule out every name with them. */
export function holderOf(text: string): (part: string) => boolean {
  const grams = createGrams();
  grams.add(text);
  return (part) => grams.mayHold(part) && text.includes(part);
}

/** The signs of some texts, in threes. */
export interface Grams {
  add(text: string): void;
  /** False only where none of the texts has the part. */
  mayHold(part: string): boolean;
}

export function createGrams(): Grams {
  const grams = new Uint8Array(1 << gramBits);
  return {
    add: (text) => {
      for (let at = 0; at + gramChars <= text.length; at++) grams[gramAt(text, at)] = 1;
    },
    mayHold: (part) => {
      for (let at = 0; at + gramChars <= part.length; at++) if (grams[gramAt(part, at)] === 0) return false;
      return true;
    },
  };
}

const gramAt = (text: string, at: number): number => {
  const sum = text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2);
  return Math.imul(sum, 0x9e3779b1) >>> (32 - gramBits);
};
