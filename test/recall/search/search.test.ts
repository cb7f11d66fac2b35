/** Searching a real store through the public door. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { SearchHit, SearchOptions } from '../../../packages/core/src/recall/search/options.ts';
import { search, searchWith } from '../../../packages/core/src/recall/search/search.ts';
import { rankingWeights } from '../../../packages/core/src/recall/search/wanted-terms.ts';
import { openStore } from '../../../packages/core/src/store/open-store.ts';
import type { SessionDraft } from '../../../packages/core/src/store/session-store.ts';
import type { Store } from '../../../packages/core/src/store/store.ts';
import type { Message, Role } from '../../../packages/core/src/transcript/message.ts';

type Said = string | { readonly text: string; readonly role?: Role; readonly name?: string; readonly time?: string };

const message = (said: Said): Message => {
  const { text, role = 'user', ...rest } = typeof said === 'string' ? { text: said } : said;
  return { role, parts: [{ type: 'text', text }], ...rest };
};

async function tell(store: Store, said: readonly Said[], draft: Partial<SessionDraft> = {}): Promise<string> {
  const { id } = await store.sessions.create({ source: 'library', ...draft });
  await store.messages.append(id, said.map(message));
  return id;
}

const found = async (store: Store, query: string, options?: SearchOptions): Promise<readonly SearchHit[]> =>
  (await search(store, query, options)).hits;

const positions = async (store: Store, query: string, options?: SearchOptions): Promise<readonly number[]> =>
  (await found(store, query, options)).map(({ position }) => position).sort((a, b) => a - b);

const marked = ({ passage }: SearchHit): readonly string[] =>
  passage.marks.map(([from, to]) => passage.text.slice(from, to));

/** Texts in four languages without a space where a word ends; every word of them is looked for. */
const dense = [
  '我们决定把数据库从旧服务器迁移到新的机房，明天开始执行。',
  '请检查日志文件，昨天晚上的部署失败了，错误码是五零二。',
  '他们喜欢在北京大学旁边的咖啡馆讨论机器学习的论文。',
  '検索機能の設計書を更新しました。来週の会議で確認してください。',
  '東京都の天気は晴れです。データベースの移行は完了しました。',
  '서버를 재시작했더니 데이터베이스 연결이 복구되었습니다.',
  '어제 회의에서 배포 일정을 다음주로 미루기로 했어요.',
  '𠮷野家で昼ご飯を食べた。ﾊﾟｿｺﾝが壊れた。',
];

