import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { serialize } from '../../../packages/core/src/compression/summarize/serialize.ts';
import {
  type Summarizer,
  SummarizerError,
  type SummaryReply,
} from '../../../packages/core/src/compression/summarize/summarizer.ts';
import {
  SummaryFailed,
  type SummaryInput,
  type WrittenSummary,
  writeSummary,
} from '../../../packages/core/src/compression/summarize/write-summary.ts';
import { PalimpsestError } from '../../../packages/core/src/shared/errors.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { assistant, calls, deepFreeze, result, user } from '../../support/conversations.ts';
import { hostileConversations } from '../../support/hostile-conversations.ts';
import { inputFor, numbered, rough, scripted, smallSession, summaryFor } from './scripted.ts';

const faithful = (rest: Partial<Summarizer> = {}) => scripted((call) => ({ text: summaryFor(call) }), rest);

/** What `run` throws. */
async function thrown(run: Promise<unknown>): Promise<unknown> {
  try {
    await run;
  } catch (error) {
    return error;
  }
  return assert.fail('nothing was thrown');
}

const failed = async (input: SummaryInput): Promise<SummaryFailed> => {
  const error = await thrown(writeSummary(input));
  assert.ok(error instanceof SummaryFailed, String(error));
  return error;
};

/** `count` steps of a request, a call and a long result. */
const longSession = (count: number, chars = 3_000): readonly Message[] =>
  Array.from({ length: count }, (_, at) => [
    user(`Please look at file ${at}.`),
    calls({ [`c${at}`]: 'read_file' }, { path: `src/file-${at}.ts` }),
    result(`c${at}`, `${at} ${'lorem ipsum '.repeat(chars / 12)}`),
  ]).flat();

const labels = (text: string): readonly string[] => text.match(/^\[m\d+ [A-Z][^\]]*\]$/gm) ?? [];
const recordsIn = (prompt: string): string => /<records>\n([\s\S]*)\n<\/records>/.exec(prompt)?.[1] ?? '';

test('S6: what fits the window is read in one call, and the report says so', async () => {
  const model = faithful({ contextLength: 100_000 });
  const written = await writeSummary(inputFor(smallSession, model));
  assert.equal(model.calls.length, 1);
  assert.equal(written.model, 'fake/one');
  assert.deepEqual(
    written.coverage.parts.map(({ from, to, messages }) => [from, to, messages]),
    [['m1', 'm8', 8]],
  );
  assert.deepEqual(written.coverage.window, { model: 'fake/one', tokens: 100_000, assumed: false });
  assert.deepEqual(written.coverage.messages, { read: 8, of: 8 });
  assert.equal(written.coverage.tokens.read, written.coverage.tokens.of);
  assert.deepEqual(written.failures, []);
});

test('S7: a window that nobody knows is taken for 128,000 tokens, and the report says that it is a guess', async () => {
  const written = await writeSummary(inputFor(smallSession, faithful()));
  assert.deepEqual(written.coverage.window, { model: 'fake/one', tokens: 128_000, assumed: true });
});

test('S6: a long middle is read in parts, and their summaries are merged', async () => {
  const model = faithful({ contextLength: 12_000 });
  const written = await writeSummary(inputFor(longSession(20), model));
  const parts = model.calls.filter(({ prompt }) => prompt.startsWith('<records>'));
  assert.equal(parts.length, written.coverage.parts.length);
  assert.ok(parts.length > 1);
  const merge = model.calls.at(-1)?.prompt ?? '';
  assert.ok(merge.startsWith('<part-summaries>\n[PART 1: m1 to m'));
  assert.equal(merge.match(/^\[PART \d+: m\d+ to m\d+\]$/gm)?.length, parts.length);
  assert.deepEqual(written.calls.map(({ purpose }) => purpose).sort(), [...parts.map(() => 'part'), 'merge'].sort());
});

test('S6: parts end between groups: a result is read with its call', async () => {
  const model = faithful({ contextLength: 9_000 });
  await writeSummary(inputFor(longSession(20), model));
  for (const { prompt } of model.calls) {
    const records = recordsIn(prompt);
    if (records) assert.ok(!records.startsWith('[m') || !/^\[m\d+ TOOL RESULT/.test(records), records.slice(0, 60));
  }
});

test('S6: a group larger than the window is read record by record', async () => {
  const names = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`c${at}`, 'read_file']));
  const results = Object.keys(names).map((id) => result(id, `${id} ${'word '.repeat(800)}`));
  const model = faithful({ contextLength: 9_000 });
  const written = await writeSummary(inputFor([user('Read all.'), calls(names), ...results], model));
  const seen = model.calls.flatMap(({ prompt }) => labels(recordsIn(prompt)));
  assert.equal(seen.length, 1 + 12 + 12);
  assert.ok(written.coverage.parts.length > 1);
});

