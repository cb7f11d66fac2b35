/** The example of the guide: it runs here, and the page shows what stands between the two lines. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type AnyModel, stop } from '@palimpsest/core/ai-sdk';
import { openStore } from '@palimpsest/core/store';
import { startFakeProvider } from '@palimpsest/core/testing';
import { generateText } from 'ai';
import { chooseEngine, pluginPlaces } from 'palimpsest';
import { recorder } from './recorder.ts';

// --- the page begins

import { createOpenAI, type OpenAIProviderSettings } from '@ai-sdk/openai';
import { adviceFor, summarize, tools, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { isStepCount, ToolLoopAgent, type ToolSet } from 'ai';

export async function research(question: string, mine: ToolSet, settings?: OpenAIProviderSettings): Promise<string> {
  const openai = createOpenAI(settings);
  await using model = withPalimpsest(openai('gpt-5'), {
    store: 'agent.db',
    summarizer: summarize(openai('gpt-5-mini')),
    onNotice: ({ message }) => console.warn(message),
  });
  const agent = new ToolLoopAgent({ model, stopWhen: isStepCount(1_000), tools: { ...mine, ...tools(model) } });
  try {
    const { text } = await agent.generate({ prompt: question });
    return text;
  } catch (error) {
    return `It did not work. ${adviceFor(error) ?? ''}`;
  }
}

// --- the page ends

// --- the page begins

/** A model with the engine `notebook`; `tools(model)` includes the tools of the notebook. */
export async function withNotebook(inner: AnyModel, dataFolder: string): Promise<AnyModel> {
  const places = pluginPlaces({ dataFolder, trustedProject: undefined, packages: [] });
  const { engine, warning } = await chooseEngine({ name: 'notebook', places });
  if (warning) console.warn(warning);
  return withPalimpsest(inner, { store: 'agent.db', ...(engine && { engine }) });
}

// --- the page ends

// --- the page begins

/** A model that gets what your index finds for the user's newest words. */
export const withIndex = (inner: AnyModel, find: (words: string) => Promise<readonly string[]>): AnyModel =>
  withPalimpsest(inner, { store: 'agent.db', recall: async ({ text }) => (await find(text)).join('\n') });

// --- the page ends

// --- the page begins

/** Answers with what earlier conversations have left in the folder `memories`, and keeps what is worth it. */
export async function assistant(inner: AnyModel, prompt: string, mine: ToolSet): Promise<string> {
  await using model = withPalimpsest(inner, {
    store: 'agent.db',
    memory: { folder: 'memories', project: process.cwd(), toolSources: { run_tests: 'own-tool' } },
    onNotice: ({ message }) => console.warn(message),
  });
  const all = { ...mine, ...tools(model, mine) };
  const { text } = await generateText({ model, prompt, tools: all, stopWhen: isStepCount(100) });
  return text;
}

// --- the page ends

/** What the test works in, which the examples name their files in. */
function inFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-guide-'));
  const before = process.cwd();
  process.chdir(folder);
  t.after(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

test('the example of the guide keeps what was said, and gives advice', async (t) => {
  inFolder(t);
  process.env.OPENAI_API_KEY = 'key-of-a-test';
  t.after(() => delete process.env.OPENAI_API_KEY);
  t.mock.method(console, 'warn', () => undefined);
  await using fake = await startFakeProvider();
  fake.reply({ text: 'Paris.' }, { error: { status: 401 } });
  const baseURL = fake.baseUrl('openai-responses');
  assert.equal(await research('Capital of France?', {}, { baseURL }), 'Paris.');
  assert.match(await research('And of Spain?', {}, { baseURL }), /^It did not work\. .*key/);
  await using store = await openStore({ path: 'agent.db' });
  assert.equal((await store.sessions.list()).length, 2);
});

test('E2 the notebook of the guide offers its tools beside ours', async (t) => {
  const folder = inFolder(t);
  const place = join(folder, 'plugins', 'context_engine', 'notebook');
  mkdirSync(place, { recursive: true });
  const manifest = { name: 'notebook', version: '1.0.0', kind: 'context_engine', palimpsest: '*', main: 'engine.mjs' };
  const files = {
    'plugin.json': JSON.stringify(manifest),
    'engine.mjs': `const tool = { name: 'note_down', description: 'Notes.', parameters: { type: 'object' } };
      export const createEngine = ({ name }) => ({ name, compress: async (list) => list, toolSchemas: () => [tool] });`,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(place, name), content);
  const { model } = recorder();
  assert.deepEqual(Object.keys(tools(await withNotebook(model, folder))).slice(4), ['note_down']);
});

test('Y2 the index of the guide is put before the model', async (t) => {
  inFolder(t);
  const { model, calls } = recorder();
  const wrapped = withIndex(model, async (words) => [`Known of ${words}`]);
  await generateText({ model: wrapped, maxRetries: 0, prompt: 'Depot 9' });
  assert.match(JSON.stringify(calls[0]?.prompt), /Known of Depot 9/);
  await stop(wrapped);
});

test('the page shows the examples as they are here', () => {
  const here = readFileSync(import.meta.filename, 'utf8');
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'guide', 'ai-sdk.md'), 'utf8');
  const shown = [...here.matchAll(/^\/\/ --- the page begins\n\n([\s\S]*?)\n\/\/ --- the page ends/gm)];
  assert.equal(shown.length, 4);
  for (const [, example = ''] of shown) {
    assert.ok(page.includes(`${example}\`\`\``));
  }
});

test('M1 the assistant of the guide remembers in its next conversation what it saved in this one', async (t) => {
  const folder = inFolder(t);
  const save = { text: 'Likes short answers.', about: 'person' };
  const { model, calls } = recorder([
    [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'remember', input: JSON.stringify(save) }],
    [{ type: 'text', text: 'I will keep it short.' }],
  ]);
  await assistant(model, 'Remember that I like short answers.', {});
  await assistant(model, 'What is a palimpsest?', {});
  assert.equal(readFileSync(join(folder, 'memories', 'USER.md'), 'utf8').trim(), 'Likes short answers.');
  assert.match(JSON.stringify(calls.at(-1)?.prompt[0]), /Likes short answers/);
});
