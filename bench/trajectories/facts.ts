/** What a result keeps of its conversation as training data, found by comparing turns: nothing is asked of who made it. */
import { isJsonObject, type JsonValue } from '../../packages/core/src/shared/json.ts';
import { faultsOf, type Turn } from './turns.ts';

/** One result; tokens are the sums of its turns' values. */
export interface Facts {
  readonly inputTokens: number;
  readonly tokens: number;
  /** At most the target. */
  readonly isUnder: boolean;
  /** Of `tokens`: those of turns that are in the input, in their order, to the last character. */
  readonly originalTokens: number;
  /** The same, and the text of a system turn that only had something put behind it. */
  readonly originalTokensWithSystem: number;
  /** Of `originalTokens`: those of gpt turns, which bear the labels. */
  readonly labelTokens: number;
  /** Those of the gpt turns of the input. */
  readonly inputLabelTokens: number;
  readonly inputFaults: number;
  readonly faults: number;
}

interface Compared {
  readonly input: readonly Turn[];
  readonly output: readonly Turn[];
  readonly targetTokens: number;
  count(text: string): number;
}

export function factsOf({ input, output, targetTokens, count }: Compared): Facts {
  const tokensOf = (turns: readonly Turn[]): number => turns.reduce((sum, { value }) => sum + count(value), 0);
  const labels = (turns: readonly Turn[]): readonly Turn[] => turns.filter(({ from }) => from === 'gpt');
  const kept = originalTurns(input, output);
  const tokens = tokensOf(output);
  const originalTokens = tokensOf(kept);
  return {
    inputTokens: tokensOf(input),
    tokens,
    isUnder: tokens <= targetTokens,
    originalTokens,
    originalTokensWithSystem: originalTokens + tokensOf(extendedSystem(input, output)),
    labelTokens: tokensOf(labels(kept)),
    inputLabelTokens: tokensOf(labels(input)),
    inputFaults: faultsOf(input).length,
    faults: faultsOf(output).length,
  };
}

/** The turns of a result that are turns of the input, word for word and in their order. */
export function originalTurns(input: readonly Turn[], output: readonly Turn[]): readonly Turn[] {
  let next = 0;
  return output.filter(({ from, value }) => {
    const at = input.findIndex((turn, i) => i >= next && turn.from === from && turn.value === value);
    if (at >= 0) next = at + 1;
    return at >= 0;
  });
}

/** The system turn of the input, where the result's own is it with something behind. */
function extendedSystem([first]: readonly Turn[], [result]: readonly Turn[]): readonly Turn[] {
  const isExtended =
    first?.from === 'system' &&
    result?.from === 'system' &&
    result.value.length > first.value.length &&
    result.value.startsWith(first.value);
  return isExtended ? [first] : [];
}

export interface FactsRow extends Facts {
  readonly adapter: string;
  readonly budget: number;
  readonly session: string;
}

/** A row as it was written to a file by `JSON.stringify`. */
export function factsRow(value: JsonValue): FactsRow {
  if (!isJsonObject(value) || typeof value.adapter !== 'string' || typeof value.tokens !== 'number')
    throw new Error(`expected a row of facts, got ${JSON.stringify(value).slice(0, 60)}`);
  // Our own adapters wrote it a moment ago; the two members above tell a foreign line.
  return value as unknown as FactsRow;
}
