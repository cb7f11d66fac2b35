/** `--from-sessions`: the conversations of a store as training data. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import type { Session } from '../../packages/core/src/store/session-store.ts';
import type { Store } from '../../packages/core/src/store/store.ts';
import type { Message } from '../../packages/core/src/transcript/message.ts';
import { compressTrajectoryFiles } from '../../packages/palimpsest/src/trajectory/compress-files.ts';
import { sessionRecords } from '../../packages/palimpsest/src/trajectory/session-records.ts';
import { inFolder, runHere } from '../support/command-line.ts';
import { answered, compressed, morning, said } from '../support/store-contract/store-bench.ts';

// In two pieces, so that no scan of this file takes it for a real one.
const secret = ['ghp_', 'R2D2c3PO4x9Kq7LmZ8wVt5YbN6uJ1eHsG3fA'].join('');
const look: Message = {
  role: 'assistant',
  parts: [
    { type: 'text', text: 'I look.' },
    { type: 'toolCall', callId: 'toolu_1', name: 'look', input: '{"at":"oven"}', inputType: 'json' },
  ],
};
const seen: Message = {
  role: 'tool',
  parts: [{ type: 'toolResult', callId: 'toolu_1', content: [{ type: 'text', text: `The key is ${secret}.` }] }],
};

interface Made {
  readonly oven: Session;
  readonly side: Session;
  readonly door: Session;
}

/** A conversation that was compressed, of which something was taken back, with a sub-agent; and one of another tool. */
async function fill(store: Store): Promise<Made> {
  const oven = await store.sessions.create({
    source: 'codex',
    project: '/home/ada/oven',
    model: 'openai/gpt-5',
    title: 'Oven timer drift',
    startedAt: morning,
  });
  await store.messages.append(oven.id, [said('Mend the oven.'), look, seen, answered('It is mended.')], {
    time: morning,
  });
  const side = await store.sessions.create({
    source: 'codex',
    parentId: oven.id,
    relation: 'side',
    startedAt: morning + 1_000,
  });
  await store.messages.append(side.id, [said('Find the fuse.'), answered('Behind the door.')], {
    time: morning + 1_000,
  });
  const next = await compressed(store, oven, 'A HANDOFF');
  await store.messages.append(next.id, [said('Wrong question.'), answered('Wrong answer.')], { time: morning + 2_000 });
  const last = await store.sessions.continue({
    sessionId: next.id,
    size: 3,
    messages: [said('A HANDOFF')],
    origins: [0],
    takesBackFrom: 4,
  });
  await store.messages.append(last.id, [said('Is it warm?'), answered('Yes.')], { time: morning + 3_000 });
  const door = await store.sessions.create({
    source: 'pi',
    model: 'anthropic/claude-sonnet-4',
    startedAt: morning + 86_400_000,
  });
  await store.messages.append(door.id, [said('Mend the door.'), answered('Done.')], { time: morning + 86_400_000 });
  await store.sessions.create({ source: 'pi', startedAt: morning + 90_000_000 });
  return { oven, side, door };
}

const withStore = (use: (cwd: string, made: Made) => Promise<void>): Promise<void> =>
  inFolder({}, async (cwd) => {
    const store = await openStore({ path: join(cwd, 's.db') });
    const made = await fill(store).finally(() => store.close());
    await use(cwd, made);
  });

const trajectories = (cwd: string, ...args: readonly string[]) =>
  runHere(['trajectories', ...args, '--from-sessions', '--store', 's.db', '--workers', '1'], { cwd });

const recordsIn = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

