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
  return actions.filter(({ target, type }) => {
    const run = squeezed(target);
    return type === 'run' && commands.some((code) => run.includes(code) || (run.length >= 6 && code.includes(run)));
  });
}

/** The calls of messages; a result is named for its call. */
function actionsAt(places: ReadonlySet<number>, actions: readonly Action[]): readonly Action[] {
  const calls = actions.map(({ ref }) => Number(ref.slice(1)) - 1);
  const wanted = new Set([...places].map((place) => calls.findLast((call) => call <= place) ?? -1));
  return actions.filter((_, at) => wanted.has(calls[at] ?? -2));
}

/** Tools that bring back content: how it reads is no outcome of the call. */
const bringing: ReadonlySet<Action['type']> = new Set(['read', 'search', 'fetch']);

/** Whether a call worked; undefined where only what it brought back reads like a failure. */
export function isProven({ ok, type, exitCode, ref }: Action, { failedCalls }: Source): boolean | undefined {
  const isTold = exitCode !== undefined || failedCalls.has(Number(ref.slice(1)) - 1);
  return ok === false && bringing.has(type) && !isTold ? undefined : ok;
}

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();
