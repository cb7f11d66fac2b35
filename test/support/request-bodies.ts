/** Whole conversations as clients of every dialect send them, with unknown fields everywhere, and what a test changes in them. */
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../packages/core/src/shared/json.ts';
import type { DialectName } from '../../packages/core/src/transcript/wire/answer.ts';
import { json } from './messages.ts';

export interface Step {
  readonly thought: boolean;
  /** The text of each call's result begins with `=`, so that `oddJson` writes it plainly. */
  readonly calls: readonly { readonly input: JsonObject; readonly result: string }[];
}

export interface Round {
  readonly ask: string;
  readonly steps: readonly Step[];
  readonly answer: string;
  /** Fields that no dialect knows, for one object in each message. */
  readonly more: JsonObject;
  readonly isMarked: boolean;
}

export interface Told {
  readonly system: string;
  readonly rounds: readonly Round[];
  readonly around: JsonObject;
}

const words = fc.constantFrom(
  'Move the ledgers.',
  'Grüße 🙂',
  'a "quoted" \\ path',
  'line\nline',
  '日本語',
  'x'.repeat(300),
);
const unknown = fc.constantFrom<JsonObject>(
  {},
  { x_n: 1, x_list: [1, { a: [] }] },
  { x_null: null, x_text: 'föö/bar' },
  { '': 0 },
);
const step = fc.record({
  thought: fc.boolean(),
  calls: fc.array(
    fc.record({
      input: fc.dictionary(fc.constantFrom('path', 'n', 'nested'), json(), { noNullPrototype: true }),
      result: fc.nat().map((n) => `=result ${n} of a tool/with a "text"\n`.repeat(1 + (n % 4))),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

export const conversations = (): fc.Arbitrary<Told> =>
  fc.record({
    system: words,
    around: fc.constantFrom<JsonObject>(
      {},
      { temperature: 1, metadata: { user_id: '{"a":1}', list: [1, 10, 1000] } },
      { x_first: null, top_p: 0.5, stop: ['a/b'] },
    ),
    rounds: fc.array(
      fc.record({
        ask: words,
        steps: fc.array(step, { maxLength: 2 }),
        answer: words,
        more: unknown,
        isMarked: fc.boolean(),
      }),
      { minLength: 2, maxLength: 5 },
    ),
  });

/** A body, and for each element of its list the round that it belongs to. */
export interface MadeBody {
  readonly value: JsonObject;
  readonly list: string;
  readonly rounds: readonly number[];
}

/** The body of a conversation whose newest round still waits for its answer. */
export function bodyOf(dialect: DialectName, told: Told): MadeBody {
  const rounds: number[] = [];
  const elements: JsonObject[] = [];
  for (const [number, round] of told.rounds.entries()) {
    const isLast = number === told.rounds.length - 1;
    const made = writers[dialect](round, { number, isLast });
    elements.push(...made);
    rounds.push(...made.map(() => number));
  }
  const { around, system } = told;
  switch (dialect) {
    case 'anthropic': {
      const blocks = [
        { type: 'text', text: system, cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'More.' },
      ];
      return {
        list: 'messages',
        rounds,
        value: { model: 'm', ...around, messages: elements, system: blocks, max_tokens: 1000 },
      };
    }
    case 'openai-chat': {
      const lead = { role: 'developer', content: system };
      return {
        list: 'messages',
        rounds: [-1, ...rounds],
        value: { model: 'm', messages: [lead, ...elements], ...around, stream: true },
      };
    }
    case 'openai-responses':
      return {
        list: 'input',
        rounds,
        value: { ...around, model: 'm', instructions: system, input: elements, store: false },
      };
    case 'gemini':
      return {
        list: 'contents',
        rounds,
        value: { contents: elements, systemInstruction: { parts: [{ text: system }], role: 'user' }, ...around },
      };
  }
}

interface At {
  readonly number: number;
  readonly isLast: boolean;
}

type Writer = (round: Round, at: At) => readonly JsonObject[];

const idOf = (number: number, step: number, call: number): string => `call_${number}_${step}_${call}`;
const mark = ({ isMarked }: Round, at: At): JsonObject =>
  isMarked && (at.isLast || at.number === 0) ? { cache_control: { type: 'ephemeral' } } : {};

const anthropic: Writer = (round, at) => [
  { role: 'user', content: [{ type: 'text', text: round.ask, ...round.more, ...mark(round, at) }] },
  ...round.steps.flatMap(({ thought, calls }, step): JsonObject[] => [
    {
      role: 'assistant',
      content: [
        ...(thought ? [{ type: 'thinking', thinking: 'Hm/m.', signature: `c2ln${at.number}+/=` }] : []),
        ...calls.map(({ input }, call) => ({
          type: 'tool_use',
          id: idOf(at.number, step, call),
          name: 'read',
          input,
          ...round.more,
        })),
      ],
      ...round.more,
    },
    {
      role: 'user',
      content: calls.map(({ result }, call) => ({
        ...round.more,
        type: 'tool_result',
        tool_use_id: idOf(at.number, step, call),
        content: call === 1 ? [{ type: 'text', text: result }] : result,
        is_error: call === 2,
      })),
    },
  ]),
  ...(at.isLast ? [] : [{ ...round.more, role: 'assistant', content: round.answer }]),
];

const chat: Writer = (round, at) => [
  {
    role: 'user',
    content: round.isMarked ? [{ type: 'text', text: round.ask, ...round.more }] : round.ask,
    ...round.more,
  },
  ...round.steps.flatMap(({ thought, calls }, step): JsonObject[] => [
    {
      role: 'assistant',
      content: null,
      ...(thought ? { reasoning_content: 'Hm/m.' } : {}),
      tool_calls: calls.map(({ input }, call) => ({
        id: idOf(at.number, step, call),
        type: 'function',
        function: { name: 'read', arguments: JSON.stringify(input) },
        ...round.more,
      })),
      ...round.more,
    },
    ...calls.map(({ result }, call) => ({
      role: 'tool',
      tool_call_id: idOf(at.number, step, call),
      content: result,
      ...round.more,
    })),
  ]),
  ...(at.isLast ? [] : [{ role: 'assistant', content: round.answer, ...round.more }]),
];

const responses: Writer = (round, at) => [
  {
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: round.ask, ...round.more }],
    id: `msg_${at.number}`,
  },
  ...round.steps.flatMap(({ thought, calls }, step): JsonObject[] => [
    ...(thought
      ? [{ type: 'reasoning', id: `rs_${at.number}_${step}`, summary: [], encrypted_content: 'gAAA/+=', ...round.more }]
      : []),
    ...calls.map(({ input }, call): JsonObject => {
      const ids = { id: `fc_${at.number}_${step}_${call}`, call_id: idOf(at.number, step, call), ...round.more };
      return call === 1
        ? { type: 'custom_tool_call', ...ids, name: 'apply_patch', input: '*** Begin Patch\n*** End Patch' }
        : { type: 'function_call', ...ids, name: 'read', arguments: JSON.stringify(input) };
    }),
    ...calls.map(({ result }, call) => ({
      type: call === 1 ? 'custom_tool_call_output' : 'function_call_output',
      call_id: idOf(at.number, step, call),
      output: call === 2 ? [{ type: 'input_text', text: result }] : result,
      ...round.more,
    })),
  ]),
  ...(at.isLast
    ? []
    : [
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: round.answer, annotations: [] }],
          ...round.more,
        },
      ]),
];

