import assert from 'node:assert/strict';
import { test } from 'node:test';
import { focusOn } from '../../../packages/core/src/compression/ledger/focus.ts';
import { ledgerOf } from '../../../packages/core/src/compression/ledger/ledger.ts';
import { agent, person, ran } from './session.ts';

test('S5: a line is about the topic when it has one of its words, in any form', () => {
  const about = focusOn('the caches and how timeouts work');
  for (const line of ['Caching is on', 'a cached entry', 'TIMEOUT = 30', 'the cache was cold'])
    assert.ok(about(line), line);
  for (const line of ['the and how', 'a parser', '']) assert.ok(!about(line), line);
});

test('S5: names with signs are topics whole', () => {
  assert.ok(focusOn('src/net/retry.ts')('changed src/net/retry.ts'));
  assert.ok(!focusOn('src/net/retry.ts')('changed src/net/other.ts'));
});

test('S5: Chinese, Japanese and Korean topics are found by pairs of characters', () => {
  assert.ok(focusOn('缓存过期')('这个缓存的时间太短'));
  assert.ok(!focusOn('缓存过期')('解析器的错误'));
  assert.ok(focusOn('キャッシュの期限')('キャッシュを消した'));
  assert.ok(focusOn('캐시 만료')('캐시가 오래되었다'));
  assert.ok(!focusOn('캐시 만료')('파서 오류'));
  assert.ok(focusOn('库')('换一个库'), 'a single character is a word');
});

test('S5: an empty topic is about nothing', () => {
  for (const topic of ['', '   ', 'the', '!?']) assert.ok(!focusOn(topic)('the cache! ?'), topic);
});

const count = (text: string): number => Math.ceil(text.length / 4);

/** The call of part i is message 3i + 2, its result the next one. */
const isTopicStep = (position: number): boolean => [2, 3].includes(position % 9);

/** A session in which every third file is about the topic. */
function session(topicLine: (i: number) => string): ReturnType<typeof ledgerOf> {
  const messages = [person('Make the service ready for the release.')];
  for (let i = 0; i < 150; i++) {
    const isTopic = i % 3 === 0;
    const text = Array.from({ length: 12 }, (_, k) =>
      isTopic
        ? topicLine(i * 12 + k)
        : `parserRule_${i}_${k} reads token kind ${i * 37 + k} from sourceMap${i}_${k} today`,
    );
    messages.push(...ran({ name: 'Read', input: { file_path: `src/part_${i}.ts` }, result: text.join('\n') }));
    messages.push(agent(`Looked at part ${i}.`));
  }
  return ledgerOf(messages, { count });
}

for (const [language, topic, line] of [
  ['English', 'cache eviction', (i: number) => `evictEntry_${i} removes the oldest cache slot when size${i} grows`],
  ['Chinese', '缓存淘汰', (i: number) => `evictEntry_${i} 在缓存 size${i} 增长的时候删除最旧的条目`],
] as const) {
  test(`S5: the topic gets two thirds of a handoff or a little more, and the rest keeps a place (${language})`, () => {
    const ledger = session(line);
    const shareOf = (focusTopic?: string): number => {
      const { lines, tokens } = ledger.handoff({
        budgetTokens: 3000,
        ...(focusTopic === undefined ? {} : { focusTopic }),
      });
      const ofTopic = lines.filter(({ ref }) => isTopicStep(Number(ref.slice(1))));
      return ofTopic.reduce((sum, { text }) => sum + count(text) + 1, 0) / tokens;
    };
    const share = shareOf(topic);
    assert.ok(share >= 0.6 && share <= 0.8, `with the topic: ${share}`);
    assert.ok(shareOf() < 0.5, 'without a topic they get their part');
  });
}

/** Three parts of a program, looked at in turn; what is in a file does not say which part it belongs to. */
function threeParts(): { readonly ledger: ReturnType<typeof ledgerOf>; readonly isTopic: (at: number) => boolean } {
  const parts = ['parser', 'cache', 'router'];
  const messages = [person('Make the service ready.')];
  const topic = new Set<number>();
  for (let i = 0; i < 90; i++) {
    const part = parts[Math.floor(i / 3) % 3] ?? '';
    const start = messages.length;
    if (i % 3 === 0) messages.push(person(`Now look at the ${part} again, round ${i}.`));
    const text = Array.from(
      { length: 14 },
      (_, k) => `const value${i}_${k} = compute(${i * 31 + k}, 'v${i * 7 + k}');`,
    );
    messages.push(...ran({ name: 'Read', input: { file_path: `src/${part}/round_${i}.ts` }, result: text.join('\n') }));
    messages.push(agent(`File ${i} computes values from ${i * 3}.`));
    if (part === 'cache') for (let at = start; at < messages.length; at++) topic.add(at);
  }
  return { ledger: ledgerOf(messages, { count }), isTopic: (at) => topic.has(at) };
}

for (const topic of ['the cache', 'how the cache rounds go', 'Cache']) {
  for (const budgetTokens of [3_000, 8_000]) {
    test(`S5: "${topic}" gets its share of ${budgetTokens} tokens where calls and requests name it, and results do not`, () => {
      const { ledger, isTopic } = threeParts();
      const { lines, tokens } = ledger.handoff({ budgetTokens, focusTopic: topic });
      const own = lines.filter(({ ref }) => isTopic(Number(ref.slice(1)) - 1));
      const share = own.reduce((sum, { text }) => sum + count(text) + 1, 0) / tokens;
      // What heads the steps of the topic is not among the lines.
      assert.ok(share >= 0.5 && share <= 0.8, `${share}`);
    });
  }
}

test('S5: a word that is everywhere does not stand for a topic that has a rarer one', () => {
  const messages = [person('Move the ledgers of all regions.')];
  for (let i = 1; i <= 60; i++) {
    const rows = Array.from({ length: 30 }, (_, k) => `row ${k} of region north-${i} has ${i * 100 + k} entries`);
    messages.push(...ran({ name: 'bash', input: { command: `node move.ts ${i}` }, result: rows.join('\n') }));
  }
  const ledger = ledgerOf(messages, { count });
  const { lines } = ledger.handoff({ budgetTokens: 3_000, focusTopic: 'region north-3' });
  const own = lines.filter(({ text }) => /north-3 has/.test(text));
  assert.ok(own.length >= 29, `${own.length} of 30 lines`);
});

test('S5: a number of a topic tells it from its neighbours', () => {
  const messages = Array.from({ length: 90 }, (_, at) => [
    person(`Please look at case ${at} of the importer.`),
    ...ran({ name: 'read', input: { path: `src/case-${at}.ts` }, result: `export const rows${at} = ${at};` }),
    agent(`Case ${at} multiplies its rows.`),
  ]).flat();
  const { body } = ledgerOf(messages, { count }).handoff({ budgetTokens: 1_500, focusTopic: 'case 7' });
  assert.match(body, /src\/case-7\.ts/);
});
