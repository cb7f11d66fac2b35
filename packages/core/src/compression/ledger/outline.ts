/** The part of a handoff that facts fill: requests word for word, failures, files, side effects, the plan. */

import { quotedBelow, speakerRow } from '../handoff-rows.ts';
import type { Ref } from '../result.ts';
import { directiveWords, quoted, wordsOf } from './ask-quotes.ts';
import type { ErrorFact, FileFact, LedgerFacts } from './facts.ts';
import { clip, flat, toolName, withinRow } from './names.ts';
import { leastLine, type OutlineLine, position } from './outline-line.ts';
import type { SectionContent } from './templates.ts';
import { turnLines } from './turns.ts';

export interface OutlineInput {
  readonly facts: LedgerFacts;
  /** True for messages that the handoff stands for; the others are shown in full. */
  readonly covers: (ref: Ref) => boolean;
  /** Tokens the whole handoff may take. */
  readonly budget: number;
  readonly count: (text: string) => number;
  /** True when a model's summary stands beside it, which tells of finished turns itself. */
  readonly besideSummary?: boolean;
}

/** Shares of the handoff that each kind of fact may take at most. */
export const shares = {
  asks: 0.25,
  /** More of those that matter in the smallest handoff: the first request, the newest, and rules. */
  smallAsks: 0.25,
  answers: 0.04,
  turns: 0.03,
  blocked: 0.04,
  state: 0.04,
  plan: 0.05,
  files: 0.05,
  /** More of the user's words and of effects outside, in a roomy handoff: they must outlive every compression. */
  roomyAsks: 0.15,
  roomyState: 0.05,
  roomyBlocked: 0.03,
  /** Still more of the user's words in a conversation without any call: nothing was done that could be told instead. */
  talkAsks: 0.25,
  /** In a roomy handoff; a small one has none to spare, and its decisions compete with all other lines. */
  decisions: 0.12,
} as const;

/** A handoff of fewer tokens is small, one of more is roomy. */
const sizes = { small: 2_000, roomy: 6_500 } as const;

/** From 0 in a small handoff to 1 in a roomy one. */
export const roomIn = (budget: number): number =>
  Math.min(1, Math.max(0, (budget - sizes.small) / (sizes.roomy - sizes.small)));

/** A handoff of fewer tokens is tiny: from 1 in such a one to 0 in one that has twice as many. */
const tiny = 600;
const smallness = (budget: number): number => Math.min(1, Math.max(0, 2 - budget / tiny));

/** Beside a model's summary: of what is finished, in words of the record. A roomy handoff keeps the user's words. */
const finishedShares = { asks: 0.04, answers: 0.02, turns: 0 } as const;
const roomyFinished = 0.3;

const answerChars = 160;
const failureChars = 160;
const decisionChars = 200;

/** The lines that facts give, in the order of the sections. Each kind keeps to its share of the budget. */
export function outlineOf(input: OutlineInput): readonly OutlineLine[] {
  return [
    ...story(input),
    ...decisionLines(input),
    ...failureLines(input),
    ...stateLines(input),
    ...planLines(input),
    ...fileLines(input),
  ];
}

/** Requests, how each ended, and what was done for it, in the order in which it happened. */
function story(input: OutlineInput): readonly OutlineLine[] {
  const turns = turnLines(input.facts, input.covers).map(
    (line): OutlineLine => ({ content: 'actions', ref: line.ref, text: line.text }),
  );
  const lines = [...askLines(input), ...within(finished(input).turns, turns.toReversed(), input)];
  // The sort is stable: what was done stands below the request and above the words that ended it.
  return lines.sort((a, b) => position(a.ref) - position(b.ref) || order(a) - order(b));
}

const order = ({ text }: OutlineLine): number => (text.startsWith(' →') ? 2 : text.startsWith(' m') ? 1 : 0);

/** Takes lines, most wanted first, while the share lasts. */
function within(share: number, lines: Iterable<OutlineLine>, { budget, count }: OutlineInput): OutlineLine[] {
  const taken: OutlineLine[] = [];
  let left = budget * share;
  for (const line of lines) {
    // What is left holds no line any more: spare the counting of all the others.
    if (left < leastLine) break;
    const tokens = count(line.text) + 1;
    if (tokens > left) continue;
    left -= tokens;
    taken.push(line);
  }
  return taken;
}

/** Rules first, then the newest: what was said last counts, what was laid down early still holds. */
function askLines(input: OutlineInput): readonly OutlineLine[] {
  const { facts, covers } = input;
  const newest = facts.asks.at(-1);
  const asks = facts.asks.filter(({ ref, text }) => text !== '' && covers(ref));
  const laidDown = facts.directives.filter(({ ref }) => covers(ref)).map(directiveWords);
  const order = wanted([...asks.flatMap((ask) => wordsOf(ask, input)), ...laidDown], input).sort(
    (a, b) => a.rank - b.rank,
  );
  const roomy = (shares.roomyAsks + talkShare(input)) * roomIn(input.budget);
  const room = { ...input, forRules: shares.smallAsks * smallness(input.budget) };
  const taken = input.besideSummary
    ? [
        ...quoted(shares.asks, order.filter(isOpen), room),
        ...quoted(
          finishedShares.asks + (roomyFinished + talkShare(input) - finishedShares.asks) * roomIn(input.budget),
          order.filter((line) => !isOpen(line)),
          input,
        ),
      ]
    : quoted(shares.asks + roomy, order, room);
  const home = new Map(taken.filter(({ isRule }) => !isRule).map(({ ref, content }) => [ref, content]));
  const answers = asks.toReversed().flatMap(({ ref, answer }): OutlineLine[] => {
    const content = home.get(ref);
    if (!content || !answer?.text || !covers(answer.ref)) return [];
    return [{ content, ref, text: ` → ${speakerRow(answer.ref, 'assistant', clip(gist(answer.text), answerChars))}` }];
  });
  const closed = within(finished(input).answers, answers, input);
  // The summary tells what was asked and answered: beside it, a question stands only with its answer.
  const answered = new Set(closed.map(({ ref }) => ref));
  const kept =
    input.besideSummary && roomIn(input.budget) < 0.5
      ? taken.filter(({ content, ref }) => content !== 'answers' || answered.has(ref))
      : taken;
  const said = [...kept, ...closed].sort((a, b) => position(a.ref) - position(b.ref));
  if (!newest || covers(newest.ref)) return said;
  return [{ content: 'task', ref: newest.ref, text: `${newest.ref} user: word for word below` }, ...said];
}

