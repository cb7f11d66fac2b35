/** Sets as people have them: several calls at once, pictures in lists, roles of their own, what an earlier run wrote. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { convertTrajectory, trajectoryStats } from '../../../packages/core/src/trajectories.ts';
import { withMarkup } from '../../../packages/core/src/trajectory/markup.ts';
import { growsInProportion } from '../../support/growth.ts';
import { compress, type Entry, filler, record, runOf, turnsIn, words } from './runs.ts';

interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

const messagesIn = ({ text }: { readonly text: string }): readonly Message[] =>
  (JSON.parse(text) as { messages: readonly Message[] }).messages;

const twoCalls = (step: number): readonly object[] => [
  {
    role: 'assistant',
    content: null,
    tool_calls: ['a', 'b'].map((name) => ({
      id: `${name}${step}`,
      type: 'function',
      function: { name: 'read', arguments: `{"path": "${name}${step}.ts"}` },
    })),
  },
  ...['a', 'b'].map((name) => ({
    role: 'tool',
    tool_call_id: `${name}${step}`,
    content: filler(60, `${name}${step}`),
  })),
];

describe('J1 what stands as markup in a text', () => {
  const read = (text: string) => {
    const message = { role: 'assistant', parts: [{ type: 'text', text }] } as const;
    const turn = { speaker: 'gpt', value: text, text, span: { start: 0, end: 0 } } as const;
    return withMarkup([message], [turn])[0]?.parts.map((part) => [part.type, 'text' in part ? part.text : '']);
  };
  const look = '<tool_call>{"name": "look", "arguments": {"at": "<think>x</think>"}}</tool_call>';

  it('is a thought where it names a call, and the arguments of a call where they hold a thought', () => {
    assert.deepEqual(read(`<think>I write <tool_call> next.</think>\nI look.\n${look}`), [
      ['reasoning', 'I write <tool_call> next.'],
      ['text', 'I look.'],
      ['toolCall', ''],
    ]);
    assert.deepEqual(read(`I look. ${look.slice(0, -12)}`), [
      ['text', 'I look.'],
      ['toolCall', ''],
    ]);
  });
});

describe('a set as people have it', () => {
  it('J3 keeps every answer of a step with several calls behind them, in both modes', async () => {
    const messages = [
      { role: 'system', content: 'You are an agent.' },
      { role: 'user', content: 'Move the ledgers.' },
      ...Array.from({ length: 16 }, (_, step) => twoCalls(step)).flat(),
      { role: 'assistant', content: 'Done.' },
    ];
    for (const mode of ['value', 'greedy'] as const) {
      for (const protect of [{}, { firstTool: false }]) {
        const result = await compress(JSON.stringify({ messages }), {
          targetTokens: 700,
          summaryTokens: 80,
          mode,
          protect,
        });
        assert.equal(result.metrics.wasCompressed, true);
        let open: string[] = [];
        for (const { role, tool_calls: calls, tool_call_id: id } of messagesIn(result)) {
          if (role === 'tool') {
            assert.equal(open.shift(), id);
            continue;
          }
          assert.deepEqual(open, [], mode);
          open = calls?.map((call) => call.id) ?? [];
        }
      }
    }
  });
  it('J3 joins a summary to results of tools, which the user says in Anthropic records', async () => {
    const messages = [
      { role: 'user', content: 'Move the ledgers.' },
      ...Array.from({ length: 40 }, (_, step) => [
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: `t${step}`, name: 'read', input: { path: `p${step}.ts` } }],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: `t${step}`, content: filler(40 + (step % 5) * 30, `line_${step}`) },
          ],
        },
      ]).flat(),
      { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
    ];
    for (const targetTokens of [300, 500, 900, 1_400]) {
      const result = await compress(JSON.stringify({ system: 'S', messages }), { targetTokens });
      assert.equal(result.metrics.stillOverLimit, false);
      const made = messagesIn(result);
      for (const [at, { role }] of made.entries()) assert.notEqual(role, made[at - 1]?.role);
      assert.match(result.text, /\[CONTEXT SUMMARY\]:/);
    }
  });
  it('J3 keeps the pictures of the marks that stay, and no other', async () => {
    const turns = runOf(14).map(
      (turn, at): Entry =>
        turn.from === 'tool' || at === 1 ? { ...turn, value: `<image>${turn.value} ends with <image>` } : turn,
    );
    const images = turns.flatMap(({ value }, at) => (value.includes('<image>') ? [`${at}-a.png`, `${at}-b.png`] : []));
    const result = await compress(record(turns, { images }), { targetTokens: 900 });
    const made = turnsIn(result);
    const { images: left } = JSON.parse(result.text) as { images: readonly string[] };
    const marked = made.filter(({ from, value }) => from !== 'gpt' && value.includes('<image>'));
    assert.ok(marked.length > 1 && left.length < images.length);
    // A mark that stays has the place that it had.
    const nameIn = ({ value }: Entry): string => /ledgerOf\d+ =|Move the/.exec(value)?.[0] ?? 'none';
    let next = 0;
    for (const turn of marked) {
      const at = turns.findIndex((one) => one.from === turn.from && nameIn(one) === nameIn(turn));
      assert.deepEqual(left.slice(next, next + 2), [`${at}-a.png`, `${at}-b.png`]);
      next += 2;
    }
    assert.equal(left.length, next);
  });
  it('J3 leaves a list of pictures alone that has not a place for each mark', async () => {
    const result = await compress(record(runOf(14), { images: ['one.png'] }), { targetTokens: 700 });
    assert.deepEqual((JSON.parse(result.text) as { images: unknown }).images, ['one.png']);
  });
  it('J3 takes away what an earlier run told of the tokens and turns, where it tells nothing of its own', async () => {
    const first = await compress(record(runOf(14)), { targetTokens: 900, lossMask: true });
    assert.ok('loss_mask' in JSON.parse(first.text) && 'provenance' in JSON.parse(first.text));
    const next = await compress(first.text, { targetTokens: 500, provenance: false });
    assert.deepEqual(Object.keys(JSON.parse(next.text) as object), ['conversations']);
    const led = `{"loss_mask": [[0, 1]], "provenance": {"original_turns": 9, "summaries": []}, ${record(runOf(14)).slice(1)}`;
    const other = await compress(led, { targetTokens: 500, provenance: false });
    assert.deepEqual(Object.keys(JSON.parse(other.text) as object), ['conversations']);
  });
  it('J3 leaves fields alone that have a name of ours and another form', async () => {
    const own = { loss_mask: [0, 1, 1], provenance: { source: 'logs', license: 'MIT' } };
    const result = await compress(record(runOf(14), own), { targetTokens: 500, provenance: false });
    const { loss_mask, provenance } = JSON.parse(result.text) as typeof own;
    assert.deepEqual({ loss_mask, provenance }, own);
    const told = await compress(record(runOf(14), own), { targetTokens: 500, lossMask: true });
    assert.ok('original_turns' in (JSON.parse(told.text) as typeof own).provenance);
  });
  it('J1 knows calls and answers that are turns of their own under messages', async () => {
    const messages = runOf(14).flatMap(({ from, value }): readonly object[] => {
      if (from === 'tool') return [{ role: 'tool_response', content: value }];
      const [said = '', called] = value.split('\n<tool_call>\n');
      const role = from === 'gpt' ? 'assistant' : from === 'human' ? 'user' : from;
      const call = called?.replace('\n</tool_call>', '');
      return [{ role, content: said }, ...(call ? [{ role: 'tool_call', content: call }] : [])];
    });
    const line = JSON.stringify({ messages });
    assert.equal(trajectoryStats(line, { tokenizer: words }).tools.get('terminal')?.calls, 14);
    const made = messagesIn(await compress(line, { targetTokens: 700 }));
    for (const [at, { role }] of made.entries())
      if (role === 'tool_response') assert.equal(made[at - 1]?.role, 'tool_call');
    assert.ok(made.filter(({ role }) => role === 'tool_call').length > 1);
  });
  it('J1 reads a record behind a byte order mark, however short it is', async () => {
    const line = `\uFEFF${record(runOf(1, 3))}`;
    for (const targetTokens of [20, 100_000]) await assert.doesNotReject(compress(line, { targetTokens }));
  });
  it('J1 takes time in proportion to its turns where only people speak', async () => {
    const line = (turns: number): string =>
      record(Array.from({ length: turns }, (_, at) => ({ from: 'human', value: filler(30, `word${at}`) })));
    const run = (turns: number): Promise<unknown> => compress(line(turns), { targetTokens: 3_000 });
    await growsInProportion({ small: () => run(400), large: () => run(1_600) }, 4);
  });
});

const converted = (conversations: readonly Entry[], to: 'openai-chat' | 'anthropic') => {
  const { text, repairs } = convertTrajectory(record(conversations), { to });
  return { record: JSON.parse(text), repairs };
};

const there = (text: string): Entry => ({ from: 'tool', value: `<tool_response>\n${text}\n</tool_response>` });
const call = (name: string, written: string): string =>
  `<tool_call>\n{"name": "${name}", "arguments": ${written}}\n</tool_call>`;

describe('J3 a set as people have it, converted,', () => {
  it('has a result for each call of a last step that was answered in part; a step that waits for its answers stays', () => {
    const said = [
      { from: 'human', value: 'Look.' },
      { from: 'gpt', value: `${call('look', '{}')}\n${call('probe', '{}')}` },
    ];
    for (const [turns, answers] of [
      [said, 0],
      [[...said, there('cold')], 2],
    ] as const) {
      const chat = converted(turns, 'openai-chat');
      const answered = chat.record.messages.filter(({ role }: { role: string }) => role === 'tool');
      assert.deepEqual([answered.length, chat.repairs], [answers, answers === 0 ? 0 : 1]);
      const { messages } = converted(turns, 'anthropic').record;
      const results = messages.slice(2).flatMap(({ content }: { content: readonly { type: string }[] }) => content);
      assert.deepEqual(
        results.map(({ type }: { type: string }) => type),
        Array(answers).fill('tool_result'),
      );
    }
  });

  it('has the roles alternate for Anthropic where the person speaks behind results', () => {
    const turns = [
      { from: 'human', value: 'Look.' },
      { from: 'gpt', value: call('look', '{}') },
      there('cold'),
      { from: 'human', value: 'Never mind.' },
      { from: 'human', value: 'Or do.' },
      { from: 'gpt', value: 'I will.' },
    ];
    const { messages } = converted(turns, 'anthropic').record;
    assert.deepEqual(
      messages.map(({ role }: { role: string }) => role),
      ['user', 'assistant', 'user', 'assistant'],
    );
    const [result, ...words] = messages[2].content;
    assert.equal(result.type, 'tool_result');
    assert.equal(words.map(({ text }: { text: string }) => text).join('\n\n'), 'Never mind.\n\nOr do.');
  });

  it('leaves what stands in the arguments of a call in them', () => {
    const template = '{% if r %}<think>{{ r }}</think>{% endif %}';
    const written = JSON.stringify({ path: 'chat.jinja', content: template });
    const turns = [
      { from: 'human', value: 'Write the template.' },
      { from: 'gpt', value: `<think>Short.</think>\n${call('write_file', written)}` },
      { from: 'gpt', value: 'Done.' },
    ];
    const [, said] = converted(turns, 'openai-chat').record.messages;
    assert.equal(said.reasoning_content, 'Short.');
    assert.equal(JSON.parse(said.tool_calls[0].function.arguments).content, template);
  });
});
