/** What every memory provider that ships with Palimpsest keeps, whatever it speaks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MemoryProvider, probeProvider } from '@palimpsest/core/memory';
import { shippedProvider } from 'palimpsest';
import { manualClock, stageOf } from '../stage.ts';
import type { FakeService, Fault } from './fake-service.ts';
import { goodKey } from './fakes.ts';

export interface ServiceCase {
  readonly name: string;
  /** Of the platform where it has several. */
  readonly label: string;
  readonly start: () => Promise<FakeService>;
  readonly settings?: Readonly<Record<string, string>>;
}

const session = { sessionId: 'session-1' };
const marker = 'palimpsest-probe-e5f6';

const signal = new AbortController().signal;
const call = { signal };

type ProviderAt = (url: string, more?: Readonly<Record<string, string>>) => Promise<MemoryProvider>;

/** Registers the tests; each has a service of its own. */
export function testsService(service: ServiceCase): void {
  const { name, settings = {} } = service;
  const providerAt: ProviderAt = (url, more = {}) => {
    let ids = 0;
    const answers = { api_key: goodKey, base_url: url, ...settings, ...more };
    return shippedProvider(name, { settings: answers, env: {}, newId: () => `id${++ids}` });
  };
  testsMemory(service, providerAt);
  testsFailures(service, providerAt);
}

function testsMemory({ name, label, start }: ServiceCase, providerAt: ProviderAt): void {
  test(`M3 ${label}: a note is written, read back and removed`, async () => {
    await using service = await start();
    const provider = await providerAt(service.url);
    assert.deepEqual(await probeProvider(provider, { marker, session }), { type: 'works' });
    assert.equal((await provider.recall?.({ ...session, text: marker, maxChars: 999 }, call)) ?? '', '', 'it is gone');
  });

  test(`M3 ${label}: turns and facts are recalled, and a fact is forgotten`, async () => {
    await using service = await start();
    const { providers, notices } = await stageOf(await providerAt(service.url));
    await providers.startTurn();
    providers.saveTurn({ user: 'The staging server is called heron.', assistant: 'Noted.' });
    const saved = await providers.runTool(`${name}_remember`, { text: 'Deploys happen on Tuesdays.' });
    const [, id = ''] = /\(id: ([^)]+)\)/.exec(saved ?? '') ?? [];
    await providers.endSession([]);
    const both = await providers.recall('When do deploys to the staging server happen?');
    assert.match(both[0]?.text ?? '', /heron[\s\S]*Tuesdays|Tuesdays[\s\S]*heron/);
    assert.match((await providers.runTool(`${name}_search`, { query: 'deploys' })) ?? '', /Tuesdays\. \(id: /);
    await providers.runTool(`${name}_forget`, { id });
    assert.doesNotMatch((await providers.runTool(`${name}_search`, { query: 'deploys' })) ?? '', /Tuesdays/);
    assert.match((await providers.runTool(`${name}_forget`, { id: 'nothing-has-it' })) ?? '', /no such memory|Removed/);
    assert.deepEqual(notices, []);
  });

  test(`M3 ${label}: what was corrected in the built-in memory is corrected there too`, async () => {
    await using service = await start();
    const { providers } = await stageOf(await providerAt(service.url));
    const write = { target: 'memory', text: 'Lunch is at noon.' } as const;
    providers.tellWrite({ what: 'add', ...write });
    providers.tellWrite({ what: 'replace', ...write, text: 'Lunch is at one.', before: write.text });
    await providers.endSession([]);
    assert.deepEqual(
      (await providers.recall('When is lunch?')).map(({ text }) => text),
      ['- Lunch is at one.'],
    );
  });

  test(`M3 ${label}: nothing of one project shows in another, unless the person wants one memory`, async () => {
    await using service = await start();
    const query = { sessionId: 's', text: 'staging server', maxChars: 999 };
    const recallFrom = async (project: string | undefined, scope: string): Promise<string> => {
      const provider = await providerAt(service.url, { scope });
      await provider.start?.({ sessionId: 's', ...(project === undefined ? {} : { project }) }, call);
      if (project === 'heron') await provider.notes?.write(`The staging server of ${scope} is heron.`, call);
      return (await provider.recall?.(query, call)) ?? '';
    };
    assert.match(await recallFrom('heron', 'project'), /of project is heron/);
    for (const other of ['crane', undefined]) assert.equal(await recallFrom(other, 'project'), '', other);
    assert.match(await recallFrom('heron', 'person'), /of person is heron/);
    assert.match(await recallFrom('crane', 'person'), /of person is heron/);
  });
}

function testsFailures({ label, start }: ServiceCase, providerAt: ProviderAt): void {
  test(`M3 ${label}: a key that is not accepted, and every failure, is said in a line without the key`, async () => {
    await using service = await start();
    const wrong = await providerAt(service.url, { api_key: 'wrong-key-of-the-test' });
    const refused = await probeProvider(wrong, { marker, session });
    assert.match('reason' in refused ? refused.reason : '', /^HTTP 401: its key is not accepted/);
    const faults: readonly [Fault, RegExp][] = [
      [
        { status: 429, body: { detail: 'slow down' }, headers: { 'retry-after': '0' } },
        /^HTTP 429: it is asked too often/,
      ],
      [{ status: 500, body: { detail: goodKey } }, /^HTTP 500: it has failed/],
      [{ status: 200, body: '<html>Sign in</html>' }, /./],
      [{ status: 200, body: '{"unexpected":[]}' }, /./],
      [{ status: 200, body: '' }, /./],
    ];
    for (const [fault, expected] of faults) {
      service.breakWith(fault);
      const result = await probeProvider(await providerAt(service.url), { marker, session });
      assert.equal(result.type, 'failed', JSON.stringify(fault));
      assert.match('reason' in result ? result.reason : '', expected);
      assert.doesNotMatch(JSON.stringify(result), new RegExp(goodKey));
    }
  });

  test(`M3 ${label}: is probed again after a failure, and works again`, async () => {
    await using service = await start();
    const provider = await providerAt(service.url);
    service.breakWith({ status: 503, headers: { 'retry-after': '0' } });
    assert.equal((await probeProvider(provider, { marker, session })).type, 'failed');
    service.breakWith(undefined);
    assert.deepEqual(await probeProvider(provider, { marker, session }), { type: 'works' });
  });

  test(`M3 ${label}: a service that never answers is given up in time`, async () => {
    await using service = await start();
    const clock = manualClock();
    service.breakWith('hold');
    const held = service.held();
    const result = probeProvider(await providerAt(service.url), { marker, session, timers: clock.timers });
    await held;
    await clock.pass(180_000);
    assert.match(JSON.stringify(await result), /"failed".*it took longer than \d+ ms/);
  });

  test(`M3 ${label}: a service that is not there is said to be so`, async () => {
    const service = await start();
    await service[Symbol.asyncDispose]();
    const result = await probeProvider(await providerAt(service.url), { marker, session });
    assert.match('reason' in result ? result.reason : '', /no connection|onnection|fetch failed/);
  });
}
