/** Summaries that the session's own model writes behind the request that it has in its cache (C5), over real HTTP. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CompressionResult, ContextCompression } from '@palimpsest/core';
import { storeOf, type WithPalimpsestOptions } from '@palimpsest/core/ai-sdk';
import type { UsageTotals } from '@palimpsest/core/store';
import { type FakeProvider, type FakeRequest, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import { generateText, isStepCount, jsonSchema, type ModelMessage, streamText, tool } from 'ai';
import { wrapModel } from '../../packages/core/src/ai-sdk/with-palimpsest.ts';
import { anthropic, type Provider, responses } from './providers.ts';

const window = 24_000;

/** What asks for a summary behind the conversation, and what asks for one in a request of its own. */
const isContinued = ({ body }: FakeRequest): boolean => JSON.stringify(body).includes('about to be shortened');
const isPlain = ({ body }: FakeRequest): boolean => JSON.stringify(body).includes('You write checkpoints');

const summary =
  '## Active Task\nMove the ledgers.\n\n## Completed Actions\n1. Moved region north-1 with `move north-1`.';

const promptTokens = ({ body }: FakeRequest): number => Math.ceil(JSON.stringify(body).length / 4);

interface Setting {
  /** What a summary that is asked for behind the conversation is answered. */
  readonly continued?: Reply;
  /** What of a prompt the provider says that it has found in its cache, of 1. @default 0.9 */
  readonly cached?: number;
  /** Milliseconds between two calls of the model. */
  readonly pauseMs?: number;
  readonly options?: Partial<WithPalimpsestOptions>;
  readonly isStreamed?: boolean;
}

/** A provider that reports a cache, and a turn that runs a tool for each region. */
const scripted =
  ({ continued, cached = 0.9 }: Setting) =>
  (request: FakeRequest): Reply => {
    const tokens = promptTokens(request);
    const read = Math.floor(tokens * cached);
    const usage = { inputTokens: tokens - read, cacheReadTokens: read, outputTokens: 40 };
    if (isContinued(request)) return { text: summary, usage, ...continued };
    if (isPlain(request)) return { text: summary, usage };
    const { messages } = request;
    const last = messages.at(-1);
    const isResult = last?.parts.some(({ type }) => type === 'toolResult');
    if (isResult) return { text: 'Moved.', usage };
    return { toolCalls: [{ name: 'move', input: { region: `north-${messages.length}` } }], usage };
  };

interface Outcome {
  readonly requests: readonly FakeRequest[];
  readonly results: readonly CompressionResult[];
  readonly notices: readonly string[];
  /** Of the calls that wrote summaries. */
  readonly summaryUsage: UsageTotals | undefined;
}

/** Turns until the window was full. */
async function converse(provider: Provider, setting: Setting = {}, turns = 16): Promise<Outcome> {
  let now = Date.UTC(2026, 0, 1);
  await using fake: FakeProvider = await startFakeProvider({ script: scripted(setting) });
  const results: CompressionResult[] = [];
  const notices: string[] = [];
  const model = wrapModel(
    provider.model(fake),
    {
      summarizer: 'session',
      contextLength: window,
      hooks: { onCompressionEnd: ({ result }: ContextCompression) => void (result && results.push(result)) },
      onNotice: ({ type, message }) => void (type === 'summary_failed' && notices.push(message)),
      ...setting.options,
    },
    { clock: { now: () => now } },
  );
  const rows = Array.from({ length: 300 }, (_, row) => `row ${row} of the ledger`).join('\n');
  const move = tool({
    description: 'Moves the ledgers of a region.',
    inputSchema: jsonSchema<{ region: string }>({ type: 'object', properties: { region: { type: 'string' } } }),
    async execute({ region }) {
      now += setting.pauseMs ?? 1_000;
      return `Moved ${region}:\n${rows}`;
    },
  });
  const messages: ModelMessage[] = [];
  for (let turn = 0; turn < turns; turn++) {
    messages.push({ role: 'user', content: `Move region north-${turn}.` });
    const call = {
      model,
      messages,
      tools: { move },
      system: `You move ledgers. ${'Be exact about every row. '.repeat(80)}`,
      stopWhen: isStepCount(4),
      maxRetries: 0,
    };
    const said = setting.isStreamed
      ? await streamText(call).responseMessages
      : (await generateText(call)).responseMessages;
    messages.push(...said);
    now += setting.pauseMs ?? 1_000;
  }
  const store = await storeOf(model);
  const summaryUsage = (await store.usage.by('task')).find(({ group }) => group === 'summary');
  const requests = [...fake.requests];
  await model[Symbol.asyncDispose]();
  return { requests, results, notices, summaryUsage };
}

/** The request before this one that asked for no summary. */
const before = (requests: readonly FakeRequest[], at: number): FakeRequest => {
  const found = requests.slice(0, at).findLast((request) => !isContinued(request) && !isPlain(request));
  assert.ok(found);
  return found;
};

