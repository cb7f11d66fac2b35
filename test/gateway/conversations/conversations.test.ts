/** What the gateway does with conversations beside keeping them short: recovery, names, summaries of clients, calls beside. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { openStore } from '@palimpsest/core/store';
import { startFakeProvider } from '@palimpsest/core/testing';
import { openConversations } from '../../../packages/palimpsest/src/gateway/conversations/open-conversations.ts';
import { hashOfKey, makeKey } from '../../../packages/palimpsest/src/gateway/keys.ts';
import { gatewayBefore } from '../support/gateway.ts';
import { answerOf, wireUpstream } from '../support/wire.ts';
import { agentOf, askAgain } from './agents.ts';
import { fileOf, keptGateway, readsFiles } from './support.ts';

const task = 'Please read every file in data/.';
const version = { 'anthropic-version': '2023-06-01' };
const claude = { 'X-Claude-Code-Session-Id': '6b0a2c1e-7f40-4c1f-9a56-0b5d6a3c9f11' };

describe('O2: what the upstream says of the length of a request', () => {
  test('a window that nobody knew is learned from its refusal, and the client sees an answer', async () => {
    await using kept = await keptGateway({ contextLength: 12_000, script: readsFiles(30) });
    const agent = agentOf('anthropic', kept.url, task);
    for (let step = 1; step <= 31; step++) assert.equal((await agent.step(fileOf(step))).status, 200);
    const refused = kept.provider.requests.filter(({ status }) => status === 400);
    assert.ok(refused.length >= 1 && refused.length <= 3, `${refused.length} refusals`);
  });

  test('a request that nothing makes short enough gets the words that its client looks for', async () => {
    await using kept = await keptGateway({}, { contextLength: 2_000 });
    const agent = agentOf('anthropic', kept.url, `Please read this. ${fileOf(1).repeat(8)}`);
    const { status, answer, headers } = await agent.step('');
    assert.equal(status, 400);
    assert.match(answer, /prompt is too long: \d+ tokens > 2000 maximum/);
    assert.equal(headers.get('x-palimpsest-error'), 'context-overflow');
    assert.equal(kept.provider.requests.length, 0);
  });

  test('what we changed and the upstream calls malformed goes again as it came, and a line tells of it', async () => {
    let refused = 0;
    await using kept = await keptGateway(
      {
        script: (request) => {
          const isChanged = request.number > 4 && !JSON.stringify(request.body).includes('row 3 of part-1.csv');
          if (!isChanged || refused > 0) return readsFilesOnce(request.number);
          refused++;
          return { error: { status: 400, message: 'messages: unexpected value' } };
        },
      },
      { contextLength: 12_000 },
    );
    const agent = agentOf('anthropic', kept.url, task);
    let last = 0;
    for (let step = 1; step <= 16; step++) last = (await agent.step(fileOf(step))).status;
    assert.equal(last, 200);
    assert.equal(refused, 1);
    assert.match(
      kept.notes.join('\n'),
      /refused a shortened request \(400, format_error\); it was sent again as it came/,
    );
  });

  test('refusals that are no matter of length reach the client as they came', async () => {
    await using kept = await keptGateway({
      script: { error: { status: 429, message: 'slow down', headers: { 'retry-after': '7' } } },
    });
    const { status, headers, answer } = await agentOf('openai-chat', kept.url, task).step('');
    assert.equal(status, 429);
    assert.equal(headers.get('retry-after'), '7');
    assert.match(answer, /slow down/);
    assert.equal(kept.provider.requests.length, 1);
  });
});

const readsFilesOnce = (number: number) => ({
  text: `Now part ${number}.`,
  toolCalls: [{ name: 'read_file', input: { path: `data/part-${number}.csv` } }],
});

describe('H3: clients that summarise by themselves', () => {
  test('their request passes untouched, and the conversation goes on below the one that it was', async () => {
    await using kept = await keptGateway({ script: { text: 'Done so far: part 1.' } });
    const agent = agentOf('anthropic', kept.url, task);
    await agent.step('', { headers: claude });
    askAgain(agent, 'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\nWrite a summary.');
    const summary = await agent.step('', { headers: claude });
    assert.equal(summary.headers.get('x-palimpsest-action'), 'passed');
    assert.equal(summary.headers.get('x-palimpsest-reason'), 'own-summary');
    const next = agentOf(
      'anthropic',
      kept.url,
      'This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion.\n\nDone so far: part 1.',
    );
    const { headers } = await next.step('', { headers: claude });
    const session = await kept.store.sessions.get(headers.get('x-palimpsest-session') ?? '');
    assert.ok(session?.parentId, 'the conversation of the summary stands alone');
    assert.ok(kept.bodies.every(({ came, sent }) => came.equals(sent)));
    const messages = (await kept.store.sessions.list()).length;
    assert.ok(messages >= 1);
  });

  test('their request passes as long as the window may hold what it is made of', async () => {
    await using kept = await keptGateway({ script: { text: 'Read.' } }, { contextLength: 200_000 });
    for (const [files, action] of [
      [280, 'passed'],
      [700, 'compressed'],
    ] as const) {
      const agent = agentOf('anthropic', kept.url, `Please read these, by ${files}.`);
      for (let at = 0; at < files; at++) {
        agent.list.push({ role: 'assistant', content: `Now ${at}.` });
        askAgain(agent, fileOf(at));
      }
      askAgain(agent, 'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.');
      const { headers } = await agent.step('');
      assert.equal(
        headers.get('x-palimpsest-action'),
        action,
        `${files} files, ${kept.bodies.at(-1)?.came.length} bytes`,
      );
    }
  });

  test('the name that one user gives a conversation is not the name of another user', async () => {
    const keys = [makeKey(), makeKey()];
    await using provider = await startFakeProvider({ script: { text: 'Read.' } });
    await using store = await openStore({ path: ':memory:' });
    const middle = openConversations({ store });
    const hashes = { one: hashOfKey(keys[0] ?? ''), other: hashOfKey(keys[1] ?? '') };
    await using gateway = await gatewayBefore(provider.url, { keys: hashes }, { middle });
    const parents: (string | undefined)[] = [];
    for (const [at, key] of [keys[0], keys[1], keys[0]].entries()) {
      const agent = agentOf('anthropic', gateway.url, `Request ${at} of somebody.`);
      const { headers } = await agent.step('', { headers: { ...claude, 'x-palimpsest-key': key ?? '' } });
      parents.push((await store.sessions.get(headers.get('x-palimpsest-session') ?? ''))?.parentId);
    }
    await middle.stop();
    assert.deepEqual(parents.map(Boolean), [false, false, true]);
  });

  test('a conversation that its provider compacts is kept and never changed', async () => {
    await using kept = await keptGateway({ script: readsFiles(60) }, { contextLength: 4_000 });
    const body = JSON.stringify({
      ...{ model: 'm', max_tokens: 9, context_management: { edits: [{ type: 'compact_20260112' }] } },
      messages: [{ role: 'user', content: fileOf(1).repeat(9) }],
    });
    const response = await fetch(`${kept.url}/v1/messages`, { method: 'POST', body, headers: version });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('x-palimpsest-action'), 'kept');
    assert.ok(kept.bodies[0]?.sent.equals(Buffer.from(body)));
  });
});

describe('K2: which request belongs where', () => {
  test('a call beside a conversation is counted apart and not kept', async () => {
    await using kept = await keptGateway({ script: readsFilesThen('A title') });
    const agent = agentOf('anthropic', kept.url, task);
    await agent.step(fileOf(1), { headers: claude });
    const body = JSON.stringify({
      model: 'm',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'Make a title of: read files' }],
    });
    const title = await fetch(`${kept.url}/v1/messages`, { method: 'POST', body, headers: { ...version, ...claude } });
    assert.equal(title.headers.get('x-palimpsest-reason'), 'side-call');
    assert.equal((await kept.store.sessions.list()).length, 1);
  });

  test('two conversations side by side are two, whatever they have in common', async () => {
    await using kept = await keptGateway({ script: ({ number }) => ({ text: `Answer ${number}.` }) });
    const [one, other] = [agentOf('openai-chat', kept.url, task), agentOf('openai-chat', kept.url, task)];
    await Promise.all([one.step(''), other.step('')]);
    askAgain(one, 'Begin with the first.');
    askAgain(other, 'Begin with the last.');
    const [first, second] = await Promise.all([one.step(''), other.step('')]);
    assert.notEqual(first.headers.get('x-palimpsest-session'), second.headers.get('x-palimpsest-session'));
  });

  test('what is no request of its dialect passes as it came', async () => {
    await using kept = await keptGateway({ script: { text: 'x' } });
    for (const body of [
      '{"model":"m","messages":[{"role":"user","content":"a"}],"messages":[]}',
      '{"a":',
      '[]',
      '\u0000',
    ]) {
      const response = await fetch(`${kept.url}/v1/chat/completions`, { method: 'POST', body });
      assert.equal(response.headers.get('x-palimpsest-reason'), 'unreadable', body);
    }
    assert.ok(kept.bodies.every(({ came, sent }) => came.equals(sent)));
    assert.deepEqual(await kept.store.sessions.list(), []);
  });

  test('a dry run changes and keeps nothing, and says what it would do', async () => {
    await using kept = await keptGateway({ script: readsFiles(30) }, { contextLength: 8_000, isDryRun: true });
    const agent = agentOf('openai-responses', kept.url, task);
    const would: (string | null)[] = [];
    for (let step = 1; step <= 14; step++)
      would.push((await agent.step(fileOf(step))).headers.get('x-palimpsest-dry-run'));
    assert.ok(would.includes('compressed'), would.join(' '));
    assert.ok(kept.bodies.every(({ came, sent }) => came.equals(sent)));
  });
});

describe('K2, C1: marks of prompt caches', () => {
  test('that a client moves along leave one conversation, and no more marks than are allowed', async () => {
    await using kept = await keptGateway({ contextLength: 16_000, script: readsFiles(40) }, { contextLength: 16_000 });
    const agent = agentOf('anthropic', kept.url, task);
    for (let step = 1; step <= 41; step++) {
      agent.moveMarks();
      assert.equal((await agent.step(fileOf(step))).status, 200);
    }
    assert.deepEqual(kept.notes, []);
    assert.equal((await kept.store.sessions.list()).length, 1);
    const newest = kept.bodies.at(-1)?.sent.toString() ?? '';
    assert.equal(newest.split('"cache_control"').length, 3, 'the two marks of the client');
  });
});

describe('K2: bodies that are packed for the way', () => {
  test('requests and answers are read as they were, and pass as they are', async () => {
    const said = {
      role: 'assistant',
      type: 'message',
      model: 'm',
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'Packed.' }],
    };
    for (const [encoding, pack] of Object.entries({ gzip: gzipSync, br: brotliCompressSync, zstd: zstdCompressSync })) {
      const answer = pack(JSON.stringify(said));
      await using upstream = await wireUpstream(({ socket }) =>
        socket.write(
          answerOf(answer, `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: ${encoding}`),
        ),
      );
      await using store = await openStore({ path: ':memory:' });
      const middle = openConversations({ store });
      await using gateway = await gatewayBefore(upstream.url, {}, { middle });
      const body = pack(
        JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: `By ${encoding}.` }] }),
      );
      const headers = { 'content-encoding': encoding, ...version };
      const response = await fetch(`${gateway.url}/v1/messages`, { method: 'POST', body, headers });
      assert.deepEqual(await response.json(), said);
      assert.ok(upstream.requests[0]?.body.equals(body));
      await middle.stop();
      const [conversation] = await store.sessions.list();
      assert.equal(conversation?.preview, `By ${encoding}.`);
      const session = conversation.tip.id;
      for (let tries = 0; (await store.messages.view(session)).length < 2 && tries < 500; tries++) await setImmediate();
      assert.equal((await store.messages.view(session)).length, 2, encoding);
    }
  });
});

describe('F1, F3: another process', () => {
  test('goes on with the compressed view where the one before was ended', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-gateway-'));
    try {
      const path = join(folder, 'store.db');
      const script = readsFiles(60);
      const first = await openStore({ path });
      const before = await keptGateway({ script }, { contextLength: 12_000, store: first });
      const agent = agentOf('anthropic', before.url, task);
      for (let step = 1; step <= 20; step++) await agent.step(fileOf(step));
      const last = before.bodies.at(-1)?.sent ?? Buffer.alloc(0);
      await before[Symbol.asyncDispose]();
      await first.close();
      await using second = await openStore({ path });
      await using after = await keptGateway({ script }, { contextLength: 12_000, store: second });
      const next = agentOf('anthropic', after.url, task);
      next.list.splice(0, next.list.length, ...agent.list);
      const { status, headers } = await next.step(fileOf(21));
      assert.equal(status, 200);
      assert.match(headers.get('x-palimpsest-action') ?? '', /view|compressed/);
      const sent = after.bodies[0]?.sent ?? Buffer.alloc(0);
      if (headers.get('x-palimpsest-action') === 'view')
        assert.ok(sent.subarray(0, 4_000).equals(last.subarray(0, 4_000)));
      assert.equal((await second.sessions.list()).length, 1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** One call, and then a text. */
