/** Drafts the new list: what the handoff covers, what it says, and the messages around it. */
import { tokensByPart } from '../tokens/measure.ts';
import { type Message, messageHash } from '../transcript/message.ts';
import { type Assembled, assemble } from './assemble.ts';
import { type Cut, restatedBy, restatedWords } from './boundaries.ts';
import { handoffBlock, isHandoff } from './handoff-block.ts';
import type { ComposedHandoff } from './ledger/compose.ts';
import { type PinnedWords, pinnableWords, pinnedSection } from './pinned.ts';
import { shrinkTail } from './prune/shrink-tail.ts';
import { nowhere, refAt } from './record.ts';
import type { Ref } from './result.ts';
import { type Run, total } from './run.ts';

/** A new list before it is judged. */
export interface Drafted {
  /** The list that was cut, with what stays shortened where it was too long. */
  readonly list: readonly Message[];
  /** The new list, and for each of its messages the place in the record, -1 for what stands for others. */
  readonly messages: readonly Message[];
  readonly places: readonly number[];
  /** Absent where nothing was cut: then there is no handoff either. */
  readonly cut?: Cut;
  readonly handoff?: DraftedHandoff;
}

export interface DraftedHandoff {
  readonly block: string;
  readonly tokens: number;
  /** Those of them that pinned messages take, which no budget cuts. */
  readonly pinnedTokens: number;
  /** Tokens that the rest may have. */
  readonly budget: number;
  readonly covers: readonly Ref[];
  readonly pinned: readonly Ref[];
  readonly composed: ComposedHandoff;
}

/** What is to be drafted. */
interface Plan {
  readonly list: readonly Message[];
  readonly cut: Cut;
  /** Tokens for the whole handoff block, without what is pinned. */
  readonly budget: number;
}

/** The new list, within the target where the newest words leave room for that. */
export function draftToFit(run: Run, list: readonly Message[], cut: Cut): Drafted {
  const least = leastHandoff(run, list, cut);
  let budget = Math.max(least, handoffBudget(run, list, cut));
  let drafted = draft(run, { list, cut, budget });
  // Seams cost tokens that no estimate of the parts knows: take them off the handoff.
  for (let round = 0; round < 2 && budget > least; round++) {
    const over = total(drafted.messages, run) - run.sizes.targetTokens;
    if (over <= 0) break;
    budget = Math.max(least, budget - over - 4);
    drafted = draft(run, { list, cut, budget });
  }
  return drafted;
}

/** The new list with a handoff of at most `budget` tokens. */
export function draft(run: Run, { list, cut, budget }: Plan): Drafted {
  const { record, places, options, config } = run;
  const shown = shownBy(run, list, cut);
  const covered = placesOf(record.size, (place) => !shown.all.has(place) && !record.takenBack.has(place));
  const info = {
    covers: rangesOf(covered),
    count: covered.length,
    isSubstitute: run.isSubstitute ?? false,
    ...followedBy(run, list, cut),
    ...(options.keptIn === undefined ? {} : { keptIn: options.keptIn }),
  };
  const composed = record.ledger.handoff({
    ...rangeFor(run, shown),
    template: config.summary.template,
    budgetTokens: Math.max(0, budget - options.tokenizer.count(handoffBlock('', info)) - 2),
    contextTokens: Math.max(budget, run.sizes.targetTokens),
    ...(options.focusTopic === undefined ? {} : { focusTopic: options.focusTopic }),
    ...(run.summary === undefined ? {} : { summary: run.summary }),
  });
  const pinned = pinnedSection(shown.pinned);
  const block = handoffBlock(`${pinned}${composed.body}`, info);
  const systemNote = (options.compressionCount ?? 0) === 0 && !run.listed.some(isHandoff);
  const assembled = assemble(list, cut, { block, systemNote });
  return {
    list,
    cut,
    messages: assembled.messages,
    places: sourcesOf(assembled, cut, list.length).map((at) => places[at] ?? nowhere),
    handoff: {
      block,
      tokens: blockTokens(run, assembled),
      pinnedTokens: pinned === '' ? 0 : options.tokenizer.count(pinned),
      budget,
      covers: covered.map(refAt),
      pinned: shown.pinned.map(({ ref }) => ref),
      composed,
    },
  };
}

/** More runs than these are not worth their tokens: without them, another process counts anew and names no old message. */
const mostRuns = 24;

/** The numbers of the messages that the block stands before, for a process that has this list and not the record. */
function followedBy({ places }: Run, list: readonly Message[], cut: Cut): { readonly followedBy?: string } {
  const assembled = assemble(list, cut, { block: '' });
  const { handoffAt, placement } = assembled;
  const behind = sourcesOf(assembled, cut, list.length)
    .slice(placement === 'merged' ? handoffAt : handoffAt + 1)
    .map((at) => places[at] ?? nowhere);
  const runs = runsOf(behind);
  // A message that is not in the record has no number.
  if (behind.length === 0 || behind.includes(nowhere) || runs.length > mostRuns) return {};
  return { followedBy: rangesOf(behind) };
}

