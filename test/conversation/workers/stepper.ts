/**
 * A process that works with a client until it is killed: prints the number of every step whose answer the client has got.
 *
 *   node stepper.ts STORE FIRST LAST CLOCK
 */
import { openStore } from '../../../src/index.ts';
import { answer, listOf, runtimeOver, step } from '../agent.ts';

const [path = '', first = '1', last = '1', lapse = '0'] = process.argv.slice(2);
const store = await openStore({ path, clock: () => Date.now() + Number(lapse) });
const runtime = runtimeOver(store);
const list = listOf(Number(first) - 1);
for (let at = Number(first); at <= Number(last); at++) {
  const prepared = await runtime.prepare({ messages: list });
  const [called, result] = step(at);
  // It streams to the client while it is settled.
  process.stdout.write(`${at}\n`);
  await answer(runtime, prepared, called);
  list.push(called, result);
}
await store.close();
