import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import type { Store } from '../../packages/core/src/store/store.ts';
import { inFolder, runHere } from '../support/command-line.ts';

type Lines = readonly object[];

const log = (lines: Lines): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** Imports everything in the folder, and looks into the store. */
async function importing<T>(cwd: string, look: (store: Store) => Promise<T>, ...paths: string[]): Promise<T> {
  const done = await runHere(['import', '--store', 'store.db', ...(paths.length > 0 ? paths : ['.'])], { cwd });
  assert.equal(done.code, 0, done.stderr + done.stdout);
  await using store = await openStore({ path: join(cwd, 'store.db') });
  return await look(store);
}

const totals = (store: Store): Promise<readonly unknown[]> =>
  store.usage
    .totals()
    .then(({ calls, inputTokens, outputTokens, cacheReadTokens, partial, unpriced }) => [
      calls,
      inputTokens,
      outputTokens,
      cacheReadTokens,
      partial,
      unpriced,
    ]);

const session = '0a1b2c3d-1111-4222-8333-444455556666';
const at = (minute: number): string => `2026-03-01T10:${String(minute).padStart(2, '0')}:00.000Z`;

const asked = (uuid: string, minute: number, more: object = {}): object => ({
  type: 'user',
  uuid,
  parentUuid: null,
  sessionId: session,
  cwd: '/home/ada/oven',
  timestamp: at(minute),
  message: { role: 'user', content: `Why is the oven timer late? (${uuid})` },
  ...more,
});

/** One line of an answer of 1,000 new tokens and 9,000 from the cache. */
const answered = (
  uuid: string,
  minute: number,
  { id, out, stop = null, more = {} }: { id: string; out: number; stop?: string | null; more?: object },
): object => ({
  type: 'assistant',
  uuid,
  parentUuid: null,
  sessionId: session,
  timestamp: at(minute),
  message: message(id, out, stop),
  ...more,
});

const message = (id: string, out: number, stop: string | null): object => ({
  id,
  role: 'assistant',
  model: 'claude-opus-4-6',
  stop_reason: stop,
  content: [{ type: 'text', text: `It counts wrong. (${id} ${out})` }],
  usage: {
    input_tokens: 1_000,
    cache_read_input_tokens: 9_000,
    cache_creation_input_tokens: 0,
    output_tokens: out,
    service_tier: 'standard',
  },
});

const opening = [asked('u1', 0), answered('a1', 1, { id: 'msg_1', out: 3 })];
const whole = [...opening, answered('a2', 2, { id: 'msg_1', out: 50, stop: 'end_turn' })];