/** The text of a body up to the end of its messages, with the brackets that close them taken off. */
function upToEnd({ body }: FakeRequest, list: string): string {
  const { [list]: messages, ...rest } = body;
  // Whether the answer comes in parts, and how long it may be, is not what a cache holds.
  const { max_tokens: _, max_output_tokens: __, stream: ___, ...settings } = rest;
  return `${JSON.stringify(settings)}${JSON.stringify(messages)}`.replace(/[\]}]+$/, '');
}

for (const [provider, list] of [
  [anthropic, 'messages'],
  [responses, 'input'],
] as const) {
  describe(`a summary over ${provider.name}`, () => {
    for (const isStreamed of [false, true])
      test(`C5 begins with the very bytes of the newest request${isStreamed ? ', streamed' : ''}, and is read from the cache`, async () => {
        const { requests, results, notices, summaryUsage } = await converse(provider, { isStreamed });
        const at = requests.findIndex(isContinued);
        assert.ok(at > 0, 'a summary was asked for behind the conversation');
        assert.equal(requests.filter(isPlain).length, 0);
        const [asked, newest] = [requests[at], before(requests, at)];
        assert.ok(asked);
        const [text, start] = [upToEnd(asked, list), upToEnd(newest, list)];
        assert.ok(text.startsWith(start), `${start.slice(-80)}\nis not the start of\n${text.slice(start.length - 80)}`);
        assert.ok(text.length > start.length);
        const [result] = results;
        assert.equal(result?.handoff?.writtenBy, 'model');
        assert.deepEqual(
          result?.summary?.calls.map(({ purpose }) => purpose),
          ['continued'],
        );
        assert.equal(result?.summary?.coverage.continued, true);
        assert.deepEqual(notices, []);
        const { calls = 0, cacheReadTokens = 0, costUsd = 0 } = summaryUsage ?? {};
        assert.equal(calls, requests.filter(isContinued).length);
        assert.ok(cacheReadTokens > 5_000 * calls && costUsd > 0);
      });

    test('C5 that comes as a call of a tool, or as no summary, is asked for once more in a request of its own', async () => {
      for (const continued of [
        { text: '', toolCalls: [{ name: 'move', input: { region: 'north-99' } }] },
        { text: 'Moved.' },
        { text: `${summary} and`, finish: 'length' as const },
      ]) {
        const { requests, results, notices } = await converse(provider, { continued }, 12);
        assert.ok(requests.some(isContinued) && requests.some(isPlain), JSON.stringify(continued));
        assert.equal(results[0]?.summary?.calls.at(-1)?.purpose, 'whole');
        assert.equal(results[0]?.handoff?.writtenBy, 'model');
        assert.deepEqual(notices, []);
        assert.ok(!JSON.stringify(results[0]?.messages).includes('north-99'), 'nobody has run the tool');
      }
    });

    test('C5 is asked for in a request of its own where the cache is cold, or was never seen', async () => {
      for (const setting of [{ pauseMs: 3_600_000 }, { cached: 0 }]) {
        const { requests } = await converse(provider, setting, 12);
        assert.ok(requests.some(isPlain) && !requests.some(isContinued), JSON.stringify(setting));
      }
    });

    test('F1 a model that cannot be reached is not asked in another way', async () => {
      const { requests, notices } = await converse(
        provider,
        { continued: { error: { status: 401, message: 'bad key' } } },
        12,
      );
      assert.ok(requests.some(isContinued) && !requests.some(isPlain));
      assert.match(notices.join('\n'), /could not write the summary: .+\(401\)/);
    });
  });
}

describe('a summary behind the conversation', () => {
  test('S6, S8: goes through the same check, and holds no credential', async () => {
    const secret = 'sk-ant-api03-Zq8xV2mN4bT7wK1pR9sL3dF6gH0jC5yE8uA2iO4nB7vX1zM6qW3eS9tD0rP5fG8h-AbCdEfGhAA';
    const text = `${summary}\n2. Published \`mill-core\` 9.9.9 to npm (the key is ${secret}).`;
    const { results } = await converse(anthropic, { continued: { text } });
    const told = JSON.stringify(results.map(({ handoff, summary: report }) => [handoff, report]));
    assert.equal(results[0]?.handoff?.writtenBy, 'model');
    assert.ok(!told.includes(secret));
    assert.ok(!results[0]?.handoff?.text.includes('9.9.9'));
  });

  test('C5 is prepared in the background as well', async () => {
    const { requests, results } = await converse(anthropic, { options: { config: { summary: { background: true } } } });
    assert.ok(requests.some(isContinued));
    assert.ok(results.some(({ summary: report }) => report?.coverage.continued));
  });

  test('C5 is not asked for where another model writes', async () => {
    const other = { name: 'other/one', write: async () => ({ text: summary, finish: 'stop' as const }) };
    const { requests, results } = await converse(anthropic, { options: { summarizer: other } });
    assert.ok(results.length > 0 && !requests.some(isContinued));
  });
});
