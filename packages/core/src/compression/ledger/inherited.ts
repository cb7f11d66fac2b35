/** The facts that a handoff which was made elsewhere tells of: requests with their answers, files, effects outside. */
import { defined } from '../../shared/defined.ts';
import type { HandoffRow } from '../handoff-rows.ts';
import type { Ref } from '../ref.ts';
import { contentOfHeading } from '../summary-lines.ts';
import { askType } from './cues.ts';
import type { Ask, FileFact, LedgerFacts, LeftOut, PlanEntry, SideEffect } from './facts.ts';
import { position } from './names.ts';

/** Facts of messages that are not here, under their own numbers. */
export interface InheritedFacts {
  readonly asks: readonly Ask[];
  readonly leftOut?: LeftOut | undefined;
  readonly files: readonly Omit<FileFact, 'touches'>[];
  readonly sideEffects: readonly SideEffect[];
  /** What is left of the agent's plan. */
  readonly plan: LedgerFacts['plan'];
}

/** What the rows of a handoff tell; linear. */
export function factsIn(rows: readonly HandoffRow[]): InheritedFacts {
  return {
    asks: asksIn(rows),
    leftOut: rows.map(leftOutIn).find((found) => found !== undefined),
    files: rows.flatMap(filesIn),
    sideEffects: rows.flatMap(effectIn),
    plan: planIn(rows),
  };
}

/** True for a row that is no line to choose from, because the fact that it tells is written anew. */
export const isFact = (row: HandoffRow): boolean =>
  filesIn(row).length > 0 || effectIn(row).length > 0 || entryIn(row) !== undefined || leftOutIn(row) !== undefined;

function planIn(rows: readonly HandoffRow[]): LedgerFacts['plan'] {
  const entries = rows.flatMap((row) => entryIn(row) ?? []);
  const newest = Math.max(0, ...entries.map(({ number }) => number));
  return newest === 0 ? undefined : { ref: refOf(newest), entries: entries.map(({ entry }) => entry) };
}

/** `m13 assistant's plan: #4 Write the tests.` */
const planRow = /^m\d+ assistant's plan: (?:#([\w-]{1,40}) )?(.+)$/;

function entryIn({ speaker, text, section, number = 0 }: HandoffRow): { number: number; entry: PlanEntry } | undefined {
  const [, id, entry] = (speaker === 'noted' && planRow.exec(text)) || [];
  if (entry === undefined) return undefined;
  return {
    number,
    entry: { ...defined({ id }), text: entry, state: contentOfHeading(section) === 'progress' ? 'active' : 'open' },
  };
}

function filesIn({ file, files, number }: HandoffRow): InheritedFacts['files'] {
  if (file) return [{ path: file.path, state: file.state, ref: refOf(number) }];
  const { state, first, last, paths } = files ?? { state: 'read', first: 0, last: 0, paths: [] };
  return paths.map((path) => ({ path, state, ref: refOf(last), since: refOf(first) }));
}

const refOf = (number: number = 0): Ref => `m${number}`;

const effect = /^m\d+ (\S+) (.*): (?:(done, do not repeat)|(failed)|outcome unknown, check before repeating)$/;

function effectIn({ speaker, text, number }: HandoffRow): readonly SideEffect[] {
  const [, tool, target, done, failed] = (speaker === 'noted' && effect.exec(text)) || [];
  if (tool === undefined || target === undefined) return [];
  return [{ ref: refOf(number), tool, target, ...(done ? { ok: true } : failed ? { ok: false } : {}) }];
}

/** The row that says how many requests had no room. */
export function leftOutRow({ first, last, count }: LeftOut): string {
  const span = first === last ? first : `${first}-${last}`;
  return `${span} left out here: ${count} ${count === 1 ? 'request' : 'requests'}`;
}

const leftOutForm = /^m(\d{1,6})(?:-m(\d{1,6}))? left out here: (\d{1,6}) requests?$/;

/** What such a row says; undefined for any other. */
export function leftOutOf(row: string): LeftOut | undefined {
  const [, first, last = first, count] = leftOutForm.exec(row) ?? [];
  if (first === undefined || last === undefined) return undefined;
  return { first: refOf(Number(first)), last: refOf(Number(last)), count: Number(count) };
}

const leftOutIn = ({ speaker, text }: HandoffRow): LeftOut | undefined =>
  speaker === 'noted' ? leftOutOf(text) : undefined;

/** How a long request is quoted. */
const shortened = /^(.*) \((\d{1,7}) characters in all\)$/;

/** Requests of persons, oldest first, that a handoff tells of, each with the rules in it that stand apart. */
function asksIn(rows: readonly HandoffRow[]): readonly Ask[] {
  const asks = new Map<number, Ask>();
  const apart = new Map<number, readonly string[]>();
  let above: number | undefined;
  for (const { number = 0, speaker, text, section, isAnswer } of rows) {
    const content = contentOfHeading(section);
    // What is open stands under a heading that says so; what else was asked was answered, whatever the words were.
    const isOpen = content === 'asks';
    const asked = above === undefined ? undefined : asks.get(above);
    if (isAnswer && asked && !isOpen) asks.set(position(asked.ref), { ...asked, answer: { ref: `m${number}`, text } });
    if (speaker !== 'person') continue;
    above = number;
    if (content === 'constraints') apart.set(number, [...(apart.get(number) ?? []), text]);
    else asks.set(number, askWith(asks.get(number), { ref: refOf(number), text, isOpen }));
  }
  for (const [number, rules] of apart) {
    const known = asks.get(number);
    const alone = askWith(undefined, { ref: refOf(number), text: rules.join('\n'), isOpen: false });
    asks.set(number, known ? { ...known, rules } : alone);
  }
  return [...asks.values()].sort((a, b) => position(a.ref) - position(b.ref));
}

/** A request with one row more of its words. */
function askWith(
  known: Ask | undefined,
  { ref, text, isOpen }: Pick<Ask, 'ref' | 'text'> & { readonly isOpen: boolean },
): Ask {
  const [, shown = text, all] = shortened.exec(text) ?? [];
  const length = known?.length ?? (all === undefined ? undefined : Number(all));
  const said = known ? `${known.text}\n${shown}` : shown;
  const answer = known?.answer ?? (isOpen ? undefined : { ref, text: '' });
  const more = { ...(length === undefined ? {} : { length }), ...(answer ? { answer } : {}) };
  return { ref, text: said, type: askType(said), ...more };
}
