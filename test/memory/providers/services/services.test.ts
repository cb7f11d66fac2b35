/** The memory providers that ship with Palimpsest, by their own clients, against services over loopback HTTP. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { probeProvider } from '@palimpsest/core/memory';
import { shippedProvider } from 'palimpsest';
import {
  fakeHindsight,
  fakeHoncho,
  fakeMem0Platform,
  fakeMem0Server,
  fakeOpenViking,
  fakeRetainDb,
  fakeSupermemory,
  goodKey,
} from './fakes.ts';
import { testsService } from './service-contract.ts';

describe('M3 supermemory', () => testsService({ name: 'supermemory', label: 'supermemory', start: fakeSupermemory }));

describe('M3 hindsight', () => testsService({ name: 'hindsight', label: 'hindsight', start: fakeHindsight }));

describe('M3 honcho', () => testsService({ name: 'honcho', label: 'honcho', start: fakeHoncho }));

describe('M3 openviking', () => {
  testsService({ name: 'openviking', label: 'openviking', start: fakeOpenViking });

  test('M3 openviking: a model removes nothing but memories of its own project', async () => {
    await using service = await fakeOpenViking();
    const settings = { api_key: goodKey, base_url: service.url };
    const provider = await shippedProvider('openviking', { settings, env: {} });
    const call = { signal: new AbortController().signal };
    await provider.start?.({ sessionId: 's', project: 'heron' }, call);
    for (const id of ['viking://resources/docs', 'viking://~/memories/palimpsest/other/note-1.md']) {
      assert.equal(await provider.runTool?.('openviking_forget', { id }, call), 'There is no such memory.');
    }
    assert.equal(service.requests.filter(({ method }) => method === 'DELETE').length, 0);
  });
});

describe('M3 retaindb', () => testsService({ name: 'retaindb', label: 'retaindb', start: fakeRetainDb }));

describe('M3 mem0', () => {
  testsService({ name: 'mem0', label: 'the server of mem0', start: fakeMem0Server });
  const settings = { server: 'platform' };
  testsService({ name: 'mem0', label: 'the platform of mem0', start: fakeMem0Platform, settings });

  test('M3 the platform of mem0: a note that it takes in later is waited for', async () => {
    await using service = await fakeMem0Platform({ isLate: true });
    const answers = { ...settings, api_key: goodKey, base_url: service.url };
    const waits: number[] = [];
    const after = (ms: number, fire: () => void): (() => void) => {
      waits.push(ms);
      queueMicrotask(fire);
      return () => undefined;
    };
    const provider = await shippedProvider('mem0', { settings: answers, env: {}, timers: { after } });
    assert.deepEqual(await probeProvider(provider, { marker: 'mark-e5f6', session: { sessionId: 's' } }), {
      type: 'works',
    });
  });

  test('M3 mem0: a redirect gets neither the key nor the text', async () => {
    await using thief = await fakeMem0Server();
    await using service = await fakeMem0Server();
    service.breakWith({ status: 307, headers: { location: `${thief.url}/search` } });
    const provider = await shippedProvider('mem0', { settings: { api_key: goodKey, base_url: service.url }, env: {} });
    const result = await probeProvider(provider, { marker: 'mark-e5f6', session: { sessionId: 's' } });
    assert.match('reason' in result ? result.reason : '', /HTTP 307: it redirects/);
    assert.equal(thief.requests.length, 0);
  });

  test('M3 mem0: an answer without an end is not read to its end', async () => {
    await using service = await fakeMem0Server();
    service.breakWith({ body: ' '.repeat(5_000_000) });
    const provider = await shippedProvider('mem0', { settings: { base_url: service.url }, env: {} });
    const result = await probeProvider(provider, { marker: 'mark-e5f6', session: { sessionId: 's' } });
    assert.match('reason' in result ? result.reason : '', /longer than 4194304 bytes/);
  });
});
