/**
 * Random conversations for property tests: what agents really produce, and with `faults` also what a crash, a proxy or
 * a bad client leaves behind (lost results, ids used twice, empty texts, system messages in the middle, broken JSON).
 */
import fc from 'fast-check';
import type {
  Message,
  Part,
  ResultContent,
  ToolCallPart,
  ToolResultPart,
} from '../../packages/core/src/transcript/message.ts';

export interface ConversationOptions {
  /** Also generate what providers reject. */
  readonly faults?: boolean;
  readonly maxSteps?: number;
  /** Handoff texts that an earlier compression may have left. */
  readonly handoffs?: readonly string[];
}

type Step = (id: () => string) => readonly Message[];

/** A conversation of up to `maxSteps` steps (40), deeply frozen. */
export function conversations(options: ConversationOptions = {}): fc.Arbitrary<readonly Message[]> {
  const kinds = [
    plainSteps,
    plainSteps,
    toolSteps,
    toolSteps,
    toolSteps,
    serverSteps,
    ...(options.faults ? [faultySteps] : []),
  ];
  const steps = fc.oneof(...kinds.map((kind) => kind()), ...(options.handoffs ?? []).map(handoffSteps));
  return fc
    .record({
      system: fc.array(words(), { maxLength: 2 }),
      steps: fc.array(steps, { maxLength: options.maxSteps ?? 40 }),
      inFlight: fc.option(toolCallInputs(), { nil: undefined }),
    })
    .map(({ system, steps: list, inFlight }) => {
      let count = 0;
      const id = (): string => `call_${++count}`;
      const messages = [...system.map((text) => message('system', text)), ...list.flatMap((step) => step(id))];
      if (inFlight) messages.push({ role: 'assistant', parts: inFlight.map((call) => ({ ...call, callId: id() })) });
      return deepFreeze(messages);
    });
}

export const message = (role: Message['role'], text: string): Message => ({ role, parts: [{ type: 'text', text }] });
export const user = (text: string): Message => message('user', text);
export const assistant = (text: string): Message => message('assistant', text);

/** An assistant message that calls tools: `calls({a: 'bash'})`. */
export const calls = (names: Readonly<Record<string, string>>, input: unknown = {}): Message => ({
  role: 'assistant',
  parts: Object.entries(names).map(([callId, name]) => call(callId, name, input)),
});
export const call = (callId: string, name: string, input: unknown = {}): ToolCallPart => ({
  type: 'toolCall',
  callId,
  name,
  input: typeof input === 'string' ? input : JSON.stringify(input),
  inputType: 'json',
});
export const result = (callId: string, text: string, isError?: boolean): Message => ({
  role: 'tool',
  parts: [resultPart(callId, text, isError)],
});
export const resultPart = (callId: string, text: string, isError?: boolean): ToolResultPart => ({
  type: 'toolResult',
  callId,
  content: [{ type: 'text', text }],
  ...(isError === undefined ? {} : { isError }),
});

/** A stand-in for a tokenizer: four characters a token, and four tokens a message. */
export function roughTokens(one: Message): number {
  return 4 + Math.ceil(JSON.stringify(one.parts).length / 4);
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}

const sentences = [
  'Please make the tests green.',
  'Fix the parser, then tell me what was wrong.',
  'すべてのテストを実行してください。',
  '다음 파일을 고쳐 주세요: src/app.ts',
  'ok',
  'Nein, nimm die andere Variante 🙂',
];
const outputs = [
  'total 3\n-rw-r--r-- a.ts\n-rw-r--r-- b.ts',
  'Exit code 1\nTests: 3 failed, 4 passed',
  `${'line of a source file;\n'.repeat(40)}`,
  `${'x'.repeat(3_000)}`,
  `The same long answer again. ${'Nothing changed here. '.repeat(20)}`,
  `data ${'aB3+'.repeat(600)} end`,
  'ok',
];

const words = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...sentences),
    fc.string({ minLength: 1, maxLength: 30 }).filter((s) => s.trim() !== ''),
  );

function plainSteps(): fc.Arbitrary<Step> {
  const image: Part = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' };
  return fc.oneof(
    words().map(
      (text): Step =>
        () => [user(text)],
    ),
    words().map(
      (text): Step =>
        () => [assistant(text)],
    ),
    words().map(
      (text): Step =>
        () => [user(text), assistant(`Done: ${text}`)],
    ),
    words().map(
      (text): Step =>
        () => [{ role: 'user', parts: [{ type: 'text', text }, image] }],
    ),
    fc.constant<Step>(() => [user('<environment_context>\n<cwd>/home/me</cwd>\n</environment_context>')]),
    fc.integer({ min: 500, max: 20_000 }).map(
      (n): Step =>
        () => [user(`${'long paste '.repeat(n / 10)}end`)],
    ),
  );
}

function toolCallInputs(): fc.Arbitrary<readonly ToolCallPart[]> {
  const one = fc.oneof(
    fc.constantFrom('npm test', 'cat a.ts', 'ls').map((command) => call('', 'bash', { command })),
    words().map((path) => call('', 'read', { path })),
    fc.integer({ min: 1, max: 900 }).map((n) => call('', 'write', { path: 'src/a.ts', content: 'zeile\n'.repeat(n) })),
    fc.constant<ToolCallPart>({
      ...call('', 'apply_patch'),
      input: '*** Begin Patch\n*** Update File: a.ts\n+x\n*** End Patch',
      inputType: 'text',
    }),
    fc.jsonValue({ maxDepth: 2 }).map((value) => call('', 'mcp__box__put', { value })),
  );
  return fc.array(one, { minLength: 1, maxLength: 4 });
}

