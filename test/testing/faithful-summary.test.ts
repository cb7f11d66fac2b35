/** The fake's good summary is taken by the summariser, and says what the records say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faithfulSummary } from '@palimpsest/core/testing';
import type { Summarizer } from '../../packages/core/src/compression/summarize/summarizer.ts';
import { readPrompt } from '../../packages/core/src/testing/faithful-summary.ts';
import { user } from '../support/conversations.ts';
import { languages, requestWith, sessionIn, summaryBy } from './sessions.ts';

/** The fake without its server. */
const model = (contextLength?: number): Summarizer => ({
  name: 'fake/faithful',
  ...(contextLength === undefined ? {} : { contextLength }),
  write: async ({ prompt }) => ({ text: faithfulSummary(requestWith(prompt)).text ?? '', finish: 'stop' }),
});

for (const language of languages) {
  test(`${language}: the summary quotes the user, tells every result, and names the files`, async () => {
    const session = sessionIn(language);
    const { text } = await summaryBy(model(), session);
    for (const said of [session[0], session.at(-1)]) {
      const words = said?.parts[0]?.type === 'text' ? said.parts[0].text : '';
      assert.ok(text.includes(words), `expected ${words} in\n${text}`);
    }
    assert.match(text, /`src\/import\/rows\.ts` \(m2\)/);
    assert.match(
      text,
      /`npm test -- rows`[^\n]*(?:failed|失败|失敗|실패)[^\n]*exit 1[^\n]*`1 failed, 11 passed`\) \(m5, m6\)/,
    );
    assert.match(text, /`npm test -- rows --all`[^\n]*(?:succeeded|成功|성공)[^\n]*\(m9, m10\)/);
    assert.match(text, /Error: unexpected end of row/);
  });
}

test('parts of a long session are merged into one list that is numbered through', async () => {
  const session = Array.from({ length: 24 }, () => sessionIn('en')).flat();
  const { text } = await summaryBy(model(8_000), session);
  const numbers = [...text.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
  assert.ok(numbers.length > 4);
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => index + 1),
  );
});

test('the headings of the facts are none that are asked for', () => {
  const prompt =
    '<records>\n[m1 USER]\nHello.\n</records>\n\n<facts>\n## Goal\nm1 user: Hello.\n</facts>\n\n## Active Task\nWhat?';
  assert.deepEqual(readPrompt(prompt).headings, ['Active Task']);
});

test('an earlier summary is carried on', () => {
  const prompt = `<summary-so-far>
## Completed Actions
1. Ran \`make\`: succeeded (m2)
</summary-so-far>

<records>
[m9 USER]
Go on.

[m10 TOOL CALL bash]
command: make check

[m11 TOOL RESULT bash → failed, exit 2]
no rule
</records>

## Completed Actions
What was done.`;
  const { text = '' } = faithfulSummary(requestWith(prompt));
  assert.match(text, /1\. Ran `make`: succeeded \(m2\)\n2\. Ran `make check`: failed, exit 2 \(m10, m11\)/);
});

test('a line of a record that looks like a heading is none', () => {
  const { records, headings } = readPrompt('[m1 USER]\n## Not a heading\n</records>\n\n## Goal\nWhat it is.');
  assert.deepEqual(headings, ['Goal']);
  assert.equal(records[0]?.text, '## Not a heading');
});

test('a request that asks for no summary is answered with its own words', () => {
  assert.equal(faithfulSummary({ messages: [user('Hello there')] }).text, 'You said: Hello there');
});

test('an element that is never closed is text, and so is what stands behind it', () => {
  const { summaries, headings, records } = readPrompt(
    '<part-summary>\n<facts>\n## Goal\n<summary-so-far x="1">\n## Blocked\nNone\n</summary-so-far>\n[m2 USER]\nHello.',
  );
  assert.deepEqual(summaries, ['## Blocked\nNone']);
  assert.deepEqual(headings, ['Goal']);
  assert.deepEqual(
    records.map(({ ref, text }) => [ref, text]),
    [['m2', 'Hello.']],
  );
});

test('a call goes with the next result of its tool, and is open while no later one of the same succeeded', () => {
  const call = (ref: string, command: string): string => `[${ref} TOOL CALL bash]\ncommand: ${command}\n`;
  const result = (ref: string, ending: string): string => `[${ref} TOOL RESULT bash → ${ending}]\nThe result.\n`;
  const { text = '' } = faithfulSummary(
    requestWith(
      [
        '## Completed Actions\n## Completed Actions\n## Blocked\n<records>\n',
        call('m1', 'make') + result('m2', 'failed, exit 2'),
        call('m3', 'npm test') + result('m4', 'failed, exit 1'),
        call('m5', 'make') + result('m6', 'ok'),
        call('m7', 'ls'),
      ].join(''),
    ),
  );
  const [actions = '', blocked = ''] = text.split('## Blocked');
  assert.equal(actions.split('## Completed Actions').length, 2);
  assert.match(
    actions,
    /1\. [^\n]*make[^\n]*exit 2 \(m1, m2\)\n2\. [^\n]*exit 1 \(m3, m4\)\n3\. [^\n]*\(m5, m6\)\n4\. [^\n]*\(m7\)/,
  );
  assert.match(blocked, /npm test/);
  assert.doesNotMatch(blocked, /make/);
});
