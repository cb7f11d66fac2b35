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
