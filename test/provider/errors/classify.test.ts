import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EmptyResponseBodyError, JSONParseError, LoadAPIKeyError, NoSuchModelError } from '@ai-sdk/provider';
import Anthropic from '@anthropic-ai/sdk';
import fc from 'fast-check';
import OpenAI from 'openai';
import { classifyFailure, diagnose, type FailureSession } from '../../../packages/core/src/provider/errors/classify.ts';
import { factsOf } from '../../../packages/core/src/provider/errors/facts.ts';
import { windowRange } from '../../../packages/core/src/provider/errors/limits.ts';
import { type FailureReason, reasonRows } from '../../../packages/core/src/provider/errors/reasons.data.ts';
import { failureRules } from '../../../packages/core/src/provider/errors/rules.data.ts';
import { contentHash } from '../../../packages/core/src/shared/hash.ts';
import { apiCallError, bodyText, type FailureFixture, failureFixture, providerFixtures } from './fixtures.ts';

const named = [
  'OpenAI',
  'Anthropic',
  'Azure',
  'Bedrock',
  'Gemini',
  'OpenRouter',
  'Mistral',
  'DeepSeek',
  'Qwen / DashScope',
];
const served = ['Kimi', 'Z.AI', 'MiniMax', 'vLLM', 'SGLang', 'llama.cpp', 'Ollama', 'LM Studio'];

/** The error of the SDK of OpenAI or Anthropic for a body. */
function sdkError(fixture: FailureFixture, sdk: 'openai' | 'anthropic'): Error {
  const headers = new Headers({ ...fixture.headers });
  const { status, body } = fixture;
  // What the SDKs do with an answer: the parsed body, or its text.
  if (sdk === 'anthropic') return Anthropic.APIError.generate(status, Object(body), bodyText(fixture), headers);
  return OpenAI.APIError.generate(status, Object(body), bodyText(fixture), headers);
}

const socketError = (code: string, message: string): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });

describe('O1: what a provider says, and why the call failed', () => {
  for (const { provider, cases } of providerFixtures) {
    for (const fixture of cases) {
      test(`O1 ${provider}: ${fixture.name} is ${fixture.reason}`, () => {
        const failure = classifyFailure(apiCallError(fixture), fixture.session);
        assert.deepEqual([failure.reason, failure.limits], [fixture.reason, fixture.limits ?? {}]);
        if (fixture.retryAfterSeconds !== undefined) {
          assert.equal(failure.retryAfterSeconds, fixture.retryAfterSeconds);
        }
      });
    }
  }

  test('O1 every provider that is promised has fixtures, each with its source or a word that there is none', () => {
    const providers = providerFixtures.map(({ provider }) => provider);
    for (const provider of [...named, ...served]) assert.ok(providers.includes(provider), provider);
    for (const { provider, cases } of providerFixtures.filter((one) => one.provider !== 'constructed')) {
      for (const { name, source = '', fromMemory } of cases) {
        if (fromMemory) assert.equal(source, '', `${provider}: ${name}`);
        else assert.match(source, /^https:\/\/\S+\/\S+$/, `${provider}: ${name}`);
      }
    }
  });

  test('O1 every rule of the table decides a case that is shown', () => {
    const shown = new Set(
      [
        ...providerFixtures.flatMap(({ cases }) => cases.map((one) => [apiCallError(one), one.session] as const)),
        ...connectionCases.map(([, thrown, session]) => [thrown, session] as const),
        ...bareWords.map(([words]) => [words, undefined] as const),
      ].map(([thrown, session]) => diagnose(factsOf(thrown), session).rule),
    );
    const idle = failureRules.filter((rule) => !shown.has(rule));
    assert.deepEqual(idle, []);
  });

  test('O1 what is too long is never money, a rate or a key, and the other way round, without its status', () => {
    // A status that a router made of its own must not decide what the words say.
    for (const { provider, cases } of providerFixtures) {
      for (const fixture of cases.filter(({ reason }) => reason === 'context_overflow' || reason === 'output_limit')) {
        if (fixture.session?.messages !== undefined && !bodyText(fixture).includes('token')) continue;
        for (const status of [400, 422, 500, 503]) {
          const { reason } = classifyFailure(apiCallError({ ...fixture, status }), fixture.session);
          assert.equal(reason, fixture.reason, `${provider}: ${fixture.name} with ${status}`);
        }
      }
    }
  });
});

