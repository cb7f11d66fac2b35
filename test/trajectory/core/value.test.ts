/** What a plan by value keeps, whatever the trajectory. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { compress, type Entry, filler, isSummary, record, runOf, turnsIn } from './runs.ts';

/** Runs of any shape in which the person and the model take turns, and every answer follows a call. */
const runs: fc.Arbitrary<readonly Entry[]> = fc
  .array(
    fc.record({
      says: fc.integer({ min: 0, max: 80 }),
      answers: fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 3 }),
      asks: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
    }),
    { minLength: 4, maxLength: 30 },
  )
  .map((steps) => {
    const turns: Entry[] = [
      { from: 'system', value: 'You are an agent.' },
      { from: 'human', value: 'Move the ledgers.' },
    ];
    for (const [at, { says, answers, asks }] of steps.entries()) {
      turns.push({ from: 'gpt', value: `step_${at} ${filler(says, `name_${at % 7}`)}` });
      for (const size of answers) {
        const lines = Array.from({ length: Math.ceil(size / 8) }, (_, row) => `row ${row} of file_${at}.ts and so on`);
        turns.push({ from: 'tool', value: `<tool_response>\n${lines.join('\n')}\n</tool_response>` });
      }
      if (asks !== undefined) turns.push({ from: 'human', value: filler(asks, 'ask') });
      else if (answers.length === 0) turns.push({ from: 'human', value: 'go on' });
    }
    return [...turns, { from: 'gpt', value: 'Done.' }];
  });

const targets = fc.integer({ min: 300, max: 1_500 });