const readsFilesThen =
  (text: string): NonNullable<Parameters<typeof keptGateway>[0]['script']> =>
  ({ number }) =>
    number === 1 ? readsFilesOnce(1) : { text };

describe('K2: clients that name many models', () => {
  test('take no more of the gateway than a few of them: what was said to the first one goes on', async () => {
    await using kept = await keptGateway({ script: { text: 'Read.' } });
    const ask = async (model: string, messages: readonly object[]): Promise<Response> => {
      const body = JSON.stringify({ model, messages });
      const response = await fetch(`${kept.url}/v1/chat/completions`, { method: 'POST', body });
      await response.text();
      return response;
    };
    const asked = [{ role: 'user', content: 'Read this.' }];
    const first = await ask('model-0', asked);
    for (let at = 1; at <= 80; at++)
      assert.equal((await ask(`model-${at}`, [{ role: 'user', content: `${at}?` }])).status, 200);
    const answered = [...asked, { role: 'assistant', content: 'Read.' }, { role: 'user', content: 'And now?' }];
    const again = await ask('model-0', answered);
    assert.equal(again.headers.get('x-palimpsest-session'), first.headers.get('x-palimpsest-session'));
  });

  test('whose names are no names get a session all the same, without that name', async () => {
    await using kept = await keptGateway({ script: { text: 'Read.' } });
    const body = JSON.stringify({ model: 'm'.repeat(100_000), messages: [{ role: 'user', content: 'Read.' }] });
    await (await fetch(`${kept.url}/v1/chat/completions`, { method: 'POST', body })).text();
    assert.equal((await kept.store.sessions.list())[0]?.tip.model, 'openai/unknown');
  });
});
