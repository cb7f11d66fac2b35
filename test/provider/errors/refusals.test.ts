/** Refused requests: what is wrong with their form is never mended by compressing, and only a refusal that says nothing is taken for too long. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { classifyFailure, type FailureReason, type FailureSession, noRecovery, recoveryFor } from '@palimpsest/core';
import fc from 'fast-check';
import { factsOf } from '../../../packages/core/src/provider/errors/facts.ts';
import { reasonRows } from '../../../packages/core/src/provider/errors/reasons.data.ts';
import { apiCallError, bodyText, type FailureFixture, providerFixtures } from './fixtures.ts';

const fixtures = providerFixtures.flatMap(({ cases }) => cases);
const says = (fixture: FailureFixture): string => `${fixture.name}: ${bodyText(fixture)}`;
/** A refusal without words is one of form only while the session is small. */
const saysNothing = ({ name }: FailureFixture): boolean => name.startsWith('a refusal that says nothing');
const malformed = fixtures.filter((one) => one.reason === 'format_error' && !saysNothing(one));
const large: FailureSession = { contextLength: 200_000, promptTokens: 199_000, messages: 5_000, maxTokens: 8_000 };

/** What providers write when a request has a wrong form, in sentences and in few words, as reviewers and users quoted them. */
const mistakes = [
  'Invalid JSON',
  'invalid json in request',
  'Malformed JSON',
  'JSON parse error',
  'Unexpected end of JSON input',
  'Invalid request body',
  'Malformed request',
  'Malformed body',
  'Bad request body',
  'Invalid request format',
  'messages is required',
  "'messages' is a required property",
  'Missing required field',
  'model is required',
  'Extra inputs are not permitted',
  'unknown parameter',
  'Unknown parameter: foo',
  'Unrecognized field "foo"',
  "invalid type for 'messages[3].content'",
  'content must be a string',
  'Invalid value: role',
  'Invalid role',
  'tool_use ids were found without tool_result',
  'tool_call_id not found',
  'Unexpected role after tool',
  'roles must alternate',
  'System message must be first',
  'Empty content',
  'content cannot be empty',
  'Invalid message order',
  'duplicate tool name',
  'Invalid tool schema',
  'Unsupported content type',
  'temperature must be between 0 and 2',
  'Invalid temperature',
  'Invalid image',
  'invalid params',
  '参数错误',
  '缺少必填参数',
  '消息格式错误',
  'JSON 格式不正确',
  '请求体解析失败',
  '角色不合法',
  '内容不能为空',
];

const asBody = (message: string): readonly unknown[] => [
  { error: { message, type: 'invalid_request_error', param: null, code: null } },
  { type: 'error', error: { type: 'invalid_request_error', message } },
  { message },
  { detail: message },
  message,
];

