/**
 * A plan that the agent announces in a list and sets about at once, beside its calls: what of it is still to come. Such a
 * plan stands in no tool; it is worked through in its order, and over when the turn ends.
 */
import { planLeads } from '../../language/outstanding.ts';
import type { Ref } from '../result.ts';
import { flat } from './names.ts';
import { tellingWords } from './same-words.ts';

interface Point {
  readonly text: string;
  /** Words that no other point of the plan has. */
  readonly words: ReadonlySet<string>;
}

interface Announcement {
  readonly ref: Ref;
  readonly points: readonly Point[];
  /** The last point that was begun; -1 before the first. */
  begun: number;
}

const mostChars = 8_000;
const leastPoints = 2;
const mostPoints = 12;
/** With so many of its own words said or written, a point was begun; a name alone may stand anywhere. */
const leastShared = 2;

export class Announced {
  #plan: Announcement | undefined;

  /** Takes in what the agent said beside calls. Linear in its length. */
  hear(text: string, ref: Ref): void {
    const points = pointsIn(text.slice(0, mostChars));
    if (points.length >= leastPoints && points.length <= mostPoints)
      this.#plan = { ref, points: apart(points), begun: -1 };
    else this.#begin(text.slice(0, mostChars));
  }

  /** Takes in what a call changed. */
  act(written: string): void {
    this.#begin(written);
  }

  /** The turn ended, or somebody asked for something. */
  end(): void {
    this.#plan = undefined;
  }

  /** The points behind the one that is being worked on. */
  facts(): readonly { readonly ref: Ref; readonly text: string }[] {
    if (!this.#plan || this.#plan.begun < 0) return [];
    const { ref, points, begun } = this.#plan;
    return points.slice(begun + 1).map(({ text }) => ({ ref, text }));
  }

  #begin(said: string): void {
    if (!this.#plan) return;
    const { points, begun } = this.#plan;
    const words = tellingWords(said);
    const isBegun = ({ words: own }: Point): boolean =>
      own.size > 0 && [...own].filter((word) => words.has(word)).length >= Math.min(leastShared, own.size);
    this.#plan.begun = Math.max(begun, points.findLastIndex(isBegun));
  }
}

const point = /^\s*(?:[-*•]|\d{1,3}[.)、]|[①-⑫])\s*(?=\S)/u;

/** The points of the last list under a line that says that they are to be done. */
function pointsIn(text: string): readonly string[] {
  let found: readonly string[] = [];
  let list: string[] | undefined;
  for (const raw of text.replace(/```[\s\S]*?(?:```|$)/g, '').split('\n')) {
    if (raw.trim() === '') continue;
    // What is set in stands under a point.
    const isPoint = point.test(raw) && !/^\s{2,}/.test(raw);
    if (isPoint) list?.push(flat(raw.replace(point, '').replaceAll('**', '')));
    else if (!/^\s{2,}/.test(raw)) {
      if (list && list.length > 0) found = list;
      const line = raw.replace(/`[^`]*`|[*#_]/g, '').trim();
      list = /[:：]$/.test(line) && planLeads.test(line) ? [] : undefined;
    }
  }
  return list && list.length > 0 ? list : found;
}

function apart(points: readonly string[]): readonly Point[] {
  const all = points.map((text) => tellingWords(text));
  return points.map((text, at) => {
    const own = [...(all[at] ?? [])].filter((word) => all.every((others, other) => other === at || !others.has(word)));
    return { text, words: new Set(own) };
  });
}
