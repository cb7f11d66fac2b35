/** The week over the loop of the AI SDK: real files, real tests, real HTTP, and no screen. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openStore } from '@palimpsest/core/store';
import type { DialectName } from '@palimpsest/core/testing';
import {
  judgeMemory,
  judgeNewestWords,
  judgePrefixes,
  judgeResumed,
  judgeStore,
  judgeValidity,
  type WeekRecord,
} from './judge.ts';
import { week } from './person.ts';
import { playPlainly, storePath } from './plain-loop.ts';
import { judgeProject, makeProject, weekFolder } from './project.ts';
import { startWeekProvider, type WeekProvider } from './provider.ts';

const dialects: readonly DialectName[] = ['openai-chat', 'anthropic'];

for (const dialect of dialects) {
  describe(`a week of work over ${dialect}`, () => {
    test('forty requests, three compressions, a window a quarter the size: nothing is lost, and the work is done', async (t) => {
      const home = weekFolder(t);
      const project = join(home, 'kiln');
      makeProject(project);
      await using provider: WeekProvider = await startWeekProvider();
      const record: WeekRecord = await playPlainly(week, { provider, dialect, home, project });
      await t.test('invariant 2: every request is taken by its provider', () => judgeValidity(record));
      await t.test('invariant 3: the newest request stands in each of them word for word', () =>
        judgeNewestWords(record),
      );
      await t.test('M1: a corrected memory is in no later prompt', () => judgeMemory(record));
      await t.test('C3: a request begins with the bytes of the one before, but for a compression', () => {
        const { kept, changed } = judgePrefixes(record);
        t.diagnostic(`${kept} of ${kept + changed} requests begin as the one before`);
      });
      await t.test('no restart begins an empty conversation', () => judgeResumed(record));
      await t.test('invariant 1: everything that was said is in one conversation, and comes back whole', async () => {
        await using store = await openStore({ path: storePath(home) });
        await judgeStore(store, record);
      });
      await t.test('the files are as the person wanted them, and their tests pass', () => judgeProject(project));
      await t.test('what the model did not see any more it looked up', () =>
        assert.ok(record.provider.report.lookups.length > 0),
      );
    });
  });
}