const gemini: Writer = (round, at) => [
  { role: 'user', parts: [{ text: round.ask, ...round.more }] },
  ...round.steps.flatMap(({ thought, calls }, step): JsonObject[] => [
    {
      role: 'model',
      parts: [
        ...(thought ? [{ text: 'Hm/m.', thought: true }] : []),
        ...calls.map(({ input }, call) => ({
          functionCall: { id: idOf(at.number, step, call), name: `read_${call}`, args: input },
          ...(call === 0 ? { thoughtSignature: `c2ln${step}+/=` } : {}),
        })),
      ],
      ...round.more,
    },
    {
      role: 'user',
      parts: calls.map(({ result }, call) => ({
        functionResponse: {
          id: idOf(at.number, step, call),
          name: `read_${call}`,
          response: call === 1 ? { error: result } : { output: result },
          ...round.more,
        },
      })),
    },
  ]),
  ...(at.isLast ? [] : [{ role: 'model', parts: [{ text: round.answer, ...round.more }] }]),
];

const writers: Readonly<Record<DialectName, Writer>> = {
  anthropic,
  'openai-chat': chat,
  'openai-responses': responses,
  gemini,
};

/** A value with one string in it replaced, wherever it stands. */
export function withText(value: JsonValue, from: string, to: string): JsonValue {
  if (value === from) return to;
  if (Array.isArray(value)) return value.map((one: JsonValue) => withText(one, from, to));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withText(one, from, to)]));
}
