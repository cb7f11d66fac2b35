import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromOpenAiChat, type Message } from '@palimpsest/core';
import type { JsonObject } from '@palimpsest/core/engine';
import { diceOf } from '../../bench/invented-texts.ts';
import { factsOf, rewordedBase, withoutAsk } from '../../bench/verification/faithful.ts';
import { type Base, languages, textOf } from '../../bench/verification/lines.ts';
import { mutatedCopy, mutationClasses } from '../../bench/verification/mutations.ts';
import { recordOf, standsIn } from '../../bench/verification/record.ts';
import { checkBase, checkCopy, type Verify } from '../../bench/verification/score.ts';

const call = (id: string, name: string, input: JsonObject): JsonObject => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
});
const result = (id: string, content: string): JsonObject => ({ role: 'tool', tool_call_id: id, content });

/** A session about a seed library that has something of every kind to say. */
const session: readonly Message[] = fromOpenAiChat([
  { role: 'user', content: 'Please add a shelf planner to the seed library' },
  call('a', 'read_file', { path: '/srv/seeds/src/shelves/plan.ts' }),
  result('a', 'export function planShelves(count: number): Shelf[] { return []; }'),
  call('b', 'write_file', {
    path: '/srv/seeds/src/shelves/planner.ts',
    content: 'export function drawShelfPlan(rows: number) { return rows * 12; }',
  }),
  result('b', 'written'),
  { role: 'user', content: 'Never touch the archive folder, always keep it as it is' },
  call('c', 'bash', { command: 'npm test' }),
  result('c', JSON.stringify({ output: '47 passed\n2 failed\nin 3.25s with vitest@2.1.8', exit_code: 1 })),
  call('d', 'bash', { command: 'npm run lint -- --max-warnings' }),
  result('d', JSON.stringify({ output: 'clean', exit_code: 0 })),
  call('e', 'bash', { command: 'git commit -m "Plan shelves by row"' }),
  result('e', JSON.stringify({ output: '[main 4f1d9ab] Plan shelves by row\n 3 files changed', exit_code: 0 })),
  { role: 'assistant', content: 'The planner is described at https://seeds.example.org/plans/17 and is half done.' },
  { role: 'user', content: 'Now label every drawer in green' },
]);
const record = recordOf('seeds', session);
const facts = factsOf(record);

const baseIn = (language: (typeof languages)[number], seed: number): Base =>
  rewordedBase({ record, facts, language, dice: diceOf(seed) });

test('the same seed writes the same summaries and the same false lines', () => {
  const copy = (): unknown => {
    const base = baseIn('ja', 3);
    return mutatedCopy(base, { record, dice: diceOf(4), wantsHard: true, untouched: new Set() });
  };
  assert.deepEqual(copy(), copy());
});

for (const language of languages) {
  test(`every name, figure and quote of a faithful summary in ${language} stands in the record`, () => {
    for (let seed = 0; seed < 20; seed++) {
      const base = baseIn(language, seed);
      assert.ok(base.lines.length > 10);
      for (const { text, atoms } of base.lines) {
        assert.doesNotMatch(text, /\{\w+\}|undefined/);
        for (const atom of atoms) {
          assert.equal(text.slice(atom.start, atom.start + atom.text.length), atom.text);
          assert.ok(record.all.includes(atom.text.toLowerCase()) || atom.type === 'number', `${atom.text} in ${text}`);
        }
      }
    }
  });

  test(`a false line in ${language} is known by its number, and what was put in place is unknown to the record`, () => {
    const seen = new Set<string>();
    for (let seed = 0; seed < 20; seed++) {
      const base = baseIn(language, seed);
      const options = { record, dice: diceOf(seed + 100), wantsHard: seed % 2 === 1, untouched: new Set<number>() };
      const { text, mutations } = mutatedCopy(base, options);
      const lines = text.split('\n');
      for (const mutation of mutations) {
        seen.add(mutation.class);
        assert.equal(lines[mutation.line - 1], mutation.after);
        assert.notEqual(mutation.after, mutation.before);
        assert.ok(mutation.after.includes(mutation.now));
        const isValue = mutation.class.startsWith('changed') && !mutation.isHard;
        if (isValue) assert.ok(!record.has(mutation.now), mutation.now);
      }
      const rest = lines.filter((_, at) => !mutations.some(({ line }) => line === at + 1));
      assert.ok(rest.every((line) => base.lines.some((known) => known.text === line)));
    }
    assert.deepEqual([...seen].toSorted(), [...mutationClasses].toSorted());
  });
}

test('a verifier that flags every line finds all and is charged with every true line; one that flags none finds none', () => {
  const base = baseIn('en', 1);
  const { mutations, ...copy } = mutatedCopy(base, {
    record,
    dice: diceOf(1),
    wantsHard: false,
    untouched: new Set<number>(),
  });
  const flagged = checkBase(base, flagging(true));
  assert.equal(flagged.alarms.size, base.lines.length);
  assert.equal(flagged.lost.length, base.lines.filter((line) => !line.isHeading).length);
  const blind = checkBase(base, flagging(false));
  assert.equal(blind.alarms.size + blind.lost.length, 0);
  const found = (all: boolean): number =>
    checkCopy({ ...copy, mutations }, blind, flagging(all)).verdicts.filter(({ isDetected }) => isDetected).length;
  assert.equal(found(true), mutations.length);
  assert.equal(found(false), 0);
});

test('a dropped request leaves no line with its words', () => {
  const base = baseIn('ko', 2);
  const newest = record.facts.asks.at(-1);
  assert.ok(newest && textOf(base.lines).includes(newest.text));
  assert.ok(!withoutAsk(base, newest.ref).includes(newest.text));
});

test('a word stands in a text as a whole word only, and Han needs no ends', () => {
  assert.ok(standsIn('took 47 passed', '47'));
  assert.ok(!standsIn('took 147 passed', '47'));
  assert.ok(standsIn('整理书架完成', '书架'));
});

function flagging(all: boolean): Verify {
  return (summary) => ({
    holds: !all,
    checked: {},
    missing: [],
    changes: [],
    text: all ? '' : summary,
    wrong: summary
      .split('\n')
      .flatMap((text, at) =>
        all ? [{ type: 'path', verdict: 'unsupported', why: '', refs: [], text, line: at + 1 }] : [],
      ),
  });
}