/** Tokens of the block, from the count of the message that carries it: a long text is not counted twice. */
function blockTokens({ options }: Run, { messages, handoffAt }: Assembled): number {
  const carrier = messages[handoffAt];
  if (!carrier) return 0;
  const beside = { ...carrier, parts: carrier.parts.slice(1) };
  return tokensByPart(carrier, options.tokenizer).text - tokensByPart(beside, options.tokenizer).text;
}

/** The list without a cut: its long content shortened until it fits the target, or else as far as it goes. */
export function draftWithoutCut(run: Run, list: readonly Message[]): Drafted {
  const { places, tokensOf, sizes, options } = run;
  const refs = new Map(list.map((message, at) => [message, refAt(places[at] ?? nowhere)]));
  const refOf = (message: Message): Ref => refs.get(message) ?? 'm0';
  const keeps = (message: Message): boolean => options.pinned?.includes(refOf(message)) ?? false;
  const { messages } = shrinkTail(list, sizes.targetTokens, { tokensOf, refOf, keeps });
  return { list: messages, messages, places };
}

/** What of the record is in the new list beside the handoff, by place. */
interface Shown {
  readonly all: ReadonlySet<number>;
  /** Word for word as it came, before the handoff and after it. */
  readonly before: ReadonlySet<number>;
  readonly after: ReadonlySet<number>;
  /** What is shown of a shortened message behind the handoff. */
  readonly shortened: ReadonlyMap<number, Message>;
  /** Said again after the handoff, which covers them. */
  readonly restated: ReadonlySet<number>;
  /** Pinned, and not shown word for word otherwise: they stand in the handoff. */
  readonly pinned: readonly PinnedWords[];
}

function shownBy(run: Run, list: readonly Message[], cut: Cut): Shown {
  const { places } = run;
  const isWhole = (at: number): boolean => isShownWhole(run, list, at);
  const from = (start: number, end: number): readonly number[] =>
    Array.from({ length: end - start }, (_, i) => start + i).filter((at) => (places[at] ?? nowhere) !== nowhere);
  const placeAt = (at: number): number => places[at] ?? nowhere;
  const head = from(0, cut.headEnd);
  const tail = from(cut.tailStart, list.length);
  const restated = restatedBy(cut).filter(isWhole);
  return {
    all: new Set([...head, ...tail].map(placeAt)),
    before: new Set(head.filter(isWhole).map(placeAt)),
    after: new Set(tail.map(placeAt)),
    shortened: new Map(tail.flatMap((at) => (isWhole(at) || !list[at] ? [] : [[placeAt(at), list[at]] as const]))),
    restated: new Set(restated.map(placeAt)),
    pinned: pinnedBeside(run, new Set([...head.filter(isWhole), ...tail.filter(isWhole), ...restated].map(placeAt))),
  };
}

/** What is pinned and stands at none of these places, in the order of the conversation. */
function pinnedBeside({ options: { pinned = [] }, record }: Run, whole: ReadonlySet<number>): readonly PinnedWords[] {
  const places = [...new Set(pinned.map(placeOfRef))].filter((place) => !whole.has(place)).sort((a, b) => a - b);
  return places.flatMap((place): readonly PinnedWords[] => {
    const message = record.at(place);
    const words = message && pinnableWords(message);
    return words ? [{ ref: record.refOf(place), ...words }] : [];
  });
}

const placeOfRef = (ref: Ref): number => Number(ref.slice(1)) - 1;

/** Tokens of what is pinned in the handoff that would stand for the middle of a cut. */
export function pinnedTokens(run: Run, list: readonly Message[], cut: Cut): number {
  if ((run.options.pinned ?? []).length === 0) return 0;
  return run.options.tokenizer.count(pinnedSection(shownBy(run, list, cut).pinned));
}

/** True when nobody has changed the message since it came into the record, in this pass or an earlier one. */
function isShownWhole({ given, listed, origins, places, record }: Run, list: readonly Message[], at: number): boolean {
  const origin = origins[at] ?? -1;
  const [came, original] = [given[origin], record.at(places[at] ?? nowhere)];
  return list[at] === listed[origin] && came !== undefined && original !== undefined && isEqual(came, original);
}

const isEqual = (a: Message, b: Message): boolean => a === b || messageHash(a) === messageHash(b);

type LedgerRange = Pick<
  Parameters<Run['record']['ledger']['handoff']>[0],
  'from' | 'to' | 'shownBefore' | 'restated' | 'partly'
>;

/** The stretch of the record that the handoff is written from, and what of it need not be said. */
function rangeFor({ record, options }: Run, shown: Shown): LedgerRange {
  const { before, after, shortened, restated } = shown;
  const pinned = new Set(shown.pinned.map(({ ref }) => placeOfRef(ref)));
  // A system prompt that was replaced says nothing any more, nor does what was taken back; under `cover` there is no prompt.
  const isPrompt = (place: number): boolean =>
    (options.system !== 'cover' && record.prompts.has(place)) || record.takenBack.has(place);
  let from = 0;
  while (before.has(from) || isPrompt(from)) from++;
  let to = record.size;
  while (to > from && (after.has(to - 1) || isPrompt(to - 1))) to--;
  const said = placesOf(record.size, (place) => {
    if (place < from || place >= to) return false;
    if (before.has(place) || restated.has(place) || pinned.has(place) || isPrompt(place)) return true;
    return after.has(place) && !shortened.has(place);
  });
  const partly = new Map([...shortened].filter(([place]) => place >= to && !pinned.has(place)));
  return { from, to, shownBefore: from, restated: new Set(said), partly };
}

