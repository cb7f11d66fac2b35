/** Every format of training data: what stays is copied as it was written. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compressTrajectory } from '@palimpsest/core/trajectories';
import { codeOf, compress, type Entry, filler, record, runOf, turnsIn, words } from './runs.ts';

/** A line in which every kept turn can be looked for as it was written. */
const written = (turns: readonly string[], fields = ''): string =>
  `{"id": 1.50, "conversations": [${turns.join(', ')}]${fields}}`;

const asWritten = runOf(14).map(
  ({ from, value }, at) =>
    // Keys in another order, a number that JavaScript would write otherwise, an escape that nobody needs.
    `{"weight": ${at}.0, "value": ${JSON.stringify(value).replace('ledger', '\\u006cedger')}, "from": "${from}"}`,
);

const openAiRun = (steps: number): readonly object[] => [
  { role: 'system', content: 'You are an agent.' },
  { role: 'user', content: 'Move the ledgers.' },
  ...Array.from({ length: steps }, (_, step) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: `call_${step}`,
          type: 'function',
          function: { name: 'terminal', arguments: `{"command": "cat part_${step}.ts"}` },
        },
      ],
    },
    { role: 'tool', tool_call_id: `call_${step}`, content: filler(120, `line_${step}\n`) },
  ]).flat(),
  { role: 'assistant', content: 'Done.' },
];

const anthropicRun = (steps: number): readonly object[] => [
  { role: 'user', content: 'Move the ledgers.' },
  ...Array.from({ length: steps }, (_, step) => [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: `Part ${step} is next.`, signature: 'c2ln' },
        { type: 'tool_use', id: `toolu_${step}`, name: 'terminal', input: { command: `cat part_${step}.ts` } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: `toolu_${step}`,
          content: [{ type: 'text', text: filler(120, `line_${step}\n`) }],
        },
        ...(step === 1 ? [{ type: 'text', text: `Mind the rule: ${filler(30, 'rule')}` }] : []),
      ],
    },
  ]).flat(),
  { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
];

interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly text?: string;
}

const blocks = ({ content }: Message): readonly Block[] => (Array.isArray(content) ? (content as Block[]) : []);

