/** Records in other formats: what becomes of each piece, that nothing is lost on the way back, and that providers take the result. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type ConvertTrajectoryOptions,
  convertTrajectory,
  type TrajectoryFormat,
  trajectoryRecord,
} from '../../packages/core/src/trajectories.ts';
import { validate } from '../../packages/core/src/transcript/validate.ts';
import { fromAnthropic, fromAnthropicSystem } from '../../packages/core/src/transcript/wire/anthropic/messages.ts';
import { fromOpenAiChat } from '../../packages/core/src/transcript/wire/chat/messages.ts';
import { conversations } from '../support/conversations.ts';

const converted = (record: unknown, options: ConvertTrajectoryOptions) => {
  const { text, ...rest } = convertTrajectory(JSON.stringify(record), options);
  return { record: JSON.parse(text), ...rest };
};

const there = (text: string): string => `<tool_response>\n${text}\n</tool_response>`;
const call = (name: string, written: string): string =>
  `<tool_call>\n{"name": "${name}", "arguments": ${written}}\n</tool_call>`;

const oven = {
  id: 'oven-1',
  conversations: [
    { from: 'system', value: 'You mend ovens.' },
    { from: 'human', value: 'Mend the oven.' },
    {
      from: 'gpt',
      value: `<think>\nThe fuse?\n</think>\nI look.\n${call('look', '{"at": 1.0}')}\n${call('probe', '{}')}`,
    },
    {
      from: 'tool',
      value: `${there('{"tool_call_id": "toolu_1", "name": "look", "content": {"fuse": "blown"}}')}\n${there('cold')}`,
    },
    { from: 'gpt', value: 'The fuse is blown.' },
  ],
};

describe('J3 a converted record', () => {
  it('has real calls, thoughts and results in the place of markup, with the arguments as they were written', () => {
    const { record, leftOut, repairs } = converted(oven, { to: 'openai-chat' });
    const called = (id: string, name: string, written: string) => ({
      id,
      type: 'function',
      function: { name, arguments: written },
    });
    assert.deepEqual(record, {
      id: 'oven-1',
      messages: [
        { role: 'system', content: 'You mend ovens.' },
        { role: 'user', content: 'Mend the oven.' },
        {
          role: 'assistant',
          content: 'I look.',
          reasoning_content: 'The fuse?',
          tool_calls: [called('toolu_1', 'look', '{"at": 1.0}'), called('call_2_1', 'probe', '{}')],
        },
        { role: 'tool', tool_call_id: 'toolu_1', content: '{"fuse": "blown"}' },
        { role: 'tool', tool_call_id: 'call_2_1', content: 'cold' },
        { role: 'assistant', content: 'The fuse is blown.' },
      ],
    });
    assert.deepEqual([leftOut, repairs], [[], 0]);
  });

  it('has its system prompt beside the turns for Anthropic, and all results of a step in one message', () => {
    const { record } = converted(oven, { to: 'anthropic' });
    assert.equal(record.system, 'You mend ovens.');
    assert.deepEqual(
      record.messages.map(({ role }: { role: string }) => role),
      ['user', 'assistant', 'user', 'assistant'],
    );
    assert.deepEqual(record.messages[1].content, [
      { type: 'thinking', thinking: 'The fuse?' },
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 1 } },
      { type: 'tool_use', id: 'call_2_1', name: 'probe', input: {} },
    ]);
    assert.deepEqual(record.messages[2].content, [
      { type: 'tool_result', tool_use_id: 'toolu_1', content: '{"fuse": "blown"}' },
      { type: 'tool_result', tool_use_id: 'call_2_1', content: 'cold' },
    ]);
  });

  it('has calls as turns of their own where that is asked for, and they are read back', () => {
    const { record } = converted(oven, { to: 'sharegpt', calls: 'turns' });
    assert.deepEqual(record.conversations.slice(2), [
      { from: 'gpt', value: '<think>\nThe fuse?\n</think>\nI look.' },
      {
        from: 'function_call',
        value: '[{"name": "look", "arguments": {"at": 1.0}}, {"name": "probe", "arguments": {}}]',
      },
      { from: 'observation', value: '{"fuse": "blown"}' },
      { from: 'observation', value: 'cold' },
      { from: 'gpt', value: 'The fuse is blown.' },
    ]);
    const { messages } = converted(record, { to: 'openai-chat' }).record;
    assert.equal(messages[2].content, 'I look.');
    assert.deepEqual(
      messages[2].tool_calls.map((one: { function: { name: string } }) => one.function.name),
      ['look', 'probe'],
    );
  });

  it('keeps thoughts as markup, or drops them', () => {
    const markup = converted(oven, { to: 'openai-chat', reasoning: 'markup' }).record.messages[2];
    assert.equal(markup.content, '<think>\nThe fuse?\n</think>\nI look.');
    assert.equal('reasoning_content' in markup, false);
    const dropped = converted(oven, { to: 'sharegpt', reasoning: 'drop' }).record.conversations[2].value;
    assert.equal(dropped, `I look.\n${call('look', '{"at": 1.0}')}\n${call('probe', '{}')}`);
  });

  it('keeps fields as they were written, and names those that the format has no place for', () => {
    const line = `{"id": 7.0, "score": 1e3, "loss_mask": [[0, 4]], "provenance": [], "conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Ho", "weight": 0, "rating": 5}]}`;
    const chat = convertTrajectory(line, { to: 'openai-chat' });
    assert.equal(
      chat.text,
      '{"id":7.0,"score":1e3,"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Ho","weight":0}]}',
    );
    assert.deepEqual(chat.leftOut, ['loss_mask', 'provenance', 'turn.rating']);
    assert.deepEqual(convertTrajectory(line, { to: 'anthropic' }).leftOut, [
      'loss_mask',
      'provenance',
      'turn.rating',
      'turn.weight',
    ]);
  });

  it('has tool definitions in the words of its format', () => {
    const parameters = { type: 'object', properties: { at: { type: 'number' } } };
    const tools = [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters } }];
    const flat = JSON.stringify([{ name: 'look', description: 'Looks.', parameters }]);
    const anthropic = converted({ ...oven, tools }, { to: 'anthropic' }).record;
    assert.deepEqual(anthropic.tools, [{ name: 'look', description: 'Looks.', input_schema: parameters }]);
    assert.deepEqual(converted({ ...oven, tools: flat }, { to: 'openai-chat' }).record.tools, tools);
    assert.deepEqual(converted(anthropic, { to: 'sharegpt' }).record.tools, JSON.stringify(tools));
  });

  it('has pictures where they were marked, and marks where they were', () => {
    const record = {
      conversations: [
        { from: 'human', value: 'Is <image> like <image>?' },
        { from: 'gpt', value: 'Yes.' },
      ],
      images: ['a.png', 'data:image/png;base64,AAAA'],
    };
    const chat = converted(record, { to: 'openai-chat' }).record;
    assert.deepEqual(chat.messages[0].content, [
      { type: 'text', text: 'Is ' },
      { type: 'image_url', image_url: { url: 'a.png' } },
      { type: 'text', text: ' like ' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'text', text: '?' },
    ]);
    assert.deepEqual(converted(chat, { to: 'sharegpt' }).record, record);
    const odd = { ...record, images: ['a.png'] };
    assert.equal(converted(odd, { to: 'openai-chat' }).record.messages[0].content, 'Is <image> like <image>?');
  });

  it('keeps what a tool said apart from the words of a person where nobody knows what was asked', () => {
    const record = {
      conversations: [
        { from: 'human', value: 'Look.' },
        { from: 'gpt', value: 'ls' },
        { from: 'tool', value: there('a.txt') },
        { from: 'gpt', value: 'One file.' },
      ],
    };
    const chat = converted(record, { to: 'openai-chat' }).record;
    assert.deepEqual(chat.messages[2], { role: 'user', content: there('a.txt') });
    assert.deepEqual(converted(chat, { to: 'sharegpt' }).record, record);
  });

  it('has a result for each call, and says how much was changed for that', () => {
    const record = {
      conversations: [
        { from: 'human', value: 'Look.' },
        { from: 'gpt', value: call('look', '{}') },
      ],
    };
    const more = { conversations: [...record.conversations, { from: 'human', value: 'Never mind.' }] };
    assert.equal(converted(record, { to: 'openai-chat' }).repairs, 0);
    const { record: chat, repairs } = converted(more, { to: 'openai-chat' });
    assert.deepEqual([chat.messages[2].role, chat.messages[2].tool_call_id, repairs], ['tool', 'call_1_0', 1]);
  });

  it('leaves a call that is no JSON, and one that was cut off, in the text', () => {
    const value = '<tool_call>\n{"name": broken\n</tool_call> and <tool_call>\n{"name": "look"';
    const record = {
      conversations: [
        { from: 'human', value: 'Look.' },
        { from: 'gpt', value },
      ],
    };
    assert.equal(converted(record, { to: 'openai-chat' }).record.messages[1].content, value);
  });

  it('has no turn of a model that said nothing, in ShareGPT', () => {
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: '' },
      { role: 'assistant', content: 'Ho' },
    ];
    const { conversations: turns } = converted({ messages }, { to: 'sharegpt' }).record;
    assert.deepEqual(turns, [
      { from: 'human', value: 'Hi' },
      { from: 'gpt', value: 'Ho' },
    ]);
  });

  it('is the very text that was given where it was of the format', () => {
    const line = '{ "conversations" : [ {"from":"human","value":"\\u00e9"} ] }';
    assert.equal(convertTrajectory(line, { to: 'sharegpt' }).text, line);
  });

  it('is refused for what is no record, for one in which nothing is said, and for unknown options', () => {
    const broken = { code: 'TRAJECTORY_BROKEN' };
    assert.throws(() => convertTrajectory('{"conversations": [', { to: 'openai-chat' }), broken);
    assert.throws(() => converted({ conversations: [{ from: 'human', value: '' }] }, { to: 'openai-chat' }), broken);
    assert.throws(() => trajectoryRecord([], { to: 'sharegpt' }), broken);
    // A name that no caller with types can give.
    const odd = { to: 'yaml' as TrajectoryFormat };
    assert.throws(() => converted(oven, odd), { code: 'BAD_OPTION', message: /^expected as to one of sharegpt/ });
  });
});

// Random records in the way in which sets of ShareGPT are written.

const plain = fc.stringMatching(/^[A-Za-z0-9é"\\{}:,.' ]{1,30}$/).filter((text) => text.trim() === text);
const input = fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.oneof(plain, fc.integer(), fc.boolean()), {
  maxKeys: 3,
});

const step = fc.record({
  thought: fc.option(plain, { nil: undefined }),
  text: fc.option(plain, { nil: undefined }),
  calls: fc.array(fc.record({ name: fc.constantFrom('look', 'run', 'édit'), input, result: plain }), { maxLength: 3 }),
  ask: fc.option(plain, { nil: undefined }),
});

/** Objects as Python writes them. */
const python = (value: object): string =>
  `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}: ${JSON.stringify(member)}`)
    .join(', ')}}`;

const records = fc
  .record({
    system: fc.option(plain, { nil: undefined }),
    first: plain,
    hasIds: fc.boolean(),
    steps: fc.array(step, { maxLength: 6 }),
  })
  .map(({ system, first, hasIds, steps }) => {
    const turns = [
      ...(system === undefined ? [] : [{ from: 'system', value: system }]),
      { from: 'human', value: first },
    ];
    let ids = 0;
    for (const { thought, text, calls, ask } of steps) {
      const said = [
        ...(thought === undefined ? [] : [`<think>\n${thought}\n</think>`]),
        ...(text === undefined ? [] : [text]),
        ...calls.map(({ name, input: given }) => call(name, python(given))),
      ];
      // A thought without words or calls is no answer that a provider takes.
      if (text !== undefined || calls.length > 0) turns.push({ from: 'gpt', value: said.join('\n') });
      const answers = calls.map(({ name, result }) =>
        there(hasIds ? python({ tool_call_id: `toolu_${++ids}`, name, content: result }) : result),
      );
      if (answers.length > 0) turns.push({ from: 'tool', value: answers.join('\n') });
      if (ask !== undefined) turns.push({ from: 'human', value: ask });
    }
    return { id: 'x', conversations: turns };
  });

interface ChatMessage {
  readonly role: string;
  readonly content: string | null;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[];
}

describe('L6 a record on its way through other formats', () => {
  it('comes back from OpenAI to the letter', () => {
    fc.assert(
      fc.property(records, (record) => {
        const chat = converted(record, { to: 'openai-chat' });
        assert.equal(chat.repairs, 0);
        assert.deepEqual(converted(chat.record, { to: 'sharegpt' }).record, record);
      }),
      { numRuns: 300 },
    );
  });

  it('comes back from Anthropic with the same calls, results and words', () => {
    // Turns of one speaker behind each other become one: what is compared are their lines.
    const pieces = (record: unknown): readonly string[] => {
      const { messages } = converted(record, { to: 'openai-chat', format: 'sharegpt' }).record;
      return messages.flatMap(({ role, content, reasoning_content: thought, tool_calls: calls }: ChatMessage) => [
        ...(thought ?? '').split('\n\n').map((line) => `thought: ${line}`),
        ...(content ?? '').split('\n').map((line) => `${role}: ${line}`),
        ...(calls ?? []).map((one) => `${one.function.name} ${JSON.stringify(JSON.parse(one.function.arguments))}`),
      ]);
    };
    const told = (record: unknown): readonly string[] =>
      pieces(record)
        .filter((line) => !line.endsWith(': '))
        .sort();
    fc.assert(
      fc.property(records, (record) => {
        const claude = converted(record, { to: 'anthropic' }).record;
        const back = converted(claude, { to: 'sharegpt', format: 'anthropic' }).record;
        assert.deepEqual(told(back), told(record));
      }),
      { numRuns: 200 },
    );
  });

  it('is valid for its provider, whatever an agent left behind', () => {
    let written = 0;
    fc.assert(
      fc.property(conversations({ faults: true, maxSteps: 12 }), (messages) => {
        // A list in which nothing is said is no record.
        if (
          !messages.some(
            ({ role, parts }) =>
              role === 'user' && parts.some((part) => part.type === 'text' && part.text.trim() !== ''),
          )
        )
          return;
        const chat = JSON.parse(trajectoryRecord(messages, { to: 'openai-chat' }).text);
        const rules = validate(fromOpenAiChat(chat.messages)).map(({ rule, detail }) => `${rule}: ${detail}`);
        assert.deepEqual(rules, []);
        const claude = JSON.parse(trajectoryRecord(messages, { to: 'anthropic' }).text);
        const system = fromAnthropicSystem(claude.system);
        const all = [...(system ? [system] : []), ...fromAnthropic(claude.messages)];
        assert.deepEqual(
          validate(all, { strictRoles: true }).map(({ rule, detail }) => `${rule}: ${detail}`),
          [],
        );
        written++;
      }),
      { numRuns: 300 },
    );
    assert.ok(written > 100, `${written} of 300 had a request`);
  });
});
