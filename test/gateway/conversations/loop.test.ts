/** A loop of sixty steps through the gateway, in a window that holds a third of it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DialectName } from '@palimpsest/core/wire';
import { agentOf, type Exchanged } from './agents.ts';
import { fileOf, keptGateway, readsFiles } from './support.ts';

const dialects: readonly DialectName[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'];
const steps = 60;
const contextLength = 32_000;
const task = 'Please read every file in data/ and tell me the heaviest order. Never touch config/live.toml.';

describe('K2, H1: sixty steps of an agent in a window of 32,000 tokens', () => {
  for (const dialect of dialects) {
    test(`end well where they would overflow without the gateway: ${dialect}`, async () => {
      await using kept = await keptGateway({ contextLength, script: readsFiles(steps) }, { contextLength });
      const agent = agentOf(dialect, kept.url, task);
      const all: Exchanged[] = [];
      for (let step = 1; step <= steps + 1; step++) all.push(await agent.step(fileOf(step)));

      assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([200]));
      assert.match(all.at(-1)?.answer ?? '', /All files are read/);
      assert.deepEqual(kept.notes, []);
      // Not one refusal was needed.
      assert.equal(kept.provider.requests.length, all.length);
      const actions = all.map(({ headers }) => headers.get('x-palimpsest-action'));
      const first = actions.indexOf('compressed');
      assert.ok(first > 10, `compressed at step ${first}`);
      const often = actions.filter((action) => action === 'compressed').length;
      assert.ok(often <= 8, `${often} compressions`);
      for (const [at, { came, sent }] of kept.bodies.entries()) {
        assert.equal(came.equals(sent), at < first, `request ${at}: ${actions[at]}`);
        assert.ok(sent.includes('Never touch config/live.toml'), `request ${at} without the rule`);
        // Between two compressions each request begins with the bytes of the one before, so that a cache holds them.
        const before = kept.bodies[at - 1]?.sent;
        if (before && actions[at] !== 'compressed') assert.ok(shared(before, sent) >= listEnd(before), `request ${at}`);
      }
      assert.deepEqual(new Set(actions.slice(first)), new Set(['compressed', 'view']));
      assert.equal((await kept.store.sessions.list()).length, 1);
    });
  }
});

/** How many bytes two bodies begin with alike. */
function shared(a: Buffer, b: Buffer): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at++) if (a[at] !== b[at]) return at;
  return end;
}

/** Where the last element of the list of messages ends: agents here write them with one space for each level. */
const listEnd = (body: Buffer): number =>
  body.lastIndexOf('\n ]') < 0
    ? body.length
    : Math.max(...[/"(?:messages|input|contents)": \[/].map((list) => endOf(body.toString(), list)));

function endOf(text: string, list: RegExp): number {
  const start = text.search(list);
  const end = text.indexOf('\n ]', start);
  return Buffer.byteLength(text.slice(0, end));
}