describe('usage in logs of Claude Code', () => {
  it('U2 counts a message once whatever number of lines it has, by its last report', () =>
    inFolder({ 'a.jsonl': log(whole) }, async (cwd) => {
      assert.deepEqual(await importing(cwd, totals), [1, 1_000, 50, 9_000, 0, 0]);
    }));

  it('U2 a report from the start of an answer is partial until the log has grown', () =>
    inFolder({ 'a.jsonl': log(opening) }, async (cwd) => {
      assert.deepEqual(await importing(cwd, totals), [1, 1_000, 3, 9_000, 1, 0]);
      const later = [asked('u2', 5), answered('a3', 6, { id: 'msg_2', out: 7, stop: 'tool_use' })];
      writeFileSync(join(cwd, 'a.jsonl'), log([...whole, ...later]));
      assert.deepEqual(await importing(cwd, totals), [2, 2_000, 57, 18_000, 0, 0]);
    }));

  it('U2 counts nothing again: neither the same file, nor a copy, nor a log that was resumed in another session', () =>
    inFolder({ 'a.jsonl': log(whole) }, async (cwd) => {
      const once = await importing(cwd, totals);
      assert.deepEqual(await importing(cwd, totals), once);
      const elsewhere = log(whole).replaceAll(session, '0a1b2c3d-1111-4222-8333-777788889999');
      writeFileSync(join(cwd, 'b.jsonl'), log(whole));
      writeFileSync(join(cwd, 'c.jsonl'), elsewhere);
      assert.deepEqual(await importing(cwd, totals), once);
    }));

  it('U2 a log with impossible numbers leaves sums that can be read', () => {
    const broken = [9e15, 1e300, -5, '12', null].map((tokens, place) => {
      const usage = { input_tokens: tokens, cache_read_input_tokens: tokens, output_tokens: tokens };
      const one = { ...message(`msg_${place}x`, 1, 'end_turn'), usage };
      return { ...answered(`b${place}`, 4, { id: 'x', out: 1 }), message: one };
    });
    return inFolder({ 'a.jsonl': log([...whole, ...broken]) }, async (cwd) => {
      assert.deepEqual((await importing(cwd, totals)).slice(0, 4), [6, 1_000, 50, 9_000]);
      assert.equal((await runHere(['usage', '--store', 'store.db'], { cwd })).code, 0);
    });
  });

  it('U2 what the program says itself was no call', () => {
    const words = { role: 'assistant', model: '<synthetic>', content: 'No answer.', usage: { input_tokens: 0 } };
    const line = {
      ...answered('s', 3, { id: 'x', out: 1 }),
      message: { id: 'x', stop_reason: 'stop_sequence', ...words },
    };
    return inFolder({ 'a.jsonl': log([...whole, line]) }, async (cwd) => {
      assert.deepEqual((await importing(cwd, totals))[0], 1);
    });
  });

  it('U2 side conversations in the log count for themselves', () =>
    inFolder(
      {
        'a.jsonl': log([
          ...whole,
          asked('s1', 3, { isSidechain: true, agentId: 'ab' }),
          answered('s2', 4, { id: 'msg_side', out: 9, stop: 'end_turn', more: { isSidechain: true, agentId: 'ab' } }),
        ]),
      },
      async (cwd) => {
        const sessions = await importing(cwd, async (store) => {
          const [main] = await store.sessions.list();
          return (await store.usage.ofConversation(main?.tip.id ?? '')).map(({ isSide, outputTokens }) => [
            isSide,
            outputTokens,
          ]);
        });
        assert.deepEqual(sessions, [
          [false, 50],
          [true, 9],
        ]);
      },
    ));

  it('U2 a call of a sub-agent that the log only tells of counts, and goes over to the agent’s own log', () => {
    const told = {
      type: 'progress',
      uuid: 'p1',
      parentUuid: 'u1',
      sessionId: session,
      timestamp: at(3),
      data: {
        type: 'agent_progress',
        agentId: 'ab',
        message: { type: 'assistant', timestamp: at(3), message: message('msg_side', 2, null) },
      },
    };
    const side = { isSidechain: true, agentId: 'ab' };
    const own = [asked('s1', 3, side), answered('s2', 3, { id: 'msg_side', out: 40, stop: 'end_turn', more: side })];
    const rows = async (store: Store): Promise<readonly unknown[]> => {
      const [main] = await store.sessions.list();
      const found = await store.usage.ofConversation(main?.tip.id ?? '');
      return found.map(({ isSide, task, calls, outputTokens }) => [isSide, task, calls, outputTokens]);
    };
    return inFolder({ 'a.jsonl': log([...whole, told]) }, async (cwd) => {
      assert.deepEqual(await importing(cwd, rows), [
        [false, 'side', 1, 2],
        [false, 'turn', 1, 50],
      ]);
      writeFileSync(join(cwd, 'agent-ab.jsonl'), log(own));
      for (const path of ['agent-ab.jsonl', 'a.jsonl']) {
        assert.deepEqual(await importing(cwd, rows, path), [
          [false, 'turn', 1, 50],
          [true, 'turn', 1, 40],
        ]);
      }
    });
  });
});

const rollout = '019f1111-5c0a-7a31-9b44-0d1e2f3a4b5c';
const fork = '019f2222-5c0a-7a31-9b44-0d1e2f3a4b5c';
const line = (type: string, payload: object): object => ({ timestamp: at(1), type, payload });
const head = (id: string): object => line('session_meta', { id, cwd: '/home/ada', model_provider: 'openai' });
const said = (role: string, text: string): object => {
  const type = role === 'user' ? 'input_text' : 'output_text';
  return line('response_item', { type: 'message', role, content: [{ type, text }] });
};
const counted = (total: number, last: number): object => {
  const usage = (tokens: number): object => ({
    input_tokens: tokens - 10,
    cached_input_tokens: 100,
    output_tokens: 10,
    reasoning_output_tokens: 4,
    total_tokens: tokens,
  });
  const info = { total_token_usage: usage(total), last_token_usage: usage(last), model_context_window: 258_400 };
  return line('event_msg', { type: 'token_count', info, rate_limits: null });
};
const talk = [
  line('turn_context', { model: 'gpt-5.5', cwd: '/home/ada' }),
  said('user', 'Why?'),
  said('assistant', 'Because.'),
  counted(1_010, 1_010),
];

