/** Finds the lines of an output that hold every word of a query. */
import type { OutputHit } from '../../output-store.ts';
import type { Line } from './lines.ts';

/** A hit in a longer line is shown with what stands around it. */
const maxHitCharacters = 1_000;

/** Lines with the whole query as it stands come first, each kind in the order of the text; case does not matter. */
export function searchLines(lines: Iterable<Line>, query: string, limit: number): readonly OutputHit[] {
  const phrase = query.trim().replaceAll(/\s+/g, ' ').toLowerCase();
  const words = phrase.split(' ').filter(Boolean);
  const phrases: OutputHit[] = [];
  const others: OutputHit[] = [];
  if (words.length === 0 || limit <= 0) return [];
  for (const line of lines) {
    const text = line.text.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const at = text.replaceAll(/\s/g, ' ').indexOf(phrase);
    if (at >= 0) phrases.push(hit(line, at));
    else if (others.length < limit) others.push(hit(line, text.indexOf(words[0] ?? '')));
    if (phrases.length >= limit) break;
  }
  return [...phrases, ...others].slice(0, limit);
}

function hit({ number, text }: Line, at: number): OutputHit {
  const line = text.replace(/\r?\n$/, '');
  if (line.length <= maxHitCharacters) return { line: number, text: line };
  // A quarter before the match. Lower case may have moved it by a few characters, which this leaves room for.
  const start = Math.max(0, Math.min(at - maxHitCharacters / 4, line.length - maxHitCharacters));
  const end = start + maxHitCharacters;
  const shown = line.slice(start, end).toWellFormed();
  return { line: number, text: `${start > 0 ? '…' : ''}${shown}${end < line.length ? '…' : ''}` };
}
