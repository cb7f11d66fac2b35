/** The story that a handoff tells: its requests in order, each with what came of it. Read from the rows. */
import { type HandoffRow, readRows } from './handoff-rows.ts';
import type { Ref } from './ref.ts';

/** Words of a message. */
export interface Told {
  readonly ref: Ref;
  readonly text: string;
}

/** A request of the person and what the handoff says of it. */
export interface StoryRound extends Told {
  /** How the assistant ended it, in its own words; undefined where the handoff does not say. */
  readonly outcome?: Told;
  /** Files that were changed for it, as the handoff names them. */
  readonly changed: readonly string[];
}

interface Growing {
  ref: Ref;
  text: string;
  outcome?: { ref: Ref; text: string };
  changed: string[];
}

/** What stands in place of words that follow the handoff. */
const elsewhere = 'word for word below';
const changes = /^m\d+(?:-m\d+)? changed (.+)$/;

/**
 * The requests that a handoff of ours quotes, oldest first, each once. Rows of another form (a model's own headings, an
 * older version's) tell no rounds. Linear in the length of the text.
 */
export function storyOf(handoff: string): readonly StoryRound[] {
  const rounds = new Map<number, Growing>();
  let open: Growing | undefined;
  for (const row of readRows(handoff)) {
    const { number, speaker, text } = row;
    if (speaker === 'person' && number !== undefined) open = withWords(rounds, number, text);
    else if (open) open = withRow(open, row);
  }
  return [...rounds].sort(([a], [b]) => a - b).flatMap(([, round]) => (round.text ? [round] : []));
}

function withWords(rounds: Map<number, Growing>, number: number, text: string): Growing {
  const round = rounds.get(number) ?? { ref: `m${number}`, text: '', changed: [] };
  rounds.set(number, round);
  if (text !== elsewhere && !round.text.includes(text)) round.text = joined(round.text, text);
  return round;
}

/** The round while rows still belong to it. */
function withRow(round: Growing, { number, speaker, text, isAnswer }: HandoffRow): Growing | undefined {
  const files = speaker === 'noted' ? changes.exec(text)?.[1] : undefined;
  if (files) round.changed.push(...files.split(' '));
  if (files) return round;
  if (speaker !== 'assistant' || number === undefined) return undefined;
  const ref: Ref = `m${number}`;
  if (isAnswer && !round.outcome) round.outcome = { ref, text };
  else if (round.outcome?.ref === ref) round.outcome.text = joined(round.outcome.text, text);
  else return undefined;
  return round;
}

const joined = (text: string, more: string): string => (text ? `${text}\n${more}` : more);
