/**
 * Who gets how much of the target: makes what stays small enough for the target to hold and for the handoff to have room,
 * by the cheapest loss that does it. The newest words of a person are never shortened, whatever that means for the target.
 */
import { tailCeilingRatio } from '../context/threshold.ts';
import type { Message } from '../transcript/message.ts';
import { carriesCalls, messageText } from '../transcript/text.ts';
import { type Cut, planBoundaries, restatedBy, restatedWords } from './boundaries.ts';
import { type Drafted, draftToFit, draftWithoutCut, leastTokens, pinnedTokens } from './draft.ts';
import { askerOf, newestRequest } from './handoff-block.ts';
import { type Pruning, startPruning } from './prune/prune.ts';
import { type Shrunk, shrinkTail } from './prune/shrink-tail.ts';
import { nowhere, refAt } from './record.ts';
import type { UnchangedReason } from './report.ts';
import { leastOf, type Run, retelling, tightened, total, withHalfTail } from './run.ts';

interface NoDraft {
  readonly reason: UnchangedReason;
}

interface Chosen extends Pick<Run, 'usualExtraTokens'> {
  readonly drafted: Drafted;
}

/**
 * The draft to go on with. Under `planned` the smaller one of two, with the configured tail and with half of it: half the
 * tail leaves more where everything fits the whole one once old results are stubs, and then has to be cut all the same.
 */
export function chosenDraft(run: Run): Chosen | NoDraft {
  const usual = bestDraft(run);
  if ('reason' in usual) return usual;
  if (!run.config.planned || run.sizes.isFixed) return { drafted: usual };
  const shorter = bestDraft({ ...run, sizes: withHalfTail(run.sizes) });
  const more = 'messages' in shorter ? total(usual.messages, run) - total(shorter.messages, run) : 0;
  return 'messages' in shorter && more > 0
    ? { drafted: shorter, usualExtraTokens: more }
    : { drafted: usual, usualExtraTokens: 0 };
}

/**
 * The draft with what the configuration wishes to keep. Where that does not fit, the first that does of: no more kept than
 * must be; the last group alone; a single turn shortened, with a handoff that tells what is gone of it, or without one where
 * that tells next to nothing; shorter orders of programs, where the window does not hold them or the caller
 * named the target, and then shorter system prompts. The smallest one where none does.
 */
function bestDraft(run: Run): Drafted | NoDraft {
  const fits = ({ messages }: Pick<Drafted, 'messages'>): boolean => total(messages, run) <= run.sizes.targetTokens;
  const usual = cutAndDraft(run);
  if (fits('messages' in usual ? usual : { messages: run.listed })) return usual;
  const config = { ...run.config, prune: { ...run.config.prune, keepImages: 0 } };
  const tight: Run = { ...run, config, sizes: tightened(run.sizes) };
  const drafts = 'messages' in usual ? [usual] : [];
  for (const sizes of [tight.sizes, leastOf(tight.sizes)]) {
    const drafted = cutAndDraft({ ...tight, sizes });
    if ('messages' in drafted) drafts.push(drafted);
    if ('messages' in drafted && fits(drafted)) return drafted;
  }
  if (drafts.length === 0) drafts.push(wholeTurn(tight));
  const least = drafts.reduce((best, one) => (total(one.messages, run) < total(best.messages, run) ? one : best));
  return fits(least) ? least : withShorterOrders(tight, least);
}

/** A list in which nothing lies between the newest words and what came before them. */
function wholeTurn(run: Run): Drafted {
  const told = cutAndDraft({ ...run, sizes: retelling(run.sizes) });
  const isWorthIt = 'messages' in told && toldTokens(told) >= leastTokens;
  return isWorthIt ? told : draftWithoutCut(run, run.input);
}

/** What a handoff tells beside what is pinned in it. */
const toldTokens = ({ handoff }: Drafted): number => (handoff ? handoff.tokens - handoff.pinnedTokens : 0);

