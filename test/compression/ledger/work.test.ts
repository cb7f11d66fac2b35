/** How often a handoff looks at the same thing: what is asked for twice is worked out once. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { rulesIn } from '../../../packages/core/src/compression/ledger/cues.ts';
import { type Ledger, ledgerOf } from '../../../packages/core/src/compression/ledger/ledger.ts';
import { hasName, worthOf } from '../../../packages/core/src/compression/ledger/standing.ts';
import { becauseWords } from '../../../packages/core/src/language/requests.ts';
import { bygone, errands, everyTime } from '../../../packages/core/src/language/standing.ts';
import { estimateTextTokens } from '../../../packages/core/src/tokens/estimate.ts';
import { agent, person, ran } from './session.ts';

const passage = (sentences: number): string =>
  Array.from({ length: sentences }, (_, at) => `The ${at}th photograph shows the harbour at dusk.`).join(' ');

function testsOf(t: TestContext, words: RegExp, run: () => void): number {
  const spy = t.mock.method(words, 'test');
  run();
  spy.mock.restore();
  return spy.mock.callCount();
}

test('a sentence of a passage beside a question is asked once who speaks in it', (t) => {
  for (const sentences of [20, 80]) {
    const asked = testsOf(t, errands, () => rulesIn(`Is this right?\n\n${passage(sentences)}`));
    assert.equal(asked, sentences);
  }
});

const around = (request: string): Ledger =>
  ledgerOf([person('Begin.'), agent('Begun.'), person(request), agent('Done.'), person('Go on.')], {
    count: estimateTextTokens,
  });

test('what the sentences of a request ask for is weighed where it is shortened, and only there', (t) => {
  const weighed = (request: string): number => {
    const ledger = around(request);
    return testsOf(t, becauseWords, () => ledger.handoff({ budgetTokens: 1_000 }));
  };
  assert.equal(weighed(passage(2)), 0);
  assert.equal(weighed(passage(20)), 20);
});

test('a name is one whether or not a sign beside it is one of ASCII', () => {
  const signs = fc.constantFrom('a', 'Bc', 'D', ' ', ', ', ',', '. ', '-', 'we asked', 'Maren', '\n');
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 12 }), (parts) => {
      const said = parts.join('');
      assert.equal(hasName(said), hasName(`${said} é`));
    }),
  );
});

test('what they lay down is weighed once, for the rules of the request and for all of its handoffs', (t) => {
  const asked = testsOf(t, everyTime, () => {
    const ledger = around(passage(20));
    for (const budgetTokens of [1_000, 2_000]) ledger.handoff({ budgetTokens });
  });
  // Of the four short messages, each has one sentence.
  assert.ok(asked >= 20 && asked <= 20 + 4, `${asked} times`);
});

test('a text of a handoff is counted once, a whole body again only when it is another one', () => {
  let last = '';
  const short: string[] = [];
  const ledger = ledgerOf(
    Array.from({ length: 60 }, (_, at) => [
      person(`Look at src/store/part${at}.ts and tell what it does.`),
      ...ran({
        name: 'Read',
        input: { file_path: `src/store/part${at}.ts` },
        result: `export function storePart${at}() {}`,
      }),
      agent(`The file src/store/part${at}.ts stores part ${at}, because the queue is drained there.`),
    ]).flat(),
    {
      count: (text) => {
        assert.ok(text.length <= 1_000 || text !== last);
        if (text.length > 1_000) last = text;
        else short.push(text);
        return estimateTextTokens(text);
      },
    },
  );
  ledger.handoff({ budgetTokens: 2_000 });
  assert.notEqual(last, '');
  assert.equal(new Set(short).size, short.length);
});

test('a name that a line shows is told so after lines were added', () => {
  const messages = Array.from({ length: 40 }, (_, at) => [
    person(`Now part ${at}, please.`),
    ...ran({ name: 'Bash', input: { command: `make part${at}` }, result: `built lib/harbour/crateIndex${at}.ts` }),
    agent(`Part ${at} stands in lib/harbour/crateIndex${at}.ts and is built.`),
  ]).flat();
  let listed = 0;
  for (const budgetTokens of [400, 800, 1_600, 3_200]) {
    const { body } = ledgerOf(messages, { count: estimateTextTokens }).handoff({ budgetTokens });
    const index = body.split('\n').filter((row) => row.startsWith(' + '));
    const names = index.flatMap((row) => row.replace(/^ \+ m\d+(?:-m\d+)?(?: \([^)]*\))?: /, '').split(' '));
    const lines = body.split('\n').filter((row) => !index.includes(row) && !row.startsWith('#'));
    for (const name of names) assert.ok(!lines.some((row) => row.includes(name)), name);
    listed += names.length;
  }
  assert.ok(listed > 0);
});

test('an ending is one where letters alone stand before it, in either case', () => {
  for (const past of ['They walked home', 'WALKED', 'ayer llegaron', 'Él habló con ella', 'we tested.'])
    assert.ok(bygone.test(past), past);
  for (const other of ['red', 'x_walked', '1walked', 'walkedx', 'naïvetéed1', 'ó', 'amos', 'bedside'])
    assert.ok(!bygone.test(other), other);
});

test('a sentence of two parts loses more than one of a single part, wherever its first letter stands', () => {
  const [one, two] = ['Keep the harbour pages as they were', 'Keep the harbour: pages as they were'];
  assert.ok(worthOf(two) > worthOf(one));
  assert.ok(worthOf(`… — ${two}`) > worthOf(`… — ${one}`));
  const number = 'Keep the 7 harbour pages as they were';
  assert.ok(worthOf(number) > worthOf(one));
});
