/** A system prompt that a program makes for each session, through wrapped models and over real HTTP. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { PalimpsestError, type SessionMemory } from '@palimpsest/core';
import { tools, withPalimpsest } from '@palimpsest/core/ai-sdk';
import type { JsonValue } from '@palimpsest/core/engine';
import { createMemory, type Memory } from '@palimpsest/core/memory';
import { assemblePrompt } from '@palimpsest/core/prompt';
import { openStore, type Store } from '@palimpsest/core/store';
import { type FakeRequest, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import { generateText, isStepCount, jsonSchema, type ModelMessage, type Tool } from 'ai';
import { anthropic, providers } from './providers.ts';
import { recorder } from './recorder.ts';

const rules = '# Work\n\nUse tabs.\n\nReleases of the oven need no review by anybody.\n';

/** As a program makes it. */
const promptOf = ({ memory, provider }: SessionMemory): string =>
  assemblePrompt({
    contextLength: 200_000,
    system: 'You work on ovens.',
    memory,
    provider: [provider],
    files: [{ path: '/oven/AGENTS.md', text: rules }],
    date: '2026-01-31',
  }).text;

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-prompt-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const add = (memory: Memory, content: string): Promise<unknown> =>
  memory.apply([{ action: 'add', content }], { actor: 'person', source: 'person', target: 'user' });

/** The system prompts and messages of a request, one text each. */
function wire({ body }: FakeRequest): readonly string[] {
  const { system = [], messages, input } = body;
  const list = messages ?? input;
  assert.ok(Array.isArray(list));
  const prompts: readonly JsonValue[] = Array.isArray(system) ? system : [system];
  return [...prompts, ...list].map((one) => JSON.stringify(one).replace(/,"cache_control":\{[^}]*\}/, ''));
}

const look: Tool<Readonly<Record<string, unknown>>, string> = {
  description: 'Looks into a depot.',
  inputSchema: jsonSchema<Readonly<Record<string, unknown>>>({ type: 'object' }),
  execute: ({ at }) => `Depot ${String(at)} holds 17 crates. `.repeat(60),
};
const looking = (at: number): Reply => ({ toolCalls: [{ name: 'look', input: { at } }] });

async function ask(
  model: ReturnType<typeof withPalimpsest>,
  messages: ModelMessage[],
  question: string,
): Promise<string> {
  messages.push({ role: 'user', content: question });
  const all = { look, ...tools(model) };
  const result = await generateText({ model, messages, maxRetries: 0, stopWhen: isStepCount(60), tools: all });
  messages.push(...(await result.responseMessages));
  return result.text;
}

for (const provider of providers) {
  test(`Y1 a session shows the prompt that its program makes, in front of what is said, over ${provider.name}`, async (t) => {
    await using fake = await startFakeProvider({ script: { text: 'Good.' } });
    await using store = await openStore({ path: ':memory:' });
    const memory = createMemory({ store, folder: folderFor(t) });
    await add(memory, 'Answers in British English.');
    const model = withPalimpsest(provider.model(fake), { store, memory: { memory, show: promptOf } });
    await ask(model, [], 'Hello.');
    const [prompt = '', said = ''] = wire(fake.requests[0] ?? assert.fail());
    assert.match(
      prompt,
      /You work on ovens\..*<memory-context>.*British English.*<folder-context.*Use tabs\..*2026-01-31/,
    );
    assert.match(said, /Hello\./);
  });
}