function cutAndDraft(run: Run): Drafted | NoDraft {
  const pruning = pruneOld(run);
  const pruned = (message: Message, at: number): Message => pruning.at(at) ?? message;
  const tokensOf = (message: Message, at: number): number =>
    run.tokensOf(message === run.input[at] ? pruned(message, at) : message);
  const { boundaries } = run.sizes;
  // What was large and is no more than a tail once it is pruned needs no further cut than one that makes it a handoff.
  const gently = total(run.input, run) > boundaries.tailTokens * tailCeilingRatio;
  const cut = planBoundaries(run.input, { ...boundaries, gently, tokensOf });
  if (cut.type === 'nothing') return cut;
  // What goes into the summary is read from the record: nobody sees its pruned form.
  const stays = stayingBy(cut);
  const list = run.input.map((message, at) => (stays(at) ? pruned(message, at) : message));
  const kept = fitKept(run, { list, cut, spare: 0 });
  const drafted = draftToFit(run, kept, cut);
  const spare = run.sizes.targetTokens - total(drafted.messages, run);
  if (kept === list || !run.sizes.isFixed || spare < run.sizes.targetTokens * worthwhileShare) return drafted;
  // The handoff has told all that there is to tell: what is left of the target is for what was shortened.
  return draftToFit(run, fitKept(run, { list, cut, spare: spare * (1 - worthwhileShare) }), cut);
}

/** Room that a handoff leaves is given to others from this share of the target on. */
const worthwhileShare = 0.1;

function stayingBy(cut: Cut): (at: number) => boolean {
  const again = restatedBy(cut);
  return (at) => at < cut.headEnd || at >= cut.tailStart || again.includes(at);
}

function pruneOld({ input, places, config, sizes, tokensOf }: Run): Pruning {
  const refs = new Map(input.map((message, at) => [message, refAt(places[at] ?? at)]));
  return startPruning(input, {
    refOf: (message) => refs.get(message) ?? 'm0',
    tokensOf,
    // What is told again may be all that there is: it is shortened to the room that it has, and not to a tail.
    tailTokens: sizes.boundaries.retells ? sizes.targetTokens : sizes.boundaries.tailTokens,
    minMessages: Math.min(sizes.boundaries.protectLastN, 8),
    ...config.prune,
  });
}

/** The tail may take this share of a target that the caller named, however large its last messages are. */
const mostOfTarget = 0.06;

interface Kept {
  readonly list: readonly Message[];
  readonly cut: Cut;
  /** Tokens that may stay beside the usual share. */
  readonly spare: number;
}

/**
 * The list with what stays behind the handoff cut where it is too large; the same list when nothing is. The newest request
 * takes its room first, and of what it leaves the rest gets a share.
 */
function fitKept(run: Run, { list, cut, spare }: Kept): readonly Message[] {
  const { targetTokens, isFixed, boundaries } = run.sizes;
  const { restate, restateReply, tailStart } = cut;
  // The newest reply and what a program asked, where they are said again, are shortened with the tail.
  const again = [restate, restateReply].filter((at) => at !== undefined).toSorted((a, b) => a - b);
  const shown = [...again, ...Array.from({ length: list.length - tailStart }, (_, i) => tailStart + i)];
  const words = (at: number): readonly Message[] => {
    const said = at < tailStart ? restatedWords(list[at]) : list[at];
    return said ? [said] : [];
  };
  const rows = shown.flatMap((at) => words(at).map((message) => ({ at, message })));
  const whole = targetTokens - total(list.slice(0, cut.headEnd), run) - pinnedTokens(run, list, cut);
  const request = requestTokens(run, words(newestRequest(list)), whole);
  const room = whole - request;
  const share = isFixed && !boundaries.retells ? mostOfTarget : 0.5;
  const least = isFixed ? boundaries.tailTokens : boundaries.tailTokens * tailCeilingRatio;
  const most = Math.max(1, least, Math.floor(room * share));
  const rest = isFixed && restate === undefined ? Math.max(most - request, most / 2) : most;
  const reply = briefReply(rows);
  const isKept = (row: Row): boolean => row === reply || isPinned(run, row.at);
  const others = rows.filter((row) => !isKept(row));
  // What is short already says little without its middle, and is what came of it all.
  const stays = total(
    rows.filter(isKept).map(({ message }) => message),
    run,
  );
  const left = stays > 0 ? Math.max(rest - stays, rest / 2) : rest;
  const shrunk = shortened(run, others, { most: request + left + spare, only: 'everything' });
  const changed = new Map(shrunk.cutAt.map((i) => [others[i]?.at, shrunk.messages[i]]));
  return changed.size === 0 ? list : list.map((message, at) => changed.get(at) ?? message);
}

