/** What can still be read of a store that was cut short or lost pages is rescued into a copy; the rest is told. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { before, describe, type TestContext, test } from 'node:test';
import { openStore, rescueStore } from '../../packages/core/src/store/open-store.ts';
import type { RescueReport, Store } from '../../packages/core/src/store/store.ts';
import { compressed, said, sessionOf } from '../support/store-contract/store-bench.ts';
import { newFolder, withDatabase } from '../support/store-files.ts';

/** Everything in a store that a person would miss, by its id. */
interface Content {
  readonly messages: ReadonlyMap<string, string>;
  /** Ids of the messages that a session shows. */
  readonly views: ReadonlyMap<string, readonly string[]>;
  readonly outputs: ReadonlyMap<string, string>;
  readonly calls: number;
  /** Entries of the memory by id, and the ids of its acts. */
  readonly memories: ReadonlyMap<string, string>;
  readonly acts: readonly string[];
}

async function contentOf(store: Store): Promise<Content> {
  const sessions = await store.sessions.list({ limit: 1_000, sides: true });
  const chains = (await Promise.all(sessions.map(({ tip }) => store.sessions.chain(tip.id)))).flat();
  const messages = new Map<string, string>();
  const views = new Map<string, readonly string[]>();
  for (const { id } of chains) {
    const view = await store.messages.view(id);
    for (const one of view) messages.set(one.id, JSON.stringify(one.message));
    views.set(
      id,
      view.map((one) => one.id),
    );
  }
  const outputs = await Promise.all(
    (await store.outputs.list()).map(async ({ id }) => [id, (await store.outputs.read(id)).text] as const),
  );
  const { calls } = await store.usage.totals({});
  const entries = await store.memory.list({ status: ['live', 'pending', 'retired', 'rejected'] });
  const memories = new Map(entries.map((entry) => [entry.id, JSON.stringify(entry)]));
  const acts = (await store.memory.history()).map(({ id }) => id);
  return { messages, views, outputs: new Map(outputs), calls, memories, acts };
}

/** A page of the file, as SQLite counts it. */
interface PageUse {
  readonly name: string;
  readonly type: string;
  readonly cells: number;
}

let bytes: Buffer;
let whole: Content;
let pages: ReadonlyMap<number, PageUse>;
const size = 4_096;

