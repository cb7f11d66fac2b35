/** Texts that were queued while Claude Code worked: which of them became messages, where, and how they are written back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../packages/core/src/shared/json.ts';
import { claudeCode } from '../../../packages/core/src/transcript/logs/claude-code/format.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { originOf } from '../../../packages/core/src/transcript/origin.ts';
import { messageText } from '../../../packages/core/src/transcript/text.ts';
import { asObject } from '../../../packages/core/src/transcript/wire/values.ts';
import {
  assertCovered,
  assertResultsFollow,
  fixture,
  keptOf,
  type ReadLog,
  readBytes,
  readValues,
  realLogs,
  writtenBy,
} from './log-files.ts';

const session = await readBytes(claudeCode, fixture('claude-code-queue.jsonl'));

const time = (second: number): string => `2026-03-02T09:00:${String(second).padStart(2, '0')}.000Z`;
const base = (uuid: string): JsonObject => ({ sessionId: 's', parentUuid: null, uuid });
const queue = (operation: string, more: JsonObject = {}): JsonObject => ({
  type: 'queue-operation',
  operation,
  sessionId: 's',
  ...more,
});
const enqueue = (content: JsonValue): JsonObject => queue('enqueue', { content });
const remove = queue('remove');
const dequeue = queue('dequeue');
const says = (uuid: string, content: JsonValue, more: JsonObject = {}): JsonObject => ({
  ...base(uuid),
  type: 'user',
  message: { role: 'user', content },
  ...more,
});
const calls = (uuid: string, more: JsonObject = {}): JsonObject => ({
  ...base(uuid),
  type: 'assistant',
  message: { id: `m-${uuid}`, role: 'assistant', content: [{ type: 'tool_use', id: uuid, name: 'Read', input: {} }] },
  ...more,
});
const results = (uuid: string, more: JsonObject = {}): JsonObject =>
  says(`r-${uuid}`, [{ type: 'tool_result', tool_use_id: uuid, content: 'done' }], more);
const answers = (uuid: string): JsonObject => ({
  ...base(uuid),
  type: 'assistant',
  message: { id: `m-${uuid}`, role: 'assistant', content: [{ type: 'text', text: 'Fine.' }] },
});
const attached = (uuid: string, prompt: JsonValue): JsonObject => ({
  ...base(uuid),
  type: 'attachment',
  attachment: { type: 'queued_command', prompt, commandMode: 'prompt' },
});

/** Each message by its text, or by what else it carries. */
const outline = ({ main }: ReadLog): string[] =>
  main.messages.map((message) => messageText(message) || `<${message.parts[0]?.type ?? 'nothing'}>`);

function assertWrittenBack(log: ReadLog): void {
  assertCovered(log);
  assertResultsFollow(log.main.messages);
  assert.deepEqual(
    writtenBy(claudeCode, log.main),
    log.records.map(({ value }) => value),
  );
}

const outlineOf = async (...values: readonly JsonValue[]): Promise<string[]> => {
  const log = await readValues(claudeCode, values);
  assertWrittenBack(log);
  return outline(log);
};

test('a text that was handed over in mid-turn is a message behind the results that it came with', () => {
  assert.deepEqual(outline(session), [
    'Repair the pump.',
    '<toolCall>',
    '<toolResult>',
    'Use the blue valve.',
    'And drain it first!',
    'Yes, the blue one, after draining.',
    'What did it cost?',
    'Nothing.',
  ]);
  assertWrittenBack(session);
});

test('a queued message knows its author, its time and the bytes of both its records', () => {
  const message = session.main.messages.find((one) => messageText(one) === 'Use the blue valve.');
  assert.ok(message?.source);
  assert.equal(originOf(message), 'person');
  assert.equal(message.time, '2026-03-02T09:00:09.000Z', 'the time of its delivery');
  const operations = message.source.map(
    ({ start, end }) => asObject(JSON.parse(session.bytes.subarray(start, end).toString())).operation,
  );
  assert.deepEqual(operations, ['enqueue', 'remove']);
});

