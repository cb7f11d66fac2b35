/** The snippets of guide pages that no other test runs: each as it stands on its page, with what it takes as given. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createOpenAI } from '@ai-sdk/openai';
import { type Message, readTranscripts } from '@palimpsest/core';
import { startFakeProvider } from '@palimpsest/core/testing';

const root = join(import.meta.dirname, '..', '..');
/** A snippet runs in a folder of its own, where the packages are not installed. */
const ownPackage = /'((?:@palimpsest\/core|palimpsest)(?:\/[a-z-]+)?|ai)'/g;

const codeOf = (page: string): readonly string[] =>
  [...readFileSync(join(root, 'docs', 'guide', `${page}.md`), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(
    ([, code = '']) => code,
  );

/** A folder to run in, which is gone after the test. */
function here(t: TestContext): string {
  const before = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-guides-'));
  process.chdir(folder);
  t.after(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

let snippets = 0;

/** Runs a snippet with what it takes as given, and gives back what it is asked for. */
async function run(
  folder: string,
  code: string,
  { given, wanted }: { readonly given: Readonly<Record<string, unknown>>; readonly wanted: string },
): Promise<unknown> {
  const file = join(folder, `snippet-${++snippets}.ts`);
  Object.assign(globalThis, given);
  try {
    const here = code.replaceAll(ownPackage, (_, name: string) => JSON.stringify(import.meta.resolve(name)));
    writeFileSync(file, `${here}\nexport const found = ${wanted};\n`);
    const module: { readonly found: unknown } = await import(pathToFileURL(file).href);
    return module.found;
  } finally {
    for (const name of Object.keys(given)) Reflect.deleteProperty(globalThis, name);
  }
}

const log = readFileSync(join(root, 'test', 'fixtures', 'logs', 'claude-code.jsonl'));

test('U2 the example of "Know what it cost" counts the calls of a log', async (t) => {
  const [code = ''] = codeOf('usage');
  const wanted = '{ totals, models, days }';
  const found = await run(here(t), code, { given: { bytes: log }, wanted });
  // As the snippet destructures them.
  const { totals, models } = found as { totals: { calls: number }; models: readonly unknown[] };
  assert.ok(totals.calls > 0 && models.length > 0);
});

test('C4 the examples of the page about the prompt cache compare policies, mark a request, and plan a rewrite', async (t) => {
  const folder = here(t);
  t.mock.method(console, 'log', () => undefined);
  const [compared = '', marked = '', own = '', planned = '', planner = '', ...more] = codeOf('prompt-cache');
  assert.deepEqual(more, []);
  const { transcripts } = await readTranscripts(log);
  const policies = await run(folder, compared, { given: { transcript: transcripts[0] }, wanted: 'policies.length' });
  assert.equal(policies, 10);
  const body = { system: 'You move ledgers.', messages: [{ role: 'user', content: 'Move them.' }] };
  assert.match(JSON.stringify(await run(folder, marked, { given: { body }, wanted: 'request' })), /cache_control/);
  const chosen = { specificationVersion: 'v4', provider: 'mill', modelId: 'mill-1', doStream: () => {} };
  assert.equal(await run(folder, own, { given: { chosen }, wanted: 'model.modelId' }), 'mill-1');
  const request = { promptTokens: 190_000, fixedTokens: 2_000, seconds: 10 };
  const compressNow = async (): Promise<object> => ({
    before: { total: 189_000 },
    after: { total: 30_000 },
    usualExtraTokens: 100,
  });
  assert.deepEqual(await run(folder, planned, { given: { request, compressNow }, wanted: 'sent' }), {
    ...request,
    promptTokens: 31_000,
  });
  const wanted = '[typeof conversations.prepare, await store.close()]';
  assert.deepEqual(await run(folder, planner, { given: {}, wanted }), ['function', undefined]);
});

test('R1 the example of the page about tool results saves what is too large', async (t) => {
  const [code = ''] = codeOf('tool-results');
  const result = (callId: string, chars: number): object => ({ toolName: 'bash', callId, content: 'y'.repeat(chars) });
  const given = {
    output: 'y'.repeat(100_001),
    first: result('1', 90_000),
    second: result('2', 70_000),
    third: result('3', 50_000),
  };
  const wanted = '[result, ...results].map(({ content }) => content.length)';
  const lengths = await run(here(t), code, { given, wanted });
  assert.ok(Array.isArray(lengths));
  const [one = 0, first = 0, ...others] = lengths.map(Number);
  assert.ok(one < 3_000 && first < 3_000);
  assert.deepEqual(others, [70_000, 50_000]);
});

test('E3 E6 the examples of the pages about hooks and plugins make a runtime that answers', async (t) => {
  const folder = here(t);
  const warnings = t.mock.method(console, 'warn', () => undefined);
  const none: readonly unknown[] = [];
  const hooks = {
    compressionStart: none,
    compressionEnd: none,
    sessionContinue: none,
    sessionEnd: none,
    sessionStart: [{ command: ['true'], timeoutMs: 5_000 }],
  };
  const messages: readonly Message[] = [{ role: 'user', parts: [{ type: 'text', text: 'Move them.' }] }];
  for (const [page, given] of [
    ['hooks', { hooks, messages }],
    ['plugins', { messages }],
  ] as const) {
    const [code = ''] = codeOf(page);
    const wanted = 'await conversations.prepare({ messages })';
    const prepared = await run(folder, code, { given, wanted: `(${wanted}).messages` });
    assert.deepEqual(prepared, messages, page);
  }
  // The page names an engine that nobody has installed here.
  assert.match(String(warnings.mock.calls[0]?.arguments[0]), /"newest" is not known/);
});

const long = (role: string, i: number): object => ({
  role,
  content: `message ${i} ${'about the ledgers '.repeat(120)}`,
});
const chat = (system: readonly object[]): readonly object[] => [
  ...system,
  ...Array.from({ length: 80 }, (_, i) => long(i % 2 ? 'assistant' : 'user', i)),
];

test('K2 the examples of the page about messages say what is wrong with a list and mend it', async (t) => {
  const folder = here(t);
  const [first = '', second = '', ...more] = codeOf('messages');
  assert.deepEqual(more, []);
  assert.equal(await run(folder, first, { given: {}, wanted: 'result.role' }), 'tool');
  assert.equal(await run(folder, second, { given: {}, wanted: 'valid.length' }), 4);
});

test('K2 the examples of the page about lists in memory compress those of OpenAI and of Anthropic', async (t) => {
  const folder = here(t);
  t.mock.method(console, 'log', () => undefined);
  const [openai = '', anthropic = '', loop = '', steps = '', ...more] = codeOf('in-memory');
  assert.deepEqual(more, []);

  const messages = chat([{ role: 'system', content: 'You move ledgers.' }]);
  const wanted = '[shorter.length, original]';
  assert.deepEqual(await run(folder, openai, { given: { messages }, wanted }), [5, messages[2]]);

  const body = { model: 'claude-sonnet-4-5', max_tokens: 1_000, system: 'You move ledgers.', messages: chat([]) };
  const request = await run(folder, anthropic, { given: { body }, wanted: 'shorter' });
  // As the page says: the request that came, with fewer messages.
  const { max_tokens, messages: left } = request as { max_tokens: number; messages: readonly object[] };
  assert.equal(max_tokens, 1_000);
  assert.ok(left.length < 10);

  const asked: (readonly object[])[] = [];
  const reply = { role: 'assistant', content: 'Moved.' };
  const create = ({ messages: sent }: { messages: readonly object[] }): object => {
    asked.push(sent);
    return { choices: [{ message: reply }], usage: { prompt_tokens: 100_000, completion_tokens: 10 } };
  };
  const client = { chat: { completions: { create } } };
  await run(folder, loop, { given: { client, messages: chat([]) }, wanted: '[await ask(), await ask()]' });
  assert.deepEqual([asked[0]?.length, (asked[1]?.length ?? 80) < 40], [80, true]);

  await using provider = await startFakeProvider({ script: () => ({ text: 'Moved.' }) });
  const model = createOpenAI({ apiKey: 'none', baseURL: provider.baseUrl('openai-chat') }).chat('gpt-5');
  assert.equal(await run(folder, steps, { given: { model, tools: {} }, wanted: 'text' }), 'Moved.');
});
