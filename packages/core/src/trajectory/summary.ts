/** The texts of the summary turns of a trajectory, written by the ledger from the turns that they stand for. */
import { createLedger, type HandoffOptions, type Ledger } from '../compression/ledger/ledger.ts';
import { position } from '../compression/ledger/names.ts';
import { sectionContents, type Template } from '../compression/ledger/templates.ts';
import type { HandoffLine } from '../compression/result.ts';
import { redactPiece } from '../redaction/redact.ts';
import type { Message } from '../transcript/message.ts';
import { entryFormatOf } from './formats/formats.ts';
import type { Range } from './groups.ts';
import type { Trajectory, Turn } from './turn.ts';
import type { ChangedTurn } from './write.ts';

/** How every summary turn begins; models and tools know it by that. */
export const summaryPrefix = '[CONTEXT SUMMARY]:';

/** What summaries are to be written for. */
export interface StoryRequest {
  /** In order. */
  readonly regions: readonly Range[];
  /** Tokens of all their texts. */
  readonly budgetTokens: number;
  /** Tokens of all that the model will see. */
  readonly contextTokens: number;
  /** Turns that stay, shortened: what was cut out of them is told of by the region behind them. */
  readonly shortened: ReadonlyMap<number, ChangedTurn>;
}

/** Writes the summaries of one trajectory. */
export interface Storyteller {
  /** The text for each region. */
  tell(request: StoryRequest): readonly string[];
}

export interface StorytellerOptions {
  /** Tokens of a text. */
  readonly count: (text: string) => number;
  /** A turn as it is read: long answers of tools by their evidence. */
  readonly read: (turn: Turn, at: number) => Turn;
}

/** Reads the turns once, when the first summary is asked for. */
export function createStoryteller(trajectory: Trajectory, options: StorytellerOptions): Storyteller {
  let ledger: Ledger | undefined;
  return {
    tell: (request) => {
      if (request.regions.length === 0) return [];
      ledger ??= readLedger(trajectory, options);
      return fitted({ trajectory, ledger, request, count: options.count });
    },
  };
}

function readLedger({ turns, format }: Trajectory, { count, read }: StorytellerOptions): Ledger {
  const ledger = createLedger({ count: (text) => count(withoutRefs(text)) });
  const messages = entryFormatOf(format).messages(turns.map(read));
  for (const [at, message] of messages.entries()) ledger.add(message, messages[at + 1]);
  return ledger;
}

interface Telling {
  readonly trajectory: Trajectory;
  readonly ledger: Ledger;
  readonly request: StoryRequest;
  readonly count: (text: string) => number;
}

/** Share of the summaries for names without their lines: what tools said and nobody quoted. */
const nameShare = 0.3;
/** Rounds of asking for less or more: facts may take more than they were given, and lines less. */
const rounds = 3;
/** A round that leaves no more than this share is good enough. */
const goodEnough = 0.96;

function fitted(telling: Telling): readonly string[] {
  const { request, count } = telling;
  const { regions, budgetTokens } = request;
  const partly = messagesOf(telling.trajectory, request.shortened, regions.at(-1)?.to ?? 0);
  const sizeOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + count(text), 0);
  const openings = sizeOf(regions.map((region, at) => openingOf(region, at === 0)));
  const room = Math.max(0, budgetTokens - openings);
  let asked = room;
  let best: readonly string[] | undefined;
  for (let round = 0; round < rounds && asked > 0; round++) {
    const texts = textsFor(telling, { partly, budgetTokens: asked });
    const size = sizeOf(texts) - openings;
    if (size <= room) best = texts;
    if (size <= room && size >= room * goodEnough) return texts;
    const next = Math.floor(asked * (room / Math.max(1, size)) * 0.985);
    if (size <= room && (round > 0 || next <= asked)) break;
    asked = Math.max(1, next);
  }
  return best ?? regions.map((region, at) => openingOf(region, at === 0));
}

const openingOf = ({ from, to }: Range, isFirst: boolean): string =>
  `${summaryPrefix} ${to - from === 1 ? 'one turn was' : `${to - from} turns were`} taken out here.${isFirst ? ' Below, < marks what a tool printed.' : ''}`;

/** Rows tell by themselves what they are about; only the index of names and the list of files come last. */
const template: Template = {
  name: 'trajectory',
  sections: [
    { heading: 'Story', holds: sectionContents.filter((content) => content !== 'names' && content !== 'files') },
    { heading: 'Files', holds: ['files'] },
    { heading: 'Names', holds: ['names'] },
  ],
};

