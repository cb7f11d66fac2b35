/** Nobody mistypes a name into a text of this length. */
const longest = 200;

/** The known word that a mistyped one most likely meant; undefined when nothing is close. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > longest) return undefined;
  let best: string | undefined;
  // Beyond a third of the letters the guess would be noise.
  let bestDistance = Math.max(2, Math.ceil(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(plain(word), plain(candidate));
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** So that a right word in the wrong case or naming style is at distance 0. */
const plain = (word: string): string => word.toLowerCase().replaceAll(/[_.\- ]/g, '');

/** Levenshtein distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitute = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitute, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
