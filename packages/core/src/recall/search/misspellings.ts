/** Words that differ from one by a slip of the fingers. */

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Every word with one letter left out, doubled, changed, added, or two neighbours exchanged: some 50 for each letter. */
export function misspellings(word: string): readonly string[] {
  const found: string[] = [];
  for (let i = 0; i <= word.length; i++) {
    const [front, back] = [word.slice(0, i), word.slice(i)];
    if (back.length > 0) found.push(front + back.slice(1));
    if (back.length > 1) found.push(front + back.charAt(1) + back.charAt(0) + back.slice(2));
    for (const letter of letters) {
      found.push(front + letter + back);
      if (back.length > 0) found.push(front + letter + back.slice(1));
    }
  }
  return [...new Set(found)].filter((one) => one !== word && one.length > 1);
}
