/** Which calls a line of a summary is about. */
import type { Action } from '../ledger/facts.ts';
import { codeSpans } from './atoms.ts';
import type { ClaimLine } from './claim-line.ts';
import type { Source } from './source.ts';

/** The actions that a line is about: those of the messages it names, else those whose command stands in it as code. */
export function actionsNamed(line: ClaimLine, actions: readonly Action[]): readonly Action[] {
  const referred = actionsReferred(line, actions);
  if (referred.length === 0 && line.refs.length === 0) return actionsQuoted(line, actions);
  // Several calls of one message: the command tells which of them.
  const quoted = referred.length > 1 ? actionsQuoted(line, referred) : [];
  return quoted.length > 0 ? quoted : referred;
}

/** The actions of the messages that a line names or stands under. */
export function actionsReferred(line: ClaimLine, actions: readonly Action[]): readonly Action[] {
  const named = new Set(line.scope === undefined ? line.refs : [line.scope, ...line.refs]);
  return named.size > 0 ? actionsAt(named, actions) : [];
}

/** The actions whose command stands in the line as code. */
export function actionsQuoted(line: ClaimLine, actions: readonly Action[]): readonly Action[] {
  const commands = codeSpans(line.content)
    .map(({ start, end }) => squeezed(line.content.slice(start, end)))
    .filter((code) => code.length >= 4 && /[a-z] /i.test(code));
  if (commands.length === 0) return [];
  return actions.filter((action) => {
    if (action.type !== 'run') return false;
    const run = commandOf(action);
    return commands.some((code) => run.includes(code) || (run.length >= 6 && code.includes(run)));
  });
}

/** The calls of messages; a result is named for its call. */
function actionsAt(places: ReadonlySet<number>, actions: readonly Action[]): readonly Action[] {
  const { calls, byCall } = placesOf(actions);
  const wanted = new Set([...places].map((place) => lastUpTo(place, calls)));
  return [...wanted].toSorted((a, b) => a - b).flatMap((call) => byCall.get(call) ?? []);
}

interface ActionPlaces {
  /** The places of the calls, rising. */
  readonly calls: readonly number[];
  readonly byCall: ReadonlyMap<number, readonly Action[]>;
}

const known = new WeakMap<readonly Action[], ActionPlaces>();

function placesOf(actions: readonly Action[]): ActionPlaces {
  const found = known.get(actions);
  if (found) return found;
  const byCall = Map.groupBy(actions, ({ ref }) => Number(ref.slice(1)) - 1);
  const places = { calls: [...byCall.keys()].toSorted((a, b) => a - b), byCall };
  known.set(actions, places);
  return places;
}

/** The last of rising numbers that is not above another; -1 where all are. */
function lastUpTo(most: number, numbers: readonly number[]): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return numbers[low - 1] ?? -1;
}

const commands = new WeakMap<Action, string>();

function commandOf(action: Action): string {
  const run = commands.get(action) ?? squeezed(action.target);
  commands.set(action, run);
  return run;
}

/** Tools that bring back content: how it reads is no outcome of the call. */
const bringing: ReadonlySet<Action['type']> = new Set(['read', 'search', 'fetch']);

/** Whether a call worked; undefined where only what it brought back reads like a failure. */
export function isProven({ ok, type, exitCode, ref }: Action, { failedCalls }: Source): boolean | undefined {
  const isTold = exitCode !== undefined || failedCalls.has(Number(ref.slice(1)) - 1);
  return ok === false && bringing.has(type) && !isTold ? undefined : ok;
}

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();
