/** What conversations are called: by what a person asked, and not by what a client wrote around it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readBody } from '@palimpsest/core/wire';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import { firstRequestTitle } from '../../packages/core/src/store/title.ts';
import type { Message } from '../../packages/core/src/transcript/message.ts';
import { requestOpening } from '../../packages/core/src/transcript/origin.ts';
import { clientOpenings, openingRequest } from '../support/client-openings.ts';
import { assistant, user } from '../support/conversations.ts';
import { filledFile, withDatabase } from '../support/store-files.ts';

const openings = clientOpenings.map(({ client, dialect, value }): readonly [string, readonly Message[]] => [
  client,
  readBody(dialect, Buffer.from(JSON.stringify(value))).messages,
]);

describe('L4: what a conversation is called', () => {
  for (const [client, messages] of openings) {
    test(`L4 by what its person asked, in the first request of ${client}`, async () => {
      await using store = await openStore({ path: ':memory:' });
      const { session } = await store.sessions.begin({ source: 'gateway' }, messages);
      const [listed] = await store.sessions.list();
      assert.equal(listed?.preview, openingRequest);
      assert.equal(firstRequestTitle(messages), openingRequest);
      const found = await store.sessions.find(openingRequest.toLowerCase());
      assert.deepEqual(
        found.map(({ id }) => id),
        [session.id],
      );
    });
  }

  const said: readonly (readonly [string, string])[] = [
    ['Is <T> a type, or <system-reminder>?', 'Is <T> a type, or '],
    ['<context>The ledgers lie in data/.</context><task>Move them.</task>', ''],
    ['<command-message>review</command-message>\n<command-name>/review</command-name>\nLook at all of it.', '/review '],
    [
      '<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>the importer</command-args>\nLook at all of it.',
      '/review the importer',
    ],
    [`Why? <system-reminder>${'long '.repeat(2_000)}</system-reminder>`, 'Why? '],
  ];
  for (const [text, opening] of said) {
    test(`L4 ${JSON.stringify(text.slice(0, 60))} is called ${JSON.stringify(opening || 'as it is')}`, () =>
      assert.equal(requestOpening(user(text)), opening || text));
  }

  test('L4 a store from before that is called anew when it is opened', async (t) => {
    const path = await filledFile(t);
    const asked = user('<system-reminder>\n# Environment\n</system-reminder>\nMove the ledgers.');
    const later = Array.from({ length: 150 }, (_, at) => assistant(`Ledger ${at} is moved.`));
    const store = await openStore({ path });
    const { session } = await store.sessions.begin({ source: 'gateway' }, [asked, ...later]);
    await store.close();
    withDatabase(path, (db) => {
      db.exec("update sessions set preview = '<system-reminder> # Env…' where source = 'gateway'");
      db.exec("update sessions set request_title = '<system-reminder> # env…' where source = 'gateway'");
      db.exec('delete from migrations where version > 13; pragma user_version = 13');
    });
    await using renamed = await openStore({ path });
    const listed = await renamed.sessions.list({ source: 'gateway' });
    assert.deepEqual(
      listed.map(({ preview }) => preview),
      ['Move the ledgers.'],
    );
    const found = await renamed.sessions.find('Move the ledgers.');
    assert.deepEqual(
      found.map(({ id }) => id),
      [session.id],
    );
  });
});
