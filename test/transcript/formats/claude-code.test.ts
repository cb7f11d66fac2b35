import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../packages/core/src/shared/json.ts';
import { claudeCode } from '../../../packages/core/src/transcript/logs/claude-code/format.ts';
import type { Message, Transcript } from '../../../packages/core/src/transcript/message.ts';
import { originOf } from '../../../packages/core/src/transcript/origin.ts';
import { messageText } from '../../../packages/core/src/transcript/text.ts';
import { validate } from '../../../packages/core/src/transcript/validate.ts';
import { asObject } from '../../../packages/core/src/transcript/wire/values.ts';
import { conversations } from '../../support/conversations.ts';
import {
  assertCovered,
  assertResultsFollow,
  fixture,
  keptOf,
  openCalls,
  type ReadLog,
  readBytes,
  readValues,
  realLogs,
  writtenBy,
} from './log-files.ts';

const session = await readBytes(claudeCode, fixture('claude-code.jsonl'));

const withText = (log: ReadLog, text: string): Message => {
  const found = log.main.messages.find((message) => messageText(message).includes(text));
  assert.ok(found, `a message says ${text}`);
  return found;
};

const line = (uuid: string, record: JsonObject): JsonObject => ({ sessionId: 's', parentUuid: null, uuid, ...record });
const says = (uuid: string, content: JsonValue, more: JsonObject = {}): JsonObject =>
  line(uuid, { type: 'user', message: { role: 'user', content }, ...more });
const answers = (uuid: string, id: string, block: JsonObject): JsonObject =>
  line(uuid, { type: 'assistant', message: { id, role: 'assistant', model: 'claude-test-1', content: [block] } });

test('merges the lines of one API message and keeps a span a line', () => {
  const message = session.main.messages.find(({ providerId }) => providerId === 'msg_1');
  assert.deepEqual(
    message?.parts.map((part) => part.type),
    ['reasoning', 'reasoning', 'text', 'toolCall', 'toolCall'],
  );
  assert.equal(message?.source?.length, 5);
  assert.equal(message?.time, '2026-03-01T08:00:07.000Z');
  assert.equal(message?.model, 'claude-test-1');
  assert.equal(asObject(message?.extra?.fields.usage).output_tokens, 55);
});

test('puts every result behind its calls, whatever the log wrote between them', () => {
  assertResultsFollow(session.main.messages);
  assert.deepEqual(openCalls(session.main.messages), []);
});

