/** What a person sees of a search and of a message among its neighbours. */
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startFakeProvider } from '@palimpsest/core/testing';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import { keep, noon } from '../recall/session-search/stored.ts';
import { inFolder, runHere } from '../support/command-line.ts';
import { calls, result, user } from '../support/conversations.ts';
import { assertGolden } from '../support/golden.ts';

const long = 'Everything else was as it should be. '.repeat(8);

/** A store of two conversations; `run` gives what a terminal shows, with a name for every id and time of its own. */
async function shown(
  use: (run: (words: readonly string[]) => Promise<string>, url: string) => Promise<void>,
): Promise<void> {
  await using fake = await startFakeProvider({ script: { text: 'Port 8841 was taken by the old heron service.' } });
  await inFolder({}, async (cwd) => {
    await using store = await openStore({ path: join(cwd, 'kept.db') });
    const answer = `Port 8841 was taken by the old service. ${long}I stopped it, then the deploy went through.`;
    await keep(store, ['Why does it fail?', answer, 'Thanks', 'You are welcome.'], {
      title: 'Heron deploy',
      source: 'codex',
      project: '/code/lake',
      startedAt: noon - 90 * 86_400_000,
    });
    await keep(store, [
      user('do it again'),
      calls({ c1: 'bash' }, { command: './run' }),
      result('c1', '1 port opened'),
    ]);
    await use(async (words) => {
      const all = [...words, '--store', 'kept.db'];
      const { stdout } = await runHere(all, { cwd, isTerminal: true, columns: 80, env: { PALIMPSEST_API_KEY: 'k' } });
      return stdout
        .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/g, '<id of a session>')
        .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, '<date, time>');
    }, fake.baseUrl('openai-chat'));
  });
}

describe('on a terminal', () => {
  test('Q1 a search shows conversations, their summaries, and passages with the matches', () =>
    shown(async (run, url) => {
      const plain = await run(['search', 'deploy', 'port']);
      const summed = await run([
        'search',
        'deploy',
        'port',
        '--limit',
        '1',
        '--summarizer',
        'mill-1',
        '--base-url',
        url,
      ]);
      assertGolden('cli/golden/search.txt', `${plain}\n---\n\n${summed}`);
    }));
  test('Q2 a message stands among its neighbours', () =>
    shown(async (run) => {
      const found = await run(['search', '"went through"']);
      const id = /[0-9a-f]{16}/.exec(found)?.[0] ?? '';
      assertGolden('cli/golden/read.txt', await run(['read', id, '--around', '1']));
    }));
});
