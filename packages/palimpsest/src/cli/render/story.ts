/** The story of a conversation, for a person: what was asked, what came of it, what was changed, how it went. */
import { type Action, type ErrorFact, type LedgerFacts, type StoryRound, storyOf } from '@palimpsest/core/engine';
import { clip, glyph, type Screen, styled, widthOf } from '../../terminal/screen.ts';
import { counted, fill, linesOf, oneLine, thousands, wrap } from './text.ts';

/** A request, and what the record says of the work on it. */
export interface ShownRound extends StoryRound {
  /** One sentence about the calls of the round; undefined where nobody counted them. */
  readonly work?: string;
}

export interface StoryView {
  readonly screen: Screen;
  /** Rounds to show at most: the first, and the newest. */
  readonly most: number;
  /** How the others can be seen. */
  readonly rest: string;
}

/** The rounds under a heading; no line where there are none. */
export function storyLines(rounds: readonly ShownRound[], { screen, most, rest }: StoryView): readonly string[] {
  if (rounds.length === 0) return [];
  const left = Math.max(0, rounds.length - Math.max(2, most));
  const [first, ...others] = rounds;
  const newest = others.slice(left);
  const width = Math.max(...rounds.flatMap(({ ref, outcome }) => [widthOf(ref), widthOf(outcome?.ref ?? '')]));
  const lines = (round: ShownRound): readonly string[] => roundLines(round, width, screen);
  return linesOf(
    `${styled('story', 'bold', screen)}  ${counted(rounds.length, 'request')}, and what came of each`,
    first && lines(first),
    left > 0 &&
      styled(`  ${' '.repeat(width)}  ${glyph(screen, '…', '...')} ${thousands(left)} more: ${rest}`, 'dim', screen),
    newest.flatMap(lines),
  );
}

/** Lines of an outcome that a person reads in passing. */
const outcomeLines = 2;

function roundLines(
  { ref, text, outcome, changed, work }: ShownRound,
  width: number,
  screen: Screen,
): readonly string[] {
  const mark = glyph(screen, '…', '~');
  const indent = ' '.repeat(width + 4);
  const room = screen.columns - indent.length;
  const name = (of: string): string => styled(fill(of, width), 'cyan', screen);
  const below = (label: string, said: string): string =>
    `${indent}  ${styled(label, 'dim', screen)} ${clip(said, room - 3 - widthOf(label), mark)}`;
  const arrow = `${glyph(screen, '→', '>')} `;
  const [head = '', ...more] = outcome ? shortened(oneLine(outcome.text), room - 2, mark) : [];
  return linesOf(
    `  ${name(ref)}  ${styled(clip(oneLine(text), room, mark), 'bold', screen)}`,
    outcome && `  ${name(outcome.ref)}  ${arrow}${head}`,
    more.map((line) => `${indent}  ${line}`),
    changed.length > 0 && below('changed', [...new Set(changed)].map(oneLine).join(', ')),
    work !== undefined && below('ran', work),
  );
}

function shortened(text: string, room: number, mark: string): readonly string[] {
  const lines = wrap(text, room);
  if (lines.length <= outcomeLines) return lines;
  return [...lines.slice(0, outcomeLines - 1), clip(lines.slice(outcomeLines - 1).join(' '), room, mark)];
}

/**
 * Every request of a conversation with what the ledger knows of it. Its outcome is the one that the handoff quotes; where the
 * handoff has no room for the request, the beginning of the answer.
 */
export function roundsOf(facts: LedgerFacts, handoff: string): readonly ShownRound[] {
  const quoted = new Map(storyOf(handoff).map((round) => [round.ref, round]));
  return facts.asks.map(({ ref, text, answer }, at): ShownRound => {
    const next = facts.asks[at + 1];
    const isOf = ({ ref: one }: { readonly ref: string }): boolean =>
      numberOf(one) >= numberOf(ref) && (!next || numberOf(one) < numberOf(next.ref));
    const outcome = quoted.get(ref)?.outcome ?? answer;
    const work = workOf(facts.actions.filter(isOf), facts.errors.filter(isOf));
    const changed = facts.actions
      .filter((action) => isOf(action) && writes(action))
      .map(({ target }) => twoSegments(target));
    return { ref, text: text || '(attachments only)', changed, ...(outcome && { outcome }), ...(work && { work }) };
  });
}

/** As the handoff names files: enough to tell two of one name apart. */
const twoSegments = (path: string): string => path.split(/[\\/]/).slice(-2).join('/');

const numberOf = (ref: string): number => Number(ref.slice(1));

const writes = ({ type, ok }: Action): boolean =>
  ok !== false && (type === 'create' || type === 'change' || type === 'delete');

/** How the commands of a round ended. */
function workOf(actions: readonly Action[], errors: readonly ErrorFact[]): string | undefined {
  const runs = actions.filter(({ type }) => type === 'run');
  if (runs.length === 0 && errors.length === 0) return undefined;
  const open = errors.filter(({ fixed }) => !fixed);
  const parts = [
    counted(runs.length, 'command'),
    ...(errors.length > 0 ? [`${thousands(errors.length)} failed`] : []),
    ...(errors.length > open.length ? [`${thousands(errors.length - open.length)} of them mended`] : []),
    ...open.slice(-1).map(({ ref, line }) => `open in ${ref}: ${oneLine(line)}`),
  ];
  return parts.join(', ');
}
