import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { factsOf, originalTurns } from '../../../bench/trajectories/facts.ts';
import { faultsOf, lineOf, type Turn, textOf, turnsIn, turnsOf } from '../../../bench/trajectories/turns.ts';
import { compressCaseCut, lastTokens, referenceWay } from '../../../bench/trajectories/ways.ts';

const call = (name: string, input: string) => ({ function: { name, arguments: input } });
const turn = (from: string, value: string): Turn => ({ from, value });

const read = call('read', '{"path":"tide.ts"}');
const list = call('list', '{}');

describe('turns of messages', () => {
  test('calls stand as markup behind the text, and their results together in one tool turn', () => {
    const turns = turnsOf([
      { role: 'user', content: 'Look at the tide.' },
      { role: 'assistant', content: 'I look.', tool_calls: [read, list] },
      { role: 'tool', content: 'export {};' },
      { role: 'tool', content: 'tide.ts' },
      { role: 'assistant', content: 'It is empty.' },
    ]);
    assert.deepEqual(
      turns.map(({ from }) => from),
      ['human', 'gpt', 'tool', 'gpt'],
    );
    assert.equal(
      turns[1]?.value,
      'I look.\n<tool_call>\n{"name": "read", "arguments": {"path":"tide.ts"}}\n</tool_call>\n' +
        '<tool_call>\n{"name": "list", "arguments": {}}\n</tool_call>',
    );
    assert.equal(
      turns[2]?.value,
      '<tool_response>\nexport {};\n</tool_response>\n<tool_response>\ntide.ts\n</tool_response>',
    );
    assert.deepEqual(faultsOf(turns), []);
  });

  test('messages of one role in a row become one turn, and a later system message a human one', () => {
    const turns = turnsOf([
      { role: 'system', content: 'Be short.' },
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hello.' },
      { role: 'system', content: 'A note.' },
      { role: 'assistant', content: null },
      { role: 'assistant', content: 'Hello!' },
    ]);
    assert.deepEqual(turns, [
      turn('system', 'Be short.\n\nBe kind.'),
      turn('human', 'Hello.\n\nA note.'),
      turn('gpt', 'Hello!'),
    ]);
  });

  test('a line gives its turns back', () => {
    const turns = [turn('human', 'a\nb'), turn('gpt', '„c“')];
    assert.deepEqual(turnsIn(lineOf(turns, 'one')), turns);
    assert.throws(() => turnsIn('{"messages":[]}'), /expected a list "conversations"/);
  });
});

describe('faults of turns', () => {
  const calling = turn('gpt', '<tool_call>\n{}\n</tool_call>');

  test('a role twice in a row is one', () => {
    assert.deepEqual(faultsOf([turn('human', 'a'), turn('human', 'b')]), [{ at: 1, fault: 'role twice' }]);
  });

  test('a result without its call, and a call without its result, are each one', () => {
    const faults = faultsOf([turn('human', 'a'), turn('tool', 'b'), calling, turn('human', 'c')]);
    assert.deepEqual(faults, [
      { at: 1, fault: 'result without its call' },
      { at: 2, fault: 'call without its result' },
    ]);
  });

  test('a call at the very end may wait', () => assert.deepEqual(faultsOf([turn('human', 'a'), calling]), []));
});

describe('facts of a result', () => {
  const input = [turn('system', 'rules'), turn('human', 'ask'), turn('gpt', 'say'), turn('gpt', 'end')];
  const count = (text: string): number => text.length;

  test('a turn is original only word for word, in its role and in its order', () => {
    assert.deepEqual(
      originalTurns(input, [turn('gpt', 'ask'), turn('gpt', 'sa'), turn('gpt', 'end'), turn('gpt', 'say')]),
      [turn('gpt', 'end')],
    );
  });

  test('a turn that is there once is original once', () => {
    assert.equal(originalTurns(input, [turn('human', 'ask'), turn('human', 'ask')]).length, 1);
  });

  test('tokens are told apart by what they are of', () => {
    const output = [turn('system', 'rules and a notice'), turn('human', 'summary'), turn('gpt', 'end')];
    assert.deepEqual(factsOf({ input, output, targetTokens: 27, count }), {
      inputTokens: 14,
      tokens: 28,
      isUnder: false,
      originalTokens: 3,
      originalTokensWithSystem: 8,
      labelTokens: 3,
      inputLabelTokens: 6,
      inputFaults: 1,
      faults: 0,
    });
  });
});

describe('a text within a budget', () => {
  test('the last tokens are an end of the text that fits, and nearly all that fits', () => {
    const text = Array.from({ length: 400 }, (_, at) => `berth ${at} is free`).join('\n');
    const end = lastTokens(text, 300);
    assert.ok(text.endsWith(end));
    assert.ok(end.length > 700, `${end.length} characters`);
    assert.equal(lastTokens(end, 300), end);
  });

  test('a result over the budget loses its beginning', async () => {
    const long = `${'keel '.repeat(500)}the end`;
    const messages = [
      { role: 'user', content: long },
      { role: 'assistant', content: long },
    ];
    const { text } = await compressCaseCut(referenceWay('fallback'), {
      messages,
      budgetTokens: 100,
      session: { id: 'a' },
    });
    assert.ok(textOf(turnsOf(messages)).endsWith(text));
    assert.ok(text.length < long.length);
  });
});