test('S6: an earlier summary is brought up to date once, when the parts are merged', async () => {
  const model = faithful({ contextLength: 12_000 });
  await writeSummary(inputFor(longSession(20), model, { previous: '## Goal\nthe old goal', facts: 'm3 failed' }));
  const withPrevious = model.calls.filter(({ prompt }) => prompt.includes('the old goal'));
  assert.equal(withPrevious.length, 1);
  assert.equal(withPrevious[0], model.calls.at(-1));
  assert.ok(withPrevious[0]?.prompt.includes('m3 failed'));
});

test('S6: whatever the messages and the window, every record is read exactly once, in order, and no call is too large', async () => {
  const texts = fc.array(fc.integer({ min: 1, max: 6_500 }), { minLength: 1, maxLength: 40 });
  const windows = fc.integer({ min: 6_000, max: 40_000 });
  await fc.assert(
    fc.asyncProperty(texts, windows, hostileConversations({ maxSteps: 12 }), async (sizes, contextLength, hostile) => {
      const long = sizes.map((size, at) => (at % 3 === 0 ? user : assistant)(`${at} ${'a b c '.repeat(size / 6)}`));
      const messages = [...long, ...hostile];
      const model = faithful({ contextLength });
      await writeSummary(inputFor(messages, model));
      const expected = serialize(numbered(messages), rough).records.map(({ text }) => text);
      const read = model.calls.map(({ prompt }) => recordsIn(prompt)).filter(Boolean);
      assert.equal(read.join('\n\n'), expected.join('\n\n'));
      for (const { system, prompt } of model.calls) {
        assert.ok(rough(system) + rough(prompt) + 1.5 * lengthAskedFor(prompt) <= contextLength);
      }
    }),
    { numRuns: 60 },
  );
});

const lengthAskedFor = (prompt: string): number => Number(/^Length: at most about (\d+) tokens/m.exec(prompt)?.[1]);

test('S6: many parts are merged in levels', async () => {
  const model = scripted(
    (call) => ({ text: summaryFor(call, 'Something was done here, and it took a while (m1). '.repeat(6)) }),
    {
      contextLength: 8_000,
    },
  );
  const written = await writeSummary(inputFor(longSession(120), model));
  const merges = model.calls.filter(({ prompt }) => prompt.startsWith('<part-summaries>'));
  assert.ok(merges.length > 2);
  assert.equal(written.calls.length, model.calls.length);
  const last = merges.at(-1)?.prompt ?? '';
  assert.match(last, /^\[PART 1-\d+: m1 to m\d+\]$/m);
  assert.match(last, /: m\d+ to m360\]$/m);
});

test('S7: a window that cannot hold one record and the prompt is an error that says so, before any call', async () => {
  const model = faithful({ contextLength: 2_800 });
  const error = await failed(inputFor(longSession(5, 6_000), model));
  assert.equal(model.calls.length, 0);
  assert.equal(error.kind, 'other');
  assert.match(error.message, /expected a window with room .* got the 2800 tokens of fake\/one/);
  assert.match(error.message, /Use a model with a larger window/);
});

test('S7: a window that has no room to merge is an error that names what takes the room, before any call', async () => {
  const model = faithful({ contextLength: 6_000 });
  const previous = `## Goal\n${'what was done before '.repeat(900)}`;
  const error = await failed(inputFor(longSession(20), model, { previous }));
  assert.equal(model.calls.length, 0);
  assert.match(
    error.message,
    /an earlier summary of \d+ tokens, a reply of 400 tokens .* got the 6000 tokens of fake\/one/,
  );
});

test('S7: part summaries that never get shorter end in an error, not in a loop', async () => {
  const model = scripted((call) => ({ text: summaryFor(call, 'endless '.repeat(200)) }), { contextLength: 8_000 });
  const error = await failed(inputFor(longSession(30), model));
  assert.equal(error.kind, 'other');
  assert.match(error.message, /room to merge/);
});

