import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decisionsIn } from '../../../packages/core/src/compression/ledger/cues.ts';

test('S8: a choice is a decision, in several languages', () => {
  for (const text of [
    'We decided to keep the old endpoint.',
    'I chose a queue because order matters.',
    'Going with SQLite.',
    'We agreed on two retries.',
    'Decision: no cache in the first version',
    'We will use one table instead of three.',
    '我们决定使用单表结构。',
    '最后选用了队列，因为顺序很重要。',
    '改用流式解析。',
    '設定はファイルに置くことにしました。',
    'キューを採用します。',
    '큐를 사용하기로 했습니다.',
    '하나의 테이블로 결정했습니다.',
    'Wir haben uns für eine Tabelle entschieden.',
    'Ich verwende hier eine Queue, weil die Reihenfolge zählt.',
    'Decision 2: **two pipes**, because one was too slow.',
    '**We decided** to wait.',
  ]) {
    assert.deepEqual(decisionsIn(text, 'agent'), [text], text);
  }
});

test('S8: what a person intends is a decision, what an agent does next is none', () => {
  assert.deepEqual(decisionsIn("Let's go with the second option.", 'user').length, 1);
  assert.deepEqual(decisionsIn('I’ll use the red one.', 'user'), ['I’ll use the red one.'], 'word for word');
  assert.deepEqual(decisionsIn("Let's use the search to find it.", 'agent'), []);
  assert.deepEqual(decisionsIn("I'll keep the parser because two callers need it.", 'agent').length, 1);
});

test('S8: the reason that follows belongs to the decision', () => {
  assert.deepEqual(decisionsIn('We decided to use one table. Because joins were slow. Next step now.', 'agent'), [
    'We decided to use one table. Because joins were slow.',
  ]);
  assert.deepEqual(decisionsIn('我们决定用一张表。因为连接太慢。接着写测试。', 'agent'), [
    '我们决定用一张表。因为连接太慢。',
  ]);
});

test('S8: what is open, general, code, quotation or a heading decides nothing', () => {
  for (const text of [
    'Should we go with SQLite?',
    'You can decide later.',
    'If you choose the second option, tell me.',
    'Explain why you chose this colour',
    '# Decision record',
    '```\n// we decided to use x\n```',
    '> we decided to use x',
    '| decided | we decided to use x |',
    'Use ropes instead of chains',
    'Prefer oars over sails',
    '是否决定使用缓存',
    'どちらにしますか',
    '캐시를 쓰기로 할까요',
    '',
  ]) {
    assert.deepEqual(decisionsIn(text, 'agent'), [], text);
  }
});

test('invariant 4: a decision is made of words of the text, whatever the text is', () => {
  const unit = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom(
      'We decided to use it. ',
      'Because it is fast. ',
      '决定使用。',
      '\n',
      '- ',
      '**',
      '’',
      "let's keep ",
    ),
  );
  fc.assert(
    fc.property(fc.array(unit), fc.constantFrom('user', 'agent'), (pieces, by) => {
      const plain = pieces.join('').replace(/\s+/g, '');
      for (const decision of decisionsIn(pieces.join(''), by)) assert.ok(plain.includes(decision.replace(/\s+/g, '')));
    }),
  );
});
