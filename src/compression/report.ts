/** Says what a compression did with every message. */
import type { Message } from '../transcript/message.ts';
import type { Cut, NothingReason } from './boundaries.ts';
import type { Run } from './compress.ts';
import { isHandoff } from './handoff-block.ts';
import type { ComposedHandoff } from './ledger/compose.ts';
import { resolveTemplate } from './ledger/templates.ts';
import { refAt } from './record.ts';
import type { CompressionResult, ContextShares, Fate, MessageFate, Ref } from './result.ts';

/** A new list before it is judged. */
export interface Drafted {
  readonly messages: readonly Message[];
  readonly block: string;
  readonly covers: readonly Ref[];
  readonly composed: ComposedHandoff;
  readonly cut: Cut;
  readonly handoffTokens: number;
}

const reasons: Readonly<Record<NothingReason | 'would-grow', string>> = {
  empty: 'Nothing to compress: there are only system messages.',
  'too-few': 'Nothing to compress: there are no more messages than the start and the end of the context keep.',
  'fits-tail': 'Nothing to compress: everything fits the part that is kept as it is.',
  'nothing-between': 'Nothing to compress: between start and end there is nothing but the newest words or a summary.',
  'would-grow': 'Left as it is: the compressed conversation would not have been smaller.',
};

export function unchangedReport(run: Run, reason: NothingReason | 'would-grow'): CompressionResult {
  const shares = sharesOf(run, run.input, run.input.length);
  return {
    status: reason === 'would-grow' ? 'refused' : 'unchanged',
    reason: reasons[reason],
    messages: run.input,
    fates: run.input.map((message, at) =>
      fate(run, { at, fate: 'kept', after: run.tokensOf(message), why: 'nothing was changed' }),
    ),
    before: shares,
    after: shares,
    ...common(run),
  };
}

export function reportOf(run: Run, list: readonly Message[], drafted: Drafted): CompressionResult {
  const { block, covers, composed, cut, handoffTokens, messages } = drafted;
  const template = resolveTemplate(run.options.template ?? run.config.template).name;
  const before = sharesOf(run, run.input, cut.headEnd);
  const after = sharesOf(run, messages, cut.headEnd);
  return {
    status: 'compressed',
    reason: `${covers.length} messages became a handoff of ${handoffTokens} tokens; ${before.total} tokens became ${after.total}.`,
    messages,
    handoff: { text: block, tokens: handoffTokens, covers, writtenBy: 'ledger', template, lines: composed.lines },
    fates: fatesOf(run, list, drafted),
    before,
    after,
    ...common(run),
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
    shares[share] += tokens;
    shares.total += tokens;
  }
  return shares;
}

function fatesOf(run: Run, list: readonly Message[], drafted: Drafted): readonly MessageFate[] {
  const sent = new Set(drafted.messages);
  const lines = Map.groupBy(drafted.composed.lines, ({ ref }) => ref);
  return run.input.map((message, at) => {
    const found = fateAt({ message, now: list[at] ?? message, at, cut: drafted.cut, sent });
    const handoffLines = lines.get(refAt(run.places[at] ?? at))?.length ?? 0;
    const after = found.fate === 'kept' || found.fate === 'stubbed' ? run.tokensOf(list[at] ?? message) : 0;
    return { ...fate(run, { at, ...found, after }), handoffLines };
  });
}

interface Place {
  readonly message: Message;
  readonly now: Message;
  readonly at: number;
  readonly cut: Cut;
  readonly sent: ReadonlySet<Message>;
}

function fateAt({ message, now, at, cut, sent }: Place): { fate: Fate; why: string } {
  if (at >= cut.headEnd && at < cut.tailStart) {
    if (at === cut.restate) return { fate: 'restated', why: 'the newest request, said again after the handoff' };
    if (at === cut.restateReply) return { fate: 'restated', why: 'the newest reply, said again after the handoff' };
    return isHandoff(message)
      ? { fate: 'summarised', why: 'an earlier summary, taken up into the new one' }
      : { fate: 'summarised', why: 'between the kept start and the kept end' };
  }
  const where =
    at < cut.headEnd ? (message.role === 'system' ? 'system prompt' : 'start of the conversation') : 'newest messages';
  if (now !== message) return { fate: 'stubbed', why: `${where}, with long or repeated content shortened` };
  if (sent.has(message) || message.role === 'system') return { fate: 'kept', why: where };
  // Repair and the merge with the handoff make new objects of the same words; what is gone altogether was broken.
  return isBroken(message) ? { fate: 'removed', why: 'no provider accepts it' } : { fate: 'kept', why: where };
}

const isBroken = (message: Message): boolean =>
  message.parts.length === 0 || message.parts.every((part) => part.type === 'toolResult');

function fate(
  run: Run,
  { at, fate: kind, after, why }: { at: number; fate: Fate; after: number; why: string },
): MessageFate {
  const message = run.input[at];
  return {
    ref: refAt(run.places[at] ?? at),
    at,
    fate: kind,
    tokensBefore: message ? run.tokensOf(message) : 0,
    tokensAfter: after,
    why,
    handoffLines: 0,
  };
}
