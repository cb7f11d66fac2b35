import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../packages/core/src/shared/json.ts';
import { pi } from '../../../packages/core/src/transcript/logs/pi/format.ts';
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

const session = await readBytes(pi, fixture('pi.jsonl'));
const old = await readBytes(pi, fixture('pi-v1.jsonl'));
const { messages } = session.main;

const header = { type: 'session', version: 3, id: 's', timestamp: '2026-06-04T11:00:00.000Z', cwd: '/' };
const entry = (id: string, parentId: string | null, more: JsonObject): JsonObject => ({
  id,
  parentId,
  timestamp: '2026-06-04T11:00:00.000Z',
  ...more,
});
const says = (text: string): JsonObject => ({ type: 'message', message: { role: 'user', content: text } });

test('takes the path to the last entry as the conversation and every branch as a side transcript', () => {
  assert.deepEqual(messages.filter(({ role }) => role === 'user').map(messageText), [
    ...['Grease the tins.', 'Butter was tried.', 'Try oil.', '!make\ndone', 'It is humid.', 'Still humid.'],
    'Tins were greased with oil.',
  ]);
  assert.deepEqual(
    session.transcripts.slice(1).map(({ id, sideOf, messages: side }) => [id, sideOf, side.map(messageText)]),
    [
      ['00000008', '00000006', ['Try butter.', 'Buttered.']],
      ['0000000a', '00000007', ['Buttered twice.']],
    ],
  );
});

test('reads reasoning, calls and results', () => {
  const [, answer, result] = messages;
  assert.deepEqual(answer?.parts.slice(0, 2), [
    { type: 'reasoning', text: 'Which tins?', signature: 'c2ln' },
    {
      type: 'reasoning',
      text: '[Reasoning redacted]',
      encrypted: 'cmVk',
      extra: { format: 'pi', fields: { rest: { redacted: true } } },
    },
  ]);
  assert.deepEqual([answer?.providerId, answer?.model], ['resp_1', 'claude-test-1']);
  assert.equal(asObject(answer?.extra?.fields.usage).totalTokens, 7);
  const [part] = result?.parts ?? [];
  assert.ok(part?.type === 'toolResult' && part.isError && part.name === 'bash' && part.content[1]?.type === 'image');
  assertResultsFollow(messages);
});

test('tells a person from the program and from a summary', () => {
  assert.deepEqual(messages.filter(({ role }) => role === 'user').map(originOf), [
    ...(['person', 'summary', 'person', 'host', 'host', 'host', 'summary'] as const),
  ]);
  assert.deepEqual(session.main.compressions, [
    messages.findIndex((message) => messageText(message).startsWith('Tins')),
  ]);
});

test('what the person hid from the model is kept but no message', () => {
  assert.ok(!JSON.stringify(messages).includes('SECRET'));
  assert.ok(JSON.stringify(keptOf(session.main)).includes('SECRET'));
});

test('knows session, title, model and folder', () => {
  const { id, title, model, workingDirectory } = session.main;
  assert.deepEqual(
    [id, title, model, workingDirectory],
    ['33333333-4444-4555-8666-777777777777', 'Greasing', 'claude-test-1', '/home/baker/oven'],
  );
});

test('reads version 1, which has no tree', () => {
  assert.deepEqual([old.transcripts.length, old.main.messages.length, old.main.compressions], [1, 4, [2]]);
});

test('every line stands in a message or in a kept record, and comes back equal', () => {
  for (const log of [session, old]) {
    assertCovered(log);
    assertRoundTrip(log);
    assert.deepEqual(log.findings, []);
  }
});

/** The main file and its branches hold all lines, each in its place. */
function assertRoundTrip(log: ReadLog): void {
  const written = log.transcripts.map((transcript) => writtenBy(pi, transcript));
  const values = log.records.map(({ value }) => value);
  const inOrder = written.flat().sort((a, b) => indexIn(values, a) - indexIn(values, b));
  assert.deepEqual(inOrder, values);
  for (const lines of written) {
    assert.deepEqual(
      lines,
      values.filter((value) => indexIn(lines, value) >= 0),
      'the order of the file',
    );
  }
}

const canonical = (value: JsonValue): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
const indexIn = (values: readonly JsonValue[], value: JsonValue): number =>
  values.findIndex((other) => canonical(other) === canonical(value));

test('a branch of bookkeeping only stays with the main conversation', async () => {
  const log = await readValues(pi, [
    header,
    entry('a', null, says('one')),
    entry('b', 'a', { type: 'label', targetId: 'a', label: 'here' }),
    entry('c', 'a', says('two')),
  ]);
  assert.equal(log.transcripts.length, 1);
  assertRoundTrip(log);
});

test('broken, foreign and unknown lines are kept and told of, and nothing throws', async () => {
  const strange: JsonValue[] = [
    ...[
      1,
      'text',
      [],
      {},
      { type: 'constructor' },
      { type: 'message' },
      { type: 'message', message: { role: 'toString' } },
    ],
    ...[{ type: 'compaction' }, { type: 'message', message: { role: 'toolResult', content: 'x' } }],
  ];
  const log = await readValues(pi, strange);
  assert.deepEqual(
    log.findings.map(({ level, line }) => `${level} ${line}`),
    strange.map((_, index) => `skipped ${index + 1}`),
  );
  assert.deepEqual(writtenBy(pi, log.main), strange);
});