describe('records of training data', () => {
  test('J1 turns that stay are copied to the byte, with what stands between them', async () => {
    const line = written(asWritten, ', "score": 1e2');
    const { text, metrics } = await compress(line, { targetTokens: 1_000, provenance: false });
    assert.equal(metrics.wasCompressed, true);
    assert.ok(text.startsWith('{"id": 1.50, "conversations": [{"weight": 0.0, "value": '));
    assert.ok(text.endsWith('], "score": 1e2}'));
    const kept = asWritten.filter((turn) => text.includes(turn));
    assert.ok(kept.length >= 8);
    // Every turn of the model in the result is one of these.
    const said = turnsIn({ text, metrics }).filter(({ from }) => from === 'gpt');
    assert.equal(kept.filter((turn) => turn.endsWith('"from": "gpt"}')).length, said.length);
  });
  test('J1 what its bytes prove to be under the target is passed on uncounted', async () => {
    const line = written(asWritten.slice(0, 4));
    const result = await compress(line, { targetTokens: line.length });
    assert.equal(result.text, line);
    assert.equal(result.metrics.isProvablyUnder, true);
    assert.equal(result.metrics.originalTokens, 0);
    const counted = await compress(line, { targetTokens: line.length - 1 });
    assert.equal(counted.text, line);
    assert.equal(counted.metrics.isProvablyUnder, undefined);
    assert.equal(counted.metrics.skippedUnderTarget, true);
  });
  test('J2 the bytes that prove it are those of UTF-8, whatever the writing', async () => {
    for (const sign of ['a', 'é', 'я', '窯', '🔥', '\ud800']) {
      const line = JSON.stringify({ conversations: [{ from: 'human', value: `Go on. ${sign}` }] }).replace(
        '\\ud800',
        '\ud800',
      );
      const bytes = Buffer.byteLength(line);
      for (const [targetTokens, isProvablyUnder] of [
        [bytes - 1, undefined],
        [bytes, true],
        [3 * line.length, true],
        [2_000_000, true],
      ] as const) {
        const { text, metrics } = await compress(line, { targetTokens });
        assert.equal(metrics.isProvablyUnder, isProvablyUnder, `${sign} at ${targetTokens} for ${bytes}`);
        assert.equal(text, line);
      }
    }
  });
  test('J3 options that cannot change are looked at once, and say what is wrong with them each time', async () => {
    const line = JSON.stringify({ conversations: [{ from: 'human', value: 'Fire the kiln. '.repeat(40) }] });
    const wrong = Object.freeze({ tokenizer: words, targetTokens: -1 });
    for (let time = 0; time < 2; time++) await assert.rejects(compressTrajectory(line, wrong), { code: 'BAD_OPTION' });
    const right = Object.freeze({ tokenizer: words, targetTokens: 10_000 });
    for (let time = 0; time < 2; time++) assert.equal((await compressTrajectory(line, right)).text, line);
    const other = { tokenizer: words, targetTokens: 10_000 };
    assert.equal((await compressTrajectory(line, other)).metrics.isProvablyUnder, true);
    other.targetTokens = 100;
    assert.equal((await compressTrajectory(line, other)).metrics.isProvablyUnder, undefined);
  });
  test('J3 in OpenAI chat records every call keeps its answer and every answer its call', async () => {
    const { text, metrics } = await compress(JSON.stringify({ messages: openAiRun(90) }), { targetTokens: 500 });
    assert.equal(metrics.stillOverLimit, false);
    const { messages } = JSON.parse(text) as { messages: readonly Message[] };
    const calls = messages.flatMap((message) => message.tool_calls?.map(({ id }) => id) ?? []);
    assert.deepEqual(
      messages.flatMap(({ tool_call_id: id }) => id ?? []),
      calls,
    );
    assert.ok(calls.length > 2 && calls.length < 90);
  });
  test('J3 in Anthropic records thoughts stay with their calls, and words of the person beside a result stay whole', async () => {
    const line = JSON.stringify({ system: 'You are an agent.', messages: anthropicRun(20) });
    const protect = { lastTurns: 38 };
    const { text, metrics } = await compress(line, { targetTokens: 1_100, protect });
    assert.equal(metrics.stillOverLimit, false);
    const { messages, system } = JSON.parse(text) as { messages: readonly Message[]; system: string };
    assert.equal(system, 'You are an agent.');
    const uses = messages.flatMap((message) =>
      blocks(message).flatMap(({ type, id }) => (type === 'tool_use' ? [id] : [])),
    );
    const results = messages.flatMap((message) => blocks(message).flatMap(({ tool_use_id: id }) => id ?? []));
    assert.deepEqual(results, uses);
    for (const message of messages.filter((one) => blocks(one).some(({ type }) => type === 'tool_use')))
      assert.equal(blocks(message)[0]?.type, 'thinking');
    const rule = messages.flatMap(blocks).find((block) => block.text?.startsWith('Mind the rule'));
    assert.equal(rule?.text, `Mind the rule: ${filler(30, 'rule')}`);
    for (const [at, { role }] of messages.entries()) assert.notEqual(role, messages[at - 1]?.role);
  });
  test('J3 a bare list of turns stays one', async () => {
    const result = await compress(JSON.stringify(runOf(14)), { targetTokens: 700 });
    const turns = JSON.parse(result.text) as readonly Entry[];
    assert.ok(Array.isArray(turns));
    assert.ok(turns.length < 31);
  });
  test('J3 calls that are turns of their own stay before their answers', async () => {
    const turns = runOf(14).flatMap((turn): readonly Entry[] => {
      if (turn.from !== 'gpt') return [turn.from === 'tool' ? { ...turn, from: 'observation' } : turn];
      const [said = '', called] = turn.value.split('\n<tool_call>\n');
      const call = called?.replace('\n</tool_call>', '');
      return [{ from: 'gpt', value: said }, ...(call ? [{ from: 'function_call', value: call }] : [])];
    });
    const made = turnsIn(await compress(record(turns), { targetTokens: 700 }));
    for (const [at, { from }] of made.entries())
      if (from === 'observation') assert.equal(made[at - 1]?.from, 'function_call');
  });
  test('J1 a line that is no record says what was expected and what came', async () => {
    const rows = [
      ['', /expected a line of JSON, got an empty one/],
      ['{"a": 1', /expected a line of JSON/],
      ['{"text": "no turns"}', /expected a record with a list of turns .*got an object with text/],
      ['{"conversations": []}', /expected a list of turns, got an empty one/],
      [
        '{"conversations": [{"from": "human", "value": "a"}, 7]}',
        /expected turn 2 as an entry with from and value, got a number/,
      ],
    ] as const;
    for (const [line, message] of rows) {
      const error = await compress(line).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      assert.equal(codeOf(error), 'TRAJECTORY_BROKEN', line);
      assert.match(String(error), message);
    }
  });
});