test('reads reasoning, images and documents', () => {
  const [first, second] = session.main.messages.find(({ providerId }) => providerId === 'msg_1')?.parts ?? [];
  assert.deepEqual(first, { type: 'reasoning', text: 'Look at the timer.', signature: 'c2lnbmVk' });
  assert.deepEqual(second, { type: 'reasoning', text: '', encrypted: 'cmVkYWN0ZWQ=' });
  const [, , image, pdf, plain] = withText(session, 'Why does the oven').parts;
  assert.deepEqual(image, { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' });
  assert.ok(pdf?.type === 'file' && pdf.name === 'manual.pdf' && pdf.data === 'JVBERi0=');
  assert.ok(plain?.type === 'file' && plain.text === 'Preheat first.');
});

test('reads failed results, their tool names and the tools of the provider', () => {
  const parts = session.main.messages.flatMap((message) => message.parts);
  const failed = parts.find((part) => part.type === 'toolResult' && part.callId === 'toolu_2');
  assert.ok(failed?.type === 'toolResult' && failed.isError && failed.name === 'Bash' && failed.content.length === 2);
  const found = parts.find((part) => part.type === 'toolResult' && part.server);
  assert.ok(found?.type === 'toolResult' && found.callId === 'srvtoolu_1' && found.name === 'web_search');
});

test('tells a person from the program and from a summary', () => {
  const origins: readonly [string, string][] = [
    ['Caveat: not for you', 'host'],
    ['<command-name>/model', 'host'],
    ['<local-command-stdout>', 'host'],
    ['<bash-input>', 'host'],
    ['<bash-stdout>', 'host'],
    ['Why does the oven', 'person'],
    ['Base directory for this skill', 'host'],
    ['Use seconds', 'person'],
    ['<task-notification>', 'host'],
    ['This session is being continued', 'summary'],
    ['[Request interrupted', 'host'],
  ];
  for (const [text, origin] of origins) assert.equal(originOf(withText(session, text)), origin, text);
});

test('finds compressions, with or without a boundary line', async () => {
  assert.deepEqual(session.main.compressions, [session.main.messages.indexOf(withText(session, 'This session is'))]);
  const old = await readValues(claudeCode, [
    says('a', 'hello'),
    says('b', 'This session is being continued from a previous conversation that ran out of context.'),
  ]);
  assert.deepEqual(old.main.compressions, [1]);
});

test('makes a side transcript of a sub-agent and names the call that started it', () => {
  const [, side, ...more] = session.transcripts;
  assert.equal(more.length, 0);
  assert.equal(side?.sideOf, 'toolu_3');
  assert.deepEqual(side?.messages.map(originOf), ['host', undefined, undefined, undefined]);
  assert.ok(!session.main.messages.some((message) => messageText(message) === 'Find every timer.'));
});

test('a file of a sub-agent alone is a side transcript of its session', async () => {
  const alone = await readValues(claudeCode, [says('a', 'Find it.', { isSidechain: true, agentId: 'ag1' })]);
  assert.deepEqual([alone.transcripts.length, alone.main.id, alone.main.sideOf], [1, 'ag1', 's']);
});

test('takes a repeated line once and tells of it', () => {
  assert.equal(session.main.messages.filter((message) => messageText(message).includes('Why does the oven')).length, 1);
  assert.deepEqual(
    session.findings.map(({ level }) => level),
    ['note'],
  );
});

test('L6 takes every message of a log in which ids of lines repeat, and tells of what it left out', async () => {
  const said = (text: string, more: JsonObject = {}): JsonObject => says('same', text, more);
  const records = [
    said('Light the oven.'),
    answers('same', 'msg_a', { type: 'text', text: 'Lit.' }),
    said('Open the door.'),
    said('Light the oven.', { cwd: '/elsewhere', version: '9.9' }),
    said('Light the oven.', { timestamp: '2026-03-01T09:00:00.000Z' }),
    answers('same', 'msg_b', { type: 'text', text: 'Lit.' }),
  ];
  const log = await readValues(claudeCode, records);
  assert.deepEqual(log.main.messages.map(messageText), [
    'Light the oven.',
    'Lit.',
    'Open the door.',
    'Light the oven.',
    'Lit.',
  ]);
  assert.deepEqual(
    log.findings.map(({ level, message }) => [level, message.replace(/ (because|although).*:/, ':')]),
    [
      ['note', 'Lines skipped: 1.'],
      ['note', 'Lines kept: 4.'],
    ],
  );
  assert.deepEqual(writtenBy(claudeCode, log.main), records);
});

test('marks messages that no model wrote', () => {
  const message = withText(session, 'No response requested.');
  assert.equal(message.extra?.fields.synthetic, true);
  assert.equal(message.model, undefined);
});

test('knows session, title and folder', () => {
  const { id, title, workingDirectory, model } = session.main;
  assert.deepEqual(
    [id, title, workingDirectory, model],
    ['11111111-2222-4333-8444-555555555555', 'Oven timer drift', '/home/baker/oven', 'claude-test-1'],
  );
});

test('a summary of another session gives no title when one of this session does', async () => {
  const log = await readValues(claudeCode, [
    { type: 'summary', summary: 'ours', leafUuid: 'a' },
    { type: 'summary', summary: 'theirs', leafUuid: 'z' },
    says('a', 'hello'),
  ]);
  assert.equal(log.main.title, 'ours');
});

test('every line of the file stands in a message or in a kept record', () => assertCovered(session));

test('writes back equal records in the same order', () => {
  const written = session.transcripts.flatMap((transcript) => writtenBy(claudeCode, transcript));
  const sides = session.records.map(({ value }) => value).filter((value) => asObject(value).isSidechain === true);
  const main = session.records.map(({ value }) => value).filter((value) => asObject(value).isSidechain !== true);
  assert.deepEqual(written, [...main, ...sides]);
});

test('broken, foreign and unknown lines are kept and told of, and nothing throws', async () => {
  const strange: JsonValue[] = [
    1,
    'text',
    [],
    {},
    { type: 'constructor' },
    { type: 'user' },
    { type: 'user', message: 'x' },
    { type: 'assistant', message: { content: 7 } },
  ];
  const log = await readValues(claudeCode, [...strange, says('a', [null, 'x', { type: 'image', source: 3 }])]);
  assert.deepEqual(
    log.findings.map(({ level, line }) => `${level} ${line}`),
    strange.map((_, index) => `skipped ${index + 1}`),
  );
  assert.equal(log.main.messages[0]?.parts.filter((part) => part.type === 'other').length, 3);
  assert.deepEqual(
    writtenBy(claudeCode, log.main),
    log.records.map(({ value }) => value),
  );
});

test('recognises its own files and no others', async () => {
  assert.equal(claudeCode.detect(session.records), 1);
  for (const name of ['codex', 'codex-old', 'copilot-cli', 'pi', 'pi-v1']) {
    const { records } = await readBytes(claudeCode, fixture(`${name}.jsonl`));
    assert.equal(claudeCode.detect(records), 0, name);
  }
});

test('a message that left the transcript leaves no hole in the chain of parents', async () => {
  const block = (text: string): JsonObject => ({ type: 'text', text });
  const log = await readValues(claudeCode, [
    says('a', 'one'),
    { ...answers('b', 'm1', block('two')), parentUuid: 'a' },
    { ...says('c', 'three'), parentUuid: 'b' },
  ]);
  const [first, , third] = log.main.messages;
  assert.ok(first && third);
  const added: Message = { role: 'user', parts: [{ type: 'text', text: 'new' }] };
  const shorter: Transcript = { ...log.main, messages: [first, added, third] };
  const [, fresh, last] = writtenBy(claudeCode, shorter).map(asObject);
  assert.deepEqual([fresh?.parentUuid, last?.uuid, last?.parentUuid], ['a', 'c', fresh?.uuid]);
});

test('a changed message is written with its new parts', async () => {
  const log = await readValues(claudeCode, [
    says('a', [{ type: 'tool_result', tool_use_id: 't', content: 'long text' }]),
  ]);
  const messages: Message[] = log.main.messages.map((message) => ({
    ...message,
    parts: [{ type: 'toolResult', callId: 't', content: [{ type: 'text', text: 'cut' }] }],
  }));
  assert.deepEqual(writtenBy(claudeCode, { ...log.main, messages }), [
    says('a', [{ type: 'tool_result', tool_use_id: 't', content: 'cut' }]),
  ]);
});

test('lines in any order and with any fields come back equal, and results follow their calls', async () => {
  await fc.assert(fc.asyncProperty(logs(), roundTrip));
});

async function roundTrip(values: readonly JsonValue[]): Promise<void> {
  const log = await readValues(claudeCode, values);
  assertCovered(log);
  assertResultsFollow(log.main.messages);
  assert.deepEqual(
    writtenBy(claudeCode, log.main),
    log.records.map(({ value }) => value),
  );
}

/** Logs of the main conversation: a few messages whose lines, calls and results are shuffled, with unknown fields. */
function logs(): fc.Arbitrary<JsonValue[]> {
  const more = fc.dictionary(fc.constantFrom('x', 'citations', 'cache_control', 'constructor'), jsonValues(), {
    maxKeys: 2,
  });
  const text = more.map((rest) => ({ ...rest, type: 'text', text: 'hi' }));
  const ids = fc.constantFrom('t1', 't2', 't3');
  const block = fc.oneof(
    text,
    fc.record({ type: fc.constant('tool_use'), id: ids, name: fc.constantFrom('Read', 'Task'), input: jsonValues() }),
    fc.record(
      { type: fc.constant('thinking'), thinking: fc.string(), signature: fc.string() },
      { requiredKeys: ['type'] },
    ),
    fc.record({
      type: fc.constantFrom('server_tool_use', 'redacted_thinking', 'strange'),
      id: ids,
      name: ids,
      data: ids,
    }),
    jsonValues(),
  );
  const result = fc.record(
    {
      type: fc.constantFrom('tool_result', 'web_search_tool_result'),
      tool_use_id: ids,
      content: fc.oneof(fc.string(), fc.array(fc.oneof(text, jsonValues())), jsonValues()),
      is_error: fc.oneof(fc.boolean(), fc.constant(null)),
    },
    { requiredKeys: ['type', 'tool_use_id'] },
  );
  const entry = fc.oneof(
    fc.tuple(fc.constantFrom('m1', 'm2', 'm3'), block).map(([id, content]) => ({
      type: 'assistant',
      message: { id, role: 'assistant', content: [content] },
    })),
    fc.oneof(fc.string(), fc.array(fc.oneof(result, text))).map((content) => ({
      type: 'user',
      message: { role: 'user', content },
    })),
    fc.constant({ type: 'attachment', attachment: { type: 'queued_command', prompt: 'now', x: 1 } }),
    fc.constant({ type: 'system', subtype: 'compact_boundary' }),
    fc.tuple(fc.constantFrom('progress', 'new-thing'), jsonValues()).map(([type, data]) => ({ type, data })),
  );
  return fc.array(entry, { maxLength: 12 }).map((entries) => entries.map((record, index) => line(`u${index}`, record)));
}

/** JSON values as they come from a file: no `-0`, no `undefined`. */
const jsonValues = (): fc.Arbitrary<JsonValue> =>
  // What JSON.parse gives is a JSON value.
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);

test('conversations of other formats become sessions that read back as valid, with every word and call', async () => {
  await fc.assert(
    fc.asyncProperty(conversations({ maxSteps: 12 }), async (messages) => {
      const transcript: Transcript = { format: 'openai-chat', messages, title: 'Moved' };
      const values = writtenBy(claudeCode, transcript);
      assert.deepEqual(writtenBy(claudeCode, transcript), values, 'the same transcript gives the same file');
      const log = await readValues(claudeCode, values);
      const client = messages.flatMap(({ parts }) => parts).filter((part) => part.type === 'toolCall' && !part.server);
      const calls = log.main.messages.flatMap(({ parts }) => parts).filter((part) => part.type === 'toolCall');
      assert.ok(client.length <= calls.length);
      assert.deepEqual(
        validate(log.main.messages).filter(({ rule }) => !rule.startsWith('empty')),
        [],
      );
      const words = (list: readonly Message[]): string[] =>
        list
          .filter(({ role }) => role === 'user' || role === 'assistant')
          .map(messageText)
          .filter(Boolean);
      assert.equal(words(log.main.messages).join('\n'), words(messages).join('\n'));
      assert.deepEqual(log.findings, []);
      const uuids = values.map((value) => asObject(value).uuid).filter((uuid) => uuid !== undefined);
      assert.equal(new Set(uuids).size, uuids.length);
    }),
    { numRuns: 40 },
  );
});

test('a foreign compression becomes a boundary and a summary', async () => {
  const say = (text: string, more: Partial<Message> = {}): Message => ({
    role: 'user',
    parts: [{ type: 'text', text }],
    ...more,
  });
  const messages = [say('one'), say('it began', { origin: 'summary' }), say('two')];
  const log = await readValues(claudeCode, writtenBy(claudeCode, { format: 'pi', messages, compressions: [1] }));
  assert.deepEqual(log.main.compressions, [1]);
  assert.equal(log.main.messages[1]?.origin, 'summary');
  assert.equal(keptOf(log.main).length, 1);
});

const real = realLogs('claude-code');

test('real logs are read whole: every byte, every type, equal records back', { skip: real.skip }, async () => {
  for (const { name, bytes } of real.files) {
    const log = await readBytes(claudeCode, bytes());
    assert.equal(claudeCode.detect(log.records.slice(0, 50)), 1, name);
    assert.deepEqual(log.findings, [], name);
    assertCovered(log);
    assertResultsFollow(log.main.messages);
    assertOpenCallsLackResults(log);
    assert.deepEqual(
      writtenBy(claudeCode, log.main),
      log.records.map(({ value }) => value),
      name,
    );
  }
});

/** A call is open in the transcript only if the file holds no result for it. */
function assertOpenCallsLackResults(log: ReadLog): void {
  const text = log.bytes.toString();
  for (const id of openCalls(log.main.messages)) assert.ok(!text.includes(`"tool_use_id":"${id}"`), id);
}
