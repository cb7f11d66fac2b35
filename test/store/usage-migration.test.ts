/** Usage that was counted before calls had kinds. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import { applicationId } from '../../packages/core/src/store/sqlite/file.ts';
import { searchSchema } from '../../packages/core/src/store/sqlite/index/search-tables.ts';
import { record } from '../../packages/core/src/store/sqlite/migrations/schema.ts';

const counted = `
insert into sessions (seq, id, root, relation, source, project, started_at, last_active_at, input_tokens, calls, cost_usd)
values (1, '0193a2b4-c5d6-7000-8000-000000000001', 1, 'root', 'cli', '/home/ada', 5, 9, 30, 3, 1.5);
insert into usage (session, source, model, task, at,
  input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, cost_usd)
values (1, 'cli', 'openai/gpt', 'turn', 5, 10, 1, 0, 0, 0, 1.5), (1, 'cli', 'openai/gpt', 'summary', 9, 20, 2, 0, 0, 0, null),
  (null, 'gateway', 'openai/gpt', 'turn', 7, 40, 4, 3, 2, 1, 0.5);`;

test('U2 a store of the schema before keeps every call that it counted', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'usage-migration-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'old.db');
  const old = new DatabaseSync(path);
  old.exec(`pragma application_id = ${applicationId}; ${record}; ${searchSchema}; ${counted}; pragma user_version = 2`);
  old.exec('create table migrations (version integer primary key, name text not null, applied_at integer not null)');
  old.close();
  await using store = await openStore({ path });
  const { costUsd, calls, unpriced, inputTokens } = await store.usage.totals();
  assert.deepEqual([costUsd, calls, unpriced, inputTokens], [2, 3, 1, 70]);
  const spans = await store.usage.spans([0, 10]);
  assert.deepEqual(
    spans.map(({ source, project, task, calls: made }) => [source, project, task, made]).sort(),
    [
      ['cli', '/home/ada', 'summary', 1],
      ['cli', '/home/ada', 'turn', 1],
      ['gateway', undefined, 'turn', 1],
    ].sort(),
  );
  const [session] = await store.sessions.list();
  assert.equal(session?.tip.usage.partial, 0);
});
