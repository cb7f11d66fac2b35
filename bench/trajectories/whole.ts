/** Whole conversations of the data folder, at their full length, compressed in every way. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transcriptFiles } from '../kit.ts';
import type { BenchOptions } from '../options.ts';
import { type FactsRow, factsOf } from './facts.ts';
import { type ListedMessage, type Turn, turnsOf } from './turns.ts';
import { encoding, type Way } from './ways.ts';

export interface WholeRecord {
  readonly id: string;
  readonly turns: readonly Turn[];
}

/** The reader of the kit, so that these are the conversations that it cuts. */
interface KitReader {
  loadTranscripts(
    file: string,
  ): readonly { readonly id: string; readonly segments: readonly { readonly messages: readonly ListedMessage[] }[] }[];
}

/** Every conversation of the data folder as turns, from its beginning to its end. */
export async function wholeRecords({ data, kit }: BenchOptions): Promise<readonly WholeRecord[]> {
  // A module of the kit, which has no types.
  const { loadTranscripts } = (await import(pathToFileURL(join(kit, 'lib/transcripts.mjs')).href)) as KitReader;
  return transcriptFiles(data).flatMap((file) =>
    loadTranscripts(file).map(({ id, segments }) => ({
      id,
      turns: turnsOf(segments.flatMap(({ messages }) => messages)),
    })),
  );
}

interface WholeOptions extends BenchOptions {
  readonly budgets: readonly number[];
  readonly ways: readonly Way[];
}

export async function measureWhole(options: WholeOptions): Promise<readonly FactsRow[]> {
  const records = await wholeRecords(options);
  const taken = options.quick ? records.slice(0, 6) : records;
  const rows: FactsRow[] = [];
  for (const budget of options.budgets) {
    for (const way of options.ways) {
      for (const { id, turns } of taken) {
        const output = await way.compress(turns, budget);
        const facts = factsOf({ input: turns, output, targetTokens: budget, count: encoding.count });
        rows.push({ adapter: way.name, budget, session: id, ...facts });
      }
    }
  }
  return rows;
}
