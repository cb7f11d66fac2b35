/** A wrapped model can be stopped: then nothing of it keeps a process from its end, and it can be used again. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { stop, storeOf, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { openStore } from '@palimpsest/core/store';
import { type FakeRequest, startFakeProvider, systemText } from '@palimpsest/core/testing';
import { generateText, type ModelMessage } from 'ai';
import { steps } from './prompts.ts';
import { anthropic } from './providers.ts';
import { recorder } from './recorder.ts';

const leaver = join(import.meta.dirname, 'workers', 'leaver.ts');

/** Which conversation a request is about, or a summary of it. */
const nameIn = ({ messages }: FakeRequest): string => /North|South/.exec(JSON.stringify(messages))?.[0] ?? '';

test('F1 a process ends although its provider is silent about summaries in the background of what it has stopped', async () => {
  const summaries = new Map<string, FakeRequest>();
  await using fake = await startFakeProvider({
    script: (request) => {
      if (systemText(request) === '') return { text: summaries.has(nameIn(request)) ? 'Enough.' : 'Noted.' };
      summaries.set(nameIn(request), request);
      return { hang: true };
    },
  });
  // One that does not end is killed, which rejects; the provider would be waited for two minutes.
  const args = [leaver, fake.baseUrl('anthropic')];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
  assert.equal(stdout, 'Stopped.');
  assert.deepEqual([...summaries.keys()].toSorted(), ['North', 'South']);
  for (const summary of summaries.values()) {
    await summary.ended;
    assert.equal(summary.aborted, true);
  }
});

test('F1 a model that was stopped goes on with its file, and begins anew without one', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-stop-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  await using fake = await startFakeProvider({ script: ({ number }) => ({ text: `Answer ${number}.` }) });
  for (const [store, sessions] of [
    [join(folder, 'agent.db'), 1],
    [':memory:', 1],
  ] as const) {
    const model = withPalimpsest(anthropic.model(fake), { store });
    const messages: ModelMessage[] = [];
    for (const question of ['One?', 'Two?', 'Three?']) {
      messages.push({ role: 'user', content: question });
      messages.push(...(await generateText({ model, maxRetries: 0, messages })).responseMessages);
      const opened = await storeOf(model);
      assert.equal((await opened.sessions.list()).length, sessions);
      const [row] = await opened.sessions.list();
      assert.equal(row?.tip.messages, messages.length);
      // As `await using` does at the end of its block.
      await (question === 'Two?' ? model[Symbol.asyncDispose]() : stop(model));
      await assert.rejects(() => opened.sessions.list(), { code: 'STORE_CLOSED' });
    }
    // Twice is once.
    await Promise.all([stop(model), stop(model)]);
  }
});

test('R1 a large result is saved again once the store that had it is gone', async () => {
  const { model } = recorder();
  const wrapped = withPalimpsest(model, { contextLength: 32_000 });
  for (let run = 0; run < 2; run++) {
    await wrapped.doGenerate({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Look.' }] }, ...steps(1, 60_000)],
    });
    assert.equal((await (await storeOf(wrapped)).outputs.list()).length, 1);
    await stop(wrapped);
  }
});

test('F1 a store of the program stays open, and stopping what was never used opens nothing', async () => {
  await using store = await openStore({ path: ':memory:' });
  const wrapped = withPalimpsest(recorder().model, { store });
  await generateText({ model: wrapped, prompt: 'Hello', maxRetries: 0 });
  await stop(wrapped);
  assert.equal((await store.sessions.list()).length, 1);
  // A folder is no file of a store.
  const unused = withPalimpsest(recorder().model, { store: tmpdir() });
  await stop(unused);
  await generateText({ model: unused, prompt: 'Hello', maxRetries: 0 });
  await stop(unused);
  assert.throws(() => stop(recorder().model), { code: 'BAD_OPTION' });
});