function contents(): fc.Arbitrary<readonly ResultContent[]> {
  const text = fc.constantFrom(...outputs).map((one): ResultContent[] => [{ type: 'text', text: one }]);
  const image = fc.constant<ResultContent[]>([
    { type: 'text', text: 'a screenshot' },
    { type: 'image', mediaType: 'image/png', data: 'aGVsbG8='.repeat(50) },
  ]);
  return fc.oneof({ weight: 5, arbitrary: text }, { weight: 1, arbitrary: image });
}

function toolSteps(): fc.Arbitrary<Step> {
  return fc
    .record({
      inputs: toolCallInputs(),
      results: fc.array(contents(), { minLength: 4, maxLength: 4 }),
      form: fc.constantFrom('one-each', 'together', 'as-user'),
      thinks: fc.boolean(),
      reversed: fc.boolean(),
      isError: fc.option(fc.boolean(), { nil: undefined }),
    })
    .map(
      ({ inputs, results, form, thinks, reversed, isError }): Step =>
        (id) => {
          const parts = inputs.map((input) => ({ ...input, callId: id() }));
          const reasoning: Part[] = thinks ? [{ type: 'reasoning', text: 'hm', signature: 'sig' }] : [];
          const answers = parts.map((part, i): ToolResultPart => {
            const flag = isError === undefined ? {} : { isError };
            return { type: 'toolResult', callId: part.callId, name: part.name, content: results[i] ?? [], ...flag };
          });
          if (reversed) answers.reverse();
          const role = form === 'as-user' ? 'user' : 'tool';
          const rows: Message[] =
            form === 'one-each' ? answers.map((one) => ({ role, parts: [one] })) : [{ role, parts: answers }];
          return [{ role: 'assistant', parts: [...reasoning, ...parts] }, ...rows];
        },
    );
}

function serverSteps(): fc.Arbitrary<Step> {
  return words().map(
    (query): Step =>
      (id) => {
        const callId = id();
        const search: ToolCallPart = { ...call(callId, 'web_search', { query }), server: true };
        const found: ToolResultPart = {
          type: 'toolResult',
          callId,
          server: true,
          content: [{ type: 'other', value: { encrypted_content: 'abc' } }],
        };
        return [{ role: 'assistant', parts: [search, found, { type: 'text', text: 'I looked it up.' }] }];
      },
  );
}

const handoffSteps = (text: string): fc.Arbitrary<Step> =>
  fc.oneof(
    fc.constant<Step>(() => [{ role: 'user', origin: 'summary', parts: [{ type: 'text', text }] }]),
    words().map(
      (real): Step =>
        () => [
          {
            role: 'user',
            parts: [
              { type: 'text', text },
              { type: 'text', text: real },
            ],
          },
        ],
    ),
  );

const faults: readonly Step[] = [
  (id) => [calls({ [id()]: 'bash' })],
  (id) => [calls({ [id()]: 'bash', [id()]: 'read' }), result('call_1', 'answer to an old call')],
  () => [result('never_called', 'orphan')],
  () => [calls({ twice: 'bash' }), result('twice', 'a')],
  () => [calls({ twice: 'bash' }), result('twice', 'a'), result('twice', 'b')],
  (id) => [{ role: 'assistant', parts: [call('', 'bash')] }, result('', 'no id'), calls({ [id()]: '' })],
  () => [
    { role: 'assistant', parts: [call('same', 'bash'), call('same', 'read')] },
    result('same', '1'),
    result('same', '2'),
  ],
  (id) => {
    const late = id();
    return [calls({ [late]: 'bash' }), user('I say something in between'), result(late, 'late but here')];
  },
  (id) => {
    const [a, b] = [id(), id()];
    return [calls({ [a]: 'bash', [b]: 'bash' }), result(a, '1'), message('system', 'a hook spoke'), result(b, '2')];
  },
  () => [user(''), assistant(' \n')],
  () => [
    { role: 'user', parts: [] },
    { role: 'assistant', parts: [] },
    { role: 'tool', parts: [] },
  ],
  () => [message('system', 'a late system message')],
  (id) => {
    const callId = id();
    return [{ role: 'assistant', parts: [call(callId, 'bash', '{"command": "ls')] }, result(callId, '')];
  },
  (id) => [
    {
      role: 'assistant',
      parts: [
        { ...call(id(), 'web_search'), server: true },
        { type: 'text', text: 'hm' },
      ],
    },
  ],
  () => [
    {
      role: 'assistant',
      parts: [
        { ...resultPart('srv', 'x'), server: true },
        { type: 'text', text: 'hm' },
      ],
    },
  ],
  () => [{ role: 'assistant', parts: [{ type: 'reasoning', text: 'only a thought', signature: 's' }] }],
  () => [
    {
      role: 'assistant',
      parts: [
        { type: 'text', text: 'cut' },
        { type: 'reasoning', text: 'off', signature: 's' },
      ],
    },
  ],
  () => [{ role: 'user', parts: [{ type: 'reasoning', text: 'whose?' }, call('users_call', 'bash')] }],
  (id) => {
    const callId = id();
    return [{ role: 'assistant', parts: [call(callId, 'bash'), resultPart(callId, 'in the same message')] }];
  },
  (id) => {
    const callId = id();
    return [
      calls({ [callId]: 'bash' }),
      { role: 'user', parts: [{ type: 'text', text: 'first me' }, resultPart(callId, 'then it')] },
    ];
  },
  (id) => {
    const callId = id();
    return [
      calls({ [callId]: 'view' }),
      { role: 'tool', parts: [resultPart(callId, 'x'), { type: 'text', text: 'beside' }] },
    ];
  },
];

const faultySteps = (): fc.Arbitrary<Step> => fc.constantFrom(...faults);
