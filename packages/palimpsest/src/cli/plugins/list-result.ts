/** The report of a compression by an engine that gives back nothing but a list. */
import {
  type CompressionResult,
  type ContextShares,
  type Message,
  type MessageFate,
  messageTokens,
} from '@palimpsest/core';
import { nowhere, refAt } from '@palimpsest/core/engine';
import { counted, thousands } from '../render/text.ts';
import type { Measure } from '../window.ts';

/** What is known of it. */
export interface ListWork {
  /** Name of the engine. */
  readonly engine: string;
  readonly measure: Measure;
  /** The list that came in, and for each message its place in the record. */
  readonly given: readonly Message[];
  readonly places: readonly number[];
  /** What the engine was shown, each with its index in `given`. */
  readonly input: readonly { readonly message: Message; readonly at: number }[];
  /** What it gave back. */
  readonly list: readonly Message[];
}

/** The report of a list that is smaller than the one that came in. */
export function listResult(work: ListWork): CompressionResult {
  const { engine, given, input, list, measure } = work;
  const shown = new Set(input.map(({ message }) => message));
  const written = list.filter((message) => !shown.has(message));
  const fates = fatesOf(work, written);
  const before = sharesOf(given, { measure, written: new Set() });
  const after = sharesOf(list, { measure, written: new Set(written) });
  const gone = fates.filter(({ fate }) => fate === 'summarised').length;
  const wrote = written.length > 0 ? ` and wrote ${written.length} in their place` : '';
  const reason = `The engine "${engine}" removed ${counted(gone, 'message')}${wrote}: ${thousands(before.total)} tokens became ${thousands(after.total)}.`;
  return { status: 'compressed', reason, messages: list, fates, before, after, ...common(measure) };
}

/** The report of a list that stays as it is. */
export function keptResult(
  { given, places, measure }: Pick<ListWork, 'given' | 'places' | 'measure'>,
  { status, reason }: Pick<CompressionResult, 'status' | 'reason'>,
): CompressionResult {
  const shares = sharesOf(given, { measure, written: new Set() });
  const fates = given.map((message, at): MessageFate => {
    const tokens = messageTokens(message, measure.tokenizer);
    return {
      ...fateAt(places, at),
      fate: 'kept',
      tokensBefore: tokens,
      tokensAfter: tokens,
      why: 'nothing was changed',
    };
  });
  return { status, reason, messages: given, fates, before: shares, after: shares, ...common(measure) };
}

const fateAt = (places: readonly number[], at: number): Pick<MessageFate, 'ref' | 'at' | 'handoffLines'> => ({
  ...{ ref: refAt(places[at] ?? nowhere), at },
  handoffLines: 0,
});

function common({ window, tokenizer }: Measure): Pick<CompressionResult, 'targetTokens' | 'tokenizer'> {
  const { name, exact } = tokenizer;
  return { targetTokens: window.tokens, tokenizer: { name, exact } };
}

function fatesOf(
  { engine, measure, given, places, input, list }: ListWork,
  written: readonly Message[],
): MessageFate[] {
  const left = new Set(list);
  const rows = Map.groupBy(input, ({ at }) => at);
  const instead = written.length > 0 ? `, which wrote ${counted(written.length, 'message')} instead` : '';
  return given.map((message, at) => {
    const shown = (rows.get(at) ?? []).map((row) => row.message);
    const kept = shown.filter((one) => left.has(one));
    const known = { ...fateAt(places, at), tokensBefore: messageTokens(message, measure.tokenizer) };
    if (shown.length === 0) return { ...known, fate: 'removed', tokensAfter: 0, why: 'no provider accepts it' };
    if (kept.length === 0)
      return { ...known, fate: 'summarised', tokensAfter: 0, why: `removed by the engine "${engine}"${instead}` };
    const tokensAfter = kept.reduce((sum, one) => sum + messageTokens(one, measure.tokenizer), 0);
    const why = `kept by the engine "${engine}"`;
    return {
      ...known,
      fate: 'kept',
      tokensAfter,
      why: kept.includes(message) ? why : `${why}, repaired for providers`,
    };
  });
}

interface Sharing {
  readonly measure: Measure;
  readonly written: ReadonlySet<Message>;
}

/** What the engine wrote is the summary; what stands before it the head. */
function sharesOf(messages: readonly Message[], { measure, written }: Sharing): ContextShares {
  const shares = { system: 0, head: 0, summary: 0, tail: 0, total: 0 };
  const firstWritten = messages.findIndex((message) => written.has(message));
  let isOpening = true;
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'system') isOpening = false;
    const tokens = messageTokens(message, measure.tokenizer);
    const share = written.has(message) ? 'summary' : isOpening ? 'system' : at < firstWritten ? 'head' : 'tail';
    shares[share] += tokens;
    shares.total += tokens;
  }
  return shares;
}
