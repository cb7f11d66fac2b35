/** The report of a compression by an engine that gives back nothing but a list. */
import { nowhere, refAt } from '../../compression/record.ts';
import type { Entry } from '../../compression/repair/parts.ts';
import { totalsClause } from '../../compression/report.ts';
import type { CompressionResult, ContextShares, MessageFate } from '../../compression/result.ts';
import { noun } from '../../output/words.ts';
import { messageTokens } from '../../tokens/measure.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import type { Message } from '../../transcript/message.ts';

/** What came in, and how it is counted. */
export interface GivenList {
  readonly tokenizer: Tokenizer;
  readonly contextLength: number;
  /** The list that came in, and for each message its place in the record. */
  readonly given: readonly Message[];
  readonly places: readonly number[];
}

interface SmallerList extends GivenList {
  /** Name of the engine. */
  readonly engine: string;
  /** What the engine was shown, each with its index in `given`. */
  readonly input: readonly Entry[];
  /** What it gave back. */
  readonly list: readonly Message[];
}

/** The report of a list that is smaller than the one that came in. */
export function listResult(work: SmallerList): CompressionResult {
  const { engine, given, input, list, tokenizer } = work;
  const shown = new Set(input.map(({ message }) => message));
  const written = list.filter((message) => !shown.has(message));
  const fates = fatesOf(work, written);
  const before = sharesOf(given, { tokenizer, written: new Set() });
  const after = sharesOf(list, { tokenizer, written: new Set(written) });
  const gone = fates.filter(({ fate }) => fate === 'summarised').length;
  const wrote = written.length > 0 ? ` and wrote ${written.length} in their place` : '';
  const reason = `The engine "${engine}" removed ${noun(gone, 'message')}${wrote}: ${totalsClause(before, after)}.`;
  return { status: 'compressed', reason, messages: list, fates, before, after, ...common(work) };
}

/** The report of a list that stays as it is. */
export function unchangedResult(
  { given, places, ...known }: GivenList,
  { status, reason }: Pick<CompressionResult, 'status' | 'reason'>,
): CompressionResult {
  const shares = sharesOf(given, { ...known, written: new Set() });
  const fates = given.map((message, at): MessageFate => {
    const tokens = messageTokens(message, known.tokenizer);
    return {
      ...fateAt(places, at),
      fate: 'kept',
      tokensBefore: tokens,
      tokensAfter: tokens,
      why: 'nothing was changed',
    };
  });
  return { status, reason, messages: given, fates, before: shares, after: shares, ...common(known) };
}

const fateAt = (places: readonly number[], at: number): Pick<MessageFate, 'ref' | 'at' | 'handoffLines'> => ({
  ref: refAt(places[at] ?? nowhere),
  at,
  handoffLines: 0,
});

function common({
  contextLength,
  tokenizer,
}: Pick<GivenList, 'contextLength' | 'tokenizer'>): Pick<CompressionResult, 'targetTokens' | 'tokenizer'> {
  const { name, exact } = tokenizer;
  return { targetTokens: contextLength, tokenizer: { name, exact } };
}

function fatesOf(
  { engine, tokenizer, given, places, input, list }: SmallerList,
  written: readonly Message[],
): MessageFate[] {
  const left = new Set(list);
  const rows = Map.groupBy(input, ({ at }) => at);
  const instead = written.length > 0 ? `, which wrote ${noun(written.length, 'message')} instead` : '';
  return given.map((message, at) => {
    const shown = (rows.get(at) ?? []).map((row) => row.message);
    const kept = shown.filter((one) => left.has(one));
    const known = { ...fateAt(places, at), tokensBefore: messageTokens(message, tokenizer) };
    if (shown.length === 0) return { ...known, fate: 'removed', tokensAfter: 0, why: 'no provider accepts it' };
    if (kept.length === 0)
      return { ...known, fate: 'summarised', tokensAfter: 0, why: `removed by the engine "${engine}"${instead}` };
    const tokensAfter = kept.reduce((sum, one) => sum + messageTokens(one, tokenizer), 0);
    const why = `kept by the engine "${engine}"${kept.includes(message) ? '' : ', repaired for providers'}`;
    return { ...known, fate: 'kept', tokensAfter, why };
  });
}

interface Sharing {
  readonly tokenizer: Tokenizer;
  readonly written: ReadonlySet<Message>;
}

/** What the engine wrote is the summary; what stands before it the head. */
function sharesOf(messages: readonly Message[], { tokenizer, written }: Sharing): ContextShares {
  const shares = { system: 0, head: 0, summary: 0, tail: 0, total: 0 };
  const firstWritten = messages.findIndex((message) => written.has(message));
  let isOpening = true;
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'system') isOpening = false;
    const tokens = messageTokens(message, tokenizer);
    const share = written.has(message) ? 'summary' : isOpening ? 'system' : at < firstWritten ? 'head' : 'tail';
    shares[share] += tokens;
    shares.total += tokens;
  }
  return shares;
}
