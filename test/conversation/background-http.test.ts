/** A summary in the background by a model behind real HTTP, on the clock of the platform. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { aiSdkSummarizer, type ContextCompression, type Summarizer, validate } from '@palimpsest/core';
import { startFakeProvider } from '@palimpsest/core/testing';
import { answer, runtimeOver, step, system, user, withStore } from './agent.ts';
import { settled } from './virtual-time.ts';

test('F1 a model behind HTTP writes the summary while the steps go on, and none of them waits for it', () =>
  withStore(async (store) => {
    await using fake = await startFakeProvider();
    const mill = createOpenAICompatible({ name: 'mill', baseURL: fake.baseUrl('openai-chat'), apiKey: 'k' });
    const model = aiSdkSummarizer(mill.chatModel('mill-1'));
    let written: Promise<unknown> = Promise.resolve();
    const write: Summarizer['write'] = (call) => {
      const reply = model.write(call);
      written = reply;
      return reply;
    };
    const summarizer: Summarizer = { ...model, write };
    const runtime = runtimeOver(store, { background: true, summarizer });
    const list = [system('You move ledgers.'), user('Move the ledgers of all regions.')];
    const compressions: ContextCompression[] = [];
    for (let at = 1; at <= 400 && compressions.length < 2; at++) {
      const prepared = await runtime.prepare({ messages: list });
      assert.deepEqual(validate(prepared.messages), []);
      if (prepared.compression) compressions.push(prepared.compression);
      // The model of the work takes longer than the one that summarises.
      const { started } = runtime.background();
      if (started > 0) await fake.received(started);
      await written;
      await settled();
      const [called, result] = step(at, 3);
      await answer(runtime, prepared, called);
      list.push(called, result);
    }
    assert.deepEqual(
      compressions.map(({ inBackground, result }) => [inBackground, result?.handoff?.writtenBy]),
      [
        [true, 'model'],
        [true, 'model'],
      ],
    );
    assert.equal(runtime.background().taken, 2);
    assert.equal(fake.requests.length, runtime.background().started);
    await runtime.stop();
    assert.equal((await store.leases.held()).length, 0);
  }));
