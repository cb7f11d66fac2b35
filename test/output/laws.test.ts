/** What holds for all results, whatever is in them. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { createOutputBudget, type OutputBudget } from '../../packages/core/src/output/budget.ts';
import { openEnvelope } from '../../packages/core/src/output/tool-output.ts';
import type { ResultContent, ToolResultPart } from '../../packages/core/src/transcript/message.ts';
import { spilledOutput } from '../../packages/core/src/transcript/text.ts';
import { memoryStore } from './results.ts';

const contextLength = 8_000;
const limits = { result: 8_000, turn: 16_000 };
/** A text of this length is always longer than what stands for it. */
const surelyShorter = 2_500;

const seed = fc.oneof(
  fc.constantFrom(
    'a',
    '🙂',
    '\0',
    '\ud83d',
    '\udc00\ud800',
    'line\n',
    '\r\n',
    '{"a":1}',
    '[spilled: x | output ',
    'ß日本',
    '"\\',
  ),
  fc.string({ minLength: 1, maxLength: 12, unit: 'binary' }),
  fc.constant('--- end of the first 9 characters ---\n'),
);

const text: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(seed, { minLength: 1, maxLength: 4 }),
    fc.constantFrom(0, 1, 40, 900, 2_600, 7_999, 8_001, 16_001, 40_000),
  )
  .map(([seeds, length]) => {
    const unit = seeds.join('');
    return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  });

const wrapped = text.map((one) => JSON.stringify({ content: [{ type: 'text', text: one }], isError: false }));

const content: fc.Arbitrary<ResultContent> = fc.oneof(
  fc.oneof(text, wrapped).map((one): ResultContent => ({ type: 'text', text: one })),
  text.map((one): ResultContent => ({ type: 'file', name: 'a', text: one })),
  fc.constant<ResultContent>({ type: 'image', data: 'aGVsbG8=' }),
  text.map((one): ResultContent => ({ type: 'other', value: { one } })),
);

const result: fc.Arbitrary<ToolResultPart> = fc.record({
  type: fc.constant('toolResult' as const),
  callId: fc.string(),
  name: fc.constantFrom('bash', 'mcp__a__b', 'read_file', '__proto__', 'toString', 'a\nb'),
  content: fc.array(content, { maxLength: 4 }),
});

const textOf = (one: ResultContent | undefined): string | undefined => {
  if (one?.type === 'other') return JSON.stringify(one.value);
  return one?.type === 'image' ? undefined : one?.text;
};
const charsOf = (part: ToolResultPart): number =>
  part.content.reduce((sum, one) => sum + (textOf(one)?.length ?? 0), 0);

