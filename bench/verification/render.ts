/**
 * Sentences from templates. `{path}` stands for a word of the fact and becomes something to check; `[passed|failed]`
 * says the result, the first for a good one, so that the same sentence can be written with the other.
 */
import { atomsIn } from './atoms.ts';
import type { Atom, AtomType, Fact, Language, TrueLine } from './lines.ts';

const atomOf: Readonly<{ [field: string]: AtomType }> = {
  quote: 'quote',
  path: 'path',
  number: 'number',
  exit: 'number',
  version: 'version',
  hash: 'id',
  issue: 'id',
  url: 'url',
  identifier: 'identifier',
  topic: 'identifier',
};

const pieces = /\{(\w+)\}|\[([^|\]]*)\|([^\]]*)\]/g;

/** The line that a template makes of a fact, and the same line turned round where it says a result. */
export function renderFact(template: string, fact: Fact, language: Language): TrueLine {
  const line = rendered(template, { fact, language, isGood: fact.isGood });
  const saysResult = /\[[^\]]*\|/.test(template);
  const other = saysResult ? rendered(template, { fact, language, isGood: !fact.isGood }) : undefined;
  return { ...line, wording: template, ...(other === undefined ? {} : { flipped: other.text }) };
}

interface Rendering {
  readonly fact: Fact;
  readonly language: Language;
  readonly isGood: boolean;
}

function rendered(template: string, { fact, language, isGood }: Rendering): TrueLine {
  let text = '';
  let end = 0;
  const atoms: Atom[] = [];
  for (const match of template.matchAll(pieces)) {
    text += template.slice(end, match.index);
    end = match.index + match[0].length;
    const field = match[1];
    if (field === undefined) {
      text += (isGood ? match[2] : match[3]) ?? '';
      continue;
    }
    const word = wordOf(fact, field, language);
    const type = atomOf[field];
    if (type !== undefined) atoms.push({ type, text: word, start: text.length, fact });
    else if (field === 'command' || field === 'text')
      atoms.push(...shifted(atomsIn(word), text.length).map((atom) => ({ ...atom, fact })));
    text += word;
  }
  return { text: text + template.slice(end), atoms, facts: [fact] };
}

function wordOf({ type, ref, fields }: Fact, field: string, language: Language): string {
  if (field === 'ref') return ref;
  const word = fields[field];
  if (word === undefined) throw new Error(`expected {${field}} in a fact of type ${type}: mend the template`);
  return typeof word === 'string' ? word : word[language];
}

const shifted = (atoms: readonly Atom[], by: number): readonly Atom[] =>
  atoms.map((atom) => ({ ...atom, start: atom.start + by }));

/** Two sentences as one line. */
export function joinedLines(first: TrueLine, second: TrueLine, between: string): TrueLine {
  const offset = first.text.length + between.length;
  const flipped =
    first.flipped !== undefined
      ? `${first.flipped}${between}${second.text}`
      : second.flipped === undefined
        ? undefined
        : `${first.text}${between}${second.flipped}`;
  return {
    text: `${first.text}${between}${second.text}`,
    atoms: [...first.atoms, ...shifted(second.atoms, offset)],
    ...(flipped === undefined ? {} : { flipped }),
    facts: [...first.facts, ...second.facts],
    // Of two sentences the first is turned round, where it can be.
    wording: (first.flipped === undefined ? second.wording : first.wording) ?? '',
  };
}

/** A line with a list mark or other words in front. */
export const prefixed = (prefix: string, line: TrueLine): TrueLine => ({
  ...line,
  text: prefix + line.text,
  atoms: shifted(line.atoms, prefix.length),
  ...(line.flipped === undefined ? {} : { flipped: prefix + line.flipped }),
});
