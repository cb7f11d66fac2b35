/**
 * A process that has nothing more to do while a model that never answers writes a summary in the background.
 *
 *   node leaver.ts
 */
import { once } from 'node:events';
import type { Summarizer } from '@palimpsest/core';
import { openStore } from '@palimpsest/core/store';
import { listOf, runtimeOver, work } from '../agent.ts';

const asked = new EventTarget();
const summarizer: Summarizer = {
  name: 'anthropic/claude-haiku-4-5',
  write: () => {
    asked.dispatchEvent(new Event('asked'));
    return new Promise(() => undefined);
  },
};
const runtime = runtimeOver(await openStore({ path: ':memory:' }), { background: true, summarizer });
const list = listOf(0);
const isAsked = once(asked, 'asked');
for (let at = 1; runtime.background().started === 0; at++) await work(runtime, list, { from: at, steps: 1, lines: 20 });
await isAsked;
process.stdout.write(`open: ${runtime.background().open}`);
