/** `palimpsest sessions compress` with the engine that was chosen, and what a hook keeps through it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createConversations, type Message } from '@palimpsest/core';
import { expandSession } from '@palimpsest/core/search';
import { openStore } from '@palimpsest/core/store';
import { messageText } from '../../packages/core/src/transcript/text.ts';
import { chatFile, chatMessages } from '../support/small-session.ts';
import { atHome, configFile, plugin, works, write } from './plugin-home.ts';

type Run = Parameters<Parameters<typeof atHome>[1]>[1];

const title = 'Thirty turns';
const storeFile = '.local/share/palimpsest/palimpsest.db';

/** A store with one conversation of thirty turns. */
const inStore = (
  files: Readonly<Record<string, string>>,
  use: (run: Run, home: string) => Promise<void>,
): Promise<void> =>
  atHome({ 'chat.json': chatFile(30), ...files }, async (home, run) => {
    assert.equal((await run('import', 'chat.json', '--title', title)).code, 0);
    await use(run, home);
  });

const uses = (engine: string, more = ''): Record<string, string> => ({
  [configFile]: `context:\n  engine: ${engine}\nplugins:\n  timeout_seconds: 1\n${more}`,
});

const compress = async (run: Run, ...words: readonly string[]) => {
  const { code, stdout, stderr } = await run('sessions', 'compress', title, '--json', ...words);
  return { code, stderr, ...JSON.parse(stdout) };
};

const shown = async (run: Run): Promise<{ messages: readonly unknown[]; chain: readonly unknown[] }> =>
  JSON.parse((await run('sessions', 'show', title, '--messages', '--json')).stdout);

/** Keeps half of it, and says in a message how much it has left out. */
const telling = works
  .replace('.at(-2)', '.at(-60)')
  .replace(
    'return list',
    `list.splice(1, 0, { role: 'user', origin: 'summary', parts: [{ type: 'text', text: 'Before: ' + (messages.length - list.length) }] }); return list`,
  );

describe('E3: palimpsest sessions compress', () => {
  it('E3 uses the engine of the configuration, and everything that was said can be brought back', () =>
    inStore({ ...plugin('telling', telling), ...uses('telling') }, async (run, home) => {
      const exported = async (): Promise<string> => (await run('sessions', 'export', title)).stdout;
      const before = await exported();
      const { code, engine, session, status, reason, fates } = await compress(run);
      assert.deepEqual(
        [code, status, engine.name, engine.from],
        [0, 'compressed', 'telling', 'plugins/context_engine'],
      );
      assert.match(reason, /^The engine "telling" removed 90 messages and wrote 1 in their place/);
      assert.equal(session.parentId, session.before);
      assert.equal(fates.length, 181);
      const { messages, chain } = await shown(run);
      assert.deepEqual([messages.length, chain.length], [92, 2]);
      assert.equal(await exported(), before);
      const store = await openStore({ path: join(home, storeFile) });
      try {
        const back = await expandSession(store, session.id, 'm3');
        assert.match(JSON.stringify(back), /read-0/);
        const [summary] = (await store.messages.view(session.id)).filter(({ message }) => message.origin === 'summary');
        assert.equal((await store.messages.coveredBy(summary?.id ?? '')).length, 90);
      } finally {
        await store.close();
      }
    }));

  it('E3 goes from one engine to the other and back, and refs count the whole conversation', () =>
    inStore({ ...plugin('telling', telling) }, async (run) => {
      assert.equal((await compress(run, '--engine', 'telling')).engine.name, 'telling');
      const ours = await compress(run, '--target', '2000');
      assert.deepEqual([ours.engine.name, ours.status], ['compressor', 'compressed']);
      assert.ok(ours.handoff.covers.includes('m2') && ours.handoff.covers.length > 170, ours.reason);
      const again = await compress(run, '--engine', 'telling');
      assert.equal(again.code, 0, again.stderr);
    }));

  it('E3 goes on with the built-in engine where the configured one fails; one that was typed changes nothing', () =>
    inStore(
      { ...plugin('bad', telling.replace('return list', `throw new Error('no luck'); return list`)), ...uses('bad') },
      async (run) => {
        const typed = await compress(run, '--engine', 'bad');
        assert.equal(typed.code, 3);
        assert.match(typed.error.message, /"bad" failed in compress \(no luck\)\. Nothing was changed/);
        assert.equal((await shown(run)).chain.length, 1);
        const { code, engine, notes, handoff } = await compress(run, '--context-length', '8k');
        assert.deepEqual([code, engine.name, engine.asked], [0, 'compressor', 'bad']);
        assert.match(engine.warning, /"bad" failed in compress \(no luck\); "compressor" compressed instead/);
        assert.ok(notes.includes(engine.warning) && handoff.covers.length > 10);
        assert.equal((await shown(run)).chain.length, 2);
        assert.equal((await compress(run, '--engine', 'worse')).code, 3);
        assert.equal((await compress(run, '--engine', 'bad', '--target', '2k')).code, 2);
      },
    ));

  it('E3 warns where the name is not known any more', () =>
    inStore(uses('gone'), async (run) => {
      const { code, stdout, stderr } = await run('sessions', 'compress', title);
      assert.equal(code, 0);
      assert.match(stderr, /note: The context engine "gone" is not known; "compressor" is used instead/);
      assert.match(stdout, /; engine compressor\n/);
    }));

  it('E3 leaves the conversation alone while another process compresses it', () =>
    inStore({ ...plugin('telling', telling), ...uses('telling') }, async (run, home) => {
      const { chain } = await shown(run);
      const [{ id }] = chain as readonly [{ id: string }];
      const store = await openStore({ path: join(home, storeFile) });
      try {
        await store.leases.acquire(`compress:${id}`, 'somebody else', 60_000);
        const { code, error } = await compress(run);
        assert.deepEqual([code, error.code], [3, 'STORE_CONFLICT']);
        assert.match(error.message, /is already being compressed by somebody else/);
      } finally {
        await store.close();
      }
    }));
});

