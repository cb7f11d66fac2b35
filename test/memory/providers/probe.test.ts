/** Whether a provider really keeps what it is given. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type MemoryProvider, probeProvider } from '@palimpsest/core/memory';
import { broken, manualClock, never, notesIn } from './stage.ts';

const session = { sessionId: 'probe' };
const marker = 'palimpsest-probe-1';

describe('M3 a probe', () => {
  test('M3 writes, reads and removes a note', async () => {
    const kept = new Map<string, string>();
    assert.deepEqual(await probeProvider({ name: 'good', notes: notesIn(kept) }, { marker, session }), {
      type: 'works',
    });
    assert.equal(kept.size, 0);
  });

  test('M3 says which step failed, and why', async () => {
    const notes = notesIn(new Map());
    const failing: readonly [string, string, Partial<MemoryProvider>][] = [
      ['settings', 'No key.', { missing: () => 'No key.' }],
      ['start', 'no route', { start: broken('no route') }],
      ['write', 'HTTP 401', { notes: { ...notes, write: broken('HTTP 401') } }],
      ['write', 'it gave no id for what was written', { notes: { ...notes, write: async () => '' } }],
      ['read', 'what was written could not be read back', { notes: { ...notes, read: async () => undefined } }],
      ['read', 'what was written could not be read back', { notes: { ...notes, read: async () => 'something else' } }],
      ['read', 'HTTP 500', { notes: { ...notes, read: broken('HTTP 500') } }],
      ['remove', 'HTTP 403', { notes: { ...notes, remove: broken('HTTP 403') } }],
    ];
    for (const [step, reason, more] of failing) {
      const result = await probeProvider({ name: 'bad', notes, ...more }, { marker, session });
      assert.deepEqual(result, { type: 'failed', step, reason }, step);
    }
  });

  test('M3 removes its note also where it could not be read', async () => {
    const kept = new Map<string, string>();
    await probeProvider({ name: 'bad', notes: { ...notesIn(kept), read: broken() } }, { marker });
    assert.equal(kept.size, 0);
  });

  test('M3 ends in time', async () => {
    const clock = manualClock();
    const notes = { ...notesIn(new Map()), read: never };
    const result = probeProvider({ name: 'slow', notes }, { marker, timers: clock.timers });
    await clock.pass(20_000);
    assert.deepEqual(await result, { type: 'failed', step: 'read', reason: 'it took longer than 20000 ms' });
  });

  test('M3 claims nothing of a provider that has no notes', async () => {
    assert.equal((await probeProvider({ name: 'mute' }, { marker })).type, 'unknown');
  });
});
