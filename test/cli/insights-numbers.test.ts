import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { size } from '../../packages/core/src/output/text.ts';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import { shortCount } from '../../packages/palimpsest/src/cli/render/text.ts';
import { inFolder, runHere } from '../support/command-line.ts';

describe('numbers of palimpsest insights', () => {
  it('U2 shows what rounds to a thousand of a unit as one of the next', () =>
    inFolder({}, async (cwd) => {
      await using store = await openStore({ path: join(cwd, 's.db') });
      const { id } = await store.sessions.create({ source: 'library' });
      await store.messages.append(id, [{ role: 'user', parts: [{ type: 'text', text: 'Why?' }] }]);
      const call = { sessionId: id, task: 'turn', cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
      await store.usage.add([
        { ...call, model: 'million', inputTokens: 999_999, outputTokens: 999_499 },
        { ...call, model: 'hundred', inputTokens: 99_950, outputTokens: 999 },
        { ...call, model: 'billion', inputTokens: 999_500_000, outputTokens: 99_949 },
      ]);
      const { stdout } = await runHere(['insights', '--by', 'model', '--store', 's.db'], { cwd });
      const rows = [...stdout.matchAll(/^ {2}(\w+) +█* +1 +(\S+) +0 % +(\S+) /gm)].map(([, ...row]) => row.join(' '));
      assert.deepEqual(rows.sort(), ['billion 1.0G 99.9k', 'hundred 100k 999', 'million 1.0M 999k'], stdout);
    }));

  it('R1 shows the size of a saved output in megabytes from where it rounds to one', () => {
    const label = (bytes: number): string => size({ characters: 1, bytes, lines: 1 });
    assert.match(label(1_048_524), /\(1023\.9 KB\)/);
    assert.match(label(1_048_525), /\(1\.0 MB\)/);
  });

  it('U2 short numbers rise with what they stand for, are never more than a twentieth off, and have four digits at most', () => {
    const sizes: Readonly<Record<string, number>> = { '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12 };
    const value = (count: number): number => {
      const [, digits, unit = ''] = /^(\d{1,3}(?:\.\d)?)([kMGT]?)$/.exec(shortCount(count)) ?? [];
      return Number(digits) * (sizes[unit] ?? Number.NaN);
    };
    const power = fc.tuple(fc.double({ min: 0, max: 14.9, noNaN: true }), fc.integer({ min: -600, max: 600 }));
    const count = power.map(([exponent, more]) => Math.max(0, Math.round(10 ** exponent) + more));
    fc.assert(
      fc.property(count, fc.nat(2_000), (least, more) => {
        assert.ok(value(least + more) >= value(least), `${least} and ${least + more}`);
        assert.ok(Math.abs(value(least) - least) <= least / 20, String(least));
      }),
      { numRuns: 2_000 },
    );
  });
});