describe('O2: requests of a wrong form', () => {
  test('O2 no mistake that a fixture shows is compressed, whatever the size of the session', () => {
    assert.ok(malformed.length >= 100, `${malformed.length} fixtures`);
    const sizes = fc.record({
      contextLength: fc.integer({ min: 1_024, max: 2_000_000 }),
      promptTokens: fc.integer({ min: 0, max: 4_000_000 }),
      messages: fc.integer({ min: 0, max: 100_000 }),
      maxTokens: fc.integer({ min: 1, max: 1_000_000 }),
    });
    fc.assert(
      fc.property(fc.constantFrom(...malformed), sizes, (fixture, session) => {
        const failure = classifyFailure(apiCallError(fixture), session);
        const call = { ...session, tokens: session.promptTokens };
        const { recovery } = recoveryFor(failure, noRecovery, call);
        assert.deepEqual([failure.reason, recovery.type], ['format_error', 'give_up'], says(fixture));
      }),
      { numRuns: 500 },
    );
  });

  for (const said of mistakes) {
    test(`O2 "${said}" in a large session is no prompt that is too long`, () => {
      for (const body of asBody(said)) {
        const { reason } = classifyFailure(apiCallError({ status: 400, body }), large);
        const { cure } = reasonRows[reason];
        assert.ok(cure !== 'compress', `${reason} for ${JSON.stringify(body)}`);
      }
    });
  }

  test('O2 a refusal that says nothing is still taken for too long in a large session, and only there', () => {
    const empty = [
      '',
      'error',
      'Error',
      'Bad Request',
      'bad request',
      'Invalid request',
      '400 Bad Request',
      'Request failed',
      '400 status code (no body)',
      'System error',
      'upstream error',
      'bad status code: 400',
      'invalid_request_error',
      'request id: 0217',
      'Unknown error',
      'Something went wrong',
      '请求失败',
      '系统错误，请稍后重试',
    ];
    for (const body of empty.flatMap(asBody)) {
      const error = apiCallError({ status: 400, body });
      assert.equal(classifyFailure(error, large).reason, 'context_overflow', JSON.stringify(body));
      const small = { ...large, promptTokens: 5_000, messages: 12 };
      assert.equal(classifyFailure(error, small).reason, 'format_error', JSON.stringify(body));
      assert.equal(classifyFailure(error).reason, 'format_error', JSON.stringify(body));
    }
  });

  test('O2 a member that an error points at says what is wrong; the messages as a whole say nothing', () => {
    const reasonFor = (param: string | null): FailureReason =>
      classifyFailure(apiCallError({ status: 400, body: { error: { message: 'Invalid', param } } }), large).reason;
    assert.equal(reasonFor('messages[3].role'), 'format_error');
    assert.equal(reasonFor('tools'), 'format_error');
    assert.equal(reasonFor('messages'), 'context_overflow');
    assert.equal(reasonFor(null), 'context_overflow');
  });

  test('O2 what was sent and is given back is not read as the words of the provider', () => {
    const quoted = `[{'type': 'missing', 'loc': ('body', 'model'), 'msg': 'Field required', 'input': {'messages': [{'content': 'maximum context length is 4096 tokens'}]}}]`;
    const body = { object: 'error', message: quoted, code: 400 };
    const { reason, limits } = classifyFailure(apiCallError({ status: 400, body }), large);
    assert.deepEqual([reason, limits], ['format_error', {}]);
  });
});

/** What a provider at least is seen to say; servers of one's own have neither accounts nor limits of a minute. */
const hosted: readonly FailureReason[] = ['context_overflow', 'format_error', 'rate_limit', 'auth', 'billing'];
const expected: Readonly<Record<string, readonly FailureReason[]>> = {
  OpenAI: [...hosted, 'output_limit', 'overloaded'],
  Anthropic: [...hosted, 'output_limit', 'overloaded'],
  Azure: [...hosted, 'output_limit', 'server_error'],
  Bedrock: ['context_overflow', 'format_error', 'rate_limit', 'auth', 'output_limit', 'overloaded'],
  Gemini: ['context_overflow', 'format_error', 'rate_limit', 'auth', 'output_limit', 'overloaded'],
  OpenRouter: ['context_overflow', 'format_error', 'upstream_rate_limit', 'auth', 'billing', 'output_limit'],
  Mistral: ['context_overflow', 'format_error', 'rate_limit', 'auth', 'output_limit', 'overloaded'],
  DeepSeek: [...hosted, 'output_limit', 'server_error'],
  'Qwen / DashScope': [...hosted, 'output_limit', 'overloaded'],
  Kimi: [...hosted, 'output_limit', 'overloaded'],
  'Z.AI': [...hosted, 'output_limit', 'overloaded'],
  MiniMax: [...hosted, 'output_limit'],
  vLLM: ['context_overflow', 'format_error', 'output_limit', 'auth'],
  SGLang: ['context_overflow', 'format_error', 'output_limit', 'auth'],
  'llama.cpp': ['context_overflow', 'format_error', 'auth', 'overloaded'],
  Ollama: ['context_overflow', 'format_error', 'overloaded'],
  'LM Studio': ['context_overflow', 'format_error', 'output_limit'],
};

describe('O1: what is shown of each provider', () => {
  for (const [provider, reasons] of Object.entries(expected)) {
    test(`O1 ${provider}: too long, too much output, wrong form, rates, keys and money, where it has them`, () => {
      const cases = providerFixtures.find((one) => one.provider === provider)?.cases ?? [];
      const shown = new Set(cases.map(({ reason }) => reason));
      assert.deepEqual(
        reasons.filter((reason) => !shown.has(reason)),
        [],
      );
    });
  }
});

