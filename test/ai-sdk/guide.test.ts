/** The example of the guide: it runs here, and the page shows what stands between the two lines. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../../src/index.ts';
import { startFakeProvider } from '../../src/testing/index.ts';

// --- the page begins

import { createOpenAI, type OpenAIProviderSettings } from '@ai-sdk/openai';
import { isStepCount, ToolLoopAgent, type ToolSet } from 'ai';
import { adviceFor, summarize, tools, withPalimpsest } from '../../src/ai-sdk/index.ts';

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

test('the example of the guide keeps what was said, and gives advice', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-guide-'));
  const before = process.cwd();
  process.chdir(folder);
  process.env.OPENAI_API_KEY = 'key-of-a-test';
  t.after(() => {
    process.chdir(before);
    delete process.env.OPENAI_API_KEY;
    rmSync(folder, { recursive: true, force: true });
  });
  t.mock.method(console, 'warn', () => undefined);
  await using fake = await startFakeProvider();
  fake.reply({ text: 'Paris.' }, { error: { status: 401 } });
  const baseURL = fake.baseUrl('openai-responses');
  assert.equal(await research('Capital of France?', {}, { baseURL }), 'Paris.');
  assert.match(await research('And of Spain?', {}, { baseURL }), /^It did not work\. .*key/);
  await using store = await openStore({ path: 'agent.db' });
  assert.equal((await store.sessions.list()).length, 2);
});

test('the page shows the example as it is here', () => {
  const here = readFileSync(import.meta.filename, 'utf8');
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'guide', 'ai-sdk.md'), 'utf8');
  const [, shown = ''] = /--- the page begins\n\n([\s\S]*?)\n\/\/ --- the page ends/.exec(here) ?? [];
  assert.ok(shown.includes('ToolLoopAgent'));
  assert.ok(page.includes(`\`\`\`ts\n${shown.replace('../../src/ai-sdk/index.ts', 'palimpsest/ai-sdk')}\`\`\``));
});