test('S7: facts that the window has no room for are left out, and the report says so', async () => {
  const facts = 'm1 a fact\n'.repeat(1_200);
  const model = faithful({ contextLength: 8_000 });
  const written = await writeSummary(inputFor(smallSession, model, { facts }));
  assert.equal(written.coverage.facts, 'no room');
  assert.ok(!model.calls.some(({ prompt }) => prompt.includes('<facts>')));
  assert.equal((await writeSummary(inputFor(smallSession, faithful(), { facts }))).coverage.facts, 'shown');
});

test('S6: at most three parts are summarised at once, or as many as the caller says', async () => {
  for (const maxParallel of [undefined, 1, 2, 7]) {
    const model = scripted(
      async (call) => {
        await Promise.resolve();
        return { text: summaryFor(call) };
      },
      { contextLength: 9_000 },
    );
    await writeSummary(inputFor(longSession(80), model, maxParallel === undefined ? {} : { maxParallel }));
    assert.equal(model.running.most, maxParallel ?? 3);
  }
});

test('S6: one part that fails makes the whole fail: there is no hole, and no further part is asked for', async () => {
  const model = scripted(
    (call, number) => {
      if (number === 1) throw new SummarizerError('server_error', 'the server is down', { model: 'fake/one' });
      return { text: summaryFor(call) };
    },
    { contextLength: 9_000 },
  );
  const error = await failed(inputFor(longSession(40), model, { maxParallel: 1 }));
  assert.equal(error.kind, 'server_error');
  assert.equal(model.calls.length, 2);
});

test('F2: when the model fails, the fallback does the whole job once, and the failure is told', async () => {
  const broken = scripted(
    () => {
      throw new SummarizerError('auth', 'the key was refused', { model: 'fake/broken' });
    },
    { name: 'fake/broken' },
  );
  const fallback = faithful({ name: 'fake/main' });
  const written = await writeSummary(inputFor(smallSession, broken, { fallback }));
  assert.equal(written.model, 'fake/main');
  assert.deepEqual(
    written.failures.map(({ kind, model }) => [kind, model]),
    [['auth', 'fake/broken']],
  );
  assert.equal(written.coverage.window.model, 'fake/main');
  assert.equal(fallback.calls.length, 1);
});

test('F2: an unusable reply counts as a failure, and its cost is told', async () => {
  const usage = { inputTokens: 900, outputTokens: 40, cacheReadTokens: 0 };
  const chatty = scripted(() => ({ text: 'It limits how deep folders are read.', usage }));
  const written = await writeSummary(inputFor(smallSession, chatty, { fallback: faithful({ name: 'fake/main' }) }));
  assert.equal(written.failures[0]?.kind, 'bad_output');
  const [first, second] = written.calls;
  assert.deepEqual([first?.model, first?.usage, first?.outputTokens], ['fake/one', usage, 40]);
  assert.equal(second?.model, 'fake/main');
  assert.equal(second && 'usage' in second, false);
  assert.equal(second?.outputTokens, rough(written.text));
});

test('F2: when both fail there is one error that knows both, and nobody is asked a third time', async () => {
  const one = scripted(() => ({ text: '' }));
  const two = scripted(() => ({ text: 'cut', finish: 'length' }), { name: 'fake/two' });
  const error = await failed(inputFor(smallSession, one, { fallback: two }));
  assert.deepEqual(
    error.failures.map(({ kind }) => kind),
    ['empty_output', 'bad_output'],
  );
  assert.equal(error.kind, 'bad_output');
  assert.equal(error.code, 'SUMMARY_FAILED');
  assert.match(error.message, /fake\/one.*then: .*fake\/two/);
  assert.equal(error.calls.length, 2);
  assert.deepEqual([one.calls.length, two.calls.length], [1, 1]);
});

test('F2: an adapter that throws something else is a failure of the model, with its cause', async () => {
  const cause = new TypeError('fetch failed');
  const error = await failed(
    inputFor(
      smallSession,
      scripted(() => Promise.reject(cause)),
    ),
  );
  assert.equal(error.kind, 'other');
  assert.equal(error.failures[0]?.cause, cause);
});

test('F2: an adapter that answers with no reply, or one without a text, is a failure of the model', async () => {
  for (const reply of [undefined, null, 'Done.', {}, { text: 7, finish: 'stop' }]) {
    // What a program in plain JavaScript may do.
    const write = () => Promise.resolve(reply as unknown as SummaryReply);
    const error = await failed(inputFor(smallSession, { name: 'fake/one', write }));
    assert.equal(error.kind, 'bad_output');
    assert.match(error.message, /expected a reply with a text from fake\/one/);
  }
});