describe('a plan by value', () => {
  test('J3 what the model wrote stands word for word, in its order, or is told of', async () => {
    await fc.assert(
      fc.asyncProperty(runs, targets, async (turns, targetTokens) => {
        const said = turnsIn(await compress(record(turns), { targetTokens })).filter(({ from }) => from === 'gpt');
        let at = 0;
        for (const { value } of said) {
          at = turns.findIndex((turn, index) => index >= at && turn.from === 'gpt' && turn.value === value) + 1;
          assert.ok(at > 0, value);
        }
      }),
      { numRuns: 60 },
    );
  });
  test('J3 no two turns of the person stand behind each other, and every answer stands behind its call', async () => {
    await fc.assert(
      fc.asyncProperty(runs, targets, async (turns, targetTokens) => {
        const made = turnsIn(await compress(record(turns), { targetTokens }));
        for (const [at, { from }] of made.entries()) {
          const before = made[at - 1]?.from;
          if (from === 'human') assert.notEqual(before, 'human');
          if (from === 'tool') assert.ok(before === 'gpt' || before === 'tool', `${before} before a tool`);
        }
        for (const [at, { from, value }] of turns.entries()) {
          if (from !== 'gpt') continue;
          const answers = turns.slice(at + 1).findIndex((turn) => turn.from !== 'tool');
          const stands = made.findIndex((turn) => turn.from === 'gpt' && turn.value === value);
          if (stands < 0 || turns.filter((turn) => turn.value === value).length > 1) continue;
          const kept = made.slice(stands + 1).findIndex((turn) => turn.from !== 'tool');
          assert.equal(kept, answers, 'answers of a call that stays');
        }
      }),
      { numRuns: 60 },
    );
  });
  test('J3 is under its target, and says so where it is not', async () => {
    await fc.assert(
      fc.asyncProperty(runs, targets, async (turns, targetTokens) => {
        const { metrics } = await compress(record(turns), { targetTokens });
        assert.equal(metrics.stillOverLimit, metrics.compressedTokens > targetTokens);
        assert.equal(metrics.tokensSaved, metrics.originalTokens - metrics.compressedTokens);
        assert.ok(metrics.compressedTokens <= metrics.originalTokens);
      }),
      { numRuns: 60 },
    );
  });
  test('J3 the same line gives the same result', async () => {
    const line = record(runOf(20));
    const [first, second] = [await compress(line, { targetTokens: 900 }), await compress(line, { targetTokens: 900 })];
    assert.equal(first.text, second.text);
    assert.deepEqual(first.metrics, second.metrics);
  });
  test('J3 an answer is shortened to the line that the work went on with', async () => {
    const result = await compress(record(runOf(12, 200)), { targetTokens: 1_500 });
    const answers = turnsIn(result).filter(({ from, value }) => from === 'tool' && value.includes('cut out'));
    assert.ok(answers.length > 0);
    for (const { value } of answers) {
      assert.match(value, /^<tool_response>\n?[\s\S]*ledgerOf\d+[\s\S]*<\/tool_response>$/);
      // The break behind the mark is no line that somebody misses.
      assert.doesNotMatch(value, /^<tool_response>\[… 1 line cut out …\]\n/);
    }
  });
  test('J3 an answer that is JSON stays JSON', async () => {
    const output = Array.from({ length: 400 }, (_, row) => `row ${row} of ledgerOf7`).join('\n');
    const body = JSON.stringify({ name: 'terminal', content: { output, exit_code: 0 } });
    const turns = [...runOf(3).slice(0, 2), ...runOf(12).slice(2)].map((turn, at) =>
      at === 5 ? { from: 'tool', value: `<tool_response>\n${body}\n</tool_response>` } : turn,
    );
    const protect = { lastTurns: turns.length - 4 };
    const made = turnsIn(await compress(record(turns), { targetTokens: 2_000, protect }));
    const short = made.find(({ value }) => value.includes('exit_code'))?.value ?? '';
    assert.ok(short.includes('cut out'));
    const read = JSON.parse(short.replace(/<\/?tool_response>/g, '')) as { content: { exit_code: number } };
    assert.equal(read.content.exit_code, 0);
  });
  test('J3 a chat without tools of a hundred turns is told in parts', async () => {
    const chat = Array.from({ length: 100 }, (_, at): Entry => {
      const from = at % 2 === 0 ? 'human' : 'gpt';
      return { from, value: `About topic_${at}: ${filler(40, from === 'gpt' ? 'answer' : 'question')}` };
    });
    const result = await compress(record(chat), { targetTokens: 1_200 });
    assert.equal(result.metrics.stillOverLimit, false);
    const made = turnsIn(result);
    assert.ok(made.some(isSummary));
    for (const [at, { from }] of made.entries()) assert.notEqual(from, made[at - 1]?.from);
  });
  test('J3 one giant turn of the person is shortened to its ends and what was used of it', async () => {
    const lines = Array.from({ length: 3_000 }, (_, row) => (row === 1_500 ? 'the ledgerOf9 is open' : `row ${row}`));
    const turns = [
      { from: 'human', value: `Read this.\n${lines.join('\n')}\nNow go.` },
      { from: 'gpt', value: 'ledgerOf9 is open.' },
    ];
    const result = await compress(record(turns), { targetTokens: 1_000 });
    assert.equal(result.metrics.stillOverLimit, false);
    const [human, gpt] = turnsIn(result);
    assert.match(human?.value ?? '', /^Read this\.\n[\s\S]*cut out[\s\S]*the ledgerOf9 is open[\s\S]*Now go\.$/);
    assert.deepEqual(gpt, turns[1]);
    assert.equal(result.metrics.clippedTurns, 1);
  });
  test('J3 what is left of the target goes to an answer that is larger than all else', async () => {
    const rows = Array.from({ length: 2_000 }, (_, row) => `row ${row}: ${row % 3 ? 'open' : `ledgerOf${row}`}`);
    const turns = [
      { from: 'human', value: 'Read it.' },
      { from: 'gpt', value: '<tool_call>\n{"name": "read", "arguments": {}}\n</tool_call>' },
      { from: 'tool', value: `<tool_response>\n${rows.join('\n')}\n</tool_response>` },
      { from: 'gpt', value: 'I read ledgerOf300.' },
    ];
    const { metrics } = await compress(record(turns), { targetTokens: 4_000 });
    assert.equal(metrics.stillOverLimit, false);
    assert.ok(metrics.compressedTokens > 3_000, `${metrics.compressedTokens} tokens of 4,000`);
  });
  test('J3 a gap that takes no more than its mark is none', async () => {
    const made = turnsIn(await compress(record(runOf(12, 200)), { targetTokens: 1_500 }));
    const answers = made.filter(({ value }) => value.includes('cut out')).map(({ value }) => value);
    const whole = runOf(12, 200).map(({ value }) => value);
    for (const answer of answers) {
      for (const [, before, , after] of answer.matchAll(/^(.*)\n(\[… .*\])\n(.*)$/gm)) {
        const text = whole.find((one) => one.includes(`${before}\n`) && one.includes(`\n${after}`)) ?? '';
        const gap = text.slice(text.indexOf(`${before}\n`) + `${before}\n`.length, text.indexOf(`\n${after}`));
        assert.ok(gap.length > 30, `a gap of ${gap.length}: ${gap}`);
      }
    }
  });
  test('J3 a summary of little leaves its room to the turns that stay', async () => {
    const turns: Entry[] = [{ from: 'human', value: 'Move the ledgers.' }];
    for (let step = 0; step < 60; step++) {
      const call = `{"name": "read", "arguments": {"path": "src/part_${step}.ts"}}`;
      const rows = Array.from({ length: 20 }, (_, row) => `line ${row} of part_${step} has value_${step}_${row}`);
      const says = `Step ${step} looks at what stands there. `.repeat(14);
      turns.push({ from: 'gpt', value: `${says}\n<tool_call>\n${call}\n</tool_call>` });
      turns.push({ from: 'tool', value: `<tool_response>\n${rows.join('\n')}\n</tool_response>` });
    }
    turns.push({ from: 'gpt', value: 'Done.' });
    const targetTokens = 10_218;
    const { metrics } = await compress(record(turns), { targetTokens });
    assert.equal(metrics.stillOverLimit, false);
    assert.ok(metrics.compressedTokens > 0.95 * targetTokens, `${metrics.compressedTokens} of ${targetTokens}`);
  });
  test('J3 a giant turn of the model is left, and the record counts as over its limit', async () => {
    const turns = [
      { from: 'human', value: 'Write it.' },
      { from: 'gpt', value: filler(2_000) },
    ];
    const result = await compress(record(turns), { targetTokens: 300 });
    assert.equal(result.metrics.stillOverLimit, true);
    assert.equal(result.text, record(turns));
  });
  test('J3 signs of other scripts and pairs of surrogates come through whole', async () => {
    const turns = runOf(14).map((turn) => ({ ...turn, value: turn.value.replaceAll('listing', '目录 🌍 목록') }));
    const result = await compress(record(turns), { targetTokens: 700 });
    assert.equal(result.metrics.stillOverLimit, false);
    assert.ok(result.text.isWellFormed());
    assert.ok(turnsIn(result).every(({ value }) => value.isWellFormed()));
  });
});
