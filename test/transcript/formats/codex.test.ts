import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../packages/core/src/shared/json.ts';
import { codex } from '../../../packages/core/src/transcript/logs/codex/format.ts';
import type { Message, Part, Transcript } from '../../../packages/core/src/transcript/message.ts';
import { originOf } from '../../../packages/core/src/transcript/origin.ts';
import { messageText } from '../../../packages/core/src/transcript/text.ts';
import { validate } from '../../../packages/core/src/transcript/validate.ts';
import { asObject } from '../../../packages/core/src/transcript/wire/values.ts';
import { conversations } from '../../support/conversations.ts';
import {
  assertCovered,
  assertResultsFollow,
  fixture,
  openCalls,
  readBytes,
  readValues,
  realLogs,
  writtenBy,
} from './log-files.ts';

const session = await readBytes(codex, fixture('codex.jsonl'));
const old = await readBytes(codex, fixture('codex-old.jsonl'));

const item = (payload: JsonObject): JsonObject => ({
  timestamp: '2026-04-02T09:00:00.000Z',
  type: 'response_item',
  payload,
});
const partsOf = (messages: readonly Message[]): readonly Part[] => messages.flatMap(({ parts }) => parts);

test('makes one message of the items of a response, and another after its usage was reported', () => {
  const [first, second] = session.main.messages.filter(({ role }) => role === 'assistant');
  assert.deepEqual(
    first?.parts.map((part) => part.type),
    [
      ...['reasoning', 'reasoning', 'reasoning', 'reasoning', 'text', 'toolCall', 'toolCall', 'toolCall', 'toolCall'],
      ...['toolCall', 'toolCall', 'toolCall', 'toolResult'],
    ],
  );
  assert.equal(asObject(first?.extra?.fields.usage).output_tokens, 10);
  assert.equal(first?.model, 'gpt-test');
  assert.equal(second?.extra?.fields.usage, undefined);
});

test('reads every form of reasoning', () => {
  const reasoning = partsOf(session.main.messages).flatMap((part) => (part.type === 'reasoning' ? [part] : []));
  assert.deepEqual(
    reasoning.map(({ text, encrypted }) => [text, encrypted]),
    [
      ['Check the yeast', 'ZW5jcnlwdGVk'],
      ['One\n\nTwo', undefined],
      ['Raw thoughts', undefined],
      ['', 'b3BhcXVl'],
    ],
  );
});

test('reads every kind of call and of result', () => {
  const calls = partsOf(session.main.messages).flatMap((part) => (part.type === 'toolCall' ? [part] : []));
  assert.deepEqual(
    calls.map(({ name, inputType, server }) => `${name} ${inputType}${server ? ' server' : ''}`),
    [
      ...['shell json', 'apply_patch text', 'local_shell json', 'tool_search json', 'web_search json server'],
      ...['web_search json server', 'image_generation json server', 'exec_command json'],
    ],
  );
  const results = partsOf(session.main.messages).flatMap((part) => (part.type === 'toolResult' ? [part] : []));
  assert.deepEqual(
    results.map(({ name, isError }) => [name, isError]),
    [
      ['image_generation', undefined],
      ['shell', true],
      ['apply_patch', false],
      ['local_shell', undefined],
      ['tool_search', undefined],
      ['exec_command', true],
    ],
  );
  assertResultsFollow(session.main.messages);
  assert.deepEqual(openCalls(session.main.messages), []);
});

test('reads images and documents of messages and results', () => {
  const [, image, link, file] =
    session.main.messages.find((message) => messageText(message).includes('flat?'))?.parts ?? [];
  assert.ok(image?.type === 'image' && image.data === 'iVBORw0KGgo=' && image.mediaType === 'image/png');
  assert.ok(link?.type === 'image' && link.url === 'https://example.org/dough.png');
  assert.ok(file?.type === 'file' && file.name === 'notes.pdf' && file.mediaType === 'application/pdf');
});

test('puts instructions first and developer messages into the system role', () => {
  assert.deepEqual(
    session.main.messages.slice(0, 2).map((message) => [message.role, messageText(message).slice(0, 7)]),
    [
      ['system', 'You are'],
      ['system', '<permis'],
    ],
  );
});

test('tells a person from the program and from a summary, and doubles no message', () => {
  assert.deepEqual(session.main.messages.filter(({ role }) => role === 'user').map(originOf), [
    'host',
    'person',
    'host',
    'person',
    'summary',
    'host',
    'person',
    'summary',
    'person',
  ]);
});

