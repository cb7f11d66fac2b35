/** What counts as a result of an MCP server, and what a model may read again and again. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createOutputBudget } from '../../packages/core/src/output/budget.ts';
import { spilledOutput } from '../../packages/core/src/transcript/text.ts';
import { lines, memoryStore, part, plain, quoted } from './results.ts';

/** Between the 50,000 characters of an MCP server and the 100,000 of other tools. */
const between = lines(60_000);
const isSaved = (content: string): boolean => spilledOutput(content) !== undefined;

describe('R1: which results are those of MCP servers', async () => {
  const store = await memoryStore();
  const budget = createOutputBudget({ outputs: store.outputs, config: { mcpTools: ['list_issues'] } });

  for (const [title, toolName, content, expected] of [
    ['a name with mcp_', 'mcp__github__list', between, true],
    ['a name in mcpTools', 'list_issues', between, true],
    ['another name', 'list_files', between, false],
    ['the envelope of a server', 'anything', JSON.stringify({ content: [{ type: 'text', text: between }] }), true],
    [
      'the envelope with all that it may hold',
      'anything',
      JSON.stringify({ content: [{ type: 'text', text: between }], structuredContent: {}, isError: false, _meta: {} }),
      true,
    ],
    [
      'JSON that only looks alike, such as the answer of a model',
      'curl',
      JSON.stringify({ role: 'assistant', content: [{ type: 'text', text: between }] }),
      false,
    ],
    ['a list of parts alone', 'curl', JSON.stringify([{ type: 'text', text: between }]), false],
    ['an envelope within its room', 'anything', JSON.stringify({ content: [{ type: 'text', text: 'a' }] }), false],
  ] as const) {
    test(`R1 ${title}: ${expected ? 'is held to 50,000' : 'is not saved'}`, async () => {
      assert.equal(isSaved((await budget.admit(plain(content, toolName))).content), expected);
      const [text] = (await budget.admit(part(content, toolName))).content;
      assert.equal(text?.type === 'text' && isSaved(text.text), expected);
    });
  }

  test('R1 a pinned tool and one with a limit of its own keep it, in an envelope too', async () => {
    const envelope = JSON.stringify({ content: [{ type: 'text', text: between }] });
    const own = createOutputBudget({ outputs: store.outputs, config: { toolChars: { ask: 90_000 } } });
    for (const name of ['read_file', 'ask']) assert.ok(!isSaved((await own.admit(plain(envelope, name))).content));
  });
});

describe('R1: saving, reading and saving again never goes round', () => {
  test('R1 a file of read_file that alone fills an answer is saved once, and read back whole without another saving', async () => {
    await using store = await memoryStore();
    const budget = createOutputBudget({ outputs: store.outputs });
    const file = plain(lines(300_000), 'read_file');
    assert.equal(await budget.admit(file), file);
    const [notice] = await budget.admitTurn([file]);
    const id = spilledOutput(notice?.content ?? '');
    const [read] = budget.tools;
    const pages: string[] = [];
    for (let next: unknown = { id }; next !== undefined; ) {
      const page = plain((await read?.run(next)) ?? '', 'read_output');
      assert.deepEqual(await budget.admitTurn([page]), [page]);
      pages.push(quoted(page.content));
      const [, call] = /\[to read on: read_output (\{.*\})\]$/.exec(page.content) ?? [];
      next = call;
    }
    assert.equal(pages.join('\n'), file.content.replace(/\n$/, ''));
    assert.equal((await store.outputs.list()).length, 1);
    // Whoever reads the file again gets the same words, and the store nothing new.
    assert.deepEqual(await budget.admitTurn([file]), [notice]);
    assert.equal((await store.outputs.list()).length, 1);
  });

  for (const name of ['mcp__palimpsest__read_output', 'palimpsest.search_output', 'read_output']) {
    test(`R1 a page that comes as ${name} is not saved again in a small window`, async () => {
      await using store = await memoryStore();
      const budget = createOutputBudget({ outputs: store.outputs, contextLength: 8_000 });
      const { id } = await store.outputs.save(lines(60_000));
      const page = plain((await budget.tools[0]?.run({ id })) ?? '', name);
      assert.ok(page.content.length > 8_000);
      assert.equal(await budget.admit(page), page);
      assert.ok(isSaved((await budget.admit(plain(page.content, 'overread_output'))).content));
    });
  }
});
