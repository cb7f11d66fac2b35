/** Brings the usage objects of all providers into one form: a table of where each of them puts its numbers. */
import { defined } from '../shared/defined.ts';
import { isJsonObject } from '../shared/json.ts';
import { mostTokens } from '../store/usage-store.ts';
import { type Chain, type ShapeRules, shapeRules, shapeSigns, type UsageShape } from './shapes.data.ts';

/**
 * The usage in a provider's own usage object, or undefined when it holds no number that we know. In every chain the
 * first number above zero wins; a zero is a zero only where nothing else was reported, negative numbers and what is no
 * number, or more than any call has, count as zero, null as not reported. Input is never negative, even when the totals contradict each other.
 * @param shape how to read it; by default it shows by the members
 *
 * @example
 * import { normaliseUsage } from '@palimpsest/core';
 * const usage = normaliseUsage({ prompt_tokens: 1_200, completion_tokens: 80 });
 * usage?.inputTokens; // 1_200
 */
export function normaliseUsage(raw: unknown, shape?: UsageShape): Usage | undefined {
  try {
    return readUsage(raw, shape ?? shapeOf(raw));
  } catch {
    // Members of what programs hand on may throw where they are read: then nothing was reported.
    return undefined;
  }
}

function readUsage(raw: unknown, shape: UsageShape): Usage | undefined {
  // Callers without types name any shape.
  if (!isJsonObject(raw) || !Object.hasOwn(shapeRules, shape)) return undefined;
  const rules = shapeRules[shape];
  const cacheRead = first(raw, rules.cacheRead);
  const cacheWrite = first(raw, rules.cacheWrite);
  const hour = first(raw, rules.cacheWriteHour ?? []);
  const reasoning = first(raw, rules.reasoning);
  const cached = rules.inputHoldsCache ? (cacheRead ?? 0) + (cacheWrite ?? 0) : 0;
  const prompt = sum(first(raw, rules.input), first(raw, rules.besideInput ?? []));
  const output = outputOf(raw, { rules, reasoning });
  const usage: Usage = {
    ...(prompt === undefined ? {} : { inputTokens: Math.min(mostTokens, Math.max(0, prompt - cached)) }),
    ...(output === undefined ? {} : { outputTokens: Math.min(mostTokens, output) }),
    ...defined({ cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite }),
    ...(hour && cacheWrite ? { cacheWriteHourTokens: Math.min(hour, cacheWrite) } : {}),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  };
  return Object.keys(usage).length === 0 ? undefined : usage;
}

/** With the reasoning, which some providers report beside the output. */
function outputOf(
  raw: unknown,
  { rules, reasoning }: { readonly rules: ShapeRules; readonly reasoning: number | undefined },
): number | undefined {
  const output = first(raw, rules.output);
  if (reasoning === undefined || !rules.reasoningIsBeside) return output;
  if (rules.reasoningIsBeside === true) return (output ?? 0) + reasoning;
  const withoutIt = (first(raw, rules.input) ?? 0) + (output ?? 0);
  return first(raw, rules.total ?? []) === withoutIt + reasoning ? (output ?? 0) + reasoning : output;
}

/** Whose words these are. */
function shapeOf(raw: unknown): UsageShape {
  if (!isJsonObject(raw)) return 'completions';
  if (isJsonObject(raw.inputTokens) || isJsonObject(raw.outputTokens)) return 'ai-sdk';
  const found = shapeSigns.find(([, members]) => members.some((member) => member in raw));
  return found?.[0] ?? 'completions';
}

function first(raw: unknown, chain: Chain): number | undefined {
  let found: number | undefined;
  for (const path of chain) {
    const value = valueAt(raw, path);
    if (value === undefined || value === null) continue;
    const tokens = typeof value === 'number' ? Math.round(value) : 0;
    if (tokens > 0 && tokens <= mostTokens) return tokens;
    found = 0;
  }
  return found;
}

function valueAt(raw: unknown, path: string): unknown {
  let value = raw;
  for (const key of path.split('.')) value = isJsonObject(value) ? value[key] : undefined;
  return value;
}

const sum = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);

// What a provider reported for one call, in one form for every provider.

/** Tokens that the provider reported; a member it did not report is absent, which is not zero. */
export interface Usage {
  /** Without what came from the cache or went into it. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** Part of `cacheWriteTokens`: what stays in the cache for an hour, and costs more to write. */
  readonly cacheWriteHourTokens?: number;
  /** Part of `outputTokens`. */
  readonly reasoningTokens?: number;
}

/** All that the model read: input and both caches; undefined when the provider reported none of them. */
export function promptTokensOf({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number | undefined {
  if (inputTokens === undefined && cacheReadTokens === undefined && cacheWriteTokens === undefined) return undefined;
  return (inputTokens ?? 0) + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
}
