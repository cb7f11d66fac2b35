/** Texts that are no summary, or one in which every line is as dear as can be, cost no more than their length. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Message, PalimpsestError, verifySummary } from '@palimpsest/core';
import { summaryLimits } from '../../../packages/core/src/compression/summary-lines.ts';
import { assistant, calls, result, user } from '../../support/conversations.ts';
import { growsInProportion, questions } from '../../support/growth.ts';

const turns = (count: number): readonly Message[] =>
  Array.from({ length: count }, (_, n) => [
    user(`Please look at case ${n} of the importer.`),
    calls({ [`call-${n}`]: 'read' }, { path: `src/case-${n}.ts` }),
    result(`call-${n}`, Array.from({ length: 12 }, (_, row) => `const row${row} = ${n} * ${row};`).join('\n')),
    assistant(`Case ${n} multiplies its rows by ${n}.`),
  ]).flat();
const long = turns(200);

/** So many characters of lines or pieces that differ, and no more lines than a summary may have. */
function filled(piece: (at: number) => string, characters: number): string {
  let text = '';
  for (let at = 0; text.length < characters; at++) text += piece(at);
  return text.slice(0, characters).split('\n').slice(0, summaryLimits.lines).join('\n');
}

const shapes: Readonly<Record<string, (at: number) => string>> = {
  'one heading again and again': () => '## Active Task\n',
  'headings straight under each other': (at) => `<h${at}>\n`,
  'blank lines': () => '\n',
  'one line': () => 'a',
  'one line of sentences': () => 'The user asked for it. ',
  'bullets with paths, numbers, quotes and refs': (at) =>
    `- Changed src/module${at}/file${at}.ts at line ${at} with 'quoted ${at}' and m${at % 800} m${at + 1}\n`,
  'words of the user that are none': (at) => `- The user said "please do thing ${at} with the importer now"\n`,
  'requests of the user': (at) => `The user asked to delete the ${at} importer and told the agent to push it.\n`,
  'requests in Chinese': (at) => `- 用户要求“请修改解析器 ${at}”\n`,
  'quotes that are never closed': (at) => `"unclosed ${at}\n`,
  'fences that are never closed': (at) => `\`\`\`ts\nconst a${at} = ${at};\n`,
  brackets: () => '([{<',
  'lists in lists': (at) => `${' '.repeat(at % 400)}- item ${at}\n`,
  'rows of the user': (at) => `m${(at % 800) + 1} user: Please look at case ${at} of the importer.\n`,
  'rows of steps': (at) => `m${(at % 800) + 1} read src/case-${at}.ts → ok\n + names here foo_bar${at}\n`,
  'very long words': (at) => `${'x'.repeat(7_000)}${at}\n`,
  'letters with many marks': () => 'e\u0301\u0302\u0303',
  emoji: () => '👨‍👩‍👧‍👦',
  'lines with both kinds of line break': (at) => `line of text ${at}\r\nand\r`,
  credentials: (at) => `password = hunter2hunter${at}\n`,
};

/** Every line names another file of a folder that every message names. */
const filesOfOneFolder: Readonly<Record<string, (at: number) => string>> = {
  'rows of a table': (at) => `| ${at} | name${at} | \`src/a${at}.ts\` |\n`,
  'bullets with a path': (at) => `- Went on with src/b${at}.ts after that\n`,
};

describe('S9: holding a summary against its conversation', () => {
  for (const [name, piece] of Object.entries(shapes)) {
    test(`takes no longer than its length allows: ${name}`, async () => {
      const [quarter, whole] = [filled(piece, 4_000), filled(piece, 16_000)];
      await growsInProportion(
        {
          small: () => verifySummary(quarter, long),
          large: () => verifySummary(whole, long),
          beside: () => verifySummary('Nothing.', long),
        },
        4,
      );
    });
  }

  for (const [name, piece] of Object.entries(filesOfOneFolder)) {
    test(`takes hardly more where four times as much was said: ${name}`, () => {
      const text = filled(piece, 8_000);
      const [one, four] = [turns(250), turns(1_000)].map(
        (record) => questions(() => verifySummary(text, record)) - questions(() => verifySummary('Nothing.', record)),
      );
      assert.ok(one !== undefined && four !== undefined);
      // The passages with a word grow with the record, and are looked through once; for every line it would be twice as much.
      assert.ok(four <= 1.6 * one, `${one} questions, and ${four} of four times the record`);
    });
  }

  for (const [name, text] of [
    ['a million line breaks', '\n'.repeat(1_000_000)],
    ['a million letters', 'a'.repeat(1_000_000)],
    ['a million characters of one heading', '## Active Task\n'.repeat(70_000)],
    ['one line too many', '\n'.repeat(1_500)],
    ['one character too many', 'a'.repeat(60_001)],
  ] as const) {
    test(`refuses ${name} before it reads them, and says what a summary may have`, () => {
      const short = questions(() => verifySummary('Nothing.', long));
      const asked = questions(() =>
        assert.throws(
          () => verifySummary(text, long),
          (error) =>
            PalimpsestError.isInstance(error) &&
            error.code === 'SUMMARY_TOO_LONG' &&
            /at most 60000 characters and 1500 lines, got \d+ (?:characters|lines): check it/.test(error.message),
        ),
      );
      assert.ok(asked <= short, `${asked} questions, and ${short} of a summary of one word`);
    });
  }

  test('a line that comes again is as wrong as the first time, each with its own number', () => {
    const { wrong, checked, text } = verifySummary('- src/gone.ts was changed\n\n- src/gone.ts was changed', turns(2));
    assert.deepEqual(
      wrong.map(({ line, text: claim }) => [line, claim]),
      [
        [1, 'src/gone.ts'],
        [3, 'src/gone.ts'],
      ],
    );
    assert.equal(checked.path, 2);
    assert.doesNotMatch(text, /gone/);
  });
});
