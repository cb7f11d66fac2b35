/** Trajectories as lines of ShareGPT files, invented from a seed: long runs of agents, and short conversations. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { inventedSession } from '../invented-session.ts';
import { diceOf, languages, pick, prose } from '../invented-texts.ts';
import { type ListedMessage, lineOf, turnsOf } from './turns.ts';

/**
 * `long`: agents at work, 10,000 to 150,000 tokens, with tool output, call markup and five languages. `short`: conversations
 * whose bytes alone prove them to be under the usual target. `mixed`: nine short ones to each long one; `rare`: 199. `fitting`:
 * agents at work, 15,500 to 30,000 bytes: every turn has to be counted, and nothing is to be done.
 */
export type CorpusName = 'long' | 'short' | 'mixed' | 'rare' | 'fitting';

/** One of so many records is long; none for 0. */
const longEvery = { long: 1, fitting: 1, mixed: 10, rare: 200, short: 0 } as const;

/** About that many tokens has a message of an invented session. */
const messageTokens = 250;
const longTokens = { from: 10_000, to: 150_000 };
const fittingTokens = { from: 4_500, to: 7_500 };
/** More bytes than the usual target has tokens, and so few that they fit in any language. */
const fittingBytes = { from: 15_500, to: 30_000 };

/** A line of a corpus, the same for the same seed and place. */
export function corpusLine(name: CorpusName, { seed, at }: { readonly seed: number; readonly at: number }): string {
  const id = `${name}-${seed}-${at}`;
  const isLong = at % longEvery[name] === 0;
  const line = { id, seed: seed * 1_000_003 + at };
  if (!isLong) return shortLine(line);
  return name === 'fitting' ? fittingLine(line) : longLine(line, longTokens);
}

function fittingLine({ id, seed }: Line): string {
  for (let tries = 0; ; tries++) {
    const line = longLine({ id, seed: seed + tries * 7_919 }, fittingTokens);
    const bytes = Buffer.byteLength(line);
    if (bytes >= fittingBytes.from && bytes <= fittingBytes.to) return line;
  }
}

interface Line {
  readonly id: string;
  readonly seed: number;
}

function longLine({ id, seed }: Line, { from, to }: typeof longTokens): string {
  // Lengths are spread evenly over their logarithm: many of 20,000, few of 120,000.
  const tokens = from * (to / from) ** (diceOf(seed)(1_000) / 1_000);
  // What was made as messages of OpenAI is read as such.
  const messages = inventedSession(Math.round(tokens / messageTokens), seed) as unknown as readonly ListedMessage[];
  return lineOf(turnsOf(messages), id);
}

/** About 1 to 6 KB: questions and answers. */
function shortLine({ id, seed }: Line): string {
  const dice = diceOf(seed);
  const world = { dice, names: [], paths: [] };
  const language = dice(3) === 0 ? pick(dice, languages) : 'english';
  const turns = [{ from: 'system', value: prose(world, 'english', 2) }];
  for (let rounds = 2 + dice(4); rounds > 0; rounds--) {
    turns.push({ from: 'human', value: prose(world, language, 1 + dice(3)) });
    turns.push({ from: 'gpt', value: prose(world, language, 2 + dice(6)) });
  }
  return lineOf(turns, id);
}

export interface WrittenCorpus {
  readonly records: number;
  readonly bytes: number;
}

interface CorpusOptions {
  readonly path: string;
  readonly name: CorpusName;
  readonly bytes: number;
  readonly seed: number;
}

/** Different texts of at most this size are invented; a larger file repeats them under other ids, which takes minutes less. */
const mostInvented = 256 * 2 ** 20;
const writeAtOnce = 4 * 2 ** 20;

/** Writes a corpus of at least so many bytes, a piece at a time. */
export async function writeCorpus({ path, name, bytes, seed }: CorpusOptions): Promise<WrittenCorpus> {
  const out = createWriteStream(path);
  const known: string[] = [];
  let [records, written, invented] = [0, 0, 0];
  let piece = '';
  const flush = async (): Promise<void> => {
    const waiting = Buffer.from(piece);
    piece = '';
    written += waiting.length;
    if (!out.write(waiting)) await once(out, 'drain');
  };
  while (written < bytes) {
    const repeated = known[records % Math.max(1, known.length)];
    if (invented >= mostInvented && repeated !== undefined) {
      piece += `${repeated.replace(/^\{"id":"[^"]*"/, `{"id":"${name}-again-${records}"`)}\n`;
    } else {
      const line = corpusLine(name, { seed, at: records });
      known.push(line);
      invented += line.length;
      piece += `${line}\n`;
    }
    records++;
    if (piece.length >= Math.min(writeAtOnce, bytes)) await flush();
  }
  out.end();
  await once(out, 'close');
  return { records, bytes: written };
}
