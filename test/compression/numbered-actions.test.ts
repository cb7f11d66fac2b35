/** The numbered list of finished actions, from one summary to the next. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { estimatingTokenizer, type Message } from '@palimpsest/core';
import { createCompressor } from '../../packages/core/src/compression/engine.ts';
import { templates } from '../../packages/core/src/compression/ledger/templates.ts';
import { numberedThrough, withEarlierOutcomes } from '../../packages/core/src/compression/model-summary.ts';
import type { Summarizer } from '../../packages/core/src/compression/summarize/summarizer.ts';
import { assistant, calls, result, user } from '../support/conversations.ts';

const actions = (...lines: readonly string[]): string =>
  `## Goal\nGet it green.\n\n## Completed Actions\n${lines.join('\n')}\n\n## Active State\nNone`;

const earlier = actions(
  '1. Ran `npm test`: 12 tests passed [bash] (m3)',
  '2. Ran `npm run build`: failed, exit 1 [bash] (m5)',
  '3. Wrote `notes/plan.md` [edit] (m7)',
);

describe('S4 numbers', () => {
  const rows: readonly (readonly [string, string | undefined, readonly string[], readonly string[]])[] = [
    [
      'that have gaps close up',
      undefined,
      ['1. A (m1)', '3. B (m2)', '7. C (m3)'],
      ['1. A (m1)', '2. B (m2)', '3. C (m3)'],
    ],
    [
      'that stand there twice count once',
      undefined,
      ['1. A (m1)', '2. B (m2)', '2. B (m2)', '3. b (m2)'],
      ['1. A (m1)', '2. B (m2)'],
    ],
    [
      'of an update that tells only what is new go on',
      earlier,
      ['1. Ran `npm run lint`: clean (m9)'],
      ['4. Ran `npm run lint`: clean (m9)'],
    ],
    [
      'of an update that keeps everything stay, and go on',
      earlier,
      [
        '1. Ran `npm test`: 12 tests passed [bash] (m3)',
        '2. Ran `npm run build`: failed, exit 1 [bash] (m5)',
        '3. Wrote `notes/plan.md` [edit] (m7)',
        '9. Lint is clean (m9)',
      ],
      [
        '1. Ran `npm test`: 12 tests passed [bash] (m3)',
        '2. Ran `npm run build`: failed, exit 1 [bash] (m5)',
        '3. Wrote `notes/plan.md` [edit] (m7)',
        '4. Lint is clean (m9)',
      ],
    ],
    [
      'of an update that drops the oldest stay what they were',
      earlier,
      ['1. Wrote `notes/plan.md` [edit] (m7)', '2. Lint is clean (m9)'],
      ['3. Wrote `notes/plan.md` [edit] (m7)', '4. Lint is clean (m9)'],
    ],
    [
      'of a retold first action begin with it',
      earlier,
      ['1. Tests: all of them passed `npm test` (m3)', '5. Lint is clean (m9)'],
      ['1. Tests: all of them passed `npm test` (m3)', '2. Lint is clean (m9)'],
    ],
    [
      'leave lines without a number where they are',
      undefined,
      ['1. A (m1)', ' and more of it', '- a mark', '4. B (m2)'],
      ['1. A (m1)', ' and more of it', '- a mark', '2. B (m2)'],
    ],
  ];
  for (const [title, previous, given, expected] of rows) {
    test(`S4 ${title}`, () => {
      assert.equal(numberedThrough(actions(...given), previous), actions(...expected));
    });
  }

  test('S4 under other headings, and in code, are left alone', () => {
    const text = '## Remaining Work\n1. A\n5. B\n\n## Completed Actions\n```\n4. C\n9. D\n```';
    assert.equal(numberedThrough(text, undefined), text);
  });
});

describe('S4 an outcome that the earlier summary tells', () => {
  test('S4 is not turned by an update that cites the same records', () => {
    const updated = withEarlierOutcomes(
      actions(
        '1. Ran `npm test`: failed, exit 1 [bash] (m3)',
        '2. Ran `npm run build`: succeeded [bash] (m5)',
        '3. Wrote `notes/plan.md` [edit] (m7)',
      ),
      earlier,
    );
    assert.equal(updated, earlier);
  });

  test('S4 changes where a new record is cited, and in other words', () => {
    const texts = [
      actions('1. Ran `npm run build`: passes now [bash] (m5, m9)'),
      actions('1. All 12 tests passed in `npm test` (m3)'),
      actions('1. Ran `npm test` again: failed (m11)'),
    ];
    for (const text of texts) assert.equal(withEarlierOutcomes(text, earlier), text);
  });
});

describe('S4 over compressions', () => {
  const run = (command: string, output: string, isBad = false): Message[] => {
    const id = `call ${command}`;
    return [
      calls({ [id]: 'bash' }, { command }),
      result(
        id,
        `${output}\n${'a line of output that says nothing more\n'.repeat(90)}\nExit code: ${isBad ? 1 : 0}`,
        isBad,
      ),
    ];
  };
  const summaryOf = (lines: readonly string[]): string =>
    templates.handoff.sections
      .map(({ heading, holds }) => `## ${heading}\n${holds.includes('actions') ? lines.join('\n') : 'None'}`)
      .join('\n\n');
  const numbersIn = (list: readonly Message[]): readonly number[] => {
    const text = list.flatMap(({ parts }) => parts.map((part) => ('text' in part ? (part.text ?? '') : ''))).join('\n');
    return [...text.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
  };

  test('S4 a model that flips, repeats and skips leaves a list that goes on from the last one', async () => {
    const replies = [
      ['1. Ran `npm test`: 12 tests passed [bash] (m3)', '2. Ran `npm run build`: failed, exit 1 [bash] (m5)'],
      [
        '1. Ran `npm test`: failed [bash] (m3)',
        '2. Ran `npm run build`: failed, exit 1 [bash] (m5)',
        '2. Ran `npm run build`: failed, exit 1 [bash] (m5)',
        '8. Ran `npm run lint`: no problems [bash] (m7)',
      ],
    ];
    const summarizer: Summarizer = {
      name: 'fake/one',
      write: async () => ({ text: summaryOf(replies.shift() ?? []), finish: 'stop' }),
    };
    const compressor = createCompressor({
      tokenizer: estimatingTokenizer('claude'),
      contextLength: 16_000,
      summarizer,
    });
    let list: readonly Message[] = [
      user('Get it green.'),
      ...run('npm test', 'pass 12\nfail 0'),
      ...run('npm run build', 'Error: it broke', true),
    ];
    const later = [
      ...run('npm run lint', 'no problems'),
      assistant('Good.'),
      user('Go on.'),
      ...run('npm run docs', 'done'),
      ...run('npm run bench', 'done'),
      user('And now?'),
    ];
    list = await compressor.compress([...list, ...later.slice(0, 4), ...run('npm run size', 'small'), user('More?')], {
      force: true,
    });
    assert.deepEqual(numbersIn(list), [1, 2]);
    list = await compressor.compress([...list, ...later.slice(4)], { force: true });
    const text = JSON.stringify(list);
    assert.deepEqual(numbersIn(list), [1, 2, 3]);
    assert.match(text, /1\. Ran `npm test`: 12 tests passed/);
    assert.doesNotMatch(text, /npm test`: failed/);
  });
});