const keeps = (text: string): string =>
  `hooks:\n  compression_start: [{ command: ["echo", "{\\"keep\\":\\"${text}\\"}"] }]\n`;

/** What a model is sent when the conversation goes on. */
async function sent(home: string): Promise<readonly Message[]> {
  const store = await openStore({ path: join(home, storeFile) });
  try {
    const [{ tip } = { tip: { id: '' } }] = await store.sessions.list();
    const runtime = createConversations({ store, model: 'gpt-5' });
    const whole = await store.sessions.chain(tip.id);
    const said = await store.messages.view(whole[0]?.id ?? '');
    const next: Message = { role: 'user', parts: [{ type: 'text', text: 'Go on, please.' }] };
    const messages = [...said.map(({ message }) => message), next];
    return (await runtime.prepare({ messages, sessionId: tip.id })).messages;
  } finally {
    await store.close();
  }
}

describe('E6: palimpsest sessions compress', () => {
  for (const engine of ['compressor', 'telling']) {
    it(`E6 begins the context with what a hook keeps through a compression by ${engine}, until the next one`, () =>
      inStore({ ...plugin('telling', telling), ...uses(engine, keeps('tickets 7 and 9')) }, async (run, home) => {
        const target = engine === 'compressor' ? ['--target', '4000'] : [];
        assert.equal((await compress(run, ...target)).status, 'compressed');
        const view = (await run('sessions', 'export', title, '--view', '--to', 'openai-chat')).stdout;
        const kept = /\[System: kept by this program through the compression\]\\ntickets 7 and 9"/;
        assert.match(view, kept);
        assert.doesNotMatch((await run('sessions', 'export', title)).stdout, kept);
        const shown = (await run('sessions', 'show', title, '--messages')).stdout;
        assert.match(shown, /^m1 {2}system prompt[^\n]*\n(?:(?!\nm\d).)*?\n\nkept by a hook\ntickets 7 and 9\n\nm2 /s);
        assert.equal(JSON.parse((await run('sessions', 'show', title, '--json')).stdout).kept, 'tickets 7 and 9');
        const messages = await sent(home);
        assert.deepEqual(
          messages.slice(0, 2).map(({ role }) => role),
          ['system', 'user'],
        );
        assert.match(messageText(messages[1] as Message), /through the compression\]\ntickets 7 and 9$/);
        assert.ok(messages.length < chatMessages(30).length);

        write(home, uses('compressor'));
        assert.equal((await compress(run, '--target', '1500')).status, 'compressed');
        assert.doesNotMatch(JSON.stringify((await sent(home))[1]), /tickets 7 and 9/);
        assert.doesNotMatch((await run('sessions', 'show', title, '--messages')).stdout, /tickets 7 and 9/);
      }));
  }
});