test('F1: messages with nothing to read are no failure of a model', async () => {
  const model = faithful();
  for (const messages of [
    [],
    [assistant(' ')],
    [{ role: 'assistant', parts: [{ type: 'reasoning', text: 'hm' }] } as const],
  ]) {
    const error = await thrown(writeSummary(inputFor(messages, model)));
    assert.ok(error instanceof SummarizerError);
    assert.equal(error.kind, 'nothing');
  }
  assert.equal(model.calls.length, 0);
});

test('F3: an abort before the call asks nobody', async () => {
  const model = faithful();
  const reason = new Error('stopped by a person');
  assert.equal(
    await thrown(writeSummary(inputFor(smallSession, model, { signal: AbortSignal.abort(reason) }))),
    reason,
  );
  assert.equal(model.calls.length, 0);
});

test('F3: an abort rejects at once with its reason, also when the models do not listen, and asks no fallback', async () => {
  for (const listens of [true, false]) {
    const stop = new AbortController();
    const reason = new Error('stopped by a person');
    const fallback = faithful();
    const model = scripted(
      ({ signal }, number) =>
        new Promise((_, reject) => {
          if (listens) signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
          if (number === 2) stop.abort(reason);
        }),
      { contextLength: 9_000 },
    );
    const error = await thrown(writeSummary(inputFor(longSession(40), model, { signal: stop.signal, fallback })));
    assert.equal(error, reason);
    assert.equal(model.calls.length, 3);
    assert.equal(fallback.calls.length, 0);
  }
});

test('F3: when one part fails, the calls beside it are aborted', async () => {
  let aborted = 0;
  const model = scripted(
    ({ signal }, number) => {
      if (number === 2) throw new SummarizerError('quota', 'no credit', { model: 'fake/one' });
      return new Promise((_, reject) =>
        signal?.addEventListener('abort', () => {
          aborted++;
          reject(signal.reason);
        }),
      );
    },
    { contextLength: 9_000 },
  );
  const error = await failed(inputFor(longSession(40), model));
  assert.equal(error.kind, 'quota');
  assert.equal(aborted, 2);
});

test('F5: a caller is told of every call, every piece of text, and every failure', async () => {
  const events: string[] = [];
  const onProgress: SummaryInput['onProgress'] = (event) => {
    if (event.type === 'calling')
      events.push(`${event.model} ${event.purpose} ${event.part}/${event.of} ${event.inputTokens > 500}`);
    if (event.type === 'text') events.push(event.text);
    if (event.type === 'failed') events.push(`${event.error.kind}, next ${event.next}`);
  };
  const first = scripted((call) => {
    call.onText?.('## Act');
    return { text: '' };
  });
  await writeSummary(inputFor(smallSession, first, { fallback: faithful({ name: 'fake/main' }), onProgress }));
  assert.deepEqual(events, [
    'fake/one whole 1/1 true',
    '## Act',
    'empty_output, next fake/main',
    'fake/main whole 1/1 true',
  ]);
});

test('S6: what a call is estimated to cost is what it sends', async () => {
  const model = faithful({ contextLength: 12_000 });
  const written = await writeSummary(inputFor(longSession(20), model, { maxParallel: 1 }));
  for (const [at, { system, prompt }] of model.calls.entries()) {
    const sent = rough(system) + rough(prompt);
    assert.ok(Math.abs((written.calls[at]?.inputTokens ?? 0) - sent) <= 0.02 * sent + 10);
  }
});

test('E5: the messages are never changed', async () => {
  const written: WrittenSummary = await writeSummary(inputFor(deepFreeze(longSession(4)), faithful()));
  assert.ok(written.text);
});

test('S7: numbers that make no sense are refused before any call', async () => {
  const model = faithful();
  for (const rest of [{ budgetTokens: 0 }, { focusMessages: -1 }, { maxParallel: Number.NaN }]) {
    const error = await thrown(writeSummary(inputFor(smallSession, model, rest)));
    assert.ok(PalimpsestError.isInstance(error) && error.code === 'BAD_OPTION');
    assert.match(error.message, new RegExp(Object.keys(rest)[0] ?? ''));
  }
  assert.equal(model.calls.length, 0);
});
