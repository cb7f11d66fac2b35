/**
 * Throws bodies of six clients that went wrong at a gateway with conversations, and counts what became of them; it fails where one of
 * them did harm. Prints Markdown; see `npm run bench -- gateway-bodies`.
 *
 *   node bench/gateway/wrong-bodies.ts              10,000 of them
 *   node bench/gateway/wrong-bodies.ts --quick      1,000
 */
import { parseArgs } from 'node:util';
import { table } from '../../scripts/reference/markdown.ts';
import { throwBodies } from '../../test/gateway/conversations/throw-bodies.ts';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const count = values.quick ? 1_000 : 10_000;

const start = performance.now();
const { actions, faults, slowestMs } = await throwBodies(0, count);
const seconds = (performance.now() - start) / 1_000;
console.log(
  table(
    ['action', 'bodies'],
    Object.entries(actions).map(([action, bodies]) => [action, String(bodies)]),
  ),
);
console.log(
  `\n${count} bodies in ${seconds.toFixed(0)} s, the slowest in ${slowestMs.toFixed(0)} ms; faults: ${faults.length}.`,
);
for (const fault of faults) console.log(`- ${fault}`);
if (faults.length > 0) process.exitCode = 1;
