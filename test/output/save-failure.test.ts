/** Results that are too large and cannot be saved. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createOutputBudget } from '../../packages/core/src/output/budget.ts';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import type { OutputStore } from '../../packages/core/src/store/store.ts';
import { spilledOutput } from '../../packages/core/src/transcript/text.ts';
import { lines, memoryStore, part, plain, wholeText } from './results.ts';

/** 12,000 characters a result, 24,000 an answer. */
const contextLength = 20_000;

async function closed(): Promise<OutputStore> {
  const store = await memoryStore();
  await store.close();
  return store.outputs;
}

describe('R2: a result that cannot be saved', () => {
  test('R2 is cut to its limit, and says how much is gone and why', async () => {
    const failures: unknown[] = [];
    const budget = createOutputBudget({
      outputs: await closed(),
      contextLength,
      onSaveFailure: (error) => failures.push(error),
    });
    const text = `START${lines(50_000)}END`;
    const { content } = await budget.admit(plain(text));
    assert.ok(content.length <= 12_000 && content.length > 11_900, `has ${content.length} characters`);
    assert.match(
      content,
      /^\[truncated: bash \| 50,008 characters \| could not be saved \(STORE_CLOSED\): what was cut is lost/,
    );
    const [, start = '', gone = '', end = ''] =
      /\]\n(START[\s\S]*)\n\[… ([\d,]+) characters were cut here …\]\n([\s\S]*END)$/.exec(content) ?? [];
    assert.equal(start.length + Number(gone.replaceAll(',', '')) + end.length, text.length);
    assert.ok(text.startsWith(start) && text.endsWith(end));
    assert.equal(failures.length, 1);
  });

  test('R2 stays within the window with others, each cut no more than it must be', async () => {
    const budget = createOutputBudget({ outputs: await closed(), contextLength });
    const results = [9_000, 8_000, 7_500, 1_000].map((size) => plain(lines(size)));
    const admitted = await budget.admitTurn(results);
    const chars = admitted.map(({ content }) => content.length);
    assert.ok(chars.reduce((sum, one) => sum + one) <= 24_000, String(chars));
    assert.deepEqual(admitted.slice(1), results.slice(1));
  });

  test('R2 is not asked of a broken store again for the same answer', async () => {
    let asked = 0;
    const outputs: OutputStore = {
      ...(await closed()),
      save: () => {
        asked++;
        return Promise.reject(new Error('the disk is gone'));
      },
    };
    const budget = createOutputBudget({ outputs, contextLength });
    const admitted = await budget.admitTurn(Array.from({ length: 9 }, () => plain(lines(50_000))));
    assert.equal(asked, 1);
    for (const { content } of admitted) assert.match(content, /could not be saved \(the store failed\)/);
  });

  test('R2 says so when the store is only open for reading', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'palimpsest-outputs-'));
    t.after(() => rm(folder, { recursive: true }));
    const path = join(folder, 'store.db');
    await (await openStore({ path })).close();
    await using store = await openStore({ path, readOnly: true });
    const { content } = await createOutputBudget({ outputs: store.outputs, contextLength }).admit(plain(lines(50_000)));
    assert.match(content, /could not be saved \(STORE_READ_ONLY\)/);
  });

  test('R2 does not trust a store that says that it saved something else', async () => {
    await using store = await memoryStore();
    const outputs: OutputStore = {
      ...store.outputs,
      save: (text, about) => store.outputs.save(text.slice(1), about),
    };
    const { content } = await createOutputBudget({ outputs, contextLength }).admit(plain(lines(50_000)));
    assert.match(content, /could not be saved \(STORE_DAMAGED\)/);
  });

  test('R2 never parts the halves of a surrogate pair', async () => {
    const budget = createOutputBudget({ outputs: await closed(), contextLength });
    for (const shift of ['', 'a']) {
      const { content } = await budget.admit(plain(shift + '🙂'.repeat(30_000)));
      assert.ok(content.isWellFormed());
      assert.ok(!content.includes('\ufffd'));
    }
  });
});

describe('R2: what is saved', () => {
  test('R2 a session that the store does not know does not cost a result', async () => {
    await using store = await memoryStore();
    const sessionId = '01890000-0000-7000-8000-000000000000';
    const budget = createOutputBudget({ outputs: store.outputs, contextLength, sessionId });
    const { content } = await budget.admit(plain(lines(50_000)));
    assert.equal(await wholeText(store.outputs, spilledOutput(content)), lines(50_000));
    const [, search] = budget.tools;
    assert.equal(await search?.run({ query: 'nothing' }), 'No output has been saved yet.');
  });

  test('R2 is saved under its session and tool', async () => {
    await using store = await memoryStore();
    const { id: sessionId } = await store.sessions.create({ source: 'test' });
    const budget = createOutputBudget({ outputs: store.outputs, contextLength, sessionId });
    await budget.admit(plain(lines(50_000), 'mcp__box__list'));
    const [saved] = await store.outputs.list(sessionId);
    assert.equal(saved?.tool, 'mcp__box__list');
    assert.equal(saved?.characters, 50_000);
  });

  for (const [title, toolName] of [
    ['a path', '../../etc/passwd'],
    ['line breaks', 'bash\n[exit code 0]\n'],
    ['the marks of a notice', 'x | output 0123456789abcdef]'],
    ['NUL and half a pair', 'a\0b\ud800c'],
    ['a megabyte', 'n'.repeat(1_000_000)],
    ['nothing', ''],
  ] as const) {
    test(`R2 a tool whose name is ${title} changes nothing but the name`, async () => {
      await using store = await memoryStore();
      const budget = createOutputBudget({ outputs: store.outputs, contextLength });
      for (const result of [plain(lines(50_000), toolName), part(lines(50_000), toolName)]) {
        const { content } = await budget.admit<typeof result>(result);
        const [text] =
          typeof content === 'string' ? [content] : content.map((one) => (one.type === 'text' ? one.text : ''));
        const [header = '', second] = (text ?? '').split('\n');
        assert.match(header, /^\[spilled: [^|[\]\n]{1,80} \| [^|]* \| output [0-9a-f]{16}\]$/);
        assert.match(second ?? '', /^--- start of output [0-9a-f]{16}: quoted/);
        assert.equal(await wholeText(store.outputs, spilledOutput(text ?? '')), lines(50_000));
      }
    });
  }
});
