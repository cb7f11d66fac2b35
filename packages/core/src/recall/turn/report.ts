/** Decides what of the candidates is recalled, and tells why: the text for the model, and a report for a person. */
import { shortened } from '../../shared/graphemes.ts';
import { indexed } from '../../store/terms/index-terms.ts';
import { estimatingTokenizer } from '../../tokens/tokenizer.ts';
import type { Message } from '../../transcript/message.ts';
import { messageText } from '../../transcript/text.ts';
import { speakerOf } from '../read/read.ts';
import type { FoundTurn } from './candidates.ts';
import type { PlaceFit } from './confidence.ts';
import { type FoundEntry, sourceWords } from './entries.ts';
import type { FoundEpisode } from './episodes.ts';
import { type RecallLine, type TextOfLines, textWithin } from './lines.ts';
import {
  type RecallCandidate,
  type TurnRecallOptions,
  type TurnRecallReport,
  type TurnRecallRequest,
  turnRecallDefaults,
} from './options.ts';
import type { WeighedWord } from './question.ts';

/** What was found in time. */
export interface FoundForTurn {
  readonly question: string;
  readonly words: readonly WeighedWord[];
  readonly entries: readonly FoundEntry[];
  readonly turns: readonly FoundTurn[];
  readonly episodes: readonly FoundEpisode[];
  /** True where there was no time for the messages. */
  readonly isLate: boolean;
}

interface Reporting {
  readonly options: TurnRecallOptions;
  readonly request: TurnRecallRequest;
  readonly needed: number;
}

/** So many words that tell messages apart must stand together in a place. */
const fewestDistinctive = 2;
/** The best places of a search are asked whether they are about the question. */
const mostAsked = 5;
/**
 * A place with less than half of what the best one has is left out: on LoCoMo that costs 1.7 points of the evidence, and
 * saves 28 % of the tokens.
 */
const leastOfBest = 0.5;
/** Characters of the id by which a message is named. */
const refCharacters = 8;

/** A candidate as a line of the text. */
interface Line extends RecallLine {
  readonly candidate: Omit<RecallCandidate, 'outcome'>;
  readonly isSure: boolean;
}

/** The text and the reasons. */
export function reportOf(found: FoundForTurn, { options, request, needed }: Reporting): TurnRecallReport {
  const isSure = ({ confidence, distinctive }: PlaceFit): boolean =>
    distinctive >= fewestDistinctive && confidence >= needed;
  const asked = found.turns.slice(0, mostAsked).map(({ fit }) => fit);
  const isAbout = asked.some(isSure);
  const least = leastOfBest * mostOf(asked);
  const lines = [
    ...found.entries.map((entry) => entryLine(entry, isSure(entry.fit))),
    ...found.turns.flatMap((turn) => turnLines(turn, isAbout && turn.fit.confidence >= least)),
    ...found.episodes.map((episode) => episodeLine(episode, isSure(episode.fit))),
  ];
  const outcomes = outcomesOf(lines, request.messages);
  const shown = fitting(
    lines.filter((_, at) => outcomes[at] === 'recalled'),
    options,
  );
  const isIn = new Set(shown.lines);
  const candidates = lines.map((line, at): RecallCandidate => {
    const outcome = outcomes[at] ?? 'not sure';
    return { ...line.candidate, outcome: outcome === 'recalled' && !isIn.has(line) ? 'no room' : outcome };
  });
  return {
    reason: shown.text !== '' ? 'recalled' : found.isLate ? 'out of time' : reasonOf(lines),
    ...(shown.text === '' ? {} : { text: shown.text }),
    tokens: shown.tokens,
    question: found.question,
    words: found.words.map(({ text, messages, isDistinctive }) => ({ text, messages, isDistinctive })),
    confidence: mostOf([...asked, ...[...found.entries, ...found.episodes].map(({ fit }) => fit)]),
    needed,
    candidates,
  };
}

const reasonOf = (lines: readonly Line[]): TurnRecallReport['reason'] =>
  lines.length === 0 ? 'nothing found' : lines.some(({ isSure }) => isSure) ? 'nothing new' : 'not sure';

