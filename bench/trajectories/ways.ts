/** The ways of fitting a conversation to a size that are measured beside each other, and what all of them write for the kit. */
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Encoding, exactTokenizer, loadEncoding, type Tokenizer } from '@palimpsest/core';
import { root } from '../options.ts';
import { factsOf } from './facts.ts';
import { compressByReference, type StandIn } from './reference.ts';
import { type ListedMessage, lineOf, type Turn, textOf, turnsIn, turnsOf } from './turns.ts';

export interface Way {
  readonly name: string;
  compress(turns: readonly Turn[], targetTokens: number): Promise<readonly Turn[]>;
}

/** What the ratio is taken to: without a model, the reference writes its fixed text. */
export const baselineName = 'reference';
/** The same, where its result is larger than the budget: only the end that fits. */
export const cutName = 'reference, cut';
export const ownName = 'palimpsest';

/** The encoding that everything here is counted in. */
export const encoding: Encoding = await loadEncoding('o200k_base');

export const referenceWay = (standIn: StandIn): Way => ({
  name: standIn === 'fallback' ? baselineName : 'reference+extract',
  compress: (turns, targetTokens) =>
    Promise.resolve(compressByReference(turns, { encoder: encoding, standIn, targetTokens }).turns),
});

/** Why our own way cannot be measured, for a person; undefined when it can. */
export const missingOwn = (): string | undefined =>
  existsSync(join(root, 'packages/core/src/trajectories.ts'))
    ? undefined
    : '@palimpsest/core/trajectories is not there: only the baselines are measured';

/** The door, as far as it is used here. */
interface TrajectoryDoor {
  compressTrajectory(
    line: string,
    options: { readonly tokenizer: Tokenizer; readonly format: 'sharegpt'; readonly targetTokens: number },
  ): Promise<{ readonly text: string }>;
}

/** Our own way, through the public door. Throws an error that says so where there is none. */
export async function ownWay(): Promise<Way> {
  const missing = missingOwn();
  if (missing !== undefined) throw new Error(missing);
  const door: string = '@palimpsest/core/trajectories';
  // The check above says that it is there; its types are those of the door.
  const { compressTrajectory } = (await import(door)) as TrajectoryDoor;
  const tokenizer = exactTokenizer(encoding);
  return {
    name: ownName,
    compress: async (turns, targetTokens) => {
      const { text } = await compressTrajectory(lineOf(turns), { tokenizer, format: 'sharegpt', targetTokens });
      return turnsIn(text);
    },
  };
}

interface KitCase {
  readonly messages: readonly ListedMessage[];
  readonly budgetTokens: number;
  readonly session: { readonly id: string };
}

const mostTries = 4;

/**
 * Compresses a case of the evaluation kit. The target is the budget; where the text of all turns has more tokens than the
 * budget (the line breaks between turns, or a result over its target), once more with a target that is less by as much.
 * With BENCH_TRAJECTORIES=FILE it appends what the first result, the one of the plain target, keeps.
 */
export async function compressCase(way: Way, { messages, budgetTokens, session }: KitCase): Promise<{ text: string }> {
  const input = turnsOf(messages);
  let target = budgetTokens;
  let text = '';
  for (let tries = 0; tries < mostTries; tries++) {
    const output = await way.compress(input, target);
    const file = process.env.BENCH_TRAJECTORIES;
    // Of a text that is cut, the turns are those of the one that is not.
    if (tries === 0 && file && way.name !== cutName) {
      const facts = factsOf({ input, output, targetTokens: budgetTokens, count: encoding.count });
      const row = { adapter: way.name, budget: budgetTokens, session: session.id, ...facts };
      appendFileSync(file, `${JSON.stringify(row)}\n`);
    }
    const next = textOf(output);
    if (next === text) break;
    text = next;
    const over = encoding.count(text) - budgetTokens;
    if (over <= 0) break;
    target = Math.max(1, target - over);
  }
  return { text };
}

/**
 * The same at equal sizes: a text over the budget loses its beginning, as a training window that is too small for it would
 * lose something. The end is what a measure of the next steps rewards, so this is the cut that favours the result.
 */
export async function compressCaseCut(way: Way, input: KitCase): Promise<{ text: string }> {
  const { text } = await compressCase(way, input);
  return { text: lastTokens(text, input.budgetTokens) };
}

/** The longest end of a text with at most so many tokens, to within a few characters. */
export function lastTokens(text: string, maxTokens: number): string {
  if (encoding.count(text) <= maxTokens) return text;
  // Fewer characters have fewer tokens, but for a token or two at the seam.
  let [fits, tooMany] = [0, text.length];
  while (tooMany - fits > 1) {
    const length = Math.floor((fits + tooMany) / 2);
    if (encoding.count(text.slice(-length)) <= maxTokens) fits = length;
    else tooMany = length;
  }
  return fits === 0 ? '' : text.slice(-fits);
}