/** What a round is asked with: the turns that are shown shortened, by index, and how much may be told. */
type Round = Required<Pick<HandoffOptions, 'partly' | 'budgetTokens'>>;

/** One handoff for all regions, so that the best lines of all compete; each row goes to the region of its turn. */
function textsFor({ trajectory, ledger, request }: Telling, { partly, budgetTokens }: Round): readonly string[] {
  const { regions, contextTokens, shortened } = request;
  const [from = 0, to = 0] = [regions[0]?.from, regions.at(-1)?.to];
  const isGone = (at: number): boolean => regions.some((region) => at >= region.from && at < region.to);
  const whole = trajectory.turns.keys().filter((at) => !isGone(at) && !isToldOf(trajectory, at, shortened));
  const restated = new Set(whole);
  const { lines } = ledger.handoff({
    from,
    to,
    shownBefore: from,
    restated,
    partly,
    budgetTokens,
    contextTokens,
    nameShare,
    shortNameRows: true,
    template,
  });
  const rows = lines.filter(({ ref, why }) => why !== 'fact' || !restated.has(position(ref) - 1));
  const byRegion = Map.groupBy(rows, ({ ref }) => regions.findIndex((region) => position(ref) <= region.to));
  return regions.map((region, at) => [openingOf(region, at === 0), ...rowsOf(byRegion.get(at) ?? [])].join('\n'));
}

/** What was cut out of the rules is told by nobody: they stand in front of it all. */
const isToldOf = ({ turns }: Trajectory, at: number, shortened: ReadonlyMap<number, ChangedTurn>): boolean =>
  shortened.has(at) && turns[at]?.speaker !== 'system';

/** Turns up to an index that stay shortened, as they are shown. */
function messagesOf(
  { turns, format }: Trajectory,
  shortened: ReadonlyMap<number, ChangedTurn>,
  to: number,
): ReadonlyMap<number, Message> {
  const short = turns.map((turn, at): Turn => ({ ...turn, ...shortened.get(at) }));
  const messages = shortened.size === 0 ? [] : entryFormatOf(format).messages(short);
  return new Map([...shortened.keys()].flatMap((at) => (at < to && messages[at] ? [[at, messages[at]] as const] : [])));
}

/** What answers a request that stands as it was answers nothing that is told here. */
const rowsOf = (lines: readonly HandoffLine[]): readonly string[] =>
  lines.map(({ text }, at) => withoutRefs(at === 0 ? text.replace(/^ → /, '') : text));

/**
 * A row without the numbers of messages: nobody who reads the record can look them up, and the record says itself what
 * each summary stands for. Text that was quoted begins with a space, so that no word of it is taken for a number.
 */
function withoutRefs(row: string): string {
  if (!reference.test(row)) return row;
  return row
    .replace(/^(?:### )?m\d+(?:-m\d+)? /gm, '')
    .replace(/^( → )m\d+(?:-m\d+)? /gm, '$1')
    .replace(
      /^ \+ m\d+(?:-m\d+)? ?(\([^\n]*?\))?: /gm,
      (_, gist: string | undefined) => `named there${gist ? ` ${gist}` : ''}: `,
    );
}
/** Every number of a message: few of the lines that are counted have one. */
const reference = /m\d/;

/** A turn longer than this is shown to a model by its start and its end, in UTF-16 units. */
const shownLength = { most: 3_000, start: 1_500, end: 500 } as const;

/** The turns of a region as a model reads them: numbered, with who speaks. */
export function extractOf(turns: readonly Turn[], { from, to }: Range): string {
  return turns
    .slice(from, to)
    .map(({ speaker, text }, at) => `[Turn ${from + at} - ${speaker.toUpperCase()}]:\n${shortened(text)}`)
    .join('\n\n');
}

function shortened(text: string): string {
  const { most, start, end } = shownLength;
  if (text.length <= most) return text;
  // A credential that is cut in two would not be recognised any more.
  const [head, tail] = [
    redactPiece(text, { start: 0, end: start }),
    redactPiece(text, { start: text.length - end, end: text.length }),
  ];
  return `${head.text}\n...[cut]...\n${tail.text}`;
}

/** A model's summary as the text of a turn: with the mark in front, once. */
export function summaryTurnText(text: string): string {
  let bare = text.trim();
  while (bare.startsWith(summaryPrefix)) bare = bare.slice(summaryPrefix.length).trim();
  return `${summaryPrefix} ${bare}`;
}
