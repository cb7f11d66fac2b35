/**
 * Measures what twenty compressions in a row leave of what the first one knew, with a model that gets one line in twenty
 * wrong and forgets another at every update: verified, as it writes, and the ledger without any model.
 *
 *   node bench/chain.ts [--data DIR] [--seed N] [--passes N] [--window N] [--target N] [--quick] [--show TYPE] [--json OUT]
 */
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { fromOpenAiChat } from '@palimpsest/core';
import { personMessage } from '../packages/core/src/compression/handoff-block.ts';
import { liveLies, lostLines, reportOf } from './chain/report.ts';
import { type ChainResult, type ChainSession, chainTypes, runChains } from './chain/run.ts';
import { readTranscriptFile } from './files.ts';
import { inventedSession } from './invented-session.ts';
import { sessionFiles } from './verification/sessions.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: join(import.meta.dirname, '../../shared/data') },
    seed: { type: 'string', default: '1' },
    passes: { type: 'string', default: '20' },
    window: { type: 'string', default: '200000' },
    target: { type: 'string' },
    quick: { type: 'boolean', default: false },
    show: { type: 'string', multiple: true, default: [] },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

/** Shorter sessions have nothing to lose in so many passes. */
const fewestMessages = 100;
const quickSessions = 2;

if (values.help) {
  console.log(`node bench/chain.ts [--data DIR] [--seed N] [--passes N] [--window N] [--target N] [--quick] [--show TYPE] [--json OUT]
  TYPE: ${chainTypes.join(', ')}; lists what that chain has lost, and its lies`);
} else await measure();

async function measure(): Promise<void> {
  const options = {
    passes: Number(values.passes),
    contextLength: Number(values.window),
    seed: Number(values.seed),
    ...(values.target === undefined ? {} : { targetTokens: Number(values.target) }),
  };
  const results: ChainResult[] = [];
  for (const session of await sessions()) {
    const start = performance.now();
    results.push(...(await runChains(session, options)));
    console.error(
      `${session.name}: ${session.messages.length} messages, ${((performance.now() - start) / 1_000).toFixed(1)} s`,
    );
  }
  const count = results.length / chainTypes.length;
  console.log(
    `${count} sessions, ${options.passes} compressions each in a window of ${options.contextLength} tokens, seed ${options.seed}.\n`,
  );
  console.log(reportOf(results, options.passes));
  for (const type of values.show) {
    console.log(
      `\n${results
        .filter((one) => one.type === type)
        .flatMap((one) => [...lostLines(one), ...liveLies(one)])
        .join('\n')}`,
    );
  }
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ options, results }, undefined, 1));
}

/** One that is invented, so that there is always one, and those of the data folder. */
async function sessions(): Promise<readonly ChainSession[]> {
  const invented = { name: 'invented', messages: fromOpenAiChat(inventedSession(values.quick ? 200 : 400, 7)) };
  const files = sessionFiles(values.data);
  if (files.length === 0) console.error(`${values.data} has no transcripts: only the invented session is measured`);
  const found: ChainSession[] = [invented];
  for (const file of files) {
    if (values.quick && found.length > quickSessions) break;
    const [main] = await readTranscriptFile(file);
    const messages = main?.messages ?? [];
    if (messages.length < fewestMessages || !messages.some((one) => personMessage(one))) continue;
    found.push({ name: basename(file), messages });
  }
  return found;
}
