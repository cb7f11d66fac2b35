/** Workers of Node itself: that one runs out of memory or has a defect harms no request, and that no stream waits for a compression. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { openStore } from '@palimpsest/core/store';
import { startFakeProvider } from '@palimpsest/core/testing';
import { openKept } from '../../../packages/palimpsest/src/cli/run/serve-conversations.ts';
import { openWorkerMiddle } from '../../../packages/palimpsest/src/gateway/worker/worker-middle.ts';
import { agentOf, askAgain } from '../conversations/agents.ts';
import { fileOf } from '../conversations/support.ts';
import { gatewayBefore, handTimers } from '../support/gateway.ts';
import { answerOf, exchange, postOf, wireUpstream } from '../support/wire.ts';

const double = new URL('./double.arm.ts', import.meta.url);

describe('K2: a worker of Node', () => {
  for (const [act, reason] of [
    ['fill the memory', /it ran out of memory/],
    ['throw', /ended: a defect/],
  ] as const) {
    test(`that is told to ${act} ends alone: its request goes as it came, and the next worker prepares the next one`, {
      timeout: 60_000,
    }, async () => {
      const notes: string[] = [];
      const timers = handTimers();
      const opened = Promise.withResolvers<void>();
      const middle = await openWorkerMiddle<string>({
        start: () => new Worker(double, { resourceLimits: { maxOldGenerationSizeMb: 24 } }),
        timers,
        note: (line) => {
          notes.push(line);
          if (line === 'Conversations are kept again.') opened.resolve();
        },
      });
      await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{"ok":1}')));
      await using gateway = await gatewayBefore(upstream.url, {}, { middle });
      const sent = async (body: string): Promise<string | undefined> => {
        await exchange(gateway.url, postOf('/v1/messages', body));
        return upstream.requests.at(-1)?.body.toString();
      };
      assert.equal(await sent('fine'), 'other');
      assert.equal(await sent(act), act);
      assert.match(notes.join('\n'), reason);
      timers.fire(1_000);
      await opened.promise;
      assert.equal(await sent('fine'), 'other');
      await middle.stop();
    });
  }
});

describe('K2: conversations in the worker of `palimpsest serve`', () => {
  test('answers that ended before the stop are in the store, and other requests were answered beside a compression', {
    timeout: 120_000,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-worker-'));
    const path = join(folder, 'kept.db');
    const surroundings = { env: { HOME: folder }, cwd: folder, platform: process.platform };
    const notes: string[] = [];
    try {
      const kept = await openKept(
        { store: path, contextLength: '30000' },
        { surroundings, note: (line) => void notes.push(line) },
      );
      assert.ok(kept);
      await using provider = await startFakeProvider({ script: { text: 'All is read.' } });
      await using gateway = await gatewayBefore(provider.url, {}, { middle: kept });
      const agent = agentOf('anthropic', gateway.url, 'Please read these.');
      for (let at = 0; at < 90; at++) {
        agent.list.push({ role: 'assistant', content: `Now ${at}.` });
        askAgain(agent, fileOf(at));
      }
      let isOver = false;
      const compressed = agent.step('').finally(() => {
        isOver = true;
      });
      let beside = 0;
      for (; !isOver; beside++) await (await fetch(`${gateway.url}/healthz`)).text();
      assert.equal((await compressed).headers.get('x-palimpsest-action'), 'compressed');
      // On one thread it is a handful: those between the stages of the compression.
      assert.ok(beside > 40, `${beside} answers beside the compression`);
      await gateway.end();
      await kept.stop();
      await using store = await openStore({ path, readOnly: true });
      const [conversation] = await store.sessions.list();
      assert.ok(conversation);
      const view = await store.messages.view(conversation.tip.id);
      const said = view.at(-1)?.message.parts.map((part) => (part.type === 'text' ? part.text : ''));
      assert.deepEqual(said, ['All is read.']);
      assert.deepEqual(notes, []);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('a store that cannot be opened stops the start with its code', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-worker-'));
    try {
      const surroundings = { env: { HOME: folder }, cwd: folder, platform: process.platform };
      const opening = openKept({ store: folder }, { surroundings, note: () => undefined });
      await assert.rejects(opening, ({ code, name }: { code: string; name: string }) => {
        assert.equal(name, 'PalimpsestError');
        assert.match(code, /^STORE_/);
        return true;
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