const isPinned = ({ places, options }: Run, at: number): boolean =>
  options.pinned?.includes(refAt(places[at] ?? nowhere)) ?? false;

const briefChars = 400;

/** The assistant's newest words, where they are few. */
function briefReply(rows: readonly Row[]): Row | undefined {
  const last = rows.findLast(({ message }) => message.role === 'assistant' && messageText(message).trim() !== '');
  return last && messageText(last.message).length <= briefChars && !carriesCalls(last.message) ? last : undefined;
}

/** What the newest request may have: a person's all that it needs, a program's up to half of the room, a note of one no more than others. */
function requestTokens(run: Run, [request]: readonly Message[], room: number): number {
  const asker = request ? askerOf(request) : 'notes';
  if (!request || asker === 'notes') return 0;
  const tokens = run.tokensOf(request);
  return asker === 'person' ? tokens : Math.min(tokens, Math.max(0, Math.floor(room / 2)));
}

interface Row {
  /** Index in the list that is cut. */
  readonly at: number;
  readonly message: Message;
}

function shortened(
  { places, tokensOf }: Run,
  rows: readonly Row[],
  { most, only }: { readonly most: number; readonly only: 'everything' | 'orders' },
): Shrunk {
  const refs = new Map(rows.map(({ at, message }) => [message, refAt(places[at] ?? -1)]));
  const refOf = (message: Message): string => refs.get(message) ?? 'm0';
  return shrinkTail(
    rows.map(({ message }) => message),
    most,
    { tokensOf, refOf, only },
  );
}

/** What a program asks and system prompts together keep this share of a target that does not hold otherwise. */
const leastOrderShare = 0.25;

/**
 * The draft with what a program asks, and under a target that the caller named its system prompts too, cut by what it is
 * over the target, down to a least share; the same where that is no help.
 */
function withShorterOrders(run: Run, drafted: Drafted): Drafted {
  const { list, cut, messages } = drafted;
  const { targetTokens, contextLength, isFixed } = run.sizes;
  const first = isFixed ? list.findIndex(({ role }) => role !== 'system') : 0;
  const prompts = list.slice(0, first).map((message, at) => ({ at, message }));
  const at = newestRequest(list);
  const request = at >= (cut?.tailStart ?? 0) ? list[at] : restatedWords(list[at]);
  const rows = request && askerOf(request) === 'program' ? [...prompts, { at, message: request }] : prompts;
  const tokens = total(
    rows.map(({ message }) => message),
    run,
  );
  // A threshold may be passed by orders that the window holds.
  const over = total(messages, run) - (isFixed ? targetTokens : contextLength);
  const most = Math.max(Math.floor(targetTokens * leastOrderShare), tokens - over);
  const shrunk = shortened(run, rows, { most, only: 'orders' });
  if (shrunk.cutAt.length === 0) return drafted;
  const changed = new Map(shrunk.cutAt.map((i) => [rows[i]?.at, shrunk.messages[i]]));
  const shorter = list.map((message, i) => changed.get(i) ?? message);
  return cut ? draftToFit(run, shorter, cut) : { ...drafted, list: shorter, messages: shorter };
}