test('records of texts that were taken back, became prompts or still wait stay kept', () => {
  const operations = keptOf(session.main).map(({ record }) => asObject(record).operation);
  assert.deepEqual(operations.filter(Boolean), ['enqueue', 'popAll', 'enqueue', 'dequeue', 'enqueue']);
});

test('a delivery stands behind the call and the result that the log wrote after it', async () => {
  const log = [
    says('a', 'go'),
    enqueue('and me'),
    queue('remove', { timestamp: time(5) }),
    calls('c', { timestamp: time(3) }),
    results('c', { timestamp: time(4) }),
    answers('d'),
  ];
  assert.deepEqual(await outlineOf(...log), ['go', '<toolCall>', '<toolResult>', 'and me', 'Fine.']);
});

test('a delivery stays on its side of a compression', async () => {
  const summary = 'This session is being continued from a previous conversation.';
  const log = await readValues(claudeCode, [
    says('a', 'go'),
    enqueue('and me'),
    queue('remove', { timestamp: time(5) }),
    says('b', summary, { timestamp: time(1), isCompactSummary: true }),
    answers('d'),
  ]);
  assert.deepEqual(outline(log), ['go', 'and me', summary, 'Fine.']);
  assert.deepEqual(log.main.compressions, [2]);
});

test('a text that an attachment repeats is one message, before or after its removal', async () => {
  const open = [says('a', 'go'), calls('c'), enqueue('first'), enqueue('second'), results('c')];
  const both = ['go', '<toolCall>', '<toolResult>', 'first', 'second', 'Fine.'];
  const words = [attached('p', 'first'), attached('q', [{ type: 'text', text: 'second' }])];
  assert.deepEqual(await outlineOf(...open, remove, remove, ...words, answers('d')), both);
  assert.deepEqual(await outlineOf(...open, ...words, remove, remove, answers('d')), both);
});

test('a text that a user record repeats is one message', async () => {
  const log = [says('a', 'go'), enqueue('and me'), remove, says('b', 'and me'), answers('d')];
  assert.deepEqual(await outlineOf(...log), ['go', 'and me', 'Fine.']);
});

test('the same words twice are two messages', async () => {
  const log = [says('a', 'go'), enqueue('yes'), remove, answers('b'), enqueue('yes'), remove, answers('c')];
  assert.deepEqual(await outlineOf(...log), ['go', 'yes', 'Fine.', 'yes', 'Fine.']);
});

test('the same words typed later are no repetition', async () => {
  const later = [says('a', 'go'), enqueue('yes'), remove, answers('b'), says('c', 'yes'), answers('d')];
  assert.deepEqual(await outlineOf(...later), ['go', 'yes', 'Fine.', 'yes', 'Fine.']);
  const earlier = [says('a', 'go'), enqueue('yes'), enqueue('yes'), says('b', 'yes'), remove, answers('c')];
  assert.deepEqual(await outlineOf(...earlier), ['go', 'yes', 'yes', 'Fine.']);
});

test('a repetition may follow a call that the log wrote too late', async () => {
  const log = [
    says('a', 'go'),
    enqueue('and me'),
    queue('remove', { timestamp: time(5) }),
    calls('c', { timestamp: time(3) }),
    results('c', { timestamp: time(4) }),
    attached('p', 'and me'),
    answers('d'),
  ];
  assert.deepEqual(await outlineOf(...log), ['go', '<toolCall>', '<toolResult>', 'and me', 'Fine.']);
});

test('a removal that names its text takes that one', async () => {
  const log = [
    says('a', 'go'),
    enqueue('first'),
    enqueue('second'),
    queue('remove', { content: 'second' }),
    answers('b'),
  ];
  assert.deepEqual(await outlineOf(...log), ['go', 'second', 'Fine.']);
});