describe('O1: the work of reading a failure', () => {
  /** Texts of the words that the rules look for, in any order, with numbers and other scripts between them. */
  const words = fixtures.flatMap((one) => bodyText(one).split(/(?<=[\s:,"])/u));
  const text = fc
    .array(
      fc.oneof(fc.constantFrom(...words), fc.string({ unit: 'grapheme' }), fc.bigInt().map(String), fc.constant('\n')),
      {
        maxLength: 60,
      },
    )
    .map((parts) => parts.join(''));
  const key = fc.constantFrom('error', 'message', 'detail', 'loc', 'msg', 'param', 'code', 'errors', 'cause', 'raw');
  const { body } = fc.letrec<{ body: unknown }>((tie) => ({
    body: fc.oneof(
      { maxDepth: 5 },
      text,
      fc.integer(),
      fc.constant(null),
      fc.array(tie('body'), { maxLength: 4 }),
      fc.dictionary(key, tie('body'), { maxKeys: 5 }),
    ),
  }));
  const status = fc.constantFrom(0, 200, 400, 401, 402, 403, 404, 413, 422, 429, 500, 503, 529);

  test('O1 any words and any JSON body have a reason, and nothing is thrown', () => {
    fc.assert(
      fc.property(body, status, fc.boolean(), (value, code, asText) => {
        const sent = asText ? JSON.stringify(value) : value;
        for (const thrown of [
          sent,
          { statusCode: code, responseBody: sent },
          apiCallError({ status: code, body: value }),
        ]) {
          const { reason, said, limits } = classifyFailure(thrown, large);
          assert.ok(reason in reasonRows && said.length <= 301);
          for (const tokens of Object.values(limits)) assert.ok(Number.isSafeInteger(tokens) && tokens > 0);
        }
      }),
      { numRuns: 300 },
    );
  });

  /** Counts the members that are read, in the value and all that lies in it. */
  function counted(value: object, count: { reads: number }): object {
    return new Proxy(value, {
      get(target, name, receiver) {
        count.reads++;
        const member: unknown = Reflect.get(target, name, receiver);
        // The methods of lists read the list itself, through this proxy.
        return typeof member === 'object' && member !== null ? counted(member, count) : member;
      },
    });
  }

  test('O1 ten times as much in a body is read no more often', () => {
    const shapes: readonly ((size: number) => object)[] = [
      (size) => ({ detail: Array.from({ length: size }, (_, i) => ({ loc: ['body', i], msg: 'Field required' })) }),
      (size) => ({ errors: Array.from({ length: size }, () => ({ errors: [{ message: 'no' }, { error: {} }] })) }),
      (size) => Array.from({ length: size }).reduce<object>((inner) => ({ error: inner, cause: inner }), {}),
    ];
    for (const shape of shapes) {
      const [few = 0, many = 0] = [1_000, 10_000].map((size) => {
        const count = { reads: 0 };
        assert.ok(classifyFailure(counted(shape(size), count)).reason in reasonRows);
        return count.reads;
      });
      assert.ok(few > 0 && many <= few, `${few} reads of the small body, ${many} of the large one`);
    }
  });

  test('O1 the rules are held against a bounded text, however large the body is', () => {
    const megabyte = 1_000_000;
    const bodies: readonly unknown[] = [
      'max_tokens '.repeat(megabyte / 11),
      '1'.repeat(megabyte),
      ' '.repeat(megabyte),
      '{"error":'.repeat(megabyte / 9),
      JSON.stringify({ error: { message: 'x'.repeat(megabyte) } }),
      { errors: Array.from({ length: 1_000 }, (_, i) => ({ message: `${i} ${'prompt is too long '.repeat(50)}` })) },
      { error: { message: 'a', detail: { error: 'b'.repeat(megabyte), title: 'c'.repeat(megabyte) } } },
      // Every member that holds a sentence, at every depth.
      Array.from({ length: 50 }).reduce<object>((inner, _, depth) => {
        const long = (name: string): string => `${name} ${depth} ${'tokens '.repeat(20_000)}`;
        return { message: long('a'), msg: long('b'), title: long('c'), Message: long('d'), cause: inner };
      }, {}),
    ];
    for (const body of bodies) {
      const { messages } = factsOf({ statusCode: 400, responseBody: body });
      assert.ok(messages.join('\n').length <= 70_000, String(body).slice(0, 40));
    }
  });
});
