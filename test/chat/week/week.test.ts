/** A week in the life of `palimpsest chat`, in a real terminal: what a person types, what they see, and what is kept of it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openStore } from '@palimpsest/core/store';
import { runHere } from '../../support/command-line.ts';
import { noTmux } from '../../support/tmux.ts';
import {
  judgeMemory,
  judgeNewestWords,
  judgePin,
  judgePrefixes,
  judgeResumed,
  judgeStore,
  judgeValidity,
} from './judge.ts';
import { week } from './person.ts';
import { judgeProject, makeProject, weekFolder } from './project.ts';
import { startWeekProvider } from './provider.ts';
import { playInTerminal, storeOfWeek } from './terminal-week.ts';

const hasChat = /^Usage: palimpsest chat\b/m.test((await runHere(['chat', '--help'])).stdout);
const skip = noTmux ?? (hasChat ? false : 'there is no command palimpsest chat yet');

for (const [columns, rows] of [
  [80, 24],
  [120, 40],
] as const) {
  describe(`a week of work at ${columns} columns`, { skip }, () => {
    test('forty requests, three compressions, two restarts and a kill: all of it is one conversation, and the work is done', async (t) => {
      const home = weekFolder(t);
      const project = join(home, 'kiln');
      makeProject(project);
      await using provider = await startWeekProvider();
      const record = await playInTerminal(week, { provider, home, project, columns, rows });
      await t.test('invariant 2: every request is taken by its provider', () => judgeValidity(record));
      await t.test('invariant 3: the newest request stands in each of them word for word', () =>
        judgeNewestWords(record),
      );
      await t.test('A7 the pinned message stands in every later request', () => judgePin(record, 'rule'));
      await t.test('M1: a corrected memory is in no later prompt', () => judgeMemory(record));
      await t.test('C3: a request begins with the bytes of the one before, but for a compression', () => {
        const { kept, changed } = judgePrefixes(record);
        t.diagnostic(`${kept} of ${kept + changed} requests begin as the one before`);
      });
      await t.test('neither a restart nor a kill begins an empty conversation', () => judgeResumed(record));
      await t.test('invariant 1: everything that was said is in one conversation, and comes back whole', async () => {
        await using store = await openStore({ path: storeOfWeek(home) });
        const { title } = await judgeStore(store, record);
        assert.match(title ?? '', /^Kiln week\b/);
      });
      await t.test('the files are as the person wanted them, and their tests pass', () => judgeProject(project));
    });
  });
}