test('a person goes before the program, and notes of the program count only when the model went on', async () => {
  const note = '{"task_id":"t1","tool_use_id":"c","description":"Fill the tank","task_type":"local_bash"}';
  const notification = '<task-notification>\n<task-id>t1</task-id>\n</task-notification>';
  const open = [says('a', 'go'), calls('c'), enqueue(note), enqueue(notification), enqueue('and me'), results('c')];
  const ends = await readValues(claudeCode, [...open, remove, answers('d'), remove, remove, says('e', 'more')]);
  assert.deepEqual(outline(ends), ['go', '<toolCall>', '<toolResult>', 'and me', 'Fine.', 'more']);
  const goes = await readValues(claudeCode, [...open, remove, remove, remove, answers('d')]);
  const origins = goes.main.messages.map((message) => [messageText(message), originOf(message)]).slice(3, -1);
  assert.deepEqual(origins, [
    ['and me', 'person'],
    [note, 'host'],
    [notification, 'host'],
  ]);
  assertWrittenBack(goes);
});

test('a notification that became a prompt without a dequeue waits no longer', async () => {
  const [one, two] = ['<task-notification>1</task-notification>', '<task-notification>2</task-notification>'];
  const log = [says('a', 'go'), enqueue(one), answers('b'), says('c', one), enqueue(two), remove, answers('d')];
  assert.deepEqual(await outlineOf(...log), ['go', 'Fine.', one, two, 'Fine.']);
});

test('what waited when the program ended goes behind what was typed later', async () => {
  const log = [says('a', 'go'), enqueue('lost'), says('b', 'again'), enqueue('new'), remove, answers('c')];
  assert.deepEqual(await outlineOf(...log), ['go', 'again', 'new', 'Fine.']);
});

test('commands wait until the end of the turn', async () => {
  const log = [says('a', 'go'), enqueue('/cost'), enqueue('and me'), remove, answers('b'), dequeue];
  assert.deepEqual(await outlineOf(...log), ['go', 'and me', 'Fine.']);
});

test('one record or one for each takes texts back', async () => {
  const open = [says('a', 'go'), enqueue('one'), enqueue('two')];
  for (const back of [[queue('popAll')], ['one', 'two'].map((content) => queue('popAll', { content }))]) {
    assert.deepEqual(await outlineOf(...open, ...back, enqueue('three'), remove, answers('b')), [
      'go',
      'three',
      'Fine.',
    ]);
  }
  const edited = [enqueue('one, but better'), remove, answers('b')];
  assert.deepEqual(await outlineOf(...open, queue('popAll', { content: 'one\ntwo' }), ...edited), [
    'go',
    'one, but better',
    'Fine.',
  ]);
});

test('operations without a text, of no known kind or on an empty queue are kept and harm nothing', async () => {
  const strange = [remove, dequeue, queue('popAll'), queue('pause'), queue('remove', { content: 'never queued' })];
  const log = [...strange, says('a', 'go'), queue('enqueue'), enqueue(7), enqueue(' '), remove, remove, remove];
  assert.deepEqual(await outlineOf(...log, answers('b')), ['go', 'Fine.']);
});

test('a changed or dropped queued message is written so, and reads back so', async () => {
  for (const named of [{}, { content: 'and me' }]) {
    const log = await readValues(claudeCode, [
      says('a', 'go'),
      enqueue('and me'),
      queue('remove', named),
      enqueue('and I'),
      remove,
      answers('b'),
    ]);
    const change = async (edit: (message: Message) => Message[]): Promise<string[]> => {
      const messages = log.main.messages.flatMap((one) => (messageText(one) === 'and me' ? edit(one) : [one]));
      return outline(await readValues(claudeCode, writtenBy(claudeCode, { ...log.main, messages })));
    };
    const texts = (...words: string[]) => words.map((text) => ({ type: 'text', text }) as const);
    const changed = await change((one) => [{ ...one, parts: texts('masked') }]);
    assert.deepEqual(changed, ['go', 'masked', 'and I', 'Fine.']);
    assert.deepEqual(await change(() => []), ['go', 'and I', 'Fine.']);
    if (!('content' in named)) {
      const longer = await change((one) => [{ ...one, parts: texts('a', 'b') }]);
      assert.deepEqual(longer, ['go', 'a\nb', 'and I', 'Fine.']);
    }
  }
});

