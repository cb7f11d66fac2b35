/** Copies of a faithful summary with false lines in them, each known by its number. */
import { type Dice, pick } from '../invented-texts.ts';
import { flippedLine } from './flips.ts';
import { type InsertionClass, insertionClasses, insertionOf } from './insertions.ts';
import { type Atom, type AtomType, type Base, type TrueLine, withAtom } from './lines.ts';
import { alteredQuote } from './quotes.ts';
import type { SessionRecord } from './record.ts';
import { otherValue } from './values.ts';

export const mutationClasses = [
  'invented request',
  'altered quote',
  'flipped result',
  'changed path',
  'changed number',
  'changed version',
  'changed id or URL',
  'changed identifier',
  'instruction',
  'secret',
  'wrong attribution',
] as const;

export type MutationClass = (typeof mutationClasses)[number];

/** One false line. */
export interface Mutation {
  readonly class: MutationClass;
  /** Set where the false words do occur in the record, only not there. */
  readonly isHard: boolean;
  /** The true line; absent for a line that was put in. */
  readonly before?: string;
  readonly after: string;
  /** The words that were exchanged or put in, and those that were there. */
  readonly now: string;
  readonly was?: string;
  /** The template behind it, where there is one. */
  readonly wording?: string;
  /** Line of the mutated summary, from 1. */
  readonly line: number;
}

export interface MutatedCopy {
  readonly base: Base;
  readonly text: string;
  readonly mutations: readonly Mutation[];
}

const atomClasses: Readonly<Partial<Record<MutationClass, readonly AtomType[]>>> = {
  'altered quote': ['quote'],
  'changed path': ['path'],
  'changed number': ['number'],
  'changed version': ['version'],
  'changed id or URL': ['id', 'url'],
  'changed identifier': ['identifier'],
};

export interface MutationOptions {
  readonly record: SessionRecord;
  readonly dice: Dice;
  readonly wantsHard: boolean;
  /** Lines, from 0, that stay as they are. */
  readonly untouched: ReadonlySet<number>;
}

/** A copy of the base with up to one false line of each class, no two of them beside each other. */
export function mutatedCopy(base: Base, options: MutationOptions): MutatedCopy {
  const exchanged = new Map<number, Omit<Mutation, 'line'>>();
  const isFree = (at: number): boolean =>
    !options.untouched.has(at) && ![at - 1, at, at + 1].some((near) => exchanged.has(near));
  for (const kind of shuffled(mutationClasses, options.dice)) {
    if (isInsertion(kind)) continue;
    const free = base.lines.map((line, at) => ({ line, at })).filter(({ line, at }) => !line.isHeading && isFree(at));
    for (const { line, at } of shuffled(free, options.dice)) {
      const mutation = mutationOf(kind, line, options);
      if (mutation === undefined) continue;
      exchanged.set(at, mutation);
      break;
    }
  }
  return assembled(base, exchanged, inserted(base, exchanged, options));
}

const isInsertion = (kind: MutationClass): kind is InsertionClass => insertionClasses.some((one) => one === kind);

function mutationOf(kind: MutationClass, line: TrueLine, options: MutationOptions): Omit<Mutation, 'line'> | undefined {
  const { record, dice, wantsHard } = options;
  if (kind === 'flipped result') {
    const flipped = flippedLine(line, record, dice);
    if (flipped === undefined || flipped === line.text) return undefined;
    return {
      class: kind,
      isHard: line.flipped === undefined,
      before: line.text,
      after: flipped,
      now: flipped,
      was: line.text,
      ...wordingOf(line),
    };
  }
  const atoms = line.atoms.filter(({ type }) => atomClasses[kind]?.includes(type));
  for (const atom of shuffled(atoms, dice)) {
    const other =
      atom.type === 'quote' ? otherQuote(atom, record, dice) : otherValue(atom, { line, record, dice, wantsHard });
    if (other === undefined) continue;
    const after = withAtom(line.text, atom, other.text);
    return {
      class: kind,
      isHard: other.isHard,
      before: line.text,
      after,
      now: other.text,
      was: atom.text,
      ...wordingOf(line),
    };
  }
  return undefined;
}

const wordingOf = ({ wording }: TrueLine): { wording?: string } => (wording === undefined ? {} : { wording });

function otherQuote(atom: Atom, record: SessionRecord, dice: Dice): { text: string; isHard: boolean } | undefined {
  const text = alteredQuote(atom.text, dice);
  return text === undefined || record.said.includes(text.toLowerCase()) ? undefined : { text, isHard: false };
}

/** What is put in, by the index of the line that it stands before. */
function inserted(
  base: Base,
  exchanged: ReadonlyMap<number, unknown>,
  { record, dice, untouched }: MutationOptions,
): ReadonlyMap<number, Omit<Mutation, 'line'>> {
  const found = new Map<number, Omit<Mutation, 'line'>>();
  const places = base.lines.flatMap((line, at) => (line.isHeading || untouched.has(at) || at === 0 ? [] : [at]));
  const free = places.filter((at) => ![at - 1, at, at + 1].some((near) => exchanged.has(near)));
  for (const kind of shuffled(insertionClasses, dice)) {
    const left = free.filter((at) => ![at - 1, at, at + 1].some((near) => found.has(near)));
    const insertion = insertionOf(kind, { record, language: base.language, dice });
    if (left.length === 0 || insertion === undefined) continue;
    const at = pick(dice, left);
    const mark = /^\s*(?:[-*] )?/.exec(base.lines[at]?.text ?? '')?.[0] ?? '';
    const after = /^[-*#`<]/.test(insertion.text) ? insertion.text : mark + insertion.text;
    found.set(at, {
      class: kind,
      isHard: insertion.isHard,
      after,
      now: insertion.core ?? insertion.text,
      wording: insertion.wording,
    });
  }
  return found;
}

function assembled(
  base: Base,
  exchanged: ReadonlyMap<number, Omit<Mutation, 'line'>>,
  added: ReadonlyMap<number, Omit<Mutation, 'line'>>,
): MutatedCopy {
  const lines: string[] = [];
  const mutations: Mutation[] = [];
  for (const [at, { text }] of base.lines.entries()) {
    for (const mutation of [added.get(at), exchanged.get(at)]) {
      if (mutation === undefined) continue;
      lines.push(mutation.after);
      mutations.push({ ...mutation, line: lines.length });
    }
    if (!exchanged.has(at)) lines.push(text);
  }
  return { base, text: lines.join('\n'), mutations };
}

export function shuffled<T>(from: readonly T[], dice: Dice): readonly T[] {
  const left = [...from];
  return Array.from(from, () => left.splice(dice(left.length), 1)).flat();
}
