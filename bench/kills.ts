/**
 * Kills a writer again and again while others write to and compress the same sessions, and looks at everything that was
 * acknowledged; the tests do the same with fewer rounds.
 *
 *   node bench/kills.ts                200 rounds, 4 other writers, 50 sessions
 *   node bench/kills.ts --rounds 20
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { surviveKills } from '../test/support/kills.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    writers: { type: 'string', default: '4' },
    sessions: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
  },
});

const folder = await mkdtemp(join(tmpdir(), 'palimpsest-kills-'));
const start = performance.now();
try {
  const report = await surviveKills({
    path: join(folder, 'store.db'),
    rounds: Number(values.rounds),
    writers: Number(values.writers),
    sessions: Number(values.sessions),
    seed: Number(values.seed),
  });
  const seconds = Math.round((performance.now() - start) / 1_000);
  console.log(
    `${report.rounds} kills in ${seconds} s, ${report.midWork} of them after a first write. ` +
      `${report.messages} messages and ${report.compressions} compressions were acknowledged, and all of them are there.`,
  );
} finally {
  await rm(folder, { recursive: true });
}
