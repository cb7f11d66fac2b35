/** A role in a search is who said it, and not the role that a format gave to the message. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { search } from '../../../packages/core/src/recall/search/search.ts';
import { openStore } from '../../../packages/core/src/store/open-store.ts';
import type { Store } from '../../../packages/core/src/store/store.ts';
import type { Message, Part, Role } from '../../../packages/core/src/transcript/message.ts';
import { readTranscripts } from '../../../packages/core/src/transcript/read.ts';
import { inFolder, runHere } from '../../support/command-line.ts';
import { newFolder, withDatabase } from '../../support/store-files.ts';

const text = (said: string): Part => ({ type: 'text', text: said });
const result = (callId: string, said: string): Part => ({
  type: 'toolResult',
  callId,
  content: [{ type: 'text', text: said }],
});
const user = (...parts: Part[]): Message => ({ role: 'user', parts });

async function keep(store: Store, messages: readonly Message[]): Promise<readonly string[]> {
  const session = await store.sessions.create({ source: 'library' });
  return (await store.messages.append(session.id, messages)).ids;
}

const found = async (store: Store, query: string, roles: readonly Role[]): Promise<readonly string[]> =>
  (await search(store, query, { roles, limit: 1_000 })).hits.map(({ messageId }) => messageId).sort();

/** 51 things a user said, among many times as many results, notes and summaries that speak of the same. */
function crowd(): { readonly messages: readonly Message[]; readonly users: ReadonlySet<number> } {
  const messages: Message[] = [];
  const users = new Set<number>();
  for (let i = 0; i < 51; i++) {
    for (let k = 0; k < 40; k++) messages.push(user(result(`c${i}-${k}`, `the kestrel kestrel of file ${i}.${k}`)));
    messages.push(user(text(`<system-reminder>mind kestrel ${i}</system-reminder>`)));
    messages.push({ role: 'assistant', parts: [text(`The kestrel ${i} flies.`)] });
    users.add(messages.length);
    // Every third time beside a result, and every fifth time beside a note.
    const beside =
      i % 3 === 0
        ? [result(`m${i}`, `another bird ${i}`)]
        : i % 5 === 0
          ? [text(`<system-reminder>note ${i}</system-reminder>`)]
          : [];
    messages.push(user(...beside, text(`Where is my kestrel number ${i}?`)));
  }
  return { messages, users };
}