describe('O1: the places where an error keeps what it knows', () => {
  const { body } = failureFixture('Anthropic', 'the prompt is too long');
  const limits = { contextLength: 200_000, requestedTokens: 201_130 };
  const wrapped = (inner: unknown): Error =>
    new Error('a', { cause: new Error('b', { cause: new Error('c', { cause: inner }) }) });
  const text = JSON.stringify(body);
  const carriers: readonly (readonly [string, unknown])[] = [
    ['the body as a value', body],
    ['the body as text', text],
    ['the body in a list', [body]],
    ['the body as an event of a stream', `data: ${text}`],
    ['a status and the body in a message', new Error(`400 ${text}`)],
    ['Python words around the body', new Error(`Error code: 400 - ${text}`)],
    ['three causes', wrapped(apiCallError({ status: 400, body }))],
    [
      'the errors of a retry',
      Object.assign(new Error('Failed after 3 attempts.'), { errors: [apiCallError({ status: 400, body })] }),
    ],
    ['an error of fetch with a response', Object.assign(new Error('x'), { response: { status: 400, data: body } })],
    ['JSON in JSON', { error: { message: 'Provider returned error', metadata: { raw: text } } }],
    ['a body that is cut in the middle of a word', text.slice(0, -20)],
    ['a message alone', 'prompt is too long: 201130 tokens > 200000 maximum'],
  ];
  for (const [what, thrown] of carriers) {
    test(`O1 ${what}`, () => {
      const failure = classifyFailure(thrown);
      assert.deepEqual([failure.reason, failure.limits], ['context_overflow', limits]);
    });
  }

  for (const sdk of ['openai', 'anthropic'] as const) {
    test(`O1 errors of the package ${sdk} say the same as those of the AI SDK`, () => {
      for (const { provider, cases } of providerFixtures) {
        for (const fixture of cases.filter(({ status, body }) => status >= 400 && typeof body === 'object')) {
          const { reason, limits } = classifyFailure(sdkError(fixture, sdk), fixture.session);
          assert.deepEqual([reason, limits], [fixture.reason, fixture.limits ?? {}], `${provider}: ${fixture.name}`);
        }
      }
    });
  }

  test('O1 the wait of a provider is found in headers of every form', () => {
    const waits: readonly (readonly [unknown, number | undefined])[] = [
      [{ headers: new Headers({ 'retry-after': '12' }) }, 12],
      [{ headers: { 'Retry-After': '12' } }, 12],
      [{ responseHeaders: { 'retry-after-ms': '1500' } }, 2],
      [{ headers: { 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' } }, 30],
      [{ headers: { 'retry-after': 'soon' } }, undefined],
      [{ message: 'Please try again in 250ms.' }, 1],
      [{ message: 'Please retry after 86400 seconds.' }, 86_400],
      [{ message: 'nothing of the kind' }, undefined],
    ];
    for (const [thrown, seconds] of waits) assert.equal(classifyFailure(thrown).retryAfterSeconds, seconds);
  });

  test('O1 what was sent is never read', () => {
    const error = apiCallError({ status: 418, body: {} });
    assert.equal(classifyFailure(error, { contextLength: 1_000, promptTokens: 990 }).reason, 'unknown');
    assert.equal(classifyFailure(error).said, 'Bad Request');
  });

  test('O1 S6 what a provider said is shown without keys, in one short line', () => {
    const key = ['sk', 'proj', contentHash('a key of ours'), contentHash('and more of it')].join('-');
    const body = { error: { message: `Bad key ${key}.\n${'long '.repeat(500)}`, code: 'invalid_api_key' } };
    const failure = classifyFailure(apiCallError({ status: 401, body }));
    assert.ok(!JSON.stringify(failure).includes(key));
    assert.ok(failure.said.length <= 301 && !failure.said.includes('\n'));
  });
});

const large: FailureSession = { contextLength: 200_000, promptTokens: 130_000, messages: 40 };
/** What never became an answer of the provider. */
const connectionCases: readonly (readonly [string, unknown, FailureSession | undefined, FailureReason])[] = [
  ['refused', socketError('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:11434'), large, 'network'],
  ['an unknown host', socketError('ENOTFOUND', 'getaddrinfo ENOTFOUND api.example'), large, 'network'],
  ['closed, small session', socketError('ECONNRESET', 'read ECONNRESET'), { ...large, promptTokens: 9_000 }, 'network'],
  ['closed, large session', socketError('ECONNRESET', 'read ECONNRESET'), large, 'context_overflow'],
  ['closed in words, large session', new TypeError('terminated'), large, 'context_overflow'],
  [
    'closed, many messages',
    socketError('UND_ERR_SOCKET', 'other side closed'),
    { ...large, promptTokens: 1, messages: 201 },
    'context_overflow',
  ],
  [
    'closed, large session of a very large window',
    socketError('ECONNRESET', 'x'),
    { ...large, contextLength: 1_000_000 },
    'network',
  ],
  [
    'closed, large session of a model that reasons',
    socketError('ECONNRESET', 'x'),
    { ...large, reasoning: true },
    'network',
  ],
  [
    'closed in mid-answer',
    socketError('ECONNRESET', 'read ECONNRESET'),
    { ...large, answering: true },
    'broken_answer',
  ],
  ['closed, nothing known of the session', socketError('ECONNRESET', 'read ECONNRESET'), undefined, 'network'],
  ['a TLS alert, large session', socketError('EPROTO', 'ssl3_read_bytes:sslv3 alert bad record mac'), large, 'timeout'],
  [
    'a certificate, large session',
    socketError('SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate'),
    large,
    'ssl_cert_verification',
  ],
  ['a slow connection', socketError('UND_ERR_CONNECT_TIMEOUT', 'Connect Timeout Error'), large, 'timeout'],
  ['a deadline', new DOMException('The operation timed out', 'TimeoutError'), large, 'timeout'],
  ['the caller stopped it', new DOMException('This operation was aborted', 'AbortError'), large, 'cancelled'],
  ['a time-out of the package openai', new OpenAI.APIConnectionTimeoutError(), large, 'timeout'],
  ['an abort in the package anthropic', new Anthropic.APIUserAbortError(), large, 'cancelled'],
  [
    'a refused connection in the package openai',
    new OpenAI.APIConnectionError({ cause: socketError('ECONNREFUSED', 'x') }),
    large,
    'network',
  ],
  ['a missing key', new LoadAPIKeyError({ message: 'API key is missing.' }), large, 'auth_permanent'],
  ['no credentials', new Error('Could not load credentials from any providers'), large, 'auth_permanent'],
  ['no such model', new NoSuchModelError({ modelId: 'x', modelType: 'languageModel' }), large, 'model_not_found'],
  [
    'a TLS alert without a code',
    new Error('write EPROTO 1:SSL routines:sslv3 alert handshake failure'),
    large,
    'timeout',
  ],
  ['an abort in words', new Error('Request was aborted.'), large, 'cancelled'],
  ['a time-out in words', new Error('Request timed out.'), large, 'timeout'],
  ['closed in words in mid-answer', new TypeError('terminated'), { ...large, answering: true }, 'broken_answer'],
  ['fetch that failed without a cause', new TypeError('fetch failed'), large, 'network'],
  ['an empty body', new EmptyResponseBodyError(), large, 'empty_answer'],
  ['JSON that is cut', new JSONParseError({ text: '{"a', cause: new Error('x') }), large, 'broken_answer'],
  ['no JSON at all', new Error('Invalid JSON response'), large, 'broken_answer'],
];

/** Words alone, as loggers and command lines hand errors on; the window where they name one. */
const bareWords: readonly (readonly [string, FailureReason, number?])[] = [
  ["Input length (265330) exceeds model's maximum context length (262144).", 'context_overflow', 262_144],
  ['Prompt has 5,958,968 tokens, but the configured context size is 256,000 tokens', 'context_overflow', 256_000],
  [
    'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens.',
    'context_overflow',
    272_000,
  ],
  ['The prompt is too long: 300000, model maximum context length: 262144', 'context_overflow', 262_144],
  ['Total tokens of image and text exceed max message tokens', 'context_overflow'],
  ['error_code: 336103, error_msg: Prompt tokens too long', 'context_overflow'],
  ['the prompt exceeds the length limit', 'context_overflow'],
  ['too many tokens: total number of tokens in the prompt cannot exceed 4081', 'context_overflow'],
  ['超出了模型最大token限制。', 'context_overflow'],
  ['输入的token数量超过模型限制', 'context_overflow'],
  ['total message size 2306631 exceeds limit 2097152', 'payload_too_large'],
  ['Throttling error: Too many tokens, please wait before trying again.', 'rate_limit'],
  ['rate limit exceeded, too many tokens per minute', 'rate_limit'],
  ['Service unavailable: The service is temporarily unavailable.', 'server_error'],
  ['500 `model runner crashed unexpectedly`', 'server_error'],
  ['The server is busy, please try again later', 'overloaded'],
  ['unable to verify the first certificate', 'ssl_cert_verification'],
  ['dial tcp 127.0.0.1:11434: connect: connection refused', 'network'],
  ['context deadline exceeded', 'timeout'],
  ['Unauthorized', 'auth'],
  ['something else went wrong', 'unknown'],
];

describe('O1: words alone', () => {
  for (const [words, reason, contextLength] of bareWords) {
    test(`O1 "${words}" is ${reason}`, () => {
      const failure = classifyFailure(words);
      assert.deepEqual([failure.reason, failure.limits.contextLength], [reason, contextLength]);
    });
  }
});

describe('O1: connections', () => {
  for (const [what, thrown, session, reason] of connectionCases) {
    test(`O1 ${what} is ${reason}`, () => assert.equal(classifyFailure(thrown, session).reason, reason));
  }
});

describe('O1: anything can be thrown', () => {
  const session = fc.option(
    fc.record({
      contextLength: fc.integer(),
      promptTokens: fc.integer(),
      messages: fc.integer(),
      maxTokens: fc.integer(),
    }),
    { nil: undefined },
  );

  test('O1 every value has a reason, an advice and sizes in range', () => {
    fc.assert(
      fc.property(fc.anything({ withBoxedValues: true, withNullPrototype: true }), session, (thrown, known) => {
        const { reason, advice, limits } = classifyFailure(thrown, known);
        assert.ok(reason in reasonRows && advice.endsWith('.'));
        const { contextLength = windowRange.from } = limits;
        assert.ok(contextLength >= windowRange.from && contextLength <= windowRange.to);
      }),
    );
  });

  test('O1 numbers in the words of providers are only believed where they can be sizes', () => {
    const sentence = fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.bigInt({ min: 0n, max: 10n ** 20n }))
      .map(([a, b]) => `prompt is too long: ${a} tokens > ${b} maximum`);
    fc.assert(
      fc.property(sentence, (message) => {
        const { reason, limits } = classifyFailure({ status: 400, message });
        assert.equal(reason, 'context_overflow');
        const { contextLength } = limits;
        assert.ok(contextLength === undefined || (contextLength >= 1_024 && contextLength <= 10_000_000));
      }),
    );
  });

  test('O1 getters that throw, proxies that are gone, circles and megabytes end', () => {
    const circle: Error & { cause?: unknown } = new Error('round');
    circle.cause = { error: circle };
    const trap = Object.defineProperty(new Error('x'), 'cause', {
      get: () => {
        throw new Error('trap');
      },
    });
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const deep = Array.from({ length: 5_000 }).reduce<unknown>((inner) => ({ error: inner }), 'prompt is too long');
    const long = ['{"a":'.repeat(200_000), '1'.repeat(1_000_000), `{"error":"${'max_tokens '.repeat(100_000)}`];
    for (const thrown of [
      circle,
      trap,
      proxy,
      [proxy],
      { headers: proxy, error: trap },
      deep,
      Symbol('s'),
      7n,
      ...long,
    ]) {
      assert.ok(classifyFailure(thrown).reason in reasonRows);
    }
  });
});
