// A tool returns far more than fits the window. The result is saved whole and replaced by its start, and the model reads on and
// searches in it with two tools. Here two calls play the model.
import assert from 'node:assert/strict';
import { createOutputBudget } from '@palimpsest/core';
import { openStore } from '@palimpsest/core/store';

await using store = await openStore({ path: ':memory:' });
const budget = createOutputBudget({ outputs: store.outputs, contextLength: 32_000 });

// In a tool loop, do this with the result of every call before the model sees it.
const log = Array.from({ length: 5_000 }, (_, i) => `12:00:${i % 60} GET /page/${i} ${i === 4_321 ? 500 : 200}`).join(
  '\n',
);
const result = await budget.admit({
  toolName: 'bash',
  callId: 'call_1',
  content: `${log}\nCommand exited with code 0\n`,
});
console.log(`${log.length} characters became ${result.content.length}:`);
console.log(`${result.content.split('\n').slice(0, 5).join('\n')}\n…`);

// Offer `budget.tools` to the model beside your own tools, and run its calls.
const [read, search] = budget.tools;
if (!read || !search) throw new Error('The budget has no tools.');
const hits = await search.run({ query: 'GET 500' });
console.log(hits);
const [, line = ''] = /^(\d+): .* 500$/m.exec(hits) ?? [];
const [, id = ''] = /output ([0-9a-f]{16})\]/.exec(result.content) ?? [];
const around = await read.run({ id, from: Number(line) - 1, to: Number(line) + 1 });
console.log(around);

// ---
assert.equal(line, '4322');
assert.match(around, /GET \/page\/4320 200\n.*GET \/page\/4321 500\n.*GET \/page\/4322 200/);
assert.ok(result.content.length < 2_500, `expected a short notice, got ${result.content.length} characters`);
const page = { toolName: read.name, callId: 'call_2', content: around };
assert.equal(await budget.admit(page), page);
