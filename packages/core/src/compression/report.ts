/** Says what a compression did with every message. */
import type { Message, Part } from '../transcript/message.ts';
import { isSealed } from '../transcript/validate.ts';
import { type Cut, type NothingReason, restatedBy } from './boundaries.ts';
import type { Drafted, DraftedHandoff } from './draft.ts';
import { askerOf, isHandoff, newestRequest, unwrapHandoff, withoutHandoff } from './handoff-block.ts';
import { resolveTemplate } from './ledger/templates.ts';
import { nowhere } from './record.ts';
import type { CompressionResult, ContextShares, Fate, Handoff, MessageFate, Ref } from './result.ts';
import { type Run, total } from './run.ts';

/** Why a conversation was left as it is. */
export type UnchangedReason = NothingReason | 'would-grow' | 'model-failed';

const reasons: Readonly<Record<UnchangedReason, string>> = {
  empty: 'Nothing to compress: there are only system messages.',
  'too-few': 'Nothing to compress: all messages belong to the head or the tail, which are kept.',
  'fits-tail': 'Nothing to compress: everything fits in the part that is kept as it is.',
  'nothing-between': 'Nothing to compress: the middle contains only the newest request or a summary.',
  'model-failed': 'Not compressed: the summary model could not be used, and everything still fits in the window.',
  'would-grow': 'Not compressed: the result would not have been smaller.',
};

export function unchangedReport(run: Run, reason: UnchangedReason): CompressionResult {
  const shares = sharesOf(run, run.listed, run.listed.length);
  // Without its model nothing was tried: what fills the list is not the reason.
  const over = reason === 'model-failed' ? {} : overTarget(run, run.listed);
  return {
    status: reason === 'would-grow' ? 'refused' : 'unchanged',
    reason: withWhy(reasons[reason], over),
    ...over,
    messages: run.given,
    fates: run.listed.map((message, at) =>
      fate(run, at, { fate: 'kept', after: run.tokensOf(message), why: 'nothing was changed', lines: noLines }),
    ),
    before: shares,
    after: shares,
    ...common(run),
  };
}

/** With commas, whatever the machine's locale. */
const grouped = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');

type Total = Pick<ContextShares, 'total'>;

/** Both totals in words, as every report has them. */
export const totalsClause = (before: Total, after: Total): string =>
  `${grouped(before.total)} tokens became ${grouped(after.total)}`;

type Over = Pick<CompressionResult, 'overTarget'>;

const withWhy = (reason: string, { overTarget: over }: Over): string => (over ? `${reason} ${over.why}` : reason);

/** From this share of the target on, what is not shortened is a reason why the target does not hold. */
const reasonShare = 0.1;

/** What to say of a list that is larger than its target. */
function overTarget(run: Run, messages: readonly Message[], handoffTokens = 0): Over {
  const { targetTokens } = run.sizes;
  const tokens = total(messages, run);
  if (tokens <= targetTokens) return {};
  const large = fixedIn(run, messages).filter((one) => one.tokens >= targetTokens * reasonShare);
  const causes = large.map((one) => `${one.what} (${grouped(one.tokens)} tokens) ${one.fate}`);
  const because = causes.length > 0 ? causes.join(', and ') : 'every message is as short as it can be';
  const beside = handoffTokens > 0 ? `, beside a handoff of ${grouped(handoffTokens)}` : '';
  const why = `The target of ${grouped(targetTokens)} tokens is not met: ${grouped(tokens)} are left, because ${because}${beside}.`;
  return { overTarget: { tokens: tokens - targetTokens, why } };
}

interface FixedShare {
  readonly what: string;
  readonly tokens: number;
  readonly fate: string;
}

/** What no compression shortens, or not below a least share. */
function fixedIn(run: Run, messages: readonly Message[]): readonly FixedShare[] {
  const request = messages[newestRequest(messages)];
  const asked = request && withoutHandoff(request);
  const prompts = messages.filter(({ role }) => role === 'system');
  const sealed = messages.flatMap((message): readonly Message[] => {
    const parts = message === request ? [] : message.parts.filter(isFixed);
    return parts.length > 0 ? [{ role: message.role, parts }] : [];
  });
  const stays = 'stays word for word';
  const isPersons = request !== undefined && askerOf(request) === 'person';
  return [
    {
      what: 'the newest request',
      tokens: asked ? run.tokensOf(asked) : 0,
      fate: isPersons ? stays : 'is cut no further',
    },
    { what: 'the system prompt', tokens: total(prompts, run), fate: 'is cut no further' },
    {
      what: 'content that a provider signed or ran itself, or that is no text',
      tokens: total(sealed, run),
      fate: 'stays as it is',
    },
  ];
}

const isFixed = (part: Part): boolean =>
  isSealed(part) ||
  (part.type === 'toolResult' && part.server === true) ||
  part.type === 'file' ||
  part.type === 'other';

export function reportOf(run: Run, drafted: Drafted): CompressionResult {
  const { handoff, cut, messages } = drafted;
  const template = resolveTemplate(run.config.summary.template).name;
  const before = sharesOf(run, run.listed, cut ? (run.origins[cut.headEnd] ?? 0) : 0);
  const after = sharesOf(run, messages, messages.findIndex(isHandoff));
  const what = handoff
    ? `${grouped(handoff.covers.length)} messages became a handoff of ${grouped(handoff.tokens)} tokens`
    : 'There was no middle to summarise, so only long content was shortened';
  const over = overTarget(run, messages, handoff?.tokens);
  return {
    status: 'compressed',
    reason: withWhy(`${what}; ${totalsClause(before, after)}.`, over),
    ...over,
    messages,
    ...(handoff ? { handoff: handoffOf(handoff, template) } : {}),
    fates: fatesOf(run, drafted),
    before,
    after,
    ...(run.usualExtraTokens === undefined ? {} : { usualExtraTokens: run.usualExtraTokens }),
    ...common(run),
  };
}

