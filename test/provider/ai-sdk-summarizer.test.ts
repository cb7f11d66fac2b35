import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { type DialectName, type FakeProvider, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import type { FailureKind } from '../../packages/core/src/compression/policy/state.ts';
import {
  type Summarizer,
  SummarizerError,
  type SummaryReply,
} from '../../packages/core/src/compression/summarize/summarizer.ts';
import { type AiSdkSummarizerOptions, summarizerOn } from '../../packages/core/src/provider/ai-sdk-summarizer.ts';
import { platformTimers, type Timers } from '../../packages/core/src/shared/timers.ts';
import { handTimers } from './hand-timers.ts';

const call = { system: 'You write a checkpoint.', prompt: 'The records.' };

/** Those whose packages are installed. */
type Spoken = Exclude<DialectName, 'gemini'>;
const dialects: readonly Spoken[] = ['openai-chat', 'openai-responses', 'anthropic'];

interface Called extends AiSdkSummarizerOptions {
  readonly timers?: Timers;
}

/** A summariser over the real package of a dialect, at the fake provider. */
function summarizerAt(
  fake: FakeProvider,
  dialect: Spoken,
  { timers = platformTimers, ...options }: Called = {},
): Summarizer {
  const settings = { baseURL: fake.baseUrl(dialect), apiKey: 'key-of-the-test' };
  switch (dialect) {
    case 'openai-chat':
      return summarizerOn(
        timers,
        createOpenAICompatible({ ...settings, name: 'mill', includeUsage: true }).chatModel('mill-1'),
        options,
      );
    case 'openai-responses':
      return summarizerOn(timers, createOpenAI(settings).responses('gpt-5'), options);
    case 'anthropic':
      return summarizerOn(timers, createAnthropic(settings).languageModel('claude-opus-4-5'), options);
  }
}

/** The error of a call that must fail. */
async function failure(writing: Promise<SummaryReply>): Promise<SummarizerError> {
  const error = await writing.then(
    () => assert.fail('an answer came'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof SummarizerError, String(error));
  return error;
}

for (const dialect of dialects) {
  describe(`a summary over ${dialect}`, () => {
    test('S6: streams text, keeps reasoning apart and reports the usage', async () => {
      await using fake = await startFakeProvider();
      const usage = { inputTokens: 700, outputTokens: 90, cacheReadTokens: 300, reasoningTokens: 40 };
      fake.reply({ text: '## Goal\nShip 📦 the 検証 today.', reasoning: 'What matters here?', usage, pieceChars: 5 });
      const pieces: string[] = [];
      const reply = await summarizerAt(fake, dialect).write({ ...call, onText: (text) => pieces.push(text) });
      assert.equal(reply.text, '## Goal\nShip 📦 the 検証 today.');
      assert.equal(pieces.join(''), reply.text);
      assert.ok(pieces.length > 3);
      assert.equal(reply.reasoning, 'What matters here?');
      assert.equal(reply.finish, 'stop');
      const { inputTokens, outputTokens, cacheReadTokens } = reply.usage ?? {};
      assert.deepEqual([inputTokens, outputTokens, cacheReadTokens], [700, 90, 300]);
    });

    test('sends the system text, the prompt and no limit for the output', async () => {
      await using fake = await startFakeProvider();
      fake.reply({ text: 'ok' });
      await summarizerAt(fake, dialect).write(call);
      const request = fake.requests[0];
      const sent = JSON.stringify(request?.body);
      assert.ok(sent.includes(call.system) && sent.includes(call.prompt));
      assert.ok(!/temperature|max_completion_tokens|max_output_tokens|"tools"/.test(sent));
      // Anthropic demands a number; the package sends the model's own.
      assert.equal(/"max_tokens"/.test(sent), dialect === 'anthropic');
    });

    const finishes: readonly (readonly [Reply, SummaryReply['finish']])[] = [
      [{ text: 'half a', finish: 'length' }, 'length'],
      [{ text: 'I will not.', finish: 'refusal' }, 'refusal'],
      [{ text: '', finish: 'contentFilter' }, 'refusal'],
      [{ toolCalls: [{ name: 'look', input: {} }] }, 'other'],
      [{}, 'stop'],
    ];
    for (const [reply, finish] of finishes) {
      test(`${JSON.stringify(reply)} finishes as ${finish}`, async () => {
        await using fake = await startFakeProvider();
        fake.reply(reply);
        const answer = await summarizerAt(fake, dialect).write(call);
        assert.deepEqual([answer.finish, answer.text], [finish, reply.text ?? '']);
      });
    }

    test('an answer of reasoning alone has an empty text', async () => {
      await using fake = await startFakeProvider();
      fake.reply({ reasoning: 'Only thoughts.' });
      const { text, reasoning } = await summarizerAt(fake, dialect).write(call);
      assert.deepEqual([text, reasoning], ['', 'Only thoughts.']);
    });

    const failures: readonly (readonly [string, Reply, FailureKind])[] = [
      ['401', { error: { status: 401 } }, 'auth'],
      ['402', { error: { status: 402 } }, 'quota'],
      ['404', { error: { status: 404 } }, 'no_provider'],
      ['413', { error: { status: 413 } }, 'other'],
      ['429', { error: { status: 429 } }, 'rate_limit'],
      [
        '429 for a spent quota',
        { error: { status: 429, code: 'insufficient_quota', type: 'insufficient_quota' } },
        'quota',
      ],
      ['500', { error: { status: 500 } }, 'server_error'],
      ['503', { error: { status: 503 } }, 'server_error'],
      ['529', { error: { status: 529 } }, 'server_error'],
      [
        'an overload in mid-answer',
        { text: 'half of an answer', error: { status: 529, inStream: true } },
        'server_error',
      ],
      ['a limit in mid-answer', { text: 'half of an answer', error: { status: 429, inStream: true } }, 'rate_limit'],
      ['a connection that breaks in mid-answer', { text: 'half of an answer', closeAfter: 6 }, 'bad_output'],
      ['broken JSON in mid-answer', { text: 'half of an answer that goes on', malformed: true }, 'bad_output'],
      [
        'a web page',
        { raw: { contentType: 'text/html', body: '<!doctype html><title>Sign in</title>' } },
        'bad_output',
      ],
      ['an empty body', { raw: { contentType: 'text/event-stream', body: '' } }, 'bad_output'],
    ];
    for (const [what, reply, kind] of failures) {
      test(`F2: ${what} is ${kind}, after one request`, async () => {
        await using fake = await startFakeProvider();
        fake.reply(reply);
        const summarizer = summarizerAt(fake, dialect);
        const error = await failure(summarizer.write(call));
        assert.deepEqual([error.kind, error.model, error.code], [kind, summarizer.name, 'SUMMARY_FAILED']);
        assert.equal(fake.requests.length, 1);
        assert.equal(error.evidence.overflow, what === '413' ? true : undefined);
      });
    }

    test('F2: a prompt that does not fit is rejected as such', async () => {
      await using fake = await startFakeProvider({ contextLength: 2_000 });
      const prompt = 'One more sentence of the transcript. '.repeat(2_000);
      const error = await failure(summarizerAt(fake, dialect).write({ ...call, prompt }));
      assert.deepEqual([error.kind, error.evidence.overflow], ['other', true]);
      assert.ok(error.message.length < 600);
    });

    test('F2: the wait that the provider asks for is told', async () => {
      await using fake = await startFakeProvider();
      fake.reply({ error: { status: 429, headers: { 'retry-after': '17' } } });
      const { evidence } = await failure(summarizerAt(fake, dialect).write(call));
      assert.equal(evidence.retryAfterSeconds, 17);
    });

    test('F2: silence ends at the idle time', async () => {
      await using fake = await startFakeProvider();
      fake.reply({ hang: true });
      const timers = handTimers();
      const writing = failure(summarizerAt(fake, dialect, { timers, idleTimeoutMs: 30_000 }).write(call));
      await fake.received(1);
      timers.fire(30_000);
      const { kind, message } = await writing;
      assert.equal(kind, 'timeout');
      assert.match(message, /sent nothing for 30 s.*timeout_seconds/);
      assert.deepEqual(timers.waiting(), []);
    });

    test('an abort gives the caller back the own reason and hangs up', async () => {
      await using fake = await startFakeProvider();
      fake.reply({ hang: true });
      const controller = new AbortController();
      const reason = new Error('the person pressed Escape');
      const writing = summarizerAt(fake, dialect).write({ ...call, signal: controller.signal });
      const request = await fake.received(1);
      controller.abort(reason);
      await assert.rejects(writing, (thrown) => thrown === reason);
      await request.ended;
      assert.equal(request.aborted, true);
    });
  });
}

test('F2: nobody at the address is a network failure that names the address', async () => {
  const fake = await startFakeProvider();
  const summarizer = summarizerAt(fake, 'openai-chat');
  await fake.close();
  const error = await failure(summarizer.write(call));
  assert.equal(error.kind, 'network');
  assert.match(error.message, /mill\/mill-1 cannot be reached \(econnrefused\): .*ECONNREFUSED 127\.0\.0\.1/);
});

test('F2: a wrong key is refused, and the key stands nowhere in the error', async () => {
  await using fake = await startFakeProvider({ apiKey: 'another key' });
  const error = await failure(summarizerAt(fake, 'anthropic', { keyVariable: 'MILL_KEY' }).write(call));
  assert.equal(error.kind, 'auth');
  assert.match(error.message, /Check MILL_KEY/);
  assert.ok(!`${error.message} ${error.stack} ${JSON.stringify(error)}`.includes('key-of-the-test'));
});
