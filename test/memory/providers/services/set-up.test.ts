/** What a provider is asked, what becomes of the answers, and what it says when something is missing. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createMemoryProviders, probeProvider } from '@palimpsest/core/memory';
import { memoryProviderNames, providerQuestions, setUpProvider, shippedProvider } from 'palimpsest';
import { isInstalled } from '../../../../packages/palimpsest/src/memory-providers/optional-package.ts';
import { inFolder } from '../../../support/command-line.ts';
import { emptyBuiltIn, manualClock } from '../stage.ts';
import { fakeMem0Server, goodKey } from './fakes.ts';

const session = { sessionId: 'session-1' };
const marker = 'mark-e5f6';

describe('M3 setting a provider up', () => {
  test('M3 keeps keys out of the configuration, and leaves out what is the default', () => {
    const answers = { api_key: goodKey, base_url: 'https://api.mem0.ai', user: ' alice ', scope: '' };
    assert.deepEqual(setUpProvider('mem0', answers), {
      type: 'ready',
      settings: { user: 'alice' },
      variables: { MEM0_API_KEY: goodKey },
    });
  });

  test('M3 names the package that has to be installed', () => {
    const packages = ['supermemory', 'honcho', 'hindsight'].map((name) =>
      Reflect.get(setUpProvider(name, {}), 'packageName'),
    );
    assert.deepEqual(packages, ['supermemory', '@honcho-ai/sdk', '@vectorize-io/hindsight-client']);
  });

  test('M3 lists everything that is wrong, and repeats no answer', () => {
    const wrong = setUpProvider('mem0', { base_url: goodKey, scope: goodKey, key: goodKey });
    assert.equal(wrong.type, 'wrong');
    assert.equal(Reflect.get(wrong, 'problems').length, 3);
    assert.doesNotMatch(JSON.stringify(wrong), new RegExp(goodKey));
  });

  test('M3 refuses settings that a provider does not have, and says which was meant', async () => {
    const settings = { bas_url: 'http://localhost', scope: 'persn', api_key: 3 };
    await assert.rejects(
      shippedProvider('mem0', { settings, env: {} }),
      /mem0 does not ask for bas_url: did you mean base_url\?.*as scope one of project, person\..*as api_key a text/,
    );
  });

  test('M3 knows every provider by its name, and says which was meant', async () => {
    for (const name of memoryProviderNames) {
      const keys = providerQuestions(name).map(({ key }) => key);
      assert.equal(new Set(keys).size, keys.length, name);
      assert.equal((await shippedProvider(name, { settings: {}, env: {} })).name, name);
    }
    assert.throws(() => providerQuestions('memo'), /Expected a memory provider.*Did you mean mem0\?/);
  });

  test('M3 says which variable is not set, without using the network', async () => {
    for (const [name, variable] of [
      ['supermemory', 'SUPERMEMORY_API_KEY'],
      ['mem0', 'MEM0_API_KEY'],
      ['honcho', 'HONCHO_API_KEY'],
    ] as const) {
      const provider = await shippedProvider(name, { settings: {}, env: { [variable]: ' ' } });
      assert.match(
        provider.missing?.() ?? '',
        new RegExp(`${name} needs a key .*: set the variable ${variable}\\.`, 'i'),
      );
      const withKey = await shippedProvider(name, { settings: {}, env: { [variable]: goodKey } });
      assert.equal(withKey.missing?.(), undefined);
    }
  });

  test('M3 lets a variable go before what is configured', async () => {
    await using service = await fakeMem0Server();
    const settings = { base_url: 'http://127.0.0.1:1', api_key: 'old' };
    const env = { MEM0_BASE_URL: service.url, MEM0_API_KEY: goodKey };
    const provider = await shippedProvider('mem0', { settings, env });
    assert.deepEqual(await probeProvider(provider, { marker, session }), { type: 'works' });
  });
});

describe('M3 an official client that is not installed', () => {
  test('M3 is a failed start that says how to install it', async () => {
    for (const [name, packageName] of [
      ['supermemory', 'supermemory'],
      ['honcho', '@honcho-ai/sdk'],
      ['hindsight', '@vectorize-io/hindsight-client'],
    ] as const) {
      const importPackage = (wanted: string): Promise<never> =>
        Promise.reject(Object.assign(new Error(`Cannot find package '${wanted}'`), { code: 'ERR_MODULE_NOT_FOUND' }));
      const provider = await shippedProvider(name, { settings: { api_key: goodKey }, env: {}, importPackage });
      const result = await probeProvider(provider, { marker, session });
      const reason = `The package ${packageName} is not installed: npm install ${packageName}.`;
      assert.deepEqual(result, { type: 'failed', step: 'start', reason });
    }
  });

  test('M3 is told from one that is installed and cannot be loaded', async () => {
    const missing = Object.assign(new Error("Cannot find package 'supermemory'"), { code: 'ERR_MODULE_NOT_FOUND' });
    const inner = Object.assign(new Error("Cannot find package 'zod'"), { code: 'ERR_MODULE_NOT_FOUND' });
    assert.equal(await isInstalled(() => Promise.reject(missing), 'supermemory'), false);
    assert.equal(await isInstalled(() => Promise.reject(inner), 'supermemory'), true);
    assert.equal(await isInstalled(async () => ({}), 'supermemory'), true);
  });

  test('M3 is found in the folder for plugins as well', () =>
    inFolder({}, async (folder) => {
      const home = join(folder, 'plugins', 'node_modules', 'supermemory');
      mkdirSync(home, { recursive: true });
      writeFileSync(join(home, 'package.json'), '{"name":"supermemory","version":"1.0.0","main":"index.js"}');
      writeFileSync(join(home, 'index.js'), 'exports.Supermemory = class {};');
      const { importFrom } = await import('../../../../packages/palimpsest/src/memory-providers/optional-package.ts');
      const name = 'supermemory-of-nobody';
      await assert.rejects(importFrom([join(folder, 'plugins')])(name), /supermemory-of-nobody/);
      const found = importFrom([join(folder, 'plugins')]);
      assert.equal(typeof Reflect.get(Object(await found('supermemory')), 'Supermemory'), 'function');
    }));

  test('M3 of another kind than expected is said to be so', async () => {
    const importPackage = async (): Promise<unknown> => ({ default: {} });
    const provider = await shippedProvider('supermemory', { settings: { api_key: goodKey }, env: {}, importPackage });
    const result = await probeProvider(provider, { marker, session });
    assert.match('reason' in result ? result.reason : '', /has no Supermemory: install the version/);
  });
});

describe('M3 a service in a conversation', () => {
  test('M3 that breaks in the middle is left out, keeps the turns that wait, and is taken in again', async () => {
    await using service = await fakeMem0Server();
    const clock = manualClock();
    const notices: string[] = [];
    const external = await shippedProvider('mem0', { settings: { base_url: service.url, api_key: goodKey }, env: {} });
    const providers = createMemoryProviders({
      builtIn: emptyBuiltIn,
      external,
      clock: { now: clock.now, timers: clock.timers },
      onNotice: ({ message }) => notices.push(message),
    });
    await providers.start(session);
    service.breakWith({ status: 500 }, /^\/memories/);
    for (let turn = 1; turn <= 4; turn++) {
      await providers.startTurn();
      providers.saveTurn({ user: `Turn ${turn} is about heron.`, assistant: '' });
      await providers.endSession([]); // waits for the line
    }
    assert.match(
      notices.at(-1) ?? '',
      /^The memory provider mem0 has failed 3 times since 14:02: it could not save \(HTTP 500/,
    );
    assert.deepEqual(providers.tools(), []);
    assert.equal(providers.status()[1]?.waiting, 4);
    service.breakWith(undefined);
    assert.equal((await providers.check())[1]?.state.type, 'ready');
    await providers.stop();
    const saved = service.requests.filter(({ path, body }) => path === '/memories' && body.run_id === 'session-1');
    assert.deepEqual(
      saved.slice(-4).map(({ body }) => Object(Object(body.messages)[0]).content),
      [1, 2, 3, 4].map((turn) => `Turn ${turn} is about heron.`),
    );
  });
});
