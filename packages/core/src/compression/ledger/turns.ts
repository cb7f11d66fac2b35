/** What was done between one request and the next, in one line: tools, failures, files. */
import type { Ref } from '../result.ts';
import type { Action, LedgerFacts } from './facts.ts';
import { flat, toolName, withinRow } from './names.ts';

/** A line about the actions of a turn, and the request it follows. */
export interface TurnLine {
  readonly ref: Ref;
  readonly text: string;
}

const maxTools = 4;
const maxFiles = 5;

/** One line a turn that has actions, oldest first. Linear in the facts. */
export function turnLines(facts: LedgerFacts, covers: (ref: Ref) => boolean): readonly TurnLine[] {
  const starts = facts.asks.map(({ ref }) => position(ref));
  const turns = Map.groupBy(
    facts.actions.filter(({ ref }) => covers(ref)),
    ({ ref }) => lastNotAbove(starts, position(ref)),
  );
  return [...turns].map(([turn, actions]) => lineOf(facts.asks[turn]?.ref, actions));
}

function lineOf(ask: Ref | undefined, actions: readonly Action[]): TurnLine {
  const [first, last] = [actions[0], actions.at(-1)];
  const ref = first?.ref ?? 'm0';
  const span = last && last.ref !== ref ? `${ref}-${last.ref}` : ref;
  const files = changedFiles(actions);
  return { ref: ask ?? ref, text: ` ${span} did ${toolCounts(actions)}${files ? `; changed ${files}` : ''}` };
}

/** Tools by how often they ran: `9 bash (2 failed), 4 edit_file`. */
function toolCounts(actions: readonly Action[]): string {
  const tools = [...Map.groupBy(actions, ({ tool }) => tool)].sort((a, b) => b[1].length - a[1].length);
  const shown = tools.slice(0, maxTools).map(([tool, calls]) => {
    const failed = calls.filter(({ ok }) => ok === false).length;
    return `${calls.length} ${toolName(tool)}${failed > 0 ? ` (${failed} failed)` : ''}`;
  });
  const rest = tools.slice(maxTools).reduce((sum, [, calls]) => sum + calls.length, 0);
  return [...shown, ...(rest > 0 ? [`${rest} others`] : [])].join(', ');
}

/** Names of files that the turn wrote, newest first. */
function changedFiles(actions: readonly Action[]): string {
  const written = actions.filter(({ type, ok }) => ok !== false && (type === 'create' || type === 'change'));
  const names = [
    ...new Set(written.map(({ target }) => withinRow(flat(target.slice(target.lastIndexOf('/') + 1)))).toReversed()),
  ];
  const shown = names.filter((name) => name && name.length <= 40).slice(0, maxFiles);
  return shown.join(' ') + (names.length > shown.length ? ` +${names.length - shown.length}` : '');
}

const position = (ref: Ref): number => Number(ref.slice(1));

/** Index of the last number that is not above `value`, in an ascending list; -1 when all are above. */
function lastNotAbove(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
