/** A conversation without a title is found by how its first request begins, however many there are. */
import assert from 'node:assert/strict';
import { StatementSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { sessionSearchTool } from '@palimpsest/core/search';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import type { Store } from '../../packages/core/src/store/store.ts';
import type { Message } from '../../packages/core/src/transcript/message.ts';
import { findSession } from '../../packages/palimpsest/src/cli/open-store.ts';
import { assistant, user } from '../support/conversations.ts';
import { filledFile, withDatabase } from '../support/store-files.ts';

const crowd = 5_000;

const openMemory = (): Promise<Store> => openStore({ path: ':memory:', clock: { now: () => 1_000 } });

async function keep(store: Store, messages: readonly Message[], title?: string): Promise<string> {
  const draft = { source: 'cli', ...(title === undefined ? {} : { title }) };
  return (await store.sessions.begin(draft, messages)).session.id;
}

/** The statements that run while `work` does, and the rows that they give. */
async function countedWork(
  t: TestContext,
  work: () => Promise<unknown>,
): Promise<{ statements: number; rows: number }> {
  const counts = { statements: 0, rows: 0 };
  const { get, all, iterate } = StatementSync.prototype;
  const mocks = [
    t.mock.method(StatementSync.prototype, 'get', function (this: StatementSync, ...values: unknown[]) {
      counts.statements++;
      counts.rows++;
      return Reflect.apply(get, this, values);
    }),
    t.mock.method(StatementSync.prototype, 'all', function (this: StatementSync, ...values: unknown[]) {
      const rows = Reflect.apply(all, this, values);
      counts.statements++;
      counts.rows += rows.length;
      return rows;
    }),
    t.mock.method(StatementSync.prototype, 'iterate', function* (this: StatementSync, ...values: unknown[]) {
      counts.statements++;
      for (const row of Reflect.apply(iterate, this, values)) {
        counts.rows++;
        yield row;
      }
    }),
  ];
  await work();
  for (const { mock } of mocks) mock.restore();
  return counts;
}

test('one of 5,000 is found by its first request with some dozens of statements and rows', async (t) => {
  await using store = await openMemory();
  for (let i = 0; i < crowd; i++)
    await keep(store, [user(`Please look at oven ${i} of the bakery`), assistant('I do.')]);
  const wanted = [
    'please LOOK at oven 4321 of the bakery',
    'Please look at oven 4321 of…',
    'Please look at oven 432…',
    'Nobody asked this',
  ];
  for (const text of wanted) {
    const { statements, rows } = await countedWork(t, () => store.sessions.find(text));
    assert.ok(statements < 100 && rows < 100, `${text}: ${statements} statements, ${rows} rows`);
  }
  const tool = sessionSearchTool({ store });
  const { statements } = await countedWork(t, () => tool.run({ session_id: wanted[0] }));
  assert.ok(statements < 100, `session_search: ${statements} statements`);
  const [found] = await store.sessions.find(wanted[0] ?? '');
  assert.equal((await findSession(store, wanted[0] ?? '')).id, found?.id);
});

test('one that was named is not found by its request any more, and is again without the name', async () => {
  await using store = await openMemory();
  const id = await keep(store, [user('Is the kettle on?')]);
  const found = async (text: string): Promise<readonly string[]> =>
    (await store.sessions.find(text)).map((one) => one.id);
  assert.deepEqual(await found('is the kettle on?'), [id]);
  await store.sessions.title(id, 'Kettles');
  assert.deepEqual([await found('Is the kettle on?'), await found('KETT…')], [[], [id]]);
  await store.sessions.title(id, undefined);
  assert.deepEqual([await found('Is the kettle on?'), await found('Kettles')], [[id], []]);
});

test('the first request counts, which may come after a system prompt and with a later append, and no later one', async () => {
  await using store = await openMemory();
  const id = await keep(store, [{ role: 'system', parts: [{ type: 'text', text: 'You bake.' }] }]);
  await store.messages.append(id, [user('First'), assistant('Yes')]);
  await store.messages.append(id, [user('Second')]);
  const found = async (text: string): Promise<readonly string[]> =>
    (await store.sessions.find(text)).map((one) => one.id);
  assert.deepEqual([await found('first'), await found('second')], [[id], []]);
});

test('names in any case of any script, with their credentials masked, are found', async () => {
  await using store = await openMemory();
  const key = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`;
  const names = ['ÜBER die Öfen', 'Печь номер пять', '请查明烤箱', `Öfen mit ${key} heizen`, `${key} tells`];
  const ids = [];
  for (const [i, name] of names.entries()) ids.push(await keep(store, [user(name)], i % 2 === 0 ? undefined : name));
  const tool = sessionSearchTool({ store });
  const answer = JSON.parse(await tool.run({ limit: 5 })) as { results: { session_id: string; title: string }[] };
  assert.equal(answer.results.length, names.length);
  for (const { session_id: id, title } of answer.results) {
    assert.ok(!title.includes(key));
    for (const text of [title, title.toLowerCase(), title.toUpperCase(), `${title.slice(0, 5)}…`]) {
      const first = text.startsWith('[REDA') && text.endsWith('…') ? title : text;
      assert.deepEqual(
        (await store.sessions.find(first)).map((one) => one.id),
        [id],
        first,
      );
    }
  }
});

test('the conversations of an older store are found by their requests too', async (t) => {
  const path = await filledFile(t);
  withDatabase(path, (db) => {
    db.exec(
      `drop table taken_back; drop table pins; drop table episodes; drop table memory_changes; drop table memory_acts; drop table memory_entries;
      drop index sessions_by_request_title; alter table sessions drop column request_title; pragma user_version = 7`,
    );
    db.exec('delete from migrations where version >= 8');
  });
  await using store = await openStore({ path });
  const [listed] = await store.sessions.list();
  assert.ok(listed);
  const [first] = await store.messages.view(listed.root.id, { from: 0, to: 1 });
  const [part] = first?.message.parts ?? [];
  assert.ok(part?.type === 'text');
  assert.ok((await store.sessions.find(`${part.text.slice(0, 12)}…`)).some((one) => one.id === listed.tip.id));
  assert.equal((await store.care.check()).ok, true);
});
