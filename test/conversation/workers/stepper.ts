/**
 * A process that works with a client until it is killed: prints the number of every step whose answer the client has got.
 *
 *   node stepper.ts STORE FIRST LAST CLOCK [background]
 *
 * With `background`, a model writes the summaries while the steps go on.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Summarizer } from '@palimpsest/core';
import { openStore } from '@palimpsest/core/store';
import { answer, listOf, runtimeOver, step } from '../agent.ts';

const [path = '', first = '1', last = '1', lapse = '0', mode = ''] = process.argv.slice(2);
const store = await openStore({ path, clock: { now: () => Date.now() + Number(lapse) } });
const summarizer: Summarizer = {
  name: 'anthropic/claude-haiku-4-5',
  write: async () => {
    await delay(10);
    return {
      text: '## Active Task\nMove the ledgers.',
      finish: 'stop',
      usage: { inputTokens: 1_000, outputTokens: 20 },
    };
  },
};
const options = mode === 'background' ? { background: true, summarizer } : {};
const runtime = runtimeOver(store, { ...options, clock: { now: () => Date.now() + Number(lapse) } });
const list = listOf(Number(first) - 1);
for (let at = Number(first); at <= Number(last); at++) {
  const prepared = await runtime.prepare({ messages: list });
  const [called, result] = step(at);
  // It streams to the client while it is settled.
  process.stdout.write(`${at}\n`);
  await answer(runtime, prepared, called);
  list.push(called, result);
}
await runtime.stop();
await store.close();
