import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decisionsIn } from '../../../packages/core/src/compression/ledger/cues.ts';
import { choiceInLetters, courtesies, ruleWords } from '../../../packages/core/src/language/requests.ts';

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

test('S8: a word that has letters of a flag in it decides nothing', () => {
  for (const text of ['The maximum is 40 since the last release.', 'Because the simulation ran, the minimum is known.'])
    assert.deepEqual(decisionsIn(text, 'agent'), [], text);
});

test('S8: an expression without the flag u matches what it matches with it', () => {
  // But for one thing: a sign above U+FFFF counts twice where some may stand in between.
  const texts = [
    'We decided to go with the second one. Never touch it, don’t worry; only use tabs unless I ask.',
    'Wir haben uns für den Plan entschieden, bitte nur die Tests ändern. Keine Sorge.',
    'J’ai choisi la première. Hemos decidido usar una. Nunca toques esto. ne jamais',
    '必须保留。没问题。必ず残す。問題ありません。반드시 남긴다. 괜찮습니다.',
    'DÉCIDÉ ENTSCHIEDEN für FÜR ß ẞ µ é É Ω Å',
  ];
  const pieces = texts.flatMap((text) => [...text.split(/(?<= )/), ...text.split(/(?<=[.。])/)]);
  const text = fc.array(fc.constantFrom(...pieces, '…', '\n'), { maxLength: 12 });
  for (const { source, flags } of [choiceInLetters, ruleWords, courtesies]) {
    assert.doesNotMatch(source, /\\[pPu]|[\u{10000}-\u{10ffff}]/u);
    const [without, withU] = [new RegExp(source, flags), new RegExp(source, `${flags}u`)];
    const found = (all: string, by: RegExp): readonly string[] => all.match(by) ?? [];
    fc.assert(
      fc.property(text, (some) => assert.deepEqual(found(some.join(''), without), found(some.join(''), withU))),
    );
  }
});
