/** A turn that began with a signed thought and goes on without one, with a budget for thinking. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agentOf } from './agents.ts';
import { fileOf, keptGateway } from './support.ts';

const thinking = { max_tokens: 4_000, thinking: { type: 'enabled', budget_tokens: 1_024 } };
const readFile = (number: number) => ({ name: 'read_file', input: { path: `data/part-${number}.csv` } });
/** A thought at the start alone. */
const thoughtOnce = ({ number }: { readonly number: number }) => ({
  ...(number === 1 ? { reasoning: 'The files come one after the other.' } : {}),
  text: `Now part ${number}.`,
  toolCalls: [readFile(number)],
});

describe('K2: a thought that a turn began with', () => {
  test('K2 comes back in a shortened request with its signature, byte for byte, and stays where it is', async () => {
    await using kept = await keptGateway({ contextLength: 16_000, script: thoughtOnce }, { contextLength: 12_000 });
    const agent = agentOf('anthropic', kept.url, 'Please read every file in data/.');
    const actions: string[] = [];
    for (let step = 1; step <= 20; step++) {
      const { status, headers } = await agent.step(fileOf(step), { more: thinking });
      assert.equal(status, 200);
      actions.push(headers.get('x-palimpsest-action') ?? 'none');
    }
    assert.ok(actions.includes('compressed') && actions.includes('view'), actions.join(' '));
    assert.ok(!actions.includes('unfit'), actions.join(' '));
    assert.deepEqual(kept.notes, []);
    const opening = /\{\s*"role": "assistant",\s*"content": \[\s*\{\s*"type": "thinking"[^\]]*\]\s*\}/;
    const came = opening.exec(kept.bodies[1]?.came.toString() ?? '')?.[0] ?? 'none';
    const views = kept.bodies.filter(({ came: body, sent }) => !body.equals(sent)).map(({ sent }) => sent.toString());
    assert.ok(views.length > 3 && views.every((body) => body.split(came).length === 2));
    // What came of its call is in the handoff.
    assert.ok(views.every((body) => !body.includes('row 3 of part-1.csv') && body.includes('[left out: the summary')));
  });

  test('K2 is not looked for without a budget', async () => {
    await using kept = await keptGateway({ script: thoughtOnce }, { contextLength: 12_000 });
    const agent = agentOf('anthropic', kept.url, 'Please read every file in data/.');
    for (let step = 1; step <= 14; step++) await agent.step(fileOf(step));
    const last = kept.bodies.at(-1);
    assert.ok(last && !last.came.equals(last.sent) && !last.sent.includes('[left out: the summary'));
  });
});
