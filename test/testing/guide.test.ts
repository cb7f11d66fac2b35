// The guide shows this file from the next import to the line of dashes; what follows checks the rest of the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { misbehaving, startFakeProvider } from '@palimpsest/core/testing';
import OpenAI from 'openai';

const ask = { model: 'any', messages: [{ role: 'user' as const, content: 'Hello?' }] };

test('waits for a rate limit, and gets its answer', async () => {
  await using provider = await startFakeProvider({ apiKey: 'test-key' });
  provider.reply({ error: { status: 429, headers: { 'retry-after-ms': '1' } } }, { text: 'Hello!' });
  const client = new OpenAI({ apiKey: 'test-key', baseURL: provider.baseUrl('openai-chat') });

  const answer = await client.chat.completions.create(ask);

  assert.equal(answer.choices[0]?.message.content, 'Hello!');
  assert.deepEqual(
    provider.requests.map(({ status }) => status),
    [429, 200],
  );
});

test('does not take half an answer for a whole one', async () => {
  await using provider = await startFakeProvider();
  provider.reply(misbehaving('closesStream', { from: { text: 'This sentence is never finished.' } }));
  const client = new OpenAI({ apiKey: 'test-key', baseURL: provider.baseUrl('openai-chat'), maxRetries: 0 });

  const stream = await client.chat.completions.create({ ...ask, stream: true });

  await assert.rejects(Array.fromAsync(stream));
});

// ---
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { misbehaviourNames, misbehaviours } from '@palimpsest/core/testing';
import { table } from '../../scripts/reference/markdown.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'guide', 'testing.md'), 'utf8');

test('the guide shows the tests above', () => {
  const [shown = ''] = readFileSync(import.meta.filename, 'utf8').split('\n// ---\n');
  const example = shown.slice(shown.indexOf('import assert'));
  assert.equal(/```ts\n([\s\S]*?)```/.exec(page)?.[1]?.trim(), example.trim());
});

test('the guide lists every misbehaviour as the catalogue has it', () => {
  const rows = misbehaviourNames.map((name) => [
    `\`${name}\``,
    misbehaviours[name].description,
    misbehaviours[name].standsFor,
  ]);
  const wanted = table(['name', 'what it does', 'what it stands for'], rows);
  assert.ok(page.includes(wanted), `expected in docs/guide/testing.md:\n${wanted}`);
});