describe('R1, R2: laws of tool results', async () => {
  const store = await memoryStore();
  after(() => store.close());
  const budget: OutputBudget = createOutputBudget({ outputs: store.outputs, contextLength });
  const read = async (id: string): Promise<string> => (await store.outputs.read(id)).text;

  /** Each text is there as it was, or a notice names an output that has it. */
  async function assertKept(before: ToolResultPart, now: ToolResultPart): Promise<void> {
    assert.equal(now.content.length, before.content.length);
    for (const [at, one] of before.content.entries()) {
      const [was, is] = [textOf(one), textOf(now.content[at])];
      if (is === was) continue;
      const id = spilledOutput(is ?? '');
      assert.ok(id !== undefined && was !== undefined && is !== undefined && is.length < was.length);
      const envelope = /envelope, which is saved as it was as output ([0-9a-f]{16})/.exec(is)?.[1];
      assert.equal(await read(openEnvelope(was) ? (envelope ?? '') : id), was);
    }
  }

  const isSpillable = (one: ResultContent): boolean => {
    const is = textOf(one);
    return is !== undefined && is.length >= surelyShorter && spilledOutput(is) === undefined;
  };

  test('R1 one result: nothing is lost, the limit holds while there is something to save, once is enough', async () => {
    await fc.assert(
      fc.asyncProperty(result, async (before) => {
        const now = await budget.admit(before);
        await assertKept(before, now);
        if (before.name !== 'read_file') {
          assert.ok(charsOf(now) <= limits.result || !now.content.some(isSpillable));
        } else assert.equal(now, before);
        assert.equal(await budget.admit(now), now);
        if (charsOf(before) <= limits.result) assert.equal(now, before);
      }),
      { numRuns: 300 },
    );
  });

  test('R1 all results of an answer: the same, for all together', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(result, { maxLength: 8 }), async (before) => {
        const now = await budget.admitTurn(before);
        assert.equal(now.length, before.length);
        for (const [at, one] of before.entries()) await assertKept(one, now[at] ?? one);
        const chars = now.reduce((sum, one) => sum + charsOf(one), 0);
        assert.ok(
          chars <= limits.turn || !now.some((one) => one.content.some(isSpillable)),
          `${chars} characters are left`,
        );
        assert.equal(await budget.admitTurn(now), now);
      }),
      { numRuns: 100 },
    );
  });

  test('R2 without a store: the same limits, start and end of every text stay, once is enough', async () => {
    const closed = await memoryStore();
    await closed.close();
    const broken = createOutputBudget({ outputs: closed.outputs, contextLength });
    await fc.assert(
      fc.asyncProperty(fc.array(result, { maxLength: 8 }), async (before) => {
        const now = await broken.admitTurn(before);
        const chars = now.reduce((sum, one) => sum + charsOf(one), 0);
        const isCut = (one: ResultContent): boolean => (textOf(one)?.length ?? 0) <= surelyShorter;
        assert.ok(chars <= limits.turn || now.every((one) => one.content.every(isCut)), `${chars} characters are left`);
        for (const [at, one] of before.entries())
          for (const [i, was] of one.content.entries()) assertCut(was, now[at]?.content[i]);
        assert.equal(await broken.admitTurn(now), now);
      }),
      { numRuns: 100 },
    );
  });

  test('R1 what stands for a text is well-formed', async () => {
    await fc.assert(
      fc.asyncProperty(result, async (before) => {
        const now = await budget.admit(before);
        for (const [at, one] of now.content.entries()) {
          if (one !== before.content[at]) assert.ok(textOf(one)?.isWellFormed());
        }
      }),
      { numRuns: 300 },
    );
  });

  test('R3 reading on from page to page gives the text back exactly', async () => {
    const [tool] = createOutputBudget({ outputs: store.outputs, config: { pageChars: 1_000 } }).tools;
    await fc.assert(
      fc.asyncProperty(text, async (whole) => {
        const { id } = await store.outputs.save(whole);
        const pages: string[] = [];
        for (let args: string | undefined = JSON.stringify({ id }); args !== undefined && pages.length < 100; ) {
          const answer: string = (await tool?.run(args)) ?? '';
          assert.ok(answer.length <= 3_000);
          pages.push(answer);
          args = /\[to read on: read_output (\{.*\})\]$/.exec(answer)?.[1];
        }
        const read = pages.map((page) => bodyOf(page, id));
        assert.equal(joined(read, pages), whole.toWellFormed().slice(0, joined(read, pages).length));
        if (pages.length < 100)
          assert.equal(joined(read, pages).replace(/\n$/, ''), whole.toWellFormed().replace(/\n$/, ''));
      }),
      { numRuns: 100 },
    );
  });

  test('R3 the tools answer to arguments of any kind, and never throw', async () => {
    await using few = await memoryStore();
    const { tools } = createOutputBudget({ outputs: few.outputs, contextLength });
    const { id } = await few.outputs.save('a\nb\n');
    await few.outputs.save('3'.repeat(50_000));
    const odd = fc.oneof(fc.anything(), fc.constantFrom(id, id.slice(0, 5), -1, '3', Number.NaN, 1e300, '', null));
    const given = fc.oneof(
      odd,
      fc.record({ id: odd, from: odd, to: odd, limit: odd, char: odd, query: odd }, { requiredKeys: [] }),
    );
    await fc.assert(
      fc.asyncProperty(given, async (args) => {
        for (const tool of tools) {
          const answer = await tool.run(args);
          assert.ok(answer.length > 0 && answer.length <= 12_000 && answer.isWellFormed());
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** A text as it was, or its start and its end around what says how much is gone. */
function assertCut(before: ResultContent, now: ResultContent | undefined): void {
  const [was = '', is = ''] = [textOf(before), textOf(now)];
  if (is === was) return;
  const cut =
    /^\[truncated: [^\n]* \| ([\d,]+) characters \| [^\n]*\]\n([\s\S]*)\n\[… ([\d,]+) characters were cut here …\]\n([\s\S]*)$/;
  const [, whole = '', start = '', gone = '', end = ''] = cut.exec(is) ?? [];
  assert.equal(whole.replaceAll(',', ''), String(was.length));
  assert.equal(start.length + Number(gone.replaceAll(',', '')) + end.length, was.length);
  assert.ok(
    was.slice(0, start.length).toWellFormed() === start && was.slice(was.length - end.length).toWellFormed() === end,
  );
}

/** What a page quotes. */
function bodyOf(page: string, id: string): string {
  const [, body = ''] =
    new RegExp(
      `--- start of [^\\n]* of output ${id}: [^\\n]* ---\\n([\\s\\S]*)\\n--- end of [^\\n]* of output ${id} ---\\n`,
    ).exec(page) ?? [];
  return body;
}

/** Pages that end with a line were quoted without its line break; those that end inside one were not. */
function joined(bodies: readonly string[], pages: readonly string[]): string {
  return bodies
    .map((body, at) => (/"char":\d+\}\]$/.test(pages[at] ?? '') || at === bodies.length - 1 ? body : `${body}\n`))
    .join('');
}
