/** Finds what can be checked in any line of text: names, figures and quotes that the record bears out word for word. */
import type { Atom, AtomType } from './lines.ts';
import type { SessionRecord } from './record.ts';

interface Shape {
  readonly type: AtomType;
  readonly pattern: RegExp;
}

/** The more telling first; what one shape took is no other's. */
const shapes: readonly Shape[] = [
  { type: 'url', pattern: /https?:\/\/[\w./?#=&%:~@+-]+[\w/]/g },
  { type: 'id', pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g },
  { type: 'path', pattern: /(?<![\w./-])(?:[\w.@~-]*\/)+[\w@-][\w.@-]*\.[a-z]\w{0,7}(?![\w/-])/g },
  {
    type: 'path',
    pattern: /(?<![\w./-])[\w-]+\.(?:tsx?|jsx?|mjs|go|py|rs|md|ya?ml|json|toml|sh|css|html|sql)(?![\w/-])/g,
  },
  { type: 'id', pattern: /(?<![\w/-])(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,40}(?![\w/-])/g },
  { type: 'id', pattern: /(?<![\w&])#\d{1,6}\b/g },
  { type: 'version', pattern: /(?<![\w.-])v?\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?(?![\w.-])/g },
  { type: 'identifier', pattern: /(?<![\w-])--[a-z][a-z0-9]+(?:-[a-z0-9]+)*/g },
  { type: 'identifier', pattern: /\b[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+\b/g },
  { type: 'identifier', pattern: /\b[a-z][a-z0-9]+(?:_[a-z0-9]+)+\b/g },
  { type: 'identifier', pattern: /\b(?:[a-z][a-z0-9]+|[A-Z][a-z0-9]+)(?:[A-Z][a-z0-9]+)+\b/g },
  {
    type: 'number',
    pattern:
      /(?<![\w.#/:@-])\d{1,3}(?:,\d{3})+(?![\w.])|(?<![\w.#/:@,-])\d+(?:\.\d+)?(?=\s?(?:ms|s|MB|KB|GB|%)?(?![\w./:-]|,\d))/g,
  },
];

/** Everything that can be checked in a line, in order; quotes of the user are not among it. */
export function atomsIn(text: string): readonly Atom[] {
  const found: Atom[] = [];
  for (const { type, pattern } of shapes) {
    for (const match of text.matchAll(pattern)) {
      const atom = { type, text: match[0], start: match.index };
      if (!found.some((other) => overlap(other, atom)) && !isListNumber(text, atom)) found.push(atom);
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

const overlap = (a: Atom, b: Atom): boolean => a.start < b.start + b.text.length && b.start < a.start + a.text.length;

/** `1.` at the start of a line counts lines, and `m42` names a message. */
const isListNumber = (text: string, { type, start, text: number }: Atom): boolean =>
  type === 'number' &&
  /^[\s>*#-]*(?:\*\*)?$/.test(text.slice(0, start)) &&
  /^[.)]/.test(text.slice(start + number.length));

/** The atoms of a line that stand in the record just so. */
export const trueAtomsIn = (text: string, record: SessionRecord): readonly Atom[] =>
  atomsIn(text).filter((atom) => record.has(atom.text));
