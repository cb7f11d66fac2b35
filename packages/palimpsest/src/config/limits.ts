/** How much a small file may hold before it is parsed: a parser of YAML or JSON takes its time for what is hostile. */

/** No configuration and no manifest of a plugin needs so much. */
export const mostBytes: number = 64 * 1_024;
const mostDepth = 64;
/** Brackets, quotes and the like: for each a parser looks back, or tells what is wrong with it. */
const mostSigns = 4_000;
const mostMembers = 5_000;

/** What of a text is more than a small file may hold, as a clause; undefined for one that may be parsed. Linear. */
export function excessIn(text: string): string | undefined {
  if (text.length > mostBytes) return `it is larger than ${mostBytes / 1_024} KB`;
  let [depth, deepest, count] = [0, 0, 0];
  for (const [sign] of text.matchAll(signs)) {
    count++;
    if (sign === '[' || sign === '{') deepest = Math.max(deepest, ++depth);
    else if (sign === ']' || sign === '}') depth = Math.max(0, depth - 1);
  }
  for (const [marks] of text.matchAll(openings)) deepest = Math.max(deepest, marks.length / 2);
  if (deepest > mostDepth) return `it is nested more than ${mostDepth} deep`;
  return count > mostSigns ? `it has more than ${mostSigns} brackets, quotes, commas, colons and marks` : undefined;
}

const signs = /[[\]{},:&*!"'%@|>`?]/g;
/** Columns of indentation, and signs of lists and keys in a row, each of which may open a level. */
const openings = /^[ ?:-]{64,}/gm;

/** The same of what came of it: aliases make much of a little text. */
export function excessOfValue(value: unknown): string | undefined {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  let members = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.depth >= mostDepth) return `it is nested more than ${mostDepth} deep`;
    for (const inner of Object.values(next.value)) {
      members++;
      if (members > mostMembers) return `it has more than ${mostMembers} keys and members`;
      open.push({ value: inner, depth: next.depth + 1 });
    }
  }
  return undefined;
}