before(async () => {
  const path = join(process.env.TMPDIR ?? '/tmp', `palimpsest-rescue-${process.pid}.db`);
  await using store = await openStore({ path });
  // Some of them take several pages each, packed or not.
  const long = (i: number): string => Array.from({ length: 900 }, (_, at) => `${i}:${at * 7_919 + i * 31}`).join(' ');
  const texts = Array.from({ length: 240 }, (_, i) =>
    i % 20 === 7 ? long(i) : `message ${i} about src/parser-${i}.ts`,
  );
  const session = await sessionOf(store, texts, { title: 'Parser' });
  await compressed(store, session, '<handoff>');
  for (let i = 0; i < 30; i++) await sessionOf(store, [`short ${i}`, `answer ${i}`]);
  await store.outputs.save(Array.from({ length: 4_000 }, (_, i) => `line ${i * 31}`).join('\n'));
  await store.outputs.save('line 1\nline 2\n');
  for (let i = 0; i < 20; i++) {
    const usage = { inputTokens: 10, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
    await store.usage.add({ sessionId: session.id, model: 'some/model', task: 'turn', at: i + 1, ...usage });
  }
  for (let i = 0; i < 60; i++) {
    const draft = { target: 'memory', kind: 'fact', source: 'model', messages: [], replaces: [], statedAt: i } as const;
    const text = `The worker ${i} listens on port ${8_000 + i}; it was told so ${'again and '.repeat(i % 12)}again.`;
    await store.memory.act({
      actor: 'model',
      what: 'add',
      reason: '',
      changes: [{ type: 'add', draft: { ...draft, text } }],
    });
  }
  await store.memory.forget('e7');
  whole = await contentOf(store);
  await store.close();
  bytes = readFileSync(path);
  pages = withDatabase(path, (db) => {
    const rows = db.prepare('select pageno, name, pagetype, ncell from dbstat').all();
    return new Map(
      rows.map((row) => [
        Number(row.pageno),
        { name: String(row.name), type: String(row.pagetype), cells: Number(row.ncell) },
      ]),
    );
  });
  rmSync(path);
});

/** Rescues what is given as the content of a store, and holds the copy against the whole one. */
async function rescued(t: TestContext, damaged: Buffer, log?: Buffer): Promise<{ report: RescueReport; now: Content }> {
  const folder = await newFolder(t);
  const from = join(folder, 'store.db');
  const to = join(folder, 'copy.db');
  writeFileSync(from, damaged);
  if (log) writeFileSync(`${from}-wal`, log);
  const report = await rescueStore(from, to);
  assert.ok(readFileSync(from).equals(damaged), 'the damaged store was changed');
  await using store = await openStore({ path: to });
  const { findings } = await store.care.check();
  assert.deepEqual(
    findings.filter(({ ok }) => !ok),
    [],
  );
  const now = await contentOf(store);
  assert.deepEqual(
    [report.path, report.messages, report.outputs],
    [to, await store.messages.count(), now.outputs.size],
  );
  for (const [id, message] of now.messages) assert.equal(message, whole.messages.get(id));
  for (const [id, view] of now.views) {
    const known = whole.views.get(id);
    // What a session showed whose facts are gone is found under a name that tells so.
    if (known)
      assert.deepEqual(
        view,
        known.filter((one) => view.includes(one)),
      );
    else assert.match(id, /^rescued-\d+$/);
  }
  for (const [id, output] of now.outputs) assert.equal(output, whole.outputs.get(id));
  for (const { id } of report.lost.messages)
    assert.ok(id === undefined || (whole.messages.has(id) && !now.messages.has(id)));
  return { report, now };
}

/** The pages up to a number, and those of one table. */
const cellsOn = (name: string, isLeft: (page: number) => boolean): number =>
  [...pages].reduce(
    (sum, [page, use]) => sum + (use.name === name && use.type === 'leaf' && isLeft(page) ? use.cells : 0),
    0,
  );

describe('L1 a rescue', () => {
  test('of a whole store takes everything', async (t) => {
    const { report, now } = await rescued(t, bytes);
    assert.deepEqual(now, whole);
    assert.deepEqual(report.lost, {
      pages: 0,
      rows: 0,
      messages: [],
      sessions: [],
      outputs: [],
      calls: 0,
      places: 0,
      memories: 0,
      memoryActs: 0,
    });
  });

  test('of a store with a page of zeros, of any table or index, loses only what was on that page, and names it', async (t) => {
    const long = [...whole.messages.values()].filter((message) => message.length > 3_000).length;
    const seen = new Map<string, number>();
    for (const [page, { name, type, cells }] of pages) {
      const times = (seen.get(`${name} ${type}`) ?? 0) + 1;
      seen.set(`${name} ${type}`, times);
      // One or two of each kind: a rescue takes some tenths of a second.
      if (times > (['messages', 'entries', 'sessions'].includes(name) ? 2 : 1)) continue;
      const damaged = Buffer.from(bytes);
      damaged.fill(0, (page - 1) * size, page * size);
      const { report, now } = await rescued(t, damaged);
      const about = `page ${page}: ${name}, ${type}`;
      const lost = whole.messages.size - now.messages.size;
      assert.equal(report.lost.messages.length, lost, about);
      assert.ok(
        report.lost.messages.every(({ id, sessionId }) => id !== undefined && sessionId !== undefined),
        about,
      );
      if (name !== 'messages') assert.equal(lost, 0, about);
      else if (type === 'leaf') assert.ok(lost >= cells && lost <= cells + long, `${about}: ${lost} of ${cells}`);
      else assert.ok(lost <= (type === 'overflow' ? 1 : 0), about);
      if (!['entries', 'messages'].includes(name)) {
        const shown = [...now.views.values()].flat().length;
        assert.equal(shown, [...whole.views.values()].flat().length, about);
      }
      if (name === 'sessions') assert.equal(report.lost.sessions.length, type === 'leaf' ? cells : 0, about);
      if (!name.startsWith('usage')) assert.equal(now.calls, whole.calls, about);
      // The rows of entries and their history stand for each other.
      if (name === 'memory_entries' || !name.startsWith('memory'))
        assert.deepEqual(now.memories, whole.memories, about);
      if (name === 'memory_changes') assert.deepEqual(now.memories, whole.memories, about);
      if (!/memory/.test(name)) assert.deepEqual(now.acts, whole.acts, about);
      if (!/output/.test(name)) assert.equal(now.outputs.size, whole.outputs.size, about);
    }
  });

  test('of a store that was cut, at any place, takes all that lies before the cut', async (t) => {
    const count = bytes.length / size;
    const overflowing = [...pages.values()].filter(
      ({ name, type }) => name === 'messages' && type === 'overflow',
    ).length;
    for (let cut = bytes.length - 1; cut > 8 * size; cut -= Math.ceil(count / 24) * size - 997) {
      const left = Math.floor(cut / size);
      const least = cellsOn('messages', (page) => page <= left) - overflowing;
      if (least <= 0) break;
      const { report, now } = await rescued(t, bytes.subarray(0, cut));
      assert.ok(
        now.messages.size >= least,
        `${cut} of ${bytes.length} bytes: ${now.messages.size} of at least ${least}`,
      );
      const gone = [...pages.keys()].filter((page) => page > left).length;
      assert.ok(report.lost.pages >= gone, `${report.lost.pages} pages of ${gone}`);
    }
  });

  test('of a store without its first pages finds tables by what their rows look like', async (t) => {
    for (const gone of [1, 2, 3, 5]) {
      const damaged = Buffer.from(bytes);
      damaged.fill(0, 0, gone * size);
      const { now } = await rescued(t, damaged);
      assert.equal(now.messages.size, whole.messages.size, `${gone} pages`);
    }
  });

  test('of pages with rubbish on them reads the others', async (t) => {
    const damaged = Buffer.from(bytes);
    const [page] = [...pages].find(([, { name, type }]) => name === 'messages' && type === 'leaf') ?? [0];
    for (let at = 0; at < size; at++) damaged[(page - 1) * size + at] = (at * 7 + 13) & 0xff;
    const { report, now } = await rescued(t, damaged);
    assert.equal(now.messages.size, whole.messages.size - report.lost.messages.length);
    assert.ok(now.messages.size > whole.messages.size / 2);
  });

  test('brings what a crash left in the log', async (t) => {
    const folder = await newFolder(t);
    const path = join(folder, 'store.db');
    writeFileSync(path, bytes, { mode: 0o600 });
    await using store = await openStore({ path });
    const session = await store.sessions.create({ source: 'cli' });
    const appended = await store.messages.append(session.id, [said('the newest words of all')]);
    const log = readFileSync(`${path}-wal`);
    const copy = join(folder, 'copy.db');
    const cut = join(folder, 'cut.db');
    writeFileSync(cut, bytes.subarray(0, bytes.length - 3 * size));
    writeFileSync(`${cut}-wal`, log);
    await rescueStore(cut, copy);
    await using now = await openStore({ path: copy });
    assert.deepEqual(
      (await now.messages.view(session.id)).map(({ id }) => id),
      appended.ids,
    );
  });

  test('brings back nothing that was deleted', async (t) => {
    const folder = await newFolder(t);
    const path = join(folder, 'store.db');
    writeFileSync(path, bytes, { mode: 0o600 });
    {
      await using store = await openStore({ path });
      const [first, ...rest] = await store.sessions.list({ limit: 1_000 });
      assert.ok(first);
      for (const { tip } of rest) await store.sessions.delete(tip.id);
      whole = { ...whole, ...(await contentOf(store)) };
    }
    const { now } = await rescued(t, readFileSync(path));
    assert.equal(now.messages.size, whole.messages.size);
  });

  test('of a store of an older version brings it up to date', async (t) => {
    const path = join(await newFolder(t), 'store.db');
    writeFileSync(path, bytes, { mode: 0o600 });
    withDatabase(path, (db: DatabaseSync) =>
      db.exec(
        `drop index sessions_by_request_title; alter table sessions drop column request_title; drop index entries_by_time; drop index messages_by_role; drop table vectors; drop table vector_models;
        alter table leases drop column given_at;
        drop table taken_back; drop table pins; drop table episodes; drop table memory_changes; drop table memory_acts; drop table memory_entries;
        delete from migrations where version > 3; pragma user_version = 3`,
      ),
    );
    const copy = `${path}.copy`;
    const report = await rescueStore(path, copy);
    assert.equal(report.lost.messages.length, 0);
    await using store = await openStore({ path: copy });
    assert.equal((await store.care.check()).ok, true);
  });

  test('takes no file for a store that is none, and no other file’s place', async (t) => {
    const folder = await newFolder(t);
    const from = join(folder, 'letter.txt');
    const copy = join(folder, 'copy.db');
    for (const content of ['', 'Dear baker', 'x'.repeat(20_000), '\0'.repeat(20_000)]) {
      writeFileSync(from, content);
      await assert.rejects(rescueStore(from, copy), {
        code: 'STORE_DAMAGED',
        message: /No part of a store can be read/,
      });
      assert.equal(existsSync(copy), false);
    }
    writeFileSync(copy, 'a letter');
    writeFileSync(from, bytes);
    await assert.rejects(rescueStore(from, copy), { code: 'BAD_OPTION' });
    await assert.rejects(rescueStore(from, from), { code: 'BAD_OPTION' });
    await assert.rejects(rescueStore(join(folder, 'none.db'), join(folder, 'b.db')), { code: 'STORE_DAMAGED' });
    assert.equal(readFileSync(copy, 'utf8'), 'a letter');
  });
});