const talkShare = ({ facts }: OutlineInput): number => (facts.actions.length === 0 ? shares.talkAsks : 0);

/** The newest first; in a roomy handoff the earliest too, so that no compression forgets what another one told. */
function wanted<T>(lines: readonly T[], { budget }: OutlineInput): T[] {
  return roomIn(budget) < 0.5 ? lines.toReversed() : fromBothEnds(lines);
}

/** The newest, the earliest, the second newest, and so on. */
function fromBothEnds<T>(lines: readonly T[]): T[] {
  return lines.flatMap((_, at) => lines.at(at % 2 === 0 ? -1 - at / 2 : (at - 1) / 2) ?? []);
}

const isOpen = ({ content }: { readonly content: SectionContent }): boolean =>
  content !== 'actions' && content !== 'answers';

const finished = ({ besideSummary }: OutlineInput): { readonly answers: number; readonly turns: number } =>
  besideSummary ? finishedShares : shares;

/**
 * What was settled, taken from both ends: what was decided early still holds, what was decided last counts. Each
 * compression so keeps the decisions of the ones before.
 */
function decisionLines(input: OutlineInput): readonly OutlineLine[] {
  const said = input.facts.decisions.filter(({ ref }) => input.covers(ref));
  const lines = fromBothEnds(said).map(({ ref, by, text }): OutlineLine => {
    const who = by === 'user' ? 'person' : 'assistant';
    return { content: 'decisions', ref, text: speakerRow(ref, who, clip(text, decisionChars)) };
  });
  return within(shares.decisions * roomIn(input.budget), lines, input).sort(
    (a, b) => position(a.ref) - position(b.ref),
  );
}

function failureLines(input: OutlineInput): readonly OutlineLine[] {
  const seen = new Set<string>();
  const lines: OutlineLine[] = [];
  for (const error of [...input.facts.errors].reverse()) {
    const key = `${error.tool} ${error.line}`;
    if (error.fixed || seen.has(key) || !input.covers(error.ref)) continue;
    seen.add(key);
    lines.push({ content: 'blocked', ref: error.ref, text: failureText(error) });
  }
  const share = shares.blocked + shares.roomyBlocked * roomIn(input.budget);
  return within(share, wanted(lines.reverse(), input), input).sort((a, b) => position(a.ref) - position(b.ref));
}

const failureText = ({ ref, tool, target, line }: ErrorFact): string =>
  `${ref} ${toolName(tool)} ${withinRow(target, 60)} failed${line ? `:${quotedBelow(clip(line, failureChars))}` : ''}`;

function stateLines(input: OutlineInput): readonly OutlineLine[] {
  const lines = input.facts.sideEffects
    .filter(({ ref }) => input.covers(ref))
    .map(({ ref, tool, target, ok }): OutlineLine => {
      const outcome =
        ok === undefined ? 'outcome unknown, check before repeating' : ok ? 'done, do not repeat' : 'failed';
      return { content: 'state', ref, text: `${ref} ${toolName(tool)} ${withinRow(target, 80)}: ${outcome}` };
    });
  const share = shares.state + shares.roomyState * roomIn(input.budget);
  return within(share, wanted(lines, input), input).sort((a, b) => position(a.ref) - position(b.ref));
}

function planLines(input: OutlineInput): readonly OutlineLine[] {
  const { plan } = input.facts;
  if (!plan || !input.covers(plan.ref)) return [];
  const lines = plan.entries
    .filter(({ state }) => state !== 'done')
    .map(
      ({ text, state }): OutlineLine => ({
        content: state === 'active' ? 'progress' : 'remaining',
        ref: plan.ref,
        text: `${plan.ref} assistant's plan: ${withinRow(text, answerChars)}`,
      }),
    );
  return within(shares.plan, lines, input);
}

function fileLines(input: OutlineInput): readonly OutlineLine[] {
  const lines = [...input.facts.files]
    .filter(({ state, ref }) => state !== 'read' && input.covers(ref))
    .sort((a, b) => weight(b) - weight(a))
    .map(
      ({ path, state, ref }): OutlineLine => ({
        content: 'files',
        ref,
        text: `${ref} ${state} ${withinRow(flat(path))}`,
      }),
    );
  return within(shares.files, lines, input);
}

/** Files that were worked on most and last come first. */
const weight = ({ touches, ref }: FileFact): number => Math.log1p(touches) + position(ref) / 1000;

const sentences = /(?:[^.!?。！？\n]|[.!?](?!\s|$))+[.!?。！？]*\s*/g;
const leastGist = 40;

/** The first sentences that say something: an opening such as "Done." is not enough. */
function gist(text: string): string {
  let said = '';
  for (const [sentence] of text.slice(0, 600).matchAll(sentences)) {
    said += sentence;
    if (said.trim().length >= leastGist) break;
  }
  return said.replace(/\*\*|^#+ /gm, '');
}
