/** What is written down for one call of a model: its tokens, its price, and whether the report was whole. */

import { PalimpsestError } from '../shared/errors.ts';
import { isJsonObject, type JsonObject } from '../shared/json.ts';
import type { ImportedSession } from '../store/import-transcript.ts';
import type { Store } from '../store/store.ts';
import { mostTokens, type UsageEntry } from '../store/usage-store.ts';
import { plainId } from '../tokens/models.ts';
import type { Transcript } from '../transcript/message.ts';
import { normaliseUsage, type Usage } from './normalise.ts';
import { type Price, priceOf } from './price.ts';

/** A usage entry but for the session, the task and the time of the call. */
export type CountedCall = Pick<
  UsageEntry,
  | 'model'
  | 'inputTokens'
  | 'outputTokens'
  | 'cacheReadTokens'
  | 'cacheWriteTokens'
  | 'reasoningTokens'
  | 'costUsd'
  | 'savedUsd'
  | 'isPartial'
>;

/**
 * Counts a call. Tokens that were not reported are not guessed: the call counts as partial, and has no price. An amount
 * that the provider says it charged comes before list prices.
 * @param model `provider/model`, or the model's id
 * @param report the provider's usage object, or usage in our form; undefined where none came
 * @param isPartial true for a report that was written before the call had ended
 */
export function countedCall(model: string, report: unknown, isPartial = false): CountedCall {
  const usage = reliable(model, normaliseUsage(report) ?? {});
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage;
  const price = priceFor(model, { report, usage });
  const { status, amount = status === 'included' ? 0 : undefined, uncached } = price;
  return {
    model,
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens,
    ...(amount === undefined ? {} : { costUsd: amount }),
    ...(amount === undefined || uncached === undefined ? {} : { savedUsd: uncached - amount }),
    ...(isPartial || usage.inputTokens === undefined || usage.outputTokens === undefined ? { isPartial: true } : {}),
  };
}

/** Models whose reports add a floor of 128 to what came from a cache, whether anything did or not. */
const unreliableCaches: readonly string[] = ['minimax-m3'];

/** Where the count of a cache tells nothing, what was read counts as read anew. */
function reliable(model: string, usage: Usage): Usage {
  const { cacheReadTokens, ...rest } = usage;
  if (cacheReadTokens === undefined || !unreliableCaches.includes(plainId(model))) return usage;
  return { ...rest, inputTokens: Math.min(mostTokens, (usage.inputTokens ?? 0) + cacheReadTokens) };
}

function priceFor(model: string, { report, usage }: { readonly report: unknown; readonly usage: Usage }): Price {
  return reportedPrice(report) ?? (isListPriced(report) ? priceOf(model, usage) : { status: 'unknown' });
}

// What a usage report says of money: an amount that was charged, or that list prices do not hold.

/** xAI charges in ten-billionths of a dollar. */
const ticksPerDollar = 10_000_000_000;
/** More than any call costs: a report with more is broken, and sums must stay readable. */
const mostDollars = 1_000_000;

/**
 * The amount that a provider says it charged: `cost` of OpenRouter (with `upstream_inference_cost` where the key is your
 * own) and `cost_in_usd_ticks` of xAI. Undefined where it says none.
 * @param raw the provider's usage object
 */
export function reportedPrice(raw: unknown): Price | undefined {
  try {
    return readPrice(raw);
  } catch {
    // Members of what programs hand on may throw where they are read.
    return { status: 'unknown' };
  }
}

function readPrice(raw: unknown): Price | undefined {
  if (!isJsonObject(raw)) return undefined;
  const ticks = amountIn(raw, 'cost_in_usd_ticks', mostDollars * ticksPerDollar);
  if (ticks !== undefined) return { status: 'actual', amount: ticks / ticksPerDollar };
  const cost = amountIn(raw, 'cost');
  if (cost === undefined) return undefined;
  if (raw.is_byok !== true) return { status: 'actual', amount: cost };
  const upstream = isJsonObject(raw.cost_details) ? amountIn(raw.cost_details, 'upstream_inference_cost') : undefined;
  return upstream === undefined ? { status: 'unknown' } : { status: 'actual', amount: cost + upstream };
}

/** The tier of Anthropic's list prices; OpenAI names its tiers beside the usage. */
const listTiers: readonly unknown[] = ['standard', 'default', 'auto', null, undefined];

/**
 * False for a call that was charged by something else than the list prices for tokens: another service tier (priority,
 * batch, flex), the fast mode, processing in one country only, or searches of the web, which are charged each.
 */
export function isListPriced(raw: unknown): boolean {
  try {
    return hasListPrice(raw);
  } catch {
    // What cannot be read may say anything.
    return false;
  }
}

function hasListPrice(raw: unknown): boolean {
  if (!isJsonObject(raw)) return true;
  const { service_tier: tier, speed, inference_geo: place, server_tool_use: tools } = raw;
  const searches = isJsonObject(tools) ? amountIn(tools, 'web_search_requests') : undefined;
  return listTiers.includes(tier) && speed !== 'fast' && place !== 'us' && !searches;
}

function amountIn(object: JsonObject, name: string, most = mostDollars): number | undefined {
  const value = object[name];
  return typeof value === 'number' && value >= 0 && value <= most ? value : undefined;
}

// What the calls behind imported conversations used: reports of their logs, counted as those of live calls are.

/** Names in a broken log may have any length. */
const longest = 300;

/**
 * Counts the calls that the logs of imported conversations report, each once: also when a log is imported again, has
 * grown, was copied into another one, or tells of a call of a sub-agent whose own log is imported too.
 * @param transcripts what was given to `importTranscripts`
 * @param imported what it gave back
 * @throws PalimpsestError whatever the store throws
 */
export async function importUsage(
  store: Store,
  transcripts: readonly Transcript[],
  imported: readonly ImportedSession[],
): Promise<void> {
  if (!areTranscripts(transcripts) || !areTranscripts(imported, 'outcome')) {
    throw new PalimpsestError('BAD_MESSAGES', 'expected a list of transcripts and the result of importTranscripts');
  }
  const said = transcripts.filter(({ messages }) => messages.length > 0);
  for (const [at, { usage = [], model: usual = '' }] of said.entries()) {
    const sessionId = imported[at]?.sessionId;
    if (sessionId === undefined || usage.length === 0) continue;
    const session = await store.sessions.get(sessionId);
    const entries = usage.map(({ id, model = usual, time, report, isPartial, ofSide }): UsageEntry => {
      const made = Date.parse(time ?? '');
      const told = Number.isNaN(made) ? session?.startedAt : made;
      const task = ofSide ? 'side' : 'turn';
      const counted = countedCall(model.slice(0, longest), report, isPartial);
      return {
        sessionId,
        task,
        reportId: id.slice(0, longest),
        ...counted,
        ...(told === undefined ? {} : { at: told }),
      };
    });
    await store.usage.add(entries);
  }
}

/** Callers without types hand in anything. */
const areTranscripts = (given: unknown, member = 'messages'): boolean =>
  Array.isArray(given) && given.every((one) => typeof one === 'object' && one !== null && member in one);