test('reads what a compression kept item by item: the words of the user are theirs, the rest is one summary', () => {
  const { compressions = [], messages } = session.main;
  const [first = 0, second = 0] = compressions;
  assert.deepEqual(
    messages.slice(first, first + 2).map((message) => [originOf(message), message.parts.map((part) => part.type)]),
    [
      ['person', ['text']],
      ['summary', ['other', 'other']],
    ],
  );
  assert.deepEqual([messages[second]?.origin, compressions.length], ['summary', 2]);
  assert.ok(messages[second] && messageText(messages[second]).endsWith('Yeast was bought.'));
});

test('takes the message of a compression once when the kept items end with it', async () => {
  const summary = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Head\nthe end' }] };
  const log = await readValues(codex, [
    { timestamp: 't', type: 'compacted', payload: { message: 'the end', replacement_history: [summary] } },
    { timestamp: 't', type: 'compacted', payload: { message: 'else', replacement_history: [summary] } },
  ]);
  assert.deepEqual(
    log.main.messages.map((message) => [originOf(message), messageText(message)]),
    [
      ['summary', 'Head\nthe end'],
      ['person', 'Head\nthe end'],
      ['summary', 'else'],
    ],
  );
  assert.deepEqual(
    writtenBy(codex, log.main),
    log.records.map(({ value }) => value),
  );
});

test('knows session, title, model, folder and tools', () => {
  const { id, title, model, workingDirectory, tools } = session.main;
  assert.deepEqual(
    [id, title, model, workingDirectory, tools?.length],
    ['019f0000-0000-7000-8000-000000000001', 'Flat dough', 'gpt-test', '/home/baker/oven', 1],
  );
});

test('reads rollouts without a wrapper around the items', () => {
  assert.deepEqual(
    old.main.messages.map(({ role }) => role),
    ['system', 'user', 'user', 'assistant', 'tool', 'assistant'],
  );
  assert.equal(old.main.id, '5973b6c0-94b8-487b-a530-2aeb6098ae0e');
});

test('a rollout of a sub-agent is a side transcript', async () => {
  const source = { subagent: { thread_spawn: { parent_thread_id: 'p', depth: 1 } } };
  const log = await readValues(codex, [{ timestamp: 't', type: 'session_meta', payload: { id: 'c', source } }]);
  assert.deepEqual([log.main.id, log.main.sideOf], ['c', 'p']);
});

test('every line stands in a message or in a kept record, and comes back equal', () => {
  for (const log of [session, old]) {
    assertCovered(log);
    assert.deepEqual(
      writtenBy(codex, log.main),
      log.records.map(({ value }) => value),
    );
  }
});

test('broken, foreign and unknown lines are kept and told of, and nothing throws', async () => {
  const strange: JsonValue[] = [
    ...[1, 'text', [], {}, { type: 'toString', payload: {} }, { timestamp: 't', type: 'news', payload: { a: 1 } }],
    ...[
      item({}),
      item({ type: 'constructor' }),
      item({ type: 'function_call' }),
      item({ type: 'function_call_output' }),
    ],
    item({ type: 'message', role: 'user', content: 7 }),
  ];
  const log = await readValues(codex, strange);
  assert.deepEqual(
    log.findings.map(({ level, line }) => `${level} ${line}`),
    strange.map((_, index) => `skipped ${index + 1}`),
  );
  assert.deepEqual(writtenBy(codex, log.main), strange);
});

test('recognises its own files and no others', async () => {
  assert.equal(codex.detect(session.records), 1);
  assert.equal(codex.detect(old.records), 1);
  for (const name of ['claude-code', 'copilot-cli', 'pi', 'pi-v1']) {
    assert.equal(codex.detect((await readBytes(codex, fixture(`${name}.jsonl`))).records), 0, name);
  }
});

test('keeps the first line of the file when the system message left the transcript', () => {
  const messages = session.main.messages.slice(2);
  const [first] = writtenBy(codex, { ...session.main, messages });
  assert.deepEqual(asObject(asObject(first).payload).base_instructions, { text: '' });
});

test('items with any fields come back equal, and results follow their calls', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(lines(), { maxLength: 12 }), async (values) => {
      const log = await readValues(codex, values);
      assertCovered(log);
      assertResultsFollow(log.main.messages);
      assert.deepEqual(
        writtenBy(codex, log.main),
        log.records.map(({ value }) => value),
      );
    }),
  );
});