describe('J2 conversations of the store', () => {
  it('are all found where something is said in one of them while they are listed', () =>
    inFolder({}, async (cwd) => {
      await using store = await openStore({ path: join(cwd, 's.db') });
      const first = await store.sessions.create({ source: 'pi', startedAt: morning });
      await store.messages.append(first.id, [said('Mend the oven.')], { time: morning });
      for (let at = 1; at <= 500; at++) await store.sessions.create({ source: 'pi', startedAt: morning + at });
      const list: Store['sessions']['list'] = async (filter) => {
        const found = await store.sessions.list(filter);
        await store.messages.append(first.id, [answered('It is mended.')], { time: morning + 1_000 });
        return found;
      };
      const watched: Store = { ...store, sessions: { ...store.sessions, list } };
      const { bytes } = await sessionRecords(watched, { to: 'sharegpt' });
      const records = (await Array.fromAsync(bytes)).map((line) => JSON.parse(Buffer.from(line).toString()));
      assert.deepEqual(
        records.map(({ id }) => id),
        [first.id],
      );
    }));

  it('become records of all that was said, without handoffs and what was taken back, oldest first', () =>
    withStore(async (cwd, { oven, side, door }) => {
      const { code, stdout, stderr } = await trajectories(cwd, 'compress', '-o', 'out.jsonl');
      assert.equal(code, 0, stderr);
      assert.match(stdout, /3 records/);
      assert.match(stderr, /4 conversations of the store; recognised credentials are masked \(--raw leaves them in\)/);
      const records = recordsIn(join(cwd, 'out.jsonl'));
      assert.deepEqual(
        records.map(({ conversations: _, ...fields }) => fields),
        [
          { id: oven.id, source: 'codex', model: 'openai/gpt-5' },
          { id: side.id, parent_id: oven.id, source: 'codex' },
          { id: door.id, source: 'pi', model: 'anthropic/claude-sonnet-4' },
        ],
      );
      const [first] = records;
      assert.deepEqual(
        first.conversations.map(({ from }: { from: string }) => from),
        ['human', 'gpt', 'tool', 'gpt', 'human', 'gpt'],
      );
      assert.equal(
        first.conversations[1].value,
        'I look.\n<tool_call>\n{"name": "look", "arguments": {"at":"oven"}}\n</tool_call>',
      );
      assert.match(
        first.conversations[2].value,
        /^<tool_response>\n\{"tool_call_id": "toolu_1", "name": "look", "content": "The key is /,
      );
      const whole = readFileSync(join(cwd, 'out.jsonl'), 'utf8');
      assert.doesNotMatch(whole, /HANDOFF|Wrong/);
      assert.equal(whole.includes(secret), false);
      assert.match(whole, /\[REDACTED:github-token:/);
    }));

  it('keep credentials with --raw, in the format that was asked for', () =>
    withStore(async (cwd) => {
      const { stderr } = await trajectories(cwd, 'convert', '-o', 'out.jsonl', '--to', 'openai-chat', '--raw');
      assert.match(stderr, /credentials are left in/);
      const [first] = recordsIn(join(cwd, 'out.jsonl'));
      assert.deepEqual(first.messages[1].tool_calls[0].function, { name: 'look', arguments: '{"at":"oven"}' });
      assert.equal(first.messages[2].content, `The key is ${secret}.`);
    }));

  it('are narrowed by source, project, model, title, time and id', () =>
    withStore(async (cwd, { oven, side, door }) => {
      await using store = await openStore({ path: join(cwd, 's.db'), readOnly: true });
      const idsOf = async (filter: object): Promise<readonly string[]> => {
        const { bytes } = await sessionRecords(store, { to: 'sharegpt', filter });
        const ids: string[] = [];
        for await (const line of bytes) ids.push(JSON.parse(Buffer.from(line).toString()).id);
        return ids;
      };
      assert.deepEqual(await idsOf({ sources: ['pi'] }), [door.id]);
      assert.deepEqual(await idsOf({ project: '/home/ada' }), [oven.id]);
      assert.deepEqual(await idsOf({ model: 'CLAUDE' }), [door.id]);
      assert.deepEqual(await idsOf({ title: 'timer' }), [oven.id]);
      assert.deepEqual(await idsOf({ until: morning + 10_000 }), [oven.id, side.id]);
      assert.deepEqual(await idsOf({ since: morning + 10_000 }), [door.id]);
      assert.deepEqual(await idsOf({ ids: [oven.id] }), [oven.id, side.id]);
      await assert.rejects(sessionRecords(store, { to: 'sharegpt', filter: { titel: 'x' } as object }), {
        code: 'BAD_OPTION',
        message: /did you mean title/,
      });
    }));

  it('are counted, one by its title', () =>
    withStore(async (cwd) => {
      const { stdout, code } = await trajectories(cwd, 'stats', 'Oven timer drift', '--json');
      assert.equal(code, 0);
      const { trajectories: count, tools } = JSON.parse(stdout);
      assert.deepEqual([count, tools], [2, [{ name: 'look', calls: 1, failures: 0 }]]);
    }));

  it('go on after a stop, and not where something was said meanwhile', () =>
    withStore(async (cwd, { door }) => {
      await using store = await openStore({ path: join(cwd, 's.db') });
      const run = async (output: string, more: object = {}) =>
        compressTrajectoryFiles({
          inputs: [],
          from: await sessionRecords(store, { to: 'anthropic' }),
          output,
          cwd,
          config: { processing: { batchKilobytes: 1, checkpointSeconds: 0, numWorkers: 1 } },
          ...more,
        });
      await run('calm.jsonl');
      const stop = async (output: string): Promise<void> => {
        const controller = new AbortController();
        const stopped = run(output, { signal: controller.signal, onProgress: () => controller.abort() });
        await assert.rejects(stopped, { code: 'INTERRUPTED' });
      };
      await stop('out.jsonl');
      const { resumed } = await run('out.jsonl', { resume: true });
      assert.equal(resumed, true);
      assert.equal(readFileSync(join(cwd, 'out.jsonl'), 'utf8'), readFileSync(join(cwd, 'calm.jsonl'), 'utf8'));
      await stop('late.jsonl');
      await store.messages.append(door.id, [said('And now?')]);
      await assert.rejects(run('late.jsonl', { resume: true }), {
        code: 'BAD_OPTION',
        message: /cannot be gone on with: sessions was/,
      });
    }));
});