describe('search', () => {
  test('Q1 finds every word of one to four characters of Chinese, Japanese and Korean, and nothing else', async () => {
    await using store = await openStore({ path: ':memory:' });
    await tell(store, dense);
    const words = new Set<string>();
    for (const text of dense) {
      const characters = [...text];
      for (let size = 1; size <= 4; size++) {
        for (let at = 0; at + size <= characters.length; at++) {
          const word = characters.slice(at, at + size).join('');
          if (/^\p{L}+$/u.test(word) && !/[ｦ-ﾟ]/.test(word)) words.add(word);
        }
      }
    }
    assert.ok(words.size > 500);
    for (const word of words) {
      const expected = dense.flatMap((text, i) => (text.includes(word) ? [i] : []));
      assert.deepEqual(await positions(store, word, { limit: 100 }), expected, word);
    }
  });

  test('Q1 finds half-width kana by their usual form', async () => {
    await using store = await openStore({ path: ':memory:' });
    await tell(store, dense);
    assert.deepEqual(await positions(store, 'パソコン'), [7]);
  });

  test('Q1 finds identifiers and paths with their punctuation, and tells near ones apart', async () => {
    await using store = await openStore({ path: ':memory:' });
    const texts = [
      'see src/store/ids.ts for the type',
      'see src/store/sids.ts and src/stores/ids.tsx',
      'the flag --max-tool-calls=5 and MAX_TOOL_CALLS',
      'call getUserName() in UserService.kt:42',
      'version v1.2.3-rc.1 of @scope/pkg, issue #4711, a@example.org',
      'the .env file, and C:\\Users\\me\\app.log',
      'store the ids in ts',
      'commit 3f9a2b7c81d0e5f6a7b8 broke it',
    ];
    await tell(store, texts);
    const expected: Readonly<Record<string, readonly number[]>> = {
      'src/store/ids.ts': [0],
      'store/ids.ts': [0],
      'ids.ts': [0],
      'max-tool-calls': [2],
      MAX_TOOL_CALLS: [2],
      getUserName: [3],
      getusername: [3],
      'UserService.kt:42': [3],
      'v1.2.3-rc.1': [4],
      '@scope/pkg': [4],
      '#4711': [4],
      'a@example.org': [4],
      '.env': [5],
      'C:\\Users\\me\\app.log': [5],
      'app.log': [5],
      '3f9a2b7c*': [7],
    };
    for (const [query, wanted] of Object.entries(expected))
      assert.deepEqual(await positions(store, query), wanted, query);
  });

  test('Q1 finds phrases, beginnings, and what AND, OR and NOT say', async () => {
    await using store = await openStore({ path: ':memory:' });
    await tell(store, [
      'deploy the docker image',
      'the image of docker was deployed on windows',
      'podman runs rootless',
      'configuration of podman on windows',
    ]);
    assert.deepEqual(await positions(store, '"docker image"'), [0]);
    assert.deepEqual(await positions(store, 'docker AND windows'), [1]);
    assert.deepEqual(await positions(store, '(docker OR podman) AND windows'), [1, 3]);
    assert.deepEqual(await positions(store, 'docker -windows'), [0]);
    assert.deepEqual(await positions(store, 'podman NOT rootless'), [3]);
    assert.deepEqual(await positions(store, 'configura*'), [3]);
    assert.deepEqual(await positions(store, 'dep*'), [0, 1]);
  });

  test('Q1 tries another spelling for a word that is nowhere', async () => {
    await using store = await openStore({ path: ':memory:' });
    await tell(store, ['the kubernetes cluster', 'something else']);
    const { hits, corrected } = await search(store, 'kuberentes');
    assert.deepEqual(
      hits.map(({ position }) => position),
      [0],
    );
    assert.equal(corrected?.[0]?.from, 'kuberentes');
  });

  test('Q1 gives the nearest messages when none has all that is demanded, and says so', async () => {
    await using store = await openStore({ path: ':memory:' });
    await tell(store, ['docker image', 'other words']);
    const { hits, relaxed } = await search(store, '"image docker"');
    assert.deepEqual(
      hits.map(({ position }) => position),
      [0],
    );
    assert.equal(relaxed, true);
    assert.deepEqual(await positions(store, 'docker AND image AND NOT docker'), []);
  });

  test('Q1 finds what a tool was asked and what it gave back', async () => {
    await using store = await openStore({ path: ':memory:' });
    const { id } = await store.sessions.create({ source: 'cli' });
    const input = JSON.stringify({ command: 'grep -rn "needle\\nhaystack" src', path: '中文/目录' });
    await store.messages.append(id, [
      { role: 'assistant', parts: [{ type: 'toolCall', callId: 'c', name: 'Bash', input, inputType: 'json' }] },
      {
        role: 'tool',
        parts: [
          { type: 'toolResult', callId: 'c', name: 'Bash', content: [{ type: 'text', text: 'src/a.ts:7: quuxify' }] },
        ],
      },
    ]);
    assert.deepEqual(await positions(store, 'haystack'), [0]);
    assert.deepEqual(await positions(store, '目录'), [0]);
    const [hit] = await found(store, 'quuxify');
    assert.deepEqual([hit?.position, hit?.role, hit?.tools], [1, 'tool', ['Bash']]);
  });

  test('Q2 answers a question with the short reply beside it', async () => {
    await using store = await openStore({ path: ':memory:' });
    await tell(store, [
      'Where did you go on your honeymoon?',
      { text: 'To Lisbon!', role: 'assistant' },
      'Nice',
      'Bye',
    ]);
    const hits = await found(store, 'where was the honeymoon spent by them');
    assert.ok(hits.some(({ position }) => position === 1));
    assert.deepEqual(await positions(store, 'honeymoon'), [0], 'a single word finds only itself');
  });

  test('Q2 puts an answer before the question that has the same words', async () => {
    await using store = await openStore({ path: ':memory:' });
    const question = await tell(store, ['Which pottery class are you taking?']);
    const answer = await tell(store, ['The pottery class that I take is on Mondays.']);
    const hits = await found(store, 'which pottery class is taken');
    assert.deepEqual(
      hits.map(({ sessionId }) => sessionId),
      [answer, question],
    );
  });

  test('Q2 prefers words that stand side by side as in the query', async () => {
    await using store = await openStore({ path: ':memory:' });
    const apart = 'The dance was long, the hall was cold, and nobody there knew of a single competition.';
    const beside = 'The hall was cold, the day was long, and nobody there knew of a dance competition.';
    await tell(store, [beside]);
    await tell(store, [apart]);
    const hits = await found(store, 'who told us about dance competitions');
    assert.deepEqual(
      hits.map(({ passage }) => passage.text === beside),
      [true, false],
    );
  });

  test('Q2 looks past the grammar of a Chinese question', async () => {
    await using store = await openStore({ path: ':memory:' });
    await tell(store, ['我们为什么没有什么时候的事情']);
    await tell(store, ['昨天部署失败了']);
    const [first] = await found(store, '我们的部署是为什么没有在那个时候失败的');
    assert.match(first?.passage.text ?? '', /部署/);
  });

  test('Q2 finds the one passage of a long message that fits', async () => {
    await using store = await openStore({ path: ':memory:' });
    const filler = 'Nothing of interest happened in these lines of the report. '.repeat(400);
    await tell(store, [`${filler}The migration broke the billing ledger on Tuesday. ${filler}`]);
    await tell(store, ['A ledger is a book.']);
    const [first] = await found(store, 'what broke the billing ledger in the migration');
    assert.match(first?.passage.text ?? '', /billing ledger/);
  });

  test('Q1 finds what stands far inside a long tool result', async () => {
    await using store = await openStore({ path: ':memory:' });
    const line = 'npm notice nothing to see in this line of the log\n';
    await tell(store, [line, `${line.repeat(12_000)}error: quokka overflow in src/deep/end.ts\n${line.repeat(10)}`]);
    for (const query of ['quokka', 'src/deep/end.ts', '"quokka overflow"']) {
      const [hit] = await found(store, query);
      assert.equal(hit?.position, 1, query);
      assert.match(hit.passage.text, /quokka overflow in src\/deep\/end\.ts/);
    }
  });

  test('Q2 prefers the time that the query names', async () => {
    await using store = await openStore({ path: ':memory:' });
    await tell(store, [
      { text: 'We planned the garden party.', time: '2024-03-02T10:00:00Z' },
      { text: 'We planned the garden party again.', time: '2024-07-09T10:00:00Z' },
    ]);
    const first = async (query: string) =>
      (await searchWith(store, query, { options: {}, weights: rankingWeights, now: Date.UTC(2024, 6, 10) })).hits[0]
        ?.position;
    assert.equal(await first('garden party in March 2024'), 0);
    assert.equal(await first('garden party in July'), 1);
    assert.equal(await first('garden party yesterday'), 1);
  });

  test('Q2 keeps to source, role, project, session and time', async () => {
    await using store = await openStore({ path: ':memory:' });
    const one = await tell(store, [{ text: 'alpha', time: '2024-01-01T00:00:00Z' }], {
      source: 'codex',
      project: '/code/app',
    });
    const two = await tell(store, [{ text: 'alpha beta', role: 'assistant', time: '2024-02-01T00:00:00Z' }], {
      project: '/code/lib',
    });
    const sessions = async (options: SearchOptions) =>
      (await found(store, 'alpha', options)).map(({ sessionId }) => sessionId).sort();
    assert.deepEqual(await sessions({}), [one, two].sort());
    assert.deepEqual(await sessions({ sources: ['codex'] }), [one]);
    assert.deepEqual(await sessions({ roles: ['assistant'] }), [two]);
    assert.deepEqual(await sessions({ project: '/code/lib' }), [two]);
    assert.deepEqual(await sessions({ project: '/code' }), [one, two].sort());
    assert.deepEqual(await sessions({ sessions: [one] }), [one]);
    assert.deepEqual(await sessions({ without: [one] }), [two]);
    assert.deepEqual(await sessions({ since: Date.UTC(2024, 0, 15) }), [two]);
    assert.deepEqual(await sessions({ until: Date.UTC(2024, 0, 15) }), [one]);
  });

  test('Q2 a folder is found with and without a slash behind it, and a root with everything below', async () => {
    await using store = await openStore({ path: ':memory:' });
    const folders = ['/', '/code', '/code/app', '/coder', 'C:\\', 'C:\\work', 'C:\\works', '\\\\share\\docs'];
    const known = new Map<string, string>();
    for (const [i, project] of folders.entries())
      known.set(await tell(store, [{ text: `alpha ${i}` }], { project }), project);
    const unix = folders.slice(0, 4);
    const expected: readonly (readonly [string, readonly string[]])[] = [
      ['/', unix],
      ['//', unix],
      ['/code', ['/code', '/code/app']],
      ['/code/', ['/code', '/code/app']],
      ['/code///', ['/code', '/code/app']],
      ['C:\\', ['C:\\', 'C:\\work', 'C:\\works']],
      ['C:', ['C:\\', 'C:\\work', 'C:\\works']],
      ['C:\\work\\', ['C:\\work']],
      ['\\\\share\\', ['\\\\share\\docs']],
    ];
    for (const [project, wanted] of expected) {
      const hits = await found(store, 'alpha', { project });
      assert.deepEqual(hits.map(({ sessionId }) => known.get(sessionId) ?? '').sort(), [...wanted].sort(), project);
      const listed = await store.sessions.list({ project });
      assert.deepEqual(listed.map(({ tip }) => tip.project ?? '').sort(), [...wanted].sort(), `list of ${project}`);
    }
  });

  test('Q1 shows the passage with the match marked, and the hits by conversation', async () => {
    await using store = await openStore({ path: ':memory:' });
    const long = `${'filler words here. '.repeat(200)}the quokka sleeps${' and more filler.'.repeat(200)}`;
    const one = await tell(store, [long, 'quokka quokka'], { title: 'Animals' });
    await tell(store, ['a quokka elsewhere']);
    const { hits, conversations } = await search(store, 'quokka');
    assert.ok(hits.every((hit) => marked(hit).every((text) => text === 'quokka') && hit.passage.text.length <= 240));
    const passage = hits.find(({ sessionId, position }) => sessionId === one && position === 0)?.passage;
    assert.deepEqual([passage?.cutBefore, passage?.cutAfter, passage?.marks.length], [true, true, 1]);
    const animals = conversations.find(({ title }) => title === 'Animals');
    assert.deepEqual([conversations.length, animals?.root.id, animals?.hits.length], [2, one, 2]);
    assert.deepEqual(new Set(conversations.flatMap((each) => each.hits)), new Set(hits));
  });

  test('Q1 marks what the words of the query matched, and not their characters inside other words', async () => {
    await using store = await openStore({ path: ':memory:' });
    await tell(store, [
      'ペットのコミットをテストして、ﾍﾟｯﾄのｺﾐｯﾄとトップもコミットログに書いた。',
      '参数写进数据库，库存不变。',
      'サーバを再起動したので、ユーモアとサービスは残った。',
    ]);
    const marksOf = async (query: string): Promise<readonly string[]> => (await found(store, query)).flatMap(marked);
    assert.deepEqual(await marksOf('コミット'), ['コミット', 'ｺﾐｯﾄ', 'コミット']);
    assert.deepEqual(await marksOf('数据库'), ['数据库']);
    assert.deepEqual(await marksOf('サーバー 再起動'), ['サーバ', '再起動'], 'nearly the word');
    assert.deepEqual(await marksOf('ト'), ['ト', 'ト', 'ト', 'ﾍﾟｯﾄ', 'ｺﾐｯﾄ', 'ト', 'ト'], 'a word of its own');
  });

  test('S6 masks credentials in passages, but for who asks for them raw', async () => {
    await using store = await openStore({ path: ':memory:' });
    const secret = 'sk-ant-api03-Zk3mN8qLw2Xr7Tb5Vy9Hc4Jd';
    const text = `the heron key is ${secret} until Friday`;
    await tell(store, [{ text }]);
    const masked = await search(store, 'heron');
    const [shown] = masked.hits;
    assert.match(shown?.passage.text ?? '', /^the heron key is \[REDACTED:anthropic-key:[0-9a-f]{4}\] until Friday$/);
    assert.deepEqual(shown?.passage.marks, [[4, 9]]);
    assert.ok(!JSON.stringify(masked).includes(secret.slice(8)));
    const raw = await search(store, 'heron', { raw: true });
    assert.equal(raw.conversations[0]?.hits[0]?.passage.text, text);
  });

  test('Q1 says what is wrong with an option', async () => {
    await using store = await openStore({ path: ':memory:' });
    await assert.rejects(search(store, 'x', { limit: 0 }), {
      code: 'BAD_OPTION',
      message: /limit .* from 1 to 1000, got 0/,
    });
    await assert.rejects(search(store, 'x', { since: Number.NaN }), { code: 'BAD_OPTION' });
  });

  test('Q1 raises nothing for any text, also of 100,000 characters', async () => {
    await using store = await openStore({ path: ':memory:' });
    await tell(store, ['some words with NUL', '中文 and "quotes"', 'a*b AND (c)']);
    const operator = fc.constantFrom(
      'AND',
      'OR',
      'NOT',
      'NEAR(a b, 2)',
      '(',
      ')',
      '"',
      '*',
      '-',
      '\0',
      '\ud800',
      '^a',
      'terms:',
      '中文',
      'a*',
      "';--",
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.array(operator, { maxLength: 20 }).map((list) => list.join(' ')),
    );
    const property = fc.asyncProperty(texts, async (text) => Array.isArray((await search(store, text)).hits));
    await fc.assert(property, { numRuns: 1_500 });
    for (const unit of ['a ', '中', '"', '(a AND ', '-a ', 'x* ', '\0', 'ab.cd/', '🎉']) {
      assert.ok(Array.isArray((await search(store, unit.repeat(100_000 / unit.length))).hits), unit);
    }
    assert.deepEqual((await search(store, '')).hits, []);
  });

  test('Q1 gives the same answer whether or not a message was read before', async () => {
    await using store = await openStore({ path: ':memory:' });
    await tell(store, dense);
    const once = await search(store, '数据库 部署', { explain: true });
    assert.deepEqual(await search(store, '数据库 部署', { explain: true }), once);
    assert.ok(Object.values(once.hits[0]?.parts ?? {}).some((part) => part > 0));
  });
});
