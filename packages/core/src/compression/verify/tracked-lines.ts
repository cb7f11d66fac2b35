/** Lines that name an entry of the agent's plan or a failure: whatever their other words, they say how that stands. */

import { activeWords, doneEntries, openEntries, openFailures } from '../../language/outcomes.ts';
import type { LedgerFacts } from '../ledger/facts.ts';
import type { Ref } from '../ref.ts';
import type { Span } from './atoms.ts';
import type { ClaimLine } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { clauseEnds } from './clause.ts';
import { type Check, nothing } from './context.ts';

/** What the record keeps the state of. */
interface Tracked {
  readonly text: string;
  readonly state: 'done' | 'active' | 'open';
  readonly ref: Ref;
  readonly why: string;
  /** Only a plan tells for certain that something was not done. */
  readonly isPlan: boolean;
}

/** Shorter texts stand in lines by chance. */
const leastChars = 8;

/** Holds what a line says of an entry of the plan, or of a failure, against how it stood last. */
export const checkTrackedLines: Check = (line, { facts }) => {
  if (line.type === 'code' || line.type === 'heading') return nothing;
  const wrong: WrongClaim[] = [];
  let claims = 0;
  const all = trackedIn(facts, line);
  const content = spaced(line.content);
  for (const one of all) {
    const start = content.indexOf(one.text);
    // Another one with the same words may stand otherwise.
    if (start < 0 || all.some((other) => other.state !== one.state && other.text.includes(one.text))) continue;
    const said = stateIn(around(content, { start, end: start + one.text.length }), one);
    if (said === undefined) continue;
    claims++;
    if (said.state === one.state || one.state === 'active' || (one.state === 'open' && !one.isPlan)) continue;
    const claim = { type: 'status', text: said.text, line: line.number, verdict: 'contradicted' } as const;
    wrong.push({ ...claim, why: one.why, refs: [one.ref] });
    break;
  }
  return { claims: Array.from({ length: claims }, () => 'status' as const), wrong };
};

const spaced = (text: string): string => text.replace(/\s/g, ' ');

/** Entries of the plan and failures; where the line names messages of failures, only those. */
function trackedIn(facts: LedgerFacts, { refs }: ClaimLine): readonly Tracked[] {
  const { entries, failures } = allTracked(facts);
  const there = refs.length === 0 ? [] : failures.filter(({ at }) => refs.includes(at));
  return [...entries, ...(there.length > 0 ? there : failures)].filter(({ text }) => text.length >= leastChars);
}

interface AllTracked {
  readonly entries: readonly Tracked[];
  /** With the message that each is of. */
  readonly failures: readonly (Tracked & { readonly at: number })[];
}

const known = new WeakMap<LedgerFacts, AllTracked>();

function allTracked(facts: LedgerFacts): AllTracked {
  const found = known.get(facts);
  if (found) return found;
  const { plan, errors } = facts;
  const all: AllTracked = {
    entries: (plan?.entries ?? []).map(({ text, state }) => ({
      text: spaced(text).trim(),
      state,
      ref: plan?.ref ?? 'm0',
      isPlan: true,
      why: `${plan?.ref ?? 'the plan'} says of this entry of the plan: ${state}`,
    })),
    failures: errors.map(({ line, ref, fixed }) => ({
      text: spaced(line).trim(),
      state: fixed ? ('done' as const) : ('open' as const),
      isPlan: false,
      ref: fixed?.ref ?? ref,
      at: Number(ref.slice(1)) - 1,
      why: `the same worked in ${fixed?.ref ?? ref}`,
    })),
  };
  known.set(facts, all);
  return all;
}

/** What the same clause says besides; code is one letter of it. */
function around(content: string, place: Span): string {
  const [from, to] = clauseEnds(content, place);
  const text = `${content.slice(from, place.start)}\ufffc${content.slice(place.end, to)}`;
  return text.replace(/`[^`]*`/g, '\ufffc');
}

interface Said {
  readonly state: 'done' | 'open';
  readonly text: string;
}

/** More words beside it than these tell of something else. */
const mostChars = 60;

function stateIn(text: string, { isPlan }: Tracked): Said | undefined {
  if (text.length > mostChars || activeWords.test(text)) return undefined;
  const open = (isPlan ? openEntries : openFailures).exec(text);
  if (open) return { state: 'open', text: open[0] };
  const done = isPlan ? doneEntries.exec(text) : undefined;
  return done ? { state: 'done', text: done[0] } : undefined;
}