describe('Q1 whom a search hears', () => {
  test('all 51 messages of a user are found among two thousand results and notes, and nothing else', async () => {
    await using store = await openStore({ path: ':memory:' });
    const { messages, users } = crowd();
    const ids = await keep(store, messages);
    const said = ids.filter((_, at) => users.has(at)).sort();
    assert.equal(said.length, 51);
    assert.deepEqual(await found(store, 'kestrel', ['user']), said);
    for (const { role } of (await search(store, 'kestrel', { roles: ['user'], limit: 60 })).hits)
      assert.equal(role, 'user');
  });

  test('all 51 of them from the command line, in a transcript of Anthropic', async () => {
    const turns = Array.from({ length: 51 }, (_, i) => [
      { role: 'assistant', content: [{ type: 'tool_use', id: `t${i}`, name: 'bash', input: { command: `ls ${i}` } }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: `t${i}`, content: `kestrel ${i} on disk` },
          ...(i % 2 === 0 ? [{ type: 'text', text: `Where is my kestrel number ${i}?` }] : []),
        ],
      },
      ...(i % 2 === 1
        ? [
            { role: 'assistant', content: 'Done.' },
            { role: 'user', content: `Where is my kestrel number ${i}?` },
          ]
        : []),
    ]).flat();
    const body = JSON.stringify({
      model: 'claude-sonnet-4-5',
      max_tokens: 1,
      messages: [{ role: 'user', content: 'Hello.' }, ...turns],
    });
    await inFolder({ 'chat.json': body }, async (cwd) => {
      const run = (...args: string[]): ReturnType<typeof runHere> => runHere([...args, '--store', 's.db'], { cwd });
      assert.equal((await run('import', 'chat.json', '--from', 'anthropic')).code, 0);
      const { stdout } = await run('search', 'kestrel', '--role', 'user', '--json');
      const { conversations } = JSON.parse(stdout);
      assert.equal(conversations.length, 1);
      const [{ messages, more }] = conversations;
      assert.equal(messages.length + more, 51);
      for (const { speaker, passage } of messages) {
        assert.equal(speaker, 'user');
        assert.match(passage.text, /^Where is my kestrel/);
      }
      const tools = JSON.parse((await run('search', 'kestrel', '--role', 'tool', '--json')).stdout).conversations[0];
      assert.equal(tools.messages.length + tools.more, 51);
      for (const { speaker, passage } of tools.messages)
        assert.deepEqual([speaker, /on disk/.test(passage.text)], ['tool', true]);
    });
  });

  const mixed = user(
    result('c1', 'the heron is grey'),
    text('I like the curlew'),
    text('<system-reminder>mind the bittern</system-reminder>'),
  );
  const cases: readonly (readonly [string, Role])[] = [
    ['heron', 'tool'],
    ['curlew', 'user'],
    ['bittern', 'system'],
  ];
  for (const [word, speaker] of cases) {
    test(`of a message in which several speak, ${word} is the ${speaker}’s alone`, async () => {
      await using store = await openStore({ path: ':memory:' });
      const [id] = await keep(store, [mixed, { role: 'assistant', parts: [text('Fine.')] }]);
      for (const role of ['user', 'tool', 'system', 'assistant'] as const) {
        assert.deepEqual(await found(store, word, [role]), role === speaker ? [id] : [], `${word} of the ${role}`);
      }
      const { hits } = await search(store, word);
      assert.deepEqual(
        hits.map(({ role }) => role),
        [speaker],
      );
    });
  }

  test('a phrase and a demand are looked for in the words of those alone who were asked for', async () => {
    await using store = await openStore({ path: ':memory:' });
    await keep(store, [mixed]);
    assert.deepEqual((await search(store, '"heron is grey"', { roles: ['user'] })).hits, []);
    assert.equal((await search(store, '"heron is grey"', { roles: ['tool'] })).hits.length, 1);
  });

  test('a picture is its sender’s, and results alone are no user’s', async () => {
    await using store = await openStore({ path: ':memory:' });
    const [picture] = await keep(store, [
      user(text('<system-reminder>a plover</system-reminder>'), {
        type: 'file',
        name: 'plover.txt',
        mediaType: 'text/plain',
        text: 'plover',
      }),
      user(result('c', 'plover')),
      user({ type: 'toolResult', callId: 'd', content: [] }, text('[Request interrupted by user]')),
    ]);
    assert.deepEqual(await found(store, 'plover', ['user']), [picture]);
    assert.deepEqual(await found(store, 'interrupted', ['user']), []);
  });

  test('what the format says of a message counts', async () => {
    await using store = await openStore({ path: ':memory:' });
    const [host, person] = await keep(store, [
      { ...user(text('a plain dunlin')), origin: 'host' },
      { ...user(text('<system-reminder>a dunlin</system-reminder>')), origin: 'person' },
    ]);
    assert.deepEqual(await found(store, 'dunlin', ['user']), [person]);
    assert.deepEqual(await found(store, 'dunlin', ['system']), [host]);
  });

  test('a store from before is brought to the same', async (t) => {
    const path = join(await newFolder(t), 'store.db');
    const { messages, users } = crowd();
    {
      await using store = await openStore({ path });
      await keep(store, messages);
    }
    withDatabase(path, (db) =>
      db.exec(`drop table taken_back; drop table pins; drop table episodes; drop table memory_changes; drop table memory_acts; drop table memory_entries;
        drop index sessions_by_request_title; alter table sessions drop column request_title;
        update messages set role = iif(role = 'assistant', role, 'user');
        delete from migrations where version > 6; pragma user_version = 6`),
    );
    await using store = await openStore({ path });
    assert.equal((await found(store, 'kestrel', ['user'])).length, users.size);
    assert.equal((await store.care.check()).ok, true);
  });

  test('the logs of tools are read so too', async () => {
    const line = (entry: object): string =>
      JSON.stringify({ sessionId: 's', timestamp: '2026-01-01T00:00:00Z', ...entry });
    const log = [
      line({
        type: 'user',
        uuid: 'a',
        parentUuid: null,
        message: { role: 'user', content: 'where is the sanderling?' },
      }),
      line({
        type: 'assistant',
        uuid: 'b',
        parentUuid: 'a',
        message: { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }] },
      }),
      line({
        type: 'user',
        uuid: 'c',
        parentUuid: 'b',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'a sanderling' }] },
      }),
      line({
        type: 'user',
        uuid: 'd',
        parentUuid: 'c',
        isMeta: true,
        message: { role: 'user', content: 'Caveat: The messages below were generated by a sanderling' },
      }),
    ].join('\n');
    const [transcript] = (await readTranscripts(log, { format: 'claude-code' })).transcripts;
    await using store = await openStore({ path: ':memory:' });
    const ids = await keep(
      store,
      (transcript?.messages ?? []).map(({ source: _, ...message }) => message),
    );
    assert.deepEqual(await found(store, 'sanderling', ['user']), [ids[0]]);
  });
});
