/** Names that an edit brings into a file: what it adds may be used nowhere yet. */
import { isJsonObject, type JsonObject } from '../../shared/json.ts';
import { firstString } from './plans.ts';

const mostNames = 4;
/** Of those that it only uses. */
const mostUsed = 2;
const mostChars = 40_000;

const beforeKeys = ['old_string', 'oldText', 'old_str', 'oldString', 'search', 'old'];
const afterKeys = ['new_string', 'newText', 'new_str', 'newString', 'replace', 'new'];

/** The names in the new text of an edit that its old text has not, those that it declares first. Linear. */
export function newNames(input: JsonObject, patch: string): readonly string[] {
  const { before, after } = sidesOfEdit(input, patch);
  // What is written whole brings in everything.
  if (before === '' || after === '') return [];
  const known = new Set(before.match(name));
  const fresh = [...new Set(after.match(name))].filter((one) => !known.has(one) && isTelling(one));
  const declared = new Set([...after.matchAll(declaration)].map(([, one = '']) => one));
  const used = fresh.filter((one) => !declared.has(one)).slice(0, mostUsed);
  return [...fresh.filter((one) => declared.has(one)), ...used].slice(0, mostNames);
}

const name = /(?<![\p{L}\p{N}_$])[\p{L}_$][\p{L}\p{N}_$]{3,39}(?![\p{L}\p{N}_$])/gu;
const declaration =
  /(?:\b(?:func|function|def|fn|fun|class|struct|interface|type|enum|trait|const|let|var|val|record|module)\s+(?:\([^)\n]{0,60}\)\s*)?|^[ \t]*)([\p{L}_$][\p{L}\p{N}_$]{3,39})(?![\p{L}\p{N}_$])(?=\s*[(=:<{]|\s+\S)/gmu;

/** Two words in one, as names of code are; any other word may be prose. */
const isTelling = (one: string): boolean => /\p{Ll}\p{Lu}|\p{L}_\p{L}|\p{Lu}{2}\p{Ll}/u.test(one);

/** What an edit takes away or keeps, and what stands there then. */
export interface Sides {
  readonly before: string;
  readonly after: string;
}

/** The two sides of an edit, from its patch where it has one. */
export const sidesOfEdit = (input: JsonObject, patch: string): Sides => (patch ? sidesOf(patch) : textsOf(input));

function textsOf(input: JsonObject): Sides {
  const edits = Array.isArray(input.edits) ? input.edits.filter(isJsonObject) : [];
  const sides = [input, ...edits].map((one) => ({
    before: firstString(one, beforeKeys) ?? '',
    after: firstString(one, afterKeys) ?? '',
  }));
  const join = (side: keyof Sides): string =>
    sides
      .map((one) => one[side])
      .join('\n')
      .trim()
      .slice(0, mostChars);
  return { before: join('before'), after: join('after') };
}

/** The two sides of a patch: what it takes away or keeps, and what it adds. */
function sidesOf(patch: string): Sides {
  const lines = patch
    .slice(0, mostChars)
    .split('\n')
    .filter((line) => !/^(?:\*\*\*|---|\+\+\+|@@)/.test(line));
  return {
    before: lines.filter((line) => /^[- ]/.test(line)).join('\n'),
    after: lines
      .filter((line) => line.startsWith('+'))
      .map((line) => line.slice(1))
      .join('\n'),
  };
}
