/** Counts of tokens, which clients ask for to decide when they summarise by themselves. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, JsonValue } from '@palimpsest/core/settings';
import { type Agent, agentOf, askAgain } from './agents.ts';
import { fileOf, type Kept, keptGateway, readsFiles } from './support.ts';

interface Count {
  readonly path: string;
  readonly body: (list: readonly JsonValue[]) => JsonObject;
}

const counts: Readonly<Record<'anthropic' | 'gemini', Count>> = {
  // As Claude Code sends it: without its system prompt.
  anthropic: {
    path: '/v1/messages/count_tokens?beta=true',
    body: (messages) => ({ model: 'some-model', messages }),
  },
  gemini: { path: '/v1beta/models/some-model:countTokens', body: (contents) => ({ contents }) },
};

const task = 'Please read every file in data/.';

async function count(kept: Kept, { dialect, list }: Agent, more: JsonObject = {}) {
  const { path, body } = counts[dialect === 'gemini' ? 'gemini' : 'anthropic'];
  const text = `${JSON.stringify({ ...body(list), ...more })} `;
  const { headers } = await fetch(`${kept.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: text,
  });
  const { came, sent } = kept.bodies.at(-1) ?? {};
  assert.equal(came?.toString(), text);
  return { sent: sent?.toString() ?? '', came: text, action: headers.get('x-palimpsest-action'), headers };
}

describe('K2: counts of tokens', () => {
  for (const dialect of ['anthropic', 'gemini'] as const) {
    test(`K2 a list of ${dialect} that is sent with a handoff is counted with it, and with what came since`, async () => {
      await using kept = await keptGateway({ script: readsFiles(60) }, { contextLength: 8_000 });
      const agent = agentOf(dialect, kept.url, task);
      await agent.step(fileOf(1));
      const whole = await count(kept, agent);
      assert.deepEqual([whole.action, whole.sent], ['passed', whole.came]);
      for (let step = 2; step <= 12; step++) await agent.step(fileOf(step));
      const view = kept.bodies.at(-1)?.sent.toString() ?? '';
      askAgain(agent, 'And the rest?');
      const counted = await count(kept, agent);
      assert.equal(counted.action, 'counted');
      const session = counted.headers.get('x-palimpsest-session') ?? '';
      assert.ok(await kept.store.sessions.get(session));
      const handoff = /<handoff covers=[^>]*>/.exec(view)?.[0] ?? 'none';
      assert.ok(counted.sent.includes(handoff));
      for (const text of ['And the rest?', 'part-12.csv']) assert.ok(counted.sent.includes(text), text);
      assert.ok(counted.sent.endsWith('} '));
      assert.ok(counted.sent.length < counted.came.length * 0.8, `${counted.sent.length} of ${counted.came.length}`);
      const sessions = await kept.store.messages.view(session);
      assert.ok(!JSON.stringify(sessions).includes('And the rest?'), 'a count is no turn');
    });
  }

  test('K2 a count with the system prompt of the conversation keeps it, and another list is counted as it came', async () => {
    await using kept = await keptGateway({ script: readsFiles(60) }, { contextLength: 8_000 });
    const agent = agentOf('anthropic', kept.url, task);
    for (let step = 1; step <= 12; step++) await agent.step(fileOf(step));
    const { system } = JSON.parse(kept.bodies.at(-1)?.came.toString() ?? '{}');
    const counted = await count(kept, agent, { system });
    assert.equal(counted.action, 'counted');
    const sent: JsonObject = JSON.parse(kept.bodies.at(-2)?.sent.toString() ?? '{}');
    assert.deepEqual(JSON.parse(counted.sent).system, sent.system, 'as it goes out');
    const other = agentOf('anthropic', kept.url, 'Another task.');
    const { action, sent: whole, came } = await count(kept, other);
    assert.deepEqual([action, whole], ['passed', came]);
  });

  test('K2 a count gets the view of no other conversation with the same rules, length and last words', async () => {
    await using kept = await keptGateway({ script: readsFiles(60) }, { contextLength: 8_000 });
    const [long, short] = ['Read data/.', 'Read other/.'].map((asked) => agentOf('anthropic', kept.url, asked));
    assert.ok(long && short);
    for (let step = 1; step <= 12; step++) {
      await long.step(fileOf(step));
      await short.step('empty');
    }
    for (const agent of [long, short]) askAgain(agent, 'And now?');
    const { system } = JSON.parse(kept.bodies.at(-1)?.came.toString() ?? '{}');
    assert.equal((await long.step('')).headers.get('x-palimpsest-action'), 'view');
    long.list.splice(short.list.length);
    assert.equal((await count(kept, long, { system })).action, 'counted');
    const { action, sent, came } = await count(kept, short, { system });
    assert.deepEqual([action, sent], ['passed', came]);
  });
});