test('parents in a circle do no harm', async () => {
  const log = await readValues(pi, [header, entry('a', 'b', says('one')), entry('b', 'a', says('two'))]);
  assert.deepEqual(log.main.messages.map(messageText), ['one', 'two']);
});

test('recognises its own files and no others', async () => {
  assert.equal(pi.detect(session.records), 1);
  assert.equal(pi.detect(old.records), 1);
  for (const name of ['claude-code', 'codex', 'codex-old', 'copilot-cli']) {
    assert.equal(pi.detect((await readBytes(pi, fixture(`${name}.jsonl`))).records), 0, name);
  }
});

test('a new message in a session is linked behind the one before it', async () => {
  const log = await readValues(pi, [header, entry('a', null, says('one')), entry('b', 'a', says('two'))]);
  const [first, second] = log.main.messages;
  assert.ok(first && second);
  const added: Message = { role: 'user', parts: [{ type: 'text', text: 'new' }] };
  const [, , fresh, last] = writtenBy(pi, { ...log.main, messages: [first, added, second] }).map(asObject);
  assert.deepEqual([fresh?.parentId, last?.id, last?.parentId], ['a', 'b', fresh?.id]);
});

test('entries in any tree and with any fields come back equal', async () => {
  await fc.assert(
    fc.asyncProperty(trees(), async (values) => {
      const log = await readValues(pi, values);
      assertCovered(log);
      for (const transcript of log.transcripts) assertResultsFollow(transcript.messages);
      assertRoundTrip(log);
    }),
  );
});

/** Sessions whose entries hang on any entry before them. */
function trees(): fc.Arbitrary<JsonValue[]> {
  const ids = fc.constantFrom('t1', 't2');
  const texts = fc.constantFrom('', 'one', 'two');
  const block = fc.oneof(
    fc.record(
      {
        type: fc.constantFrom('text', 'image', 'thinking', 'surprise'),
        text: texts,
        data: texts,
        thinking: texts,
        mimeType: ids,
        thinkingSignature: texts,
        redacted: fc.boolean(),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      { type: fc.constant('toolCall'), id: ids, name: ids, arguments: jsonValues(), x: ids },
      { requiredKeys: ['type', 'id'] },
    ),
    jsonValues(),
  );
  const content = fc.oneof(texts, fc.array(block, { maxLength: 3 }), jsonValues());
  const role = fc.constantFrom(
    'user',
    'assistant',
    'toolResult',
    'bashExecution',
    'custom',
    'hookMessage',
    'compactionSummary',
    'new',
  );
  const message = fc.record(
    {
      role,
      content,
      summary: texts,
      command: texts,
      output: texts,
      toolCallId: ids,
      toolName: texts,
      isError: jsonValues(),
      usage: jsonValues(),
    },
    { requiredKeys: ['role'] },
  );
  const type = fc.constantFrom(
    'message',
    'message',
    'message',
    'compaction',
    'branch_summary',
    'custom_message',
    'label',
    'new',
  );
  const body = fc.record({ type, message, content, summary: texts, x: jsonValues() }, { requiredKeys: ['type'] });
  return fc
    .array(fc.tuple(body, fc.nat()), { maxLength: 10 })
    .map((all) => [
      header,
      ...all.map(([more, hook], index) => entry(`e${index}`, index === 0 ? null : `e${hook % index}`, more)),
    ]);
}

/** JSON values as they come from a file: no `-0`, no `undefined`. */
const jsonValues = (): fc.Arbitrary<JsonValue> =>
  // What JSON.parse gives is a JSON value.
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);

test('conversations of other formats become sessions that read back as valid, with every word and call', async () => {
  await fc.assert(
    fc.asyncProperty(conversations({ maxSteps: 12 }), async (list) => {
      const transcript: Transcript = { format: 'anthropic', messages: list, title: 'Moved' };
      const values = writtenBy(pi, transcript);
      assert.deepEqual(writtenBy(pi, transcript), values, 'the same transcript gives the same file');
      const log = await readValues(pi, values);
      assert.deepEqual([log.findings, log.transcripts.length, log.main.title], [[], 1, 'Moved']);
      const broken = validate(log.main.messages).filter(({ rule }) => !rule.startsWith('empty'));
      assert.deepEqual(broken, []);
      const words = (all: readonly Message[]): string =>
        all
          .filter(({ role }) => role === 'user' || role === 'assistant')
          .map(messageText)
          .filter(Boolean)
          .join('\n');
      assert.equal(words(log.main.messages), words(list));
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
  const { main } = await readValues(pi, writtenBy(pi, { format: 'codex', messages, compressions: [2] }));
  assert.deepEqual([main.messages.map(originOf), main.compressions], [['person', 'host', 'summary', 'person'], [2]]);
});

const real = realLogs('pi');

test('real logs are read whole: every byte, every type, equal records back', { skip: real.skip }, async () => {
  for (const { name, bytes } of real.files) {
    const log = await readBytes(pi, bytes());
    assert.equal(pi.detect(log.records.slice(0, 50)), 1, name);
    assert.deepEqual(log.findings, [], name);
    assertCovered(log);
    assertResultsFollow(log.main.messages);
    const text = log.bytes.toString();
    for (const id of openCalls(log.main.messages)) assert.ok(!text.includes(`"toolCallId":"${id}"`), id);
    assert.deepEqual(
      writtenBy(pi, log.main),
      log.records.map(({ value }) => value),
      name,
    );
  }
});
