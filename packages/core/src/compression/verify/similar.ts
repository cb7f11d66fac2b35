/** Which name of the conversation was meant by one that is nearly the same. */
import { type Atom, atomsIn } from './atoms.ts';

/** Comparing a name with all others is for the few that were mistyped. */
const mostLooked = 100;

interface Looked {
  readonly byLength: ReadonlyMap<number, readonly string[]>;
  readonly found: Map<string, string | undefined>;
}

const looked = new WeakMap<ReadonlySet<string>, Looked>();

/** The one name of the same type that is clearly nearest; undefined when there is none, or several. Remembered. */
export function similarName(atom: Atom, names: ReadonlySet<string>): string | undefined {
  const known = looked.get(names) ?? { byLength: Map.groupBy(names, (name) => name.length), found: new Map() };
  looked.set(names, known);
  const key = `${atom.type} ${atom.inCode} ${atom.text}`;
  if (known.found.size < mostLooked && !known.found.has(key)) known.found.set(key, nearestName(atom, known));
  return known.found.get(key);
}

function nearestName(atom: Atom, { byLength }: Looked): string | undefined {
  const wanted = atom.text.toLowerCase();
  const most = Math.min(4, Math.max(1, Math.floor(wanted.length / 5)));
  const near: { readonly name: string; readonly distance: number }[] = [];
  for (let length = wanted.length - most; length <= wanted.length + most; length++)
    for (const name of byLength.get(length) ?? []) {
      const distance = distanceWithin(wanted, name.toLowerCase(), most);
      if (distance <= most) near.push({ name, distance });
    }
  const ranked = near
    .flatMap(({ name, distance }) => {
      const one = atomsIn(name, atom.inCode);
      return one.length === 1 && one[0]?.type === atom.type ? [{ name: one[0].text, distance }] : [];
    })
    .sort((a, b) => a.distance - b.distance);
  const [first, second] = ranked;
  if (!first || (second && second.distance === first.distance && second.name !== first.name)) return undefined;
  return first.name;
}

/** The edit distance of two texts, or `most + 1` when it is larger. Time in proportion to length times `most`. */
export function distanceWithin(a: string, b: string, most: number): number {
  let from = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) from++;
  let [endA, endB] = [a.length, b.length];
  while (endA > from && endB > from && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  const [x, y] = [a.slice(from, endA), b.slice(from, endB)];
  if (Math.abs(x.length - y.length) > most) return most + 1;
  // What is left after the common ends is short for names that are nearly the same.
  if (Math.max(x.length, y.length) > 24 + most) return most + 1;
  let row = Array.from({ length: y.length + 1 }, (_, i) => i);
  for (let i = 1; i <= x.length; i++) {
    const next = [i];
    for (let j = 1; j <= y.length; j++) {
      const cost = x[i - 1] === y[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost));
    }
    if (Math.min(...next) > most) return most + 1;
    row = next;
  }
  return row.at(-1) ?? most + 1;
}