const mostOf = (fits: readonly PlaceFit[]): number =>
  fits
    .filter(({ distinctive }) => distinctive >= fewestDistinctive)
    .reduce((most, { confidence }) => Math.max(most, confidence), 0);

function fitting(lines: readonly Line[], { tokens, tokenizer }: TurnRecallOptions): TextOfLines<Line> {
  const { count } = tokenizer ?? estimatingTokenizer('unknown');
  return textWithin(lines, { tokens: tokens ?? turnRecallDefaults.tokens, count });
}

function entryLine({ entry, text, fit }: FoundEntry, isSure: boolean): Line {
  const { id, statedAt: time } = entry;
  const speaker = sourceWords[entry.source];
  const candidate = { type: 'entry', id, time, speaker, text, confidence: fit.confidence, found: fit.found } as const;
  return { ref: id, time, speaker, text, candidate, isSure };
}

function episodeLine({ sessionId, time, text, fit }: FoundEpisode, isSure: boolean): Line {
  const about = { confidence: fit.confidence, found: fit.found };
  const candidate = { type: 'episode', id: sessionId, sessionId, time, speaker: 'episode', text, ...about } as const;
  return {
    ref: sessionId.slice(0, refCharacters),
    sessionId,
    isEpisode: true,
    time,
    speaker: '',
    text,
    candidate,
    isSure,
  };
}

/** A message, and behind it what completes it. */
function turnLines({ stored, text, fit, completion }: FoundTurn, isSure: boolean): readonly Line[] {
  return [{ stored, text }, ...(completion ? [completion] : [])].map(({ stored: one, text: said }) => {
    const { id, sessionId, position, time, message } = one;
    const speaker = nameOf(message);
    const about = { confidence: fit.confidence, found: fit.found };
    const candidate = { type: 'message', id, sessionId, time, speaker, text: said, ...about } as const;
    return { ref: id.slice(0, refCharacters), sessionId, position, time, speaker, text: said, candidate, isSure };
  });
}

/** A name is nothing that could end the line or look like another speaker. */
const nameOf = (message: Message): string =>
  shortened((message.name ?? '').replaceAll(/[\s:[\]]+/g, ' ').trim(), longestName) || speakerOf(message);

const longestName = 40;

// Says the same thing once, and nothing that the model sees anyway.

/** Texts with so much of their terms in common say the same. */
const sameShare = 0.8;
/** Characters of a text that is not found in another one by chance. */
const shortest = 24;

function outcomesOf(lines: readonly Line[], messages: readonly Message[]): readonly RecallCandidate['outcome'][] {
  const texts = messages.map((message) => messageText(message).replaceAll(/\s+/g, ' ').trim());
  const [whole, shown] = [new Set([...texts, ...messages.flatMap(entriesIn)]), texts.join('\n')];
  const ids = new Set<string>();
  const taken: ReadonlySet<string>[] = [];
  return lines.map(({ isSure, text, candidate }) => {
    if (!isSure) return 'not sure';
    if (ids.has(candidate.id)) return 'same as another';
    ids.add(candidate.id);
    // A short text stands in others by chance.
    const isShown = text.length < shortest ? whole.has(text) : shown.includes(text.replaceAll(/^…|…$/g, ''));
    if (isShown) return 'shown already';
    const terms = new Set(indexed({ role: 'user', parts: [{ type: 'text', text }] }).terms);
    if (taken.some((other) => isAlike(terms, other))) return 'same as another';
    taken.push(terms);
    return 'recalled';
  });
}

/** The entries that a prompt shows of a memory: between rulers, dividers and blank lines. */
const entriesIn = (message: Message): readonly string[] =>
  message.role === 'system'
    ? messageText(message)
        .split(/\n(?:§|═+)?\n|\n(?=<\/)/)
        .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    : [];

function isAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const both = a.intersection(b).size;
  return both > 0 && both >= sameShare * (a.size + b.size - both);
}
