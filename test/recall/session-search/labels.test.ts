/** The labels under which a model reads what was found, and what of them its summary hands on. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compress } from '../../../packages/core/src/compression/compress.ts';
import type { Summarizer, SummaryCall } from '../../../packages/core/src/compression/summarize/summarizer.ts';
import { expandSession } from '../../../packages/core/src/recall/expand-tool.ts';
import type { SessionId } from '../../../packages/core/src/store/ids.ts';
import type { Store } from '../../../packages/core/src/store/store.ts';
import { estimatingTokenizer } from '../../../packages/core/src/tokens/tokenizer.ts';
import { readableText } from '../../../packages/core/src/transcript/text.ts';
import { type Answer, asking, compressed, keep, openMemory } from './stored.ts';

/** A model that notes what it is shown and says what it is told to. */
function noting(say: (prompt: string) => string): { readonly prompts: string[]; readonly summarizer: Summarizer } {
  const prompts: string[] = [];
  const write = async ({ prompt }: SummaryCall): ReturnType<Summarizer['write']> => {
    prompts.push(prompt);
    return { text: say(prompt), finish: 'stop' };
  };
  return { prompts, summarizer: { name: 'mill/noting', write } };
}

/** So many messages, each with a text of its own; one of them is on herons. */
const said = (count: number, heron: number): readonly string[] =>
  Array.from({ length: count }, (_, i) =>
    i === heron ? 'The heron service listens on port 8841.' : `remark ${i + 1} on sparrows ${'and swifts '.repeat(40)}`,
  );

/** Every label of a prompt brings back, by `expand`, what stands below it. */
async function assertExpandable(store: Store, id: SessionId, prompt: string): Promise<number> {
  const records = [...prompt.matchAll(/^\[(m\d+) [A-Z ]+\]\n(.*)$/gm)];
  for (const [, ref = '', line = ''] of records) {
    const [found] = await expandSession(store, id, ref);
    assert.ok(found && readableText(found.message).includes(line.slice(0, 60)), `${ref}: ${line.slice(0, 60)}`);
  }
  return records.length;
}

const limits = { windowCharacters: 3_000 };

describe('the labels of what was found', () => {
  test('are the refs that expand takes, in the midst of a long conversation', async () => {
    await using store = await openMemory();
    const id = await keep(store, said(200, 150));
    const { prompts, summarizer } = noting(() => 'The heron service listens on port 8841.');
    await asking(store, { summarizer, limits })({ query: 'heron' });
    assert.match(prompts[0] ?? '', /^\[m151 USER\]\nThe heron service/m);
    assert.ok((await assertExpandable(store, id, prompts[0] ?? '')) >= 3);
  });

  test('are the same after compressions', async () => {
    await using store = await openMemory();
    const id = await compressed(store, await keep(store, said(60, 40)), 4);
    await store.messages.append(id, [{ role: 'user', parts: [{ type: 'text', text: 'Is the heron service up?' }] }]);
    const tip = await compressed(store, id, 2);
    const { prompts, summarizer } = noting(() => 'The heron service listens on port 8841.');
    await asking(store, { summarizer, limits: { windowCharacters: 20_000 } })({ query: 'heron' });
    assert.match(prompts[0] ?? '', /^\[m61 USER\]\nIs the heron/m);
    assert.ok((await assertExpandable(store, tip, prompts[0] ?? '')) >= 3);
  });

  test('count on from the handoff of a conversation that was compressed elsewhere', async () => {
    await using store = await openMemory();
    const messages = said(120, 118).map((text, i) => ({
      role: i % 2 === 0 ? ('user' as const) : ('assistant' as const),
      parts: [{ type: 'text' as const, text }],
    }));
    const result = await compress(messages, {
      contextLength: 8_000,
      tokenizer: estimatingTokenizer('claude'),
    });
    assert.ok(result.messages.length < 60);
    const id = await keep(store, result.messages);
    const { prompts, summarizer } = noting(() => 'The heron service listens on port 8841.');
    await asking(store, { summarizer, limits })({ query: 'heron' });
    assert.match(prompts[0] ?? '', /^\[m119 USER\]\nThe heron service/m);
    assert.ok((await assertExpandable(store, id, prompts[0] ?? '')) >= 1);
  });
});

describe('a summary of what was found', () => {
  /** What `message_id` of an answer brings back. */
  const brought = (ask: (given: unknown) => Promise<Answer>, text: string): Promise<readonly string[]> =>
    Promise.all(
      [...text.matchAll(/message_id ([0-9a-f]{16})/g)].map(
        async ([, id]) => (await ask({ message_id: id })).message.text,
      ),
    );

  test('names messages by the ids that the tool takes, and by no label', async () => {
    for (const cited of ['(m151)', '[m151]', 'in m151', 'm151:', '(m151-m152)']) {
      await using store = await openMemory();
      await keep(store, said(200, 150));
      const { summarizer } = noting(() => `The heron service listens on port 8841 ${cited}.`);
      const ask = asking(store, { summarizer, limits });
      const [found] = (await ask({ query: 'heron' })).results;
      assert.doesNotMatch(found?.summary ?? '', /\bm\d+\b/, cited);
      const [first] = await brought(ask, found?.summary ?? '');
      assert.equal(first, 'The heron service listens on port 8841.', cited);
    }
  });

  test('keeps what looks like a label and is a name of the record', async () => {
    await using store = await openMemory();
    await keep(store, ['Which chip has the heron?', 'The heron has an m2 chip.']);
    const { summarizer } = noting(() => 'The heron has an m2 chip.');
    const [found] = (await asking(store, { summarizer })({ query: 'heron' })).results;
    assert.equal(found?.summary, 'The heron has an m2 chip.');
  });

  test('names no message that it was not shown', async () => {
    await using store = await openMemory();
    await keep(store, said(200, 150));
    const { summarizer } = noting(() => 'The heron service listens on port 8841 (m3), [m3].');
    const [found] = (await asking(store, { summarizer, limits })({ query: 'heron' })).results;
    assert.match(found?.summary ?? '', /port 8841/);
    assert.doesNotMatch(found?.summary ?? '', /\bm3\b|message_id/);
  });

  test('that is put right by the record names the message that says so', async () => {
    await using store = await openMemory();
    const filler = said(80, 200);
    await keep(store, [
      ...filler,
      'Move the heron service to port 8841, and never to port 9000.',
      'I moved it to port 8841.',
    ]);
    const { summarizer } = noting(() => 'The user said: "Move the heron service to port 9000."');
    const ask = asking(store, { summarizer, limits });
    const [found] = (await ask({ query: 'heron' })).results;
    assert.doesNotMatch(found?.summary ?? '', /\bm\d+\b/);
    for (const text of await brought(ask, found?.summary ?? '')) assert.match(text, /heron service to port 8841/);
  });
});
