/** What `/compress` tells in every case that there is, in a real terminal over a provider on the wire. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { newestSession, openStore } from '@palimpsest/core/store';
import { noTmux } from '../support/tmux.ts';
import { type ChatTerminal, openChatTerminal, unbroken } from './chat-terminal.ts';

const name = 'openai-compatible/gpt-kiln';
const wall = (at: number): string =>
  `Wall ${at}: ${Array.from({ length: 300 }, (_, n) => `brick${at}x${n}`).join(' ')}.`;

/** Says things and has them answered. */
async function talk({ fake, ...chat }: ChatTerminal, asked: readonly string[], answer: (at: number) => string) {
  for (const [at, text] of asked.entries()) {
    fake.reply({ text: `${answer(at)} Seen as number ${at}.` });
    await chat.say(text);
    await chat.rests(`Seen as number ${at}.`);
  }
}

/** Types the command, waits for what it comes to, and gives everything that stands below it. */
async function compress({ tmux, ...chat }: ChatTerminal, wanted: RegExp, line = '/compress'): Promise<string> {
  await chat.say(line);
  await chat.rests(wanted);
  const screen = await tmux.scrollback();
  return unbroken(screen.slice(screen.lastIndexOf(`\n> ${line}\n`)).split(/^─{20,}$/m)[0] ?? '').trim();
}

describe('the feedback of /compress in a conversation', { skip: noTmux }, () => {
  test('F5, K1: a model that fails, another process, the ledger instead and a summary are told, each with what it means', async (t) => {
    const chat = await openChatTerminal(t);
    const { fake, home } = chat;
    await talk(chat, ['Look at the walls.', ...Array.from({ length: 6 }, (_, at) => `And number ${at}?`)], wall);

    fake.reply({ error: { status: 401, message: 'wrong key' } });
    const aborted = await compress(chat, /Not compressed: the model failed, and nothing was cut \(\d+ messages\)/);
    assert.match(aborted, /Whole request: about [\d,]+ tokens \(unchanged\)/);
    assert.match(aborted, /401/);

    {
      await using store = await openStore({ path: join(home, '.local/share/palimpsest/palimpsest.db') });
      const [one] = await store.sessions.list();
      assert.ok(one);
      const { rootId } = await newestSession(store.sessions, one.tip.id);
      const lease = await store.leases.acquire(`compress:${rootId}`, 'another program', 600_000);
      assert.ok(lease);
      const busy = await compress(chat, /Not compressed: another process is compressing this conversation/);
      assert.match(busy, /another program/);
      await store.leases.release(lease);
    }

    fake.reply({ error: { status: 500, message: 'boom' } });
    const fallen = await compress(chat, /The handoff was written from extracted facts only/);
    assert.match(fallen, /Compressed \d+ → \d+ messages, [\d,]+ → [\d,]+ tokens \(\d+ % less\)/);
    assert.match(fallen, new RegExp(`${name} failed \\(500, server error\\) → the ledger wrote the handoff`));

    await talk(
      chat,
      Array.from({ length: 6 }, (_, at) => `Once more number ${at}?`),
      (at) => wall(at + 10),
    );
    fake.reply({ text: '## Active Task\nLook at the walls.' });
    const normal = await compress(chat, /nothing removed by the check/, '/compress walls');
    assert.match(normal, /Compressed \d+ → \d+ messages, [\d,]+ → [\d,]+ tokens \(\d+ % less\)/);
    assert.match(normal, new RegExp(`written by ${name}, nothing removed by the check$`));
    await chat.leave();
  });

  test('F5, K1, A5: nothing to compress, and a result that would be larger, are told with the size that stays', async (t) => {
    const chat = await openChatTerminal(t);
    await talk(chat, ['Good morning.'], () => 'And to you.');
    const nothing = await compress(chat, /Nothing to compress: 2 messages, unchanged/);
    assert.match(nothing, /Whole request: about [\d,]+ tokens \(unchanged\)/);
    await talk(
      chat,
      Array.from({ length: 5 }, (_, at) => `And ${at}?`),
      () => 'Yes.',
    );
    const grown = await compress(chat, /(?:Not compressed|Compressed|to compress)[^"]*12 messages/, '/compact');
    assert.match(grown, /Not compressed: the result would have been larger \(12 messages\)/);
    assert.match(grown, /Whole request: about [\d,]+ tokens \(unchanged\)/);
    await chat.leave();
  });
});
