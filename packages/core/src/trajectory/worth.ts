/**
 * What a group of turns is worth to a model that learns from the rest: turns that bear labels, words of the person, and
 * names that the work goes on with: those that were used again and again, and those that were used last.
 */
import type { Range } from './groups.ts';
import type { Turn } from './turn.ts';

/** The worth of each group beside what is kept already. */
export interface Worths {
  of(group: number): number;
  /** Keeps a group: what it names is there now. */
  take(group: number): void;
}

/** What counts how much; measured by `npm run bench -- trajectories`. */
export const worthWeights = {
  /** By a name that a group brings and nothing kept has. */
  name: 1,
  /** How fast a name loses worth with the share of the trajectory that lies behind its last use. */
  fading: 4,
  /** By a character of the model's own text, and of the person's. */
  label: 0.004,
  human: 0.02,
  /** By a group, however small. */
  group: 0.2,
} as const;

interface Name {
  weight: number;
  isShown: boolean;
}

/** Reads all turns once. */
export function groupWorths(turns: readonly Turn[], groups: readonly Range[], isKept: readonly boolean[]): Worths {
  const names = new Map<string, { last: number; uses: number; index: number }>();
  const inGroup = groups.map(({ from, to }, group) =>
    namesIn(turns, { from, to }, (text) => {
      const name = names.get(text) ?? { last: 0, uses: 0, index: names.size };
      if (name.uses === 0) names.set(text, name);
      if (name.last !== group || name.uses === 0) name.uses++;
      name.last = group;
      return name.index;
    }),
  );
  const found: Name[] = [];
  for (const { last, uses, index } of names.values()) {
    const recency = Math.exp(-worthWeights.fading * (1 - (last + 1) / groups.length));
    found[index] = { weight: worthWeights.name * recency * Math.log2(1 + uses), isShown: false };
  }
  const own = groups.map(({ from, to }) => ownWorth(turns, from, to));
  const take = (group: number): void => {
    for (const index of inGroup[group] ?? []) {
      const name = found[index];
      if (name) name.isShown = true;
    }
  };
  for (const [group, is] of isKept.entries()) if (is) take(group);
  return {
    of: (group) => {
      let worth = own[group] ?? 0;
      for (const index of inGroup[group] ?? []) {
        const name = found[index];
        if (name && !name.isShown) worth += name.weight;
      }
      return worth;
    },
    take,
  };
}

function ownWorth(turns: readonly Turn[], from: number, to: number): number {
  let worth = worthWeights.group;
  for (let at = from; at < to; at++) {
    const { speaker, text } = turns[at] ?? { speaker: 'tool', text: '' };
    if (speaker === 'gpt') worth += worthWeights.label * text.length;
    if (speaker === 'human') worth += worthWeights.human * text.length;
  }
  return worth;
}

/** A word that names something: with a digit, a mark or a capital inside, or long. */
const name = /[\p{L}\p{N}_](?:[\p{L}\p{N}_]|[./:@#-](?=[\p{L}\p{N}_])){2,80}/gu;
const isName = (text: string): boolean => /[\d_./:@#-]|\p{Ll}\p{Lu}/u.test(text);

function namesIn(turns: readonly Turn[], { from, to }: Range, indexOf: (name: string) => number): readonly number[] {
  const found = new Set<number>();
  for (let at = from; at < to; at++) {
    for (const [text] of (turns[at]?.text ?? '').matchAll(name)) if (isName(text)) found.add(indexOf(text));
  }
  return [...found];
}