/** What a person did while the program worked. */
type Act = 'type' | 'step' | 'takeBack' | 'endTurn';

/** A log of such acts, and the texts in the order in which the model got them. */
function played(acts: readonly Act[], isOld: boolean): { log: JsonObject[]; told: string[] } {
  const log: JsonObject[] = [says('start', 'go')];
  const told = ['go'];
  let waiting: string[] = [];
  for (const [index, act] of acts.entries()) {
    if (act === 'type') {
      waiting.push(`text ${index}`);
      log.push(enqueue(`text ${index}`));
    } else if (act === 'takeBack') {
      log.push(...waiting.map((content) => queue('popAll', { content })));
      waiting = [];
    } else if (act === 'step') {
      log.push(calls(`c${index}`), ...waiting.map(() => remove), results(`c${index}`));
      if (!isOld) log.push(...waiting.map((text) => attached(text, text)));
      told.push(...waiting);
      waiting = [];
      log.push(answers(`d${index}`));
    } else {
      log.push(answers(`e${index}`), ...waiting.flatMap((text) => [dequeue, says(text, text)]));
      told.push(...waiting);
      waiting = [];
    }
  }
  return { log, told };
}

test('whatever a person types is a message once, in the order in which the model got it, or none', async () => {
  const acts = fc.array(fc.constantFrom<Act>('type', 'type', 'step', 'takeBack', 'endTurn'), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(acts, fc.boolean(), async (list, isOld) => {
      const { log, told } = played(list, isOld);
      const read = await readValues(claudeCode, log);
      assertWrittenBack(read);
      const words = read.main.messages.filter((message) => originOf(message) === 'person').map(messageText);
      assert.deepEqual(words, told);
    }),
    { numRuns: 200 },
  );
});

test('operations in any order lose no byte and come back equal', async () => {
  const record = fc.oneof(
    fc.constantFrom('a', 'b', '/c', '<task-notification>x</task-notification>').map(enqueue),
    fc.constantFrom(remove, dequeue, queue('popAll'), queue('remove', { content: 'a' }), queue('enqueue')),
    fc.constantFrom('say', 'attach', 'call', 'results', 'boundary'),
  );
  const line = (one: JsonObject | string, index: number): JsonObject => {
    if (one === 'say') return says(`u${index}`, 'a');
    if (one === 'attach') return attached(`u${index}`, 'b');
    if (one === 'call') return calls(`u${index}`);
    if (one === 'results') return results(`u${index - 1}`);
    return typeof one === 'string' ? { ...base(`u${index}`), type: 'system', subtype: 'compact_boundary' } : one;
  };
  const stamped = fc.array(fc.tuple(record, fc.integer({ min: 0, max: 9 })), { maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(stamped, async (list) => {
      const values = list.map(([one, second], index) => ({ ...line(one, index), timestamp: time(second) }));
      assertWrittenBack(await readValues(claudeCode, values));
    }),
    { numRuns: 300 },
  );
});

const real = realLogs('claude-code');

test('in real logs, a queued text of a person is a message unless it was taken back', { skip: real.skip }, async () => {
  for (const { name, bytes } of real.files) {
    const log = await readBytes(claudeCode, bytes());
    const texts = (operation: string): JsonValue[] =>
      log.records
        .map(({ value }) => asObject(value))
        .filter((record) => record.type === 'queue-operation' && record.operation === operation)
        .flatMap(({ content }) => content ?? []);
    const back = texts('popAll');
    const said = log.main.messages.map(messageText);
    for (const text of texts('enqueue')) {
      assert.ok(typeof text === 'string');
      if (text.startsWith('<') || text.startsWith('{')) continue;
      assert.equal(said.filter((one) => one === text).length, back.includes(text) ? 0 : 1, `${name}: a queued text`);
    }
  }
});