/** Lines of a rollout with members that are missing, unknown or of another kind than usual. */
function lines(): fc.Arbitrary<JsonValue> {
  const ids = fc.constantFrom('c1', 'c2', 'c3');
  const texts = fc.constantFrom(
    '',
    'one',
    'data:image/png;base64,AAAA',
    'Exit code: 1',
    '{"metadata":{"exit_code":3}}',
  );
  const content = fc.array(
    fc.oneof(
      fc.record(
        { type: fc.constantFrom('input_text', 'output_text', 'text', 'refusal'), text: texts, x: ids },
        { requiredKeys: ['type'] },
      ),
      fc.record(
        { type: fc.constant('input_image'), image_url: texts, file_id: ids, detail: ids },
        { requiredKeys: ['type'] },
      ),
      fc.record({ type: fc.constant('input_file'), file_data: texts, filename: ids }, { requiredKeys: ['type'] }),
      jsonValues(),
    ),
    { maxLength: 3 },
  );
  const anything = fc.oneof(texts, content, jsonValues());
  const type = fc.constantFrom(
    ...['message', 'reasoning', 'function_call', 'custom_tool_call', 'local_shell_call', 'tool_search_call'],
    ...['web_search_call', 'image_generation_call', 'function_call_output', 'custom_tool_call_output'],
    ...['tool_search_output', 'agent_message', 'compaction', 'ghost_snapshot', 'surprise'],
  );
  const summary = fc.array(fc.oneof(fc.record({ type: fc.constant('summary_text'), text: texts }), jsonValues()), {
    maxLength: 2,
  });
  const members = {
    role: fc.constantFrom('user', 'assistant', 'developer'),
    content: anything,
    summary,
    call_id: ids,
    id: ids,
  };
  const more = {
    name: ids,
    arguments: anything,
    input: anything,
    action: anything,
    output: anything,
    tools: content,
    result: texts,
    revised_prompt: anything,
  };
  const payload = fc.record(
    { type, ...members, ...more, encrypted_content: anything, execution: ids },
    { requiredKeys: ['type'] },
  );
  return fc.oneof(
    { weight: 6, arbitrary: payload.map(item) },
    fc
      .record(
        { message: texts, replacement_history: fc.array(payload, { maxLength: 3 }), x: ids },
        { requiredKeys: [] },
      )
      .map((compacted) => ({ timestamp: 't', type: 'compacted', payload: compacted })),
    fc
      .constantFrom('event_msg', 'turn_context')
      .map((name) => ({ timestamp: 't', type: name, payload: { type: 'token_count' } })),
  );
}

/** JSON values as they come from a file: no `-0`, no `undefined`. */
const jsonValues = (): fc.Arbitrary<JsonValue> =>
  // What JSON.parse gives is a JSON value.
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);

test('conversations of other formats become rollouts that read back as valid, with every word and call', async () => {
  await fc.assert(
    fc.asyncProperty(conversations({ maxSteps: 12 }), async (messages) => {
      const transcript: Transcript = { format: 'openai-chat', messages };
      const values = writtenBy(codex, transcript);
      assert.deepEqual(writtenBy(codex, transcript), values, 'the same transcript gives the same file');
      const log = await readValues(codex, values);
      assert.deepEqual(log.findings, []);
      assert.equal(codex.detect(log.records), 1);
      const broken = validate(log.main.messages).filter(
        ({ rule }) => !rule.startsWith('empty') && rule !== 'late-system',
      );
      assert.deepEqual(broken, []);
      const words = (list: readonly Message[]): string =>
        list
          .filter(({ role }) => role === 'user' || role === 'assistant')
          .map(messageText)
          .filter(Boolean)
          .join('\n');
      assert.equal(words(log.main.messages), words(messages));
    }),
    { numRuns: 40 },
  );
});

test('a foreign message of the program stays one, and a foreign compression stays one', async () => {
  const say = (text: string, more: Partial<Message> = {}): Message => ({
    role: 'user',
    parts: [{ type: 'text', text }],
    ...more,
  });
  const messages = [say('one'), say('be nice', { origin: 'host' }), say('it began', { origin: 'summary' }), say('two')];
  const { main } = await readValues(codex, writtenBy(codex, { format: 'pi', messages, compressions: [2] }));
  assert.deepEqual([main.messages.map(originOf), main.compressions], [['person', 'host', 'summary', 'person'], [2]]);
});

const real = realLogs('codex');

test('real logs are read whole: every byte, every type, equal records back', { skip: real.skip }, async () => {
  for (const { name, bytes } of real.files) {
    const log = await readBytes(codex, bytes());
    assert.equal(codex.detect(log.records.slice(0, 50)), 1, name);
    assert.deepEqual(log.findings, [], name);
    assertCovered(log);
    assertResultsFollow(log.main.messages);
    assert.deepEqual(openCalls(log.main.messages), [], name);
    assert.deepEqual(
      writtenBy(codex, log.main),
      log.records.map(({ value }) => value),
      name,
    );
  }
});
