/** Refs in a process that has a compressed list and not the record: the message that it was, or unknown. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compress, estimatingTokenizer, expand, type Message } from '@palimpsest/core';
import fc from 'fast-check';
import { isHandoff } from '../../packages/core/src/compression/handoff-block.ts';
import { numbersOf } from '../../packages/core/src/compression/numbering.ts';
import { createRecord, placesIn } from '../../packages/core/src/compression/record.ts';
import type { Ref } from '../../packages/core/src/compression/ref.ts';
import { messageText, readableText } from '../../packages/core/src/transcript/text.ts';
import { assistant, conversations, user } from '../support/conversations.ts';
import { requireLaw } from '../support/law.ts';

const tokenizer = estimatingTokenizer('claude');

const block = (attributes: string, body = 'x'): string =>
  `<handoff ${attributes}>\nReference only: notes.\n\n${body}\n</handoff>`;
const numbers = (...messages: readonly Message[]): readonly number[] => numbersOf(messages).numbers;

/** How often `run` asks a regular expression anything. */
function questions(run: () => void): number {
  let count = 0;
  const { exec } = RegExp.prototype;
  RegExp.prototype.exec = function counted(text: string): RegExpExecArray | null {
    count++;
    return exec.call(this, text);
  };
  try {
    run();
  } finally {
    RegExp.prototype.exec = exec;
  }
  return count;
}

describe('refs in a list that was compressed elsewhere', () => {
  test('A6: count on from what the handoff says', () => {
    const opening = block('covers="m2-m40" messages="39" followed-by="m38, m41-m43"');
    const rest = [user('the request'), assistant('a'), user('b'), assistant('c'), user('new')];
    assert.deepEqual(numbers(user('head'), user(opening), ...rest), [1, 0, 38, 41, 42, 43, 44]);
    const merged: Message = { ...user(opening), parts: [...user(opening).parts, ...user('the request').parts] };
    assert.deepEqual(numbers(user('head'), merged, ...rest.slice(1)), [1, 38, 41, 42, 43, 44]);
  });

  test('A6: stay where all that a handoff stands for comes behind it', () => {
    const opening = block('covers="m2" messages="1" followed-by="m2-m4"');
    const rest = [user('request'), assistant('a'), assistant('b'), user('c')];
    assert.deepEqual(numbers(user('head'), user(opening), ...rest), [1, 0, 2, 3, 4, 5]);
    const merged: Message = { ...user(opening), parts: [...user(opening).parts, ...user('the request').parts] };
    assert.deepEqual(numbers(user('head'), merged, ...rest.slice(1)), [1, 2, 3, 4, 5]);
    const list = [user('head'), user(opening), ...rest];
    const record = createRecord({ count: tokenizer.count });
    assert.deepEqual(record.ingest(list), [0, -1, 1, 2, 3, 4]);
    assert.deepEqual(record.ingest([...list, assistant('d')]), [0, -1, 1, 2, 3, 4, 5], 'and when the list comes again');
    assert.deepEqual(record.ingest(structuredClone(list)), [0, -1, 1, 2, 3, 4], 'also in other objects');
  });

  test('A6: count from 1 where the handoff does not fit what stands around it, or does not say', () => {
    for (const attributes of [
      'covers="m3-m40" messages="38" followed-by="m41"',
      'covers="m1-m40" messages="40" followed-by="m41"',
      'covers="m2-m40" messages="39"',
      'covers="m2-m40" messages="39" followed-by="m1"',
      'covers="m2-m40" messages="39" followed-by="m41, m41"',
      'covers="m2-m99999999" messages="39" followed-by="m41"',
      'covers="m40-m2" messages="39" followed-by="m41"',
      'covers="m2-m40" messages="39" followed-by="m0, m41"',
      'covers="m2-m40" messages="39" followed-by="everything"',
    ]) {
      assert.deepEqual(numbers(user('head'), user(block(attributes)), user('a'), user('b')), [1, 2, 3, 4], attributes);
    }
  });

  test('A6: name the message that they named, after any number of compressions', async () => {
    let compared = 0;
    const law = fc.asyncProperty(
      conversations({ maxSteps: 30 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 500, max: 3_000 }),
      async (messages, passes, targetTokens) => {
        const record = createRecord({ count: tokenizer.count });
        let list: readonly Message[] = messages;
        let wasMade = false;
        for (let pass = 0; pass < passes; pass++) {
          const result = await compress(list, { tokenizer, record, targetTokens, keptIn: 'session.jsonl' }).catch(
            () => undefined,
          );
          wasMade ||= result?.handoff !== undefined;
          list = [...(result?.messages ?? list), user(`Question ${pass}?`), assistant(`Answer ${pass}.`)];
        }
        if (!wasMade) return;
        const second = createRecord({ count: tokenizer.count });
        second.ingest(list);
        for (let number = 1; number <= record.size; number++) {
          const [here, there] = [second.message(`m${number}`), record.message(`m${number}`)];
          if (!here || isHandoff(here)) continue;
          compared++;
          assert.ok(there, `m${number} is nothing in the first process`);
          assert.equal(here.role, there.role, `m${number}`);
          const [shown, said] = [readableText(here), readableText(there)];
          const isShortened = shown.includes(`m${number}]`) || shown.includes('…') || shown.includes('[');
          assert.ok(
            isShortened || shown.includes(said) || said.includes(messageText(here)),
            `m${number}: ${shown} for ${said}`,
          );
        }
      },
    );
    await requireLaw(law, { numRuns: 40, missing: () => (compared < 500 ? '500 messages to compare' : '') });
  });

  test('A6: places alone are those that a record gives, and nothing is read for them', () => {
    const openings = [
      block('covers="m2-m40" messages="39" followed-by="m38, m41-m43"'),
      block('covers="m1-m2" messages="2"'),
      block('covers="m3-m9" messages="7"'),
    ];
    fc.assert(
      fc.property(conversations({ faults: true, maxSteps: 12, handoffs: openings }), (messages) => {
        const repeated = [...messages, ...messages.slice(0, 3)];
        assert.deepEqual(placesIn(repeated), createRecord({ count: (text) => text.length }).ingest(repeated));
      }),
      { numRuns: 150 },
    );
    const list = Array.from({ length: 50 }, (_, at) => user(`password: number${at}\n`.repeat(50)));
    const asked = questions(() => placesIn(list));
    const read = questions(() => createRecord({ count: (text) => text.length }).ingest(structuredClone(list)));
    assert.ok(asked * 10 < read, `${asked} questions for the places, ${read} for a record`);
  });

  test('expand says where the message is kept that a list no longer has', async () => {
    const said = Array.from({ length: 240 }, (_, at) => [
      user(`Question ${at}?`),
      assistant(`Answer ${at}. ${'more '.repeat(12)}`),
    ]).flat();
    const { messages, handoff } = await compress(said, { tokenizer, targetTokens: 3_000, keptIn: 'session.jsonl' });
    assert.match(handoff?.text ?? '', /kept-in="session\.jsonl"/);
    const newest = `m${said.length}` as Ref;
    assert.equal(expand(messages, newest)[0]?.message, said.at(-1));
    assert.equal(expand(messages, 'm0')[0]?.message, messages.find(isHandoff));
    assert.throws(() => expand(said, 'm0'), { code: 'ID_UNKNOWN' });
    assert.throws(() => expand(messages, 'm5'), {
      code: 'ID_UNKNOWN',
      message:
        /^m5 is not here: it was compressed earlier and is part of the handoff \(m0\)\. Expand it in session\.jsonl\.$/,
    });
  });
});
