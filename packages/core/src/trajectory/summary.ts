/** The text of a summary turn, written by the ledger from the turns that it stands for. */
import { createLedger, type Ledger } from '../compression/ledger/ledger.ts';
import { redactPiece } from '../redaction/redact.ts';
import type { Message, Part, ResultContent } from '../transcript/message.ts';
import { entryFormatOf } from './formats/formats.ts';
import type { Range } from './groups.ts';
import type { Trajectory, Turn } from './turn.ts';

/** How every summary turn begins; models and tools know it by that. */
export const summaryPrefix = '[CONTEXT SUMMARY]:';

/** What a summary is to be written for. */
export interface SummaryRequest extends Range {
  /** Tokens of the whole text. */
  readonly budgetTokens: number;
  /** Tokens of all that the model will see. */
  readonly contextTokens: number;
  /** Indexes of turns before the region that stay. */
  readonly shown: ReadonlySet<number>;
}

/** Writes summaries of one trajectory. */
export interface Storyteller {
  tell(request: SummaryRequest): string;
}

/** Reads the turns once, when the first summary is asked for. `count` gives the tokens of a text. */
export function createStoryteller(trajectory: Trajectory, count: (text: string) => number): Storyteller {
  let ledger: Ledger | undefined;
  return {
    tell: (request) => {
      ledger ??= readLedger(trajectory, count);
      return fitted(ledger, request, count);
    },
  };
}

function readLedger(trajectory: Trajectory, count: (text: string) => number): Ledger {
  const ledger = createLedger({ count });
  const messages = entryFormatOf(trajectory.format).messages(trajectory.turns).map(lightened);
  for (const [at, message] of messages.entries()) ledger.add(message, messages[at + 1]);
  return ledger;
}

/** Of a result longer than this, in UTF-16 units, so much of the start and of the end is read. */
const lightLength = { most: 6_000, start: 4_000, end: 1_500 } as const;

/** A summary quotes little of what tools said; their longest answers are read at both ends. */
function lightened(message: Message): Message {
  if (!message.parts.some((part) => part.type === 'toolResult' && part.content.some(isLong))) return message;
  return { ...message, parts: message.parts.map(lightPart) };
}

const isLong = (content: ResultContent): boolean => content.type === 'text' && content.text.length > lightLength.most;

function lightPart(part: Part): Part {
  if (part.type !== 'toolResult' || !part.content.some(isLong)) return part;
  const content = part.content.map((one) => {
    if (one.type !== 'text' || !isLong(one)) return one;
    return { ...one, text: `${one.text.slice(0, lightLength.start)}\n…\n${one.text.slice(-lightLength.end)}` };
  });
  return { ...part, content };
}

/** Rounds of asking for less, since what refs take is not known before. */
const rounds = 3;

function fitted(ledger: Ledger, request: SummaryRequest, count: (text: string) => number): string {
  const { from, to, budgetTokens, contextTokens, shown } = request;
  const opening = openingOf(to - from);
  const room = Math.max(0, budgetTokens - count(`${opening}\n\n`));
  let asked = Math.floor(room * 1.1);
  let body = '';
  for (let round = 0; round < rounds; round++) {
    const shownBefore = firstGap(shown, from);
    body = withoutRefs(ledger.handoff({ from, to, shownBefore, budgetTokens: asked, contextTokens }).body);
    const size = count(body);
    if (size <= room) return joined(opening, body);
    asked = Math.floor(asked * Math.min(0.95, room / size));
  }
  return joined(opening, cutToFit(body, room, count));
}

const joined = (opening: string, body: string): string => (body === '' ? opening : `${opening}\n\n${body}`);

const openingOf = (turns: number): string =>
  `${summaryPrefix} notes on ${turns === 1 ? 'one turn that was' : `${turns} turns that were`} taken out here. What stands behind < is output of tools.`;

/** How many turns at the start are shown without a gap. */
function firstGap(shown: ReadonlySet<number>, from: number): number {
  let at = 0;
  while (at < from && shown.has(at)) at++;
  return at;
}

/**
 * The body without the numbers of messages: nobody who reads the record can look them up, and the record says itself what
 * each summary stands for. Text that was quoted begins with a space, so that no word of it is taken for a number.
 */
function withoutRefs(body: string): string {
  return body
    .replace(/^(### |)m\d+(?:-m\d+)? /gm, '$1')
    .replace(/^( → )m\d+(?:-m\d+)? /gm, '$1')
    .replace(/^( \+ )m\d+(?:-m\d+)?(?: (?=\()|: )/gm, '$1')
    .trim();
}

/** Whole lines from the start, as many as there is room for. */
function cutToFit(body: string, room: number, count: (text: string) => number): string {
  const lines = body.split('\n');
  while (lines.length > 0 && count(lines.join('\n')) > room) lines.length -= Math.max(1, Math.floor(lines.length / 10));
  return lines.join('\n');
}

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