describe('usage in logs of other tools', () => {
  it('U2 Codex: an event that repeats its sum is no call, and the model is that of the turn', () =>
    inFolder(
      { 'r.jsonl': log([head(rollout), ...talk, counted(1_010, 1_010), counted(3_010, 2_000)]) },
      async (cwd) => {
        assert.deepEqual(await importing(cwd, totals), [2, 2_790, 20, 200, 0, 0]);
        const models = await importing(cwd, (store) => store.usage.by('model'));
        assert.deepEqual(
          models.map(({ group, calls }) => [group, calls]),
          [['openai/gpt-5.5', 2]],
        );
      },
    ));

  it('U2 Codex: what a fork copied from the session before it counts once', () => {
    const forked = [head(fork), head(rollout), ...talk, said('user', 'And now?'), said('assistant', 'So.')];
    const files = {
      'a.jsonl': log([head(rollout), ...talk, counted(3_010, 2_000)]),
      'b.jsonl': log([...forked, counted(2_020, 1_010)]),
    };
    return inFolder(files, async (cwd) => assert.equal((await importing(cwd, totals))[0], 3));
  });

  it('U2 pi names the provider, and Copilot tells of the output only: such a call is partial and has no price', () => {
    const usage = { input: 3, output: 191, cacheRead: 0, cacheWrite: 1_684, cost: { total: 0.009 } };
    const answer = { role: 'assistant', content: [{ type: 'text', text: 'So.' }], provider: 'anthropic' };
    const pi = [
      { type: 'session', id: '3333', timestamp: at(0), cwd: '/home/ada' },
      { type: 'message', timestamp: at(0), message: { role: 'user', content: 'Why?' } },
      { type: 'message', timestamp: at(1), message: { ...answer, model: 'claude-sonnet-4-5', usage } },
      {
        type: 'message',
        timestamp: at(2),
        message: { ...answer, usage: { ...usage, input: 0, output: 0, cacheWrite: 0 } },
      },
    ];
    const event = (type: string, id: string, data: object): object => ({
      type,
      data,
      id,
      timestamp: at(3),
      parentId: null,
    });
    const copilot = [
      event('session.start', 'e1', { sessionId: session, context: { cwd: '/home/ada' } }),
      event('session.model_change', 'e2', { newModel: 'claude-opus-4.8' }),
      event('user.message', 'e3', { content: 'Why?' }),
      event('assistant.message', 'e4', { messageId: 'm1', content: 'So.', toolRequests: [], outputTokens: 40 }),
    ];
    return inFolder({ 'a.jsonl': log(pi), 'b.jsonl': log(copilot) }, async (cwd) => {
      const models = await importing(cwd, (store) => store.usage.by('model'));
      assert.deepEqual(
        models.map(({ group, calls, outputTokens, cacheWriteTokens, partial, unpriced }) => [
          group,
          calls,
          outputTokens,
          cacheWriteTokens,
          partial,
          unpriced,
        ]),
        [
          ['anthropic/claude-sonnet-4-5', 1, 191, 1_684, 0, 0],
          ['github-copilot/claude-opus-4.8', 1, 40, 0, 1, 1],
        ],
      );
    });
  });

  const data = fileURLToPath(new URL('../../../shared/data/transcripts/codex/', import.meta.url));
  const skip = existsSync(data) ? false : 'the transcripts beside the project are not there';
  it('U2 the calls of real rollouts add up to what Codex itself counted', { skip }, () =>
    inFolder({}, async (cwd) => {
      const files = globSync('*.jsonl.gz', { cwd: data }).map((name) => gunzipSync(readFileSync(join(data, name))));
      let [input, output] = [0, 0];
      for (const [place, file] of files.entries()) {
        writeFileSync(join(cwd, `${place}.jsonl`), file);
        const [, prompt, completion] =
          /.*"total_token_usage":\{"input_tokens":(\d+),.*?"output_tokens":(\d+)/s.exec(file.toString()) ?? [];
        input += Number(prompt);
        output += Number(completion);
      }
      const sum = await importing(cwd, (store) => store.usage.totals());
      assert.deepEqual([sum.inputTokens + sum.cacheReadTokens, sum.outputTokens], [input, output]);
      assert.ok(input > 0);
    }),
  );
});