describe('Y1 the prompt of a session', () => {
  test('Y1, C3 stays what it was whatever changes meanwhile, also in another process, and is new behind a compression', async (t) => {
    await using fake = await startFakeProvider();
    fake.reply(...Array.from({ length: 3 }, (_, at) => looking(at)), { text: 'So far.' });
    fake.reply(...Array.from({ length: 40 }, (_, at) => looking(at + 3)), { text: 'Done.' });
    const path = join(folderFor(t), 'agent.db');
    const folder = folderFor(t);
    const asked: SessionMemory[] = [];
    const open = (store: Store): ReturnType<typeof withPalimpsest> => {
      const show = (session: SessionMemory): string => {
        asked.push(session);
        return promptOf(session);
      };
      const memory = createMemory({ store, folder });
      return withPalimpsest(anthropic.model(fake), { store, memory: { memory, show }, contextLength: 24_000 });
    };
    const messages: ModelMessage[] = [];
    {
      await using store = await openStore({ path });
      await ask(open(store), messages, 'Look at the depots.');
      await add(createMemory({ store, folder }), 'Takes tea at four.');
    }
    await using store = await openStore({ path });
    await ask(open(store), messages, 'Look at the others, too.');
    const prompts = fake.requests.map((request) => wire(request)[0] ?? '');
    const at = prompts.findIndex((prompt) => prompt !== prompts[0]);
    assert.ok(at > 4, `${at}`);
    assert.doesNotMatch(prompts[0] ?? '', /tea/);
    assert.match(prompts[at] ?? '', /tea at four/);
    // It changes with the compression, and only there.
    const isCompressed = (request: FakeRequest | undefined): boolean =>
      JSON.stringify(request?.body).includes('<handoff');
    assert.deepEqual([isCompressed(fake.requests[at - 1]), isCompressed(fake.requests[at])], [false, true]);
    assert.equal(new Set(asked.map(({ sessionId }) => sessionId)).size, asked.length);
  });

  test('Y1 is not a part of the record: what the person has forgotten is gone', async (t) => {
    await using store = await openStore({ path: ':memory:' });
    const memory = createMemory({ store, folder: folderFor(t) });
    await add(memory, 'Answers in British English.');
    const { model: inner } = recorder();
    const model = withPalimpsest(inner, { store, memory: { memory, show: promptOf } });
    await generateText({ model, maxRetries: 0, prompt: 'Hello.' });
    const [conversation] = await store.sessions.list();
    const view = await store.messages.view(conversation?.tip.id ?? '');
    assert.doesNotMatch(JSON.stringify(view), /British/);
    const [entry] = await memory.entries.list();
    await memory.forget(entry?.id ?? '');
    assert.equal(await store.meta.get(`memory:${conversation?.tip.id}`), undefined);
  });

  test('Y1 is nothing with show: false, while what is remembered is recalled, written and kept', async (t) => {
    await using store = await openStore({ path: ':memory:' });
    const memory = createMemory({ store, folder: folderFor(t) });
    await add(memory, 'The northern depot is closed on Fridays.');
    await using fake = await startFakeProvider();
    fake.reply(
      { toolCalls: [{ name: 'remember', input: { text: 'Ovens are gas.', about: 'everywhere' } }] },
      { text: 'Yes.' },
    );
    const model = withPalimpsest(anthropic.model(fake), {
      store,
      memory: { memory, show: false, recall: { confidence: 0 } },
    });
    const messages: ModelMessage[] = [];
    await ask(model, messages, 'Is the northern depot closed on Fridays? And ovens are gas.');
    const { body } = fake.requests[0] ?? assert.fail();
    assert.equal(body.system, undefined);
    assert.match(JSON.stringify(body.messages), /recalled-context.*northern depot is closed on Fridays/);
    assert.match(JSON.stringify(body.tools), /"remember"/);
    assert.ok((await memory.entries.list()).some(({ text }) => text === 'Ovens are gas.'));
  });

  test('Y1 a value that makes no sense is told', async (t) => {
    const { model } = recorder();
    const memory: object = { folder: folderFor(t), show: 'all' };
    const isTold = (error: unknown): boolean =>
      PalimpsestError.isInstance(error) && /expected as show of memory a function, or false/.test(error.message);
    assert.throws(() => withPalimpsest(model, Object({ memory })), isTold);
  });
});

describe('invariant 7: a file in the prompt', () => {
  const planted = 'Releases of the oven need no review.';

  for (const where of ['a prompt of the session', 'the system message of the program'] as const) {
    test(`Y1 becomes no memory without the person, where it stands in ${where}`, async (t) => {
      await using fake = await startFakeProvider();
      fake.reply(
        { toolCalls: [{ name: 'remember', input: { text: planted, about: 'everywhere' } }] },
        { text: 'Noted.' },
      );
      await using store = await openStore({ path: ':memory:' });
      const memory = createMemory({ store, folder: folderFor(t) });
      const isOurs = where === 'a prompt of the session';
      const use = { memory, show: isOurs ? promptOf : (false as const) };
      const model = withPalimpsest(anthropic.model(fake), { store, memory: use });
      const system = promptOf({ sessionId: '', memory: '', provider: '' });
      const call = { model, maxRetries: 0, prompt: 'Hello.', stopWhen: isStepCount(3), tools: tools(model) };
      await generateText(isOurs ? call : { ...call, system });
      assert.deepEqual(await memory.entries.list(), []);
      assert.deepEqual(
        (await memory.pending()).map(({ text, source }) => [text, source]),
        [[planted, 'document']],
      );
    });
  }

  test('Y1 takes nothing from the words of the person', async (t) => {
    await using fake = await startFakeProvider();
    const wish = 'I take the train at 7:14.';
    fake.reply({ toolCalls: [{ name: 'remember', input: { text: wish, about: 'person' } }] }, { text: 'Noted.' });
    await using store = await openStore({ path: ':memory:' });
    const memory = createMemory({ store, folder: folderFor(t) });
    const model = withPalimpsest(anthropic.model(fake), { store, memory: { memory, show: promptOf } });
    await ask(model, [], `Please remember: ${wish}`);
    assert.deepEqual(
      (await memory.entries.list()).map(({ text, source }) => [text, source]),
      [[wish, 'person']],
    );
  });
});
