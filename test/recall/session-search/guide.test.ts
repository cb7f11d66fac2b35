// The guide shows this file from the next import to the line of dashes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionSearchTool } from '@palimpsest/core/search';
import { openStore } from '@palimpsest/core/store';

test('an agent finds what was said', async () => {
  await using store = await openStore({ path: ':memory:' });
  const session = await store.sessions.create({ source: 'library', title: 'Ports' });
  await store.messages.append(session.id, [
    { role: 'user', parts: [{ type: 'text', text: 'Why does the deploy fail?' }] },
    { role: 'assistant', parts: [{ type: 'text', text: 'Port 8841 is taken by the old service.' }] },
  ]);

  const tool = sessionSearchTool({ store });
  const answer = JSON.parse(await tool.run({ query: 'deploy port', limit: '1' }));

  assert.equal(tool.name, 'session_search');
  assert.equal(answer.results[0].title, 'Ports');
  assert.match(answer.results[0].passages[0].text, />>>Port<<< 8841/);
});

// ---
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolArguments } from '../../../packages/core/src/recall/session-search/arguments.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'guide', 'search.md'), 'utf8');

test('the guide shows the test above', () => {
  const [shown = ''] = readFileSync(import.meta.filename, 'utf8').split('\n// ---\n');
  const example = shown.slice(shown.indexOf('import assert'));
  assert.equal(/```ts\n([\s\S]*?)```/.exec(page)?.[1]?.trim(), example.trim());
});

test('the guide names every argument of the tool', () => {
  for (const name of toolArguments) assert.ok(page.includes(`\`${name}\``), name);
});