function placesOf(size: number, holds: (place: number) => boolean): readonly number[] {
  const places: number[] = [];
  for (let place = 0; place < size; place++) if (holds(place)) places.push(place);
  return places;
}

/** `m2-m40, m43`: as people write it, and as `expand` takes it. */
function rangesOf(places: readonly number[]): string {
  const texts = runsOf(places).map(({ first, last }) =>
    first === last ? refAt(first) : `${refAt(first)}-${refAt(last)}`,
  );
  return texts.join(', ') || 'nothing';
}

/** Places that follow each other, as runs. */
function runsOf(places: readonly number[]): readonly { readonly first: number; readonly last: number }[] {
  const runs: { first: number; last: number }[] = [];
  for (const place of places) {
    const run = runs.at(-1);
    if (run && run.last === place - 1) run.last = place;
    else runs.push({ first: place, last: place });
  }
  return runs;
}

/** What a message around the handoff costs, with the note in the system prompt. */
const frameTokens = 12;
const systemNoteTokens = 48;

/** A handoff has this share of the target at least, and so many tokens, whatever else is large. */
const leastShare = 0.25;
export const leastTokens = 400;

/** Tokens that the whole block has in any case: what a person said last may be larger than the target, and is said word for word. */
function leastHandoff(run: Run, list: readonly Message[], cut: Cut): number {
  const { targetTokens, contextLength, isFixed } = run.sizes;
  const room = contextLength - keptTokens(run, list, cut);
  const middle = run.input.slice(cut.headEnd, cut.tailStart);
  // Under a target of the caller's the handoff may be half as long as what it stands for, whatever the configuration says.
  const most = Math.max(deserved(run, middle), isFixed ? total(middle, run) / 2 : 0);
  return Math.floor(Math.max(0, Math.min(Math.max(leastTokens, targetTokens * leastShare), most, room)));
}

function keptTokens(run: Run, list: readonly Message[], cut: Cut): number {
  const kept = total(list.slice(0, cut.headEnd), run) + total(list.slice(cut.tailStart), run);
  const note = list[0]?.role === 'system' ? systemNoteTokens : 0;
  return kept + restatedTokens(run, list, cut) + pinnedTokens(run, list, cut) + frameTokens + note;
}

/** Tokens for the whole block: what the target leaves beside head and tail, or what the compressed messages deserve. */
function handoffBudget(run: Run, list: readonly Message[], cut: Cut): number {
  const room = run.sizes.targetTokens - keptTokens(run, list, cut);
  if (run.sizes.isFixed) return Math.max(0, room);
  return Math.max(0, Math.min(room, deserved(run, run.input.slice(cut.headEnd, cut.tailStart))));
}

/**
 * What the compressed messages deserve. An earlier handoff among them stands for many messages that are not counted any
 * more: the new one, which stands for them too, is not smaller for that, and grows with what is new.
 */
function deserved(run: Run, middle: readonly Message[]): number {
  const { summaryTokens } = run.sizes;
  const compressed = total(middle, run);
  const earlier = total(middle.filter(isHandoff), run);
  if (earlier === 0) return summaryTokens(compressed);
  const grown = earlier + Math.floor((compressed - earlier) * run.config.summary.ratio);
  return Math.max(summaryTokens(compressed), Math.min(grown, summaryTokens(Number.MAX_SAFE_INTEGER)));
}

function restatedTokens(run: Run, list: readonly Message[], cut: Cut): number {
  return restatedBy(cut).reduce((sum, at) => {
    const words = restatedWords(list[at]);
    return words ? sum + run.tokensOf(words) : sum;
  }, 0);
}

// Tells which message of the list each message of an assembled list comes from.

/** Nothing of the list: a handoff of its own, or the bridge before it. */
const noSource = -1;

/**
 * For each message of `assembled` the index in the list of `length` messages that was cut, `noSource` where it only
 * stands for others. Two that became one count as the later one, which is the one that stays.
 */
function sourcesOf(assembled: Assembled, cut: Cut, length: number): readonly number[] {
  const { messages, handoffAt, placement } = assembled;
  const restated = restatedBy(cut);
  const tail = Array.from({ length: length - cut.tailStart }, (_, i) => cut.tailStart + i);
  const head = Array.from({ length: handoffAt }, (_, i) => (i < cut.headEnd ? i : noSource));
  const behind = messages.length - handoffAt - 1 + (placement === 'merged' ? 1 : 0);
  const isJoined = behind < restated.length + tail.length;
  const rest = [...(isJoined ? restated.slice(0, -1) : restated), ...tail];
  return [...head, ...(placement === 'merged' ? [] : [noSource]), ...rest];
}
