/** What the harness of real clients finds wrong with a run: so that a run that passes says something. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FakeRequest, startFakeProvider } from '@palimpsest/core/testing';
import { pairFaults, runFaults } from '../../scripts/clients/compare.ts';
import type { ClientRun } from '../../scripts/clients/run-client.ts';
import { makeScenario } from '../../scripts/clients/scenario.ts';
import { openTap } from '../../scripts/clients/tap.ts';

const scenario = makeScenario();

/** A run in which a request said all of it, changed as a test wants. */
async function runWith(changes: Partial<ClientRun> = {}): Promise<ClientRun> {
  await using provider = await startFakeProvider({ script: { text: 'fine' } });
  await using upstream = await openTap({ target: provider.url, refusesSockets: true });
  await using front = await openTap({ target: upstream.url });
  const messages = [{ role: 'user', content: scenario.marks.join(' and ') }];
  const answer = await fetch(`${front.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages }),
  });
  await answer.text();
  const [sent, came] = [[...front.passed], [...upstream.passed]];
  const { requests } = provider;
  return { code: 0, stdout: scenario.finalText, stderr: '', seconds: 1, sent, came, requests, ...changes };
}

test('K2 nothing is wrong with a run whose bytes came as they were sent', async () => {
  const run = await runWith();
  assert.equal(run.sent.length, 1);
  assert.deepEqual(runFaults(run, scenario), []);
  assert.deepEqual(pairFaults(run, run), []);
});

for (const [what, changes, fault] of [
  ['an exit code', { code: 1 }, /expected it to end with 0, it ended with 1/],
  ['a client that was too slow', { code: null }, /too slow/],
  ['a text that is missing', { stdout: 'I am done.' }, /expected the final text/],
  ['a result that never reached the model', { requests: [] }, /expected the result with "marker 1/],
  ['a request that never came', { came: [] }, /sent and never came: \/v1\/chat\/completions/],
  ['a request that nobody sent', { sent: [] }, /came and was never sent/],
] as const) {
  test(`K2 a run is found wrong for ${what}`, async () => {
    assert.match(runFaults(await runWith(changes), scenario).join('\n'), fault);
  });
}

test('K2 a body of another SHA-256 is found, and a failure of the provider', async () => {
  const run = await runWith();
  const came = run.came.map((one) => ({ ...one, sha256: '0'.repeat(64) }));
  assert.equal(runFaults({ ...run, came }, scenario).length, 2);
  const requests: readonly FakeRequest[] = run.requests.map((request) => ({ ...request, status: 400 }));
  assert.match(runFaults({ ...run, requests }, scenario).join('\n'), /was answered 400/);
});

test('K2 a gateway that makes a client print or ask otherwise is found', async () => {
  const run = await runWith();
  assert.match(pairFaults(run, { ...run, stdout: 'other' }).join('\n'), /expected the same text/);
  assert.match(pairFaults(run, { ...run, requests: [] }).join('\n'), /expected 1 requests/);
});