function handoffOf({ block, tokens, covers, pinned, composed }: DraftedHandoff, template: string): Handoff {
  const { lines, leftOut } = composed;
  return {
    text: block,
    tokens,
    covers,
    ...(pinned.length > 0 ? { pinned } : {}),
    writtenBy: 'ledger',
    template,
    lines,
    ...(leftOut ? { leftOut } : {}),
  };
}

function common({ sizes, options }: Run): Pick<CompressionResult, 'targetTokens' | 'tokenizer'> {
  const { name, exact } = options.tokenizer;
  return { targetTokens: sizes.targetTokens, tokenizer: { name, exact } };
}

function sharesOf({ tokensOf }: Run, messages: readonly Message[], headEnd: number): ContextShares {
  const shares = { system: 0, head: 0, summary: 0, tail: 0, total: 0 };
  let opening = true;
  for (const [at, message] of messages.entries()) {
    const tokens = tokensOf(message);
    if (message.role !== 'system') opening = false;
    const share = opening ? 'system' : isHandoff(message) ? 'summary' : at < headEnd ? 'head' : 'tail';
    const words = share === 'summary' ? wordsBeside(message, tokensOf) : 0;
    shares[share] += tokens - words;
    shares.tail += words;
    shares.total += tokens;
  }
  return shares;
}

/** Tokens of the real message that a summary shares a message with. */
function wordsBeside(message: Message, tokensOf: (message: Message) => number): number {
  const found = unwrapHandoff(message);
  const parts = found ? [...found.before, ...found.after] : [];
  return parts.length === 0 ? 0 : Math.min(tokensOf(message), tokensOf({ ...message, parts }));
}

function fatesOf(run: Run, drafted: Drafted): readonly MessageFate[] {
  const lines = new Map<Ref, number>();
  for (const { ref } of drafted.handoff?.composed.lines ?? []) lines.set(ref, (lines.get(ref) ?? 0) + 1);
  const rows: number[][] = run.listed.map(() => []);
  for (const [row, at] of run.origins.entries()) rows[at]?.push(row);
  return run.listed.map((_, at) => {
    const found = fateOf(run, drafted, { at, rows: rows[at] ?? [] });
    const isListed = (run.givenPlaces[at] ?? nowhere) !== nowhere;
    return fate(run, at, { ...found, lines: isListed ? lines : noLines });
  });
}

const noLines: ReadonlyMap<Ref, number> = new Map();

interface Found {
  readonly fate: Fate;
  readonly after: number;
  readonly why: string;
}

/** `rows`: where the message stands in the list that was cut, if it is still there. */
function fateOf(run: Run, drafted: Drafted, { at, rows }: { at: number; rows: readonly number[] }): Found {
  const { cut, list } = drafted;
  const message = run.listed[at];
  if (!message || rows.length === 0) return { fate: 'removed', after: 0, why: 'no provider accepts it' };
  const shown = rows.filter((row) => !cut || row < cut.headEnd || row >= cut.tailStart);
  const tokensAt = (row: number): number => (list[row] ? run.tokensOf(list[row]) : 0);
  const ref = run.record.refOf(run.givenPlaces[at] ?? nowhere);
  const isPinned = drafted.handoff?.pinned.includes(ref) ?? false;
  if (shown.length === 0) return coveredFate(message, cut, { rows, tokensAt, isPinned });
  const after = shown.reduce((sum, row) => sum + tokensAt(row), 0);
  const isHead = cut !== undefined && (shown[0] ?? 0) < cut.headEnd;
  const where = whereOf(message, cut, isHead);
  if (shown.some((row) => list[row] !== run.input[row])) {
    return { fate: 'stubbed', after, why: `${where}, with long or repeated content shortened` };
  }
  const mended = shown.some((row) => list[row] !== message);
  return { fate: 'kept', after, why: mended ? `${where}, repaired for providers` : where };
}

function whereOf(message: Message, cut: Cut | undefined, isHead: boolean): string {
  if (!cut) return 'nothing could be cut';
  if (!isHead) return 'newest messages';
  return message.role === 'system' ? 'system prompt' : 'start of the conversation';
}

interface Rows {
  /** True for a pinned message that stands in the handoff. */
  readonly isPinned: boolean;
  readonly rows: readonly number[];
  readonly tokensAt: (row: number) => number;
}

function coveredFate(message: Message, cut: Cut | undefined, { rows, tokensAt, isPinned }: Rows): Found {
  const again = cut && restatedBy(cut).find((at) => rows.includes(at));
  if (again !== undefined) {
    const newest = again === cut?.restateReply ? 'reply' : 'request';
    return { fate: 'restated', after: tokensAt(again), why: `the newest ${newest}, repeated after the handoff` };
  }
  if (isPinned) return { fate: 'summarised', after: 0, why: 'pinned: word for word in the handoff' };
  const why = isHandoff(message) ? 'earlier summary, merged into the new one' : 'middle of the conversation';
  return { fate: 'summarised', after: 0, why };
}

interface Told extends Found {
  /** Lines of the handoff by the message that they come from. */
  readonly lines: ReadonlyMap<Ref, number>;
}

function fate(run: Run, at: number, { fate: kind, after, why, lines }: Told): MessageFate {
  const message = run.listed[at];
  const ref = run.record.refOf(run.givenPlaces[at] ?? at);
  return {
    ref,
    at,
    fate: kind,
    tokensBefore: message ? run.tokensOf(message) : 0,
    tokensAfter: after,
    why,
    handoffLines: lines.get(ref) ?? 0,
  };
}
