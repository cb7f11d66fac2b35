/** Compressions in a row with a model that gets things wrong each time: errors must not add up. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ledgerOf } from '@palimpsest/core/engine';
import { driftingModel } from '../../../bench/chain/drifting-model.ts';
import { type FactType, firstFacts, isSaid, readingOf } from '../../../bench/chain/first-facts.ts';
import { type ChainResult, type ChainType, type PassCount, runChains } from '../../../bench/chain/run.ts';
import { estimateTextTokens } from '../../../packages/core/src/tokens/estimate.ts';
import { assistant, calls, result, user } from '../../support/conversations.ts';
import { longSession, session } from '../misbehaviour-session.ts';

/** The session of the misbehaviours with a second half, in which the first one goes on to matter. */
const growing = [
  ...longSession,
  ...Array.from({ length: 16 }, (_, at) => [
    user(`Widen column ${at} to 1200 cells as well.`),
    calls({ [`wide${at}`]: 'bash' }, { command: `node scripts/widen.js --column ${at}` }),
    result(`wide${at}`, JSON.stringify({ output: `column ${at}: ${30 + at} cells widened`, exit_code: 0 })),
    assistant(`Column ${at} has 1200 cells now.`),
  ]).flat(),
];

const passes = 6;
const options = { passes, contextLength: 30_000, targetTokens: 5_000, seed: 3 };
const chains = await runChains({ name: 'growing', messages: growing }, options);

function passesOf(type: ChainType, from: readonly ChainResult[] = chains): readonly PassCount[] {
  return from.find((chain) => chain.type === type)?.passes ?? assert.fail(`no chain ${type}`);
}

const lost = ({ facts }: PassCount, type: FactType): readonly string[] =>
  facts.flatMap(({ fact, alive }) => (fact.type === type && !alive ? [fact.text] : []));

describe(`${passes} compressions in a row`, () => {
  test('S4, S9: what a model falsified on the way does not stand in any context', () => {
    for (const pass of passesOf('verified')) {
      assert.deepEqual(
        pass.aliveLies.map(({ words }) => words),
        [],
        `pass ${pass.pass}`,
      );
    }
    assert.ok((passesOf('verified').at(-1)?.planted ?? 0) > 5, 'the model lied enough to be a test');
    assert.notDeepEqual(passesOf('unverified').at(-1)?.aliveLies, [], 'and without verification it is believed');
  });

  test('S4, S9: rules, side effects and open errors outlive every pass', () => {
    for (const pass of passesOf('verified')) {
      for (const type of ['rule', 'side effect', 'open error'] as const) {
        assert.deepEqual(lost(pass, type), [], `${type}, pass ${pass.pass}`);
      }
    }
  });

  test('invariant 9: the same seed gives the same chain', async () => {
    const again = await runChains({ name: 'growing', messages: growing }, options);
    for (const type of ['verified', 'unverified', 'ledger'] as const) {
      const seen = (chain: readonly PassCount[]): unknown =>
        chain.map(({ facts, planted, handoffTokens }) => [facts.map(({ alive }) => alive), planted, handoffTokens]);
      assert.deepEqual(seen(passesOf(type, again)), seen(passesOf(type)));
    }
  });
});

describe('the measure of a chain', () => {
  test('the first facts are those of the record, and a reading of the record says all of them', () => {
    const facts = firstFacts(ledgerOf(session, { count: estimateTextTokens }).facts());
    const types = new Set(facts.map(({ type }) => type));
    for (const type of ['request', 'rule', 'side effect', 'open error', 'file'] as const)
      assert.ok(types.has(type), type);
    const reading = readingOf(session);
    assert.deepEqual(
      facts.filter((fact) => !isSaid(fact, reading)),
      [],
    );
    assert.ok(facts.every((fact) => !isSaid(fact, readingOf([user('Nothing of it.')]))));
  });

  test('an error that was fixed and a file that was deleted have gone out of date', () => {
    const early = [
      user('Make the reader accept empty lines.'),
      calls({ a: 'bash' }, { command: 'npm test -- reader' }),
      result('a', JSON.stringify({ output: 'Error: unexpected empty line\n1 failed', exit_code: 1 })),
      calls({ b: 'write_file' }, { path: 'src/reader/draft-of-lines.ts', content: 'export {};' }),
      result('b', 'Created src/reader/draft-of-lines.ts'),
    ];
    const late = [
      ...early,
      calls({ c: 'bash' }, { command: 'npm test -- reader' }),
      result('c', JSON.stringify({ output: '4 passed', exit_code: 0 })),
      calls({ d: 'bash' }, { command: 'rm src/reader/draft-of-lines.ts' }),
      result('d', JSON.stringify({ output: '', exit_code: 0 })),
    ];
    const factsOf = (messages: typeof early) => ledgerOf(messages, { count: estimateTextTokens }).facts();
    const first = firstFacts(factsOf(early));
    const held = (messages: typeof early): readonly FactType[] =>
      first.filter(({ holds }) => holds(factsOf(messages))).map(({ type }) => type);
    assert.deepEqual(held(early), ['request', 'open error', 'file']);
    assert.deepEqual(held(late), ['request']);
  });

  test('the drifting model keeps to the length it is told, and says what it falsified', async () => {
    const model = driftingModel({ seed: 5, share: 0.3 });
    const records = Array.from(
      { length: 60 },
      (_, at) => `[m${at + 1} USER]\nLook at src/case-${at}.ts, line ${at + 10}.`,
    );
    const prompt = `<records>\n${records.join('\n')}\n</records>\n\n## Goal\nx\n\n## Pending User Asks\nx\n\n## Constraints & Preferences\nx\n\nLength: at most about 400 tokens.`;
    const { text } = await model.write({ system: '', prompt });
    assert.ok(estimateTextTokens(text) < 600, text);
    for (const { words } of model.planted) assert.ok(text.replace(/\s+/g, ' ').includes(words), words);
  });
});
