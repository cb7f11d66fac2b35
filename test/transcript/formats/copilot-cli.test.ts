import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '../../../packages/core/src/shared/json.ts';
import { copilotCli } from '../../../packages/core/src/transcript/logs/copilot-cli.ts';
import { originOf } from '../../../packages/core/src/transcript/origin.ts';
import { messageText } from '../../../packages/core/src/transcript/text.ts';
import {
  assertCovered,
  assertResultsFollow,
  fixture,
  keptOf,
  openCalls,
  readBytes,
  readValues,
  realLogs,
} from './log-files.ts';

const session = await readBytes(copilotCli, fixture('copilot-cli.jsonl'));
const { messages } = session.main;

const event = (type: string, data: JsonValue): JsonValue => ({ type, data, id: 'i', timestamp: 't', parentId: null });

test('reads text, reasoning and calls of one answer into one message', () => {
  const answer = messages.find(({ providerId }) => providerId === 'm1');
  assert.deepEqual(answer?.parts[0], {
    type: 'reasoning',
    text: 'Two files.',
    signature: 'b3BhcXVl',
    encrypted: 'ZW5j',
  });
  assert.deepEqual(
    answer?.parts.slice(1).map((part) => part.type === 'toolCall' && `${part.callId} ${part.inputType}`),
    ['c1 json', 'c2 text', 'c3 json'],
  );
  assert.deepEqual(answer?.extra?.fields.usage, { outputTokens: 40 });
  assert.equal(answer?.model, 'claude-test-1');
});

test('puts results behind their calls, with images and failures', () => {
  assertResultsFollow(messages);
  assert.deepEqual(openCalls(messages), []);
  const results = messages.flatMap(({ parts }) => parts).flatMap((part) => (part.type === 'toolResult' ? [part] : []));
  assert.deepEqual(
    results.map(({ name, isError, content }) => [name, isError, content.map(({ type }) => type).join(' ')]),
    [
      ['view', false, 'text image'],
      ['apply_patch', true, 'text'],
      ['task', false, 'text'],
    ],
  );
});

test('keeps the words of a person apart from what was added to them', () => {
  const asked = messages.find((message) => message.role === 'user');
  assert.equal(asked && messageText(asked), 'Sort the recipes.');
  assert.ok(JSON.stringify(asked?.extra).includes('current_datetime'));
  assert.deepEqual(
    asked?.parts.map((part) => (part.type === 'file' ? part.name : part.type)),
    ['text', 'list.md', 'image', 'a.md'],
  );
  assert.deepEqual(messages.filter(({ role }) => role === 'user').map(originOf), [
    ...(['person', 'host', 'host', 'host', 'host', 'summary'] as const),
  ]);
});

test('a system prompt is a message where it changed', () => {
  const prompts = messages.filter(({ role }) => role === 'system').map(messageText);
  assert.deepEqual(prompts, ['You are a terminal baker.', 'You are a terse baker.']);
});

test('finds the compression that succeeded and its summary', () => {
  const { compressions = [] } = session.main;
  assert.deepEqual(
    compressions.map((index) => messages[index]?.origin),
    ['summary'],
  );
});

test('makes a side transcript of a sub-agent and names the call that started it', () => {
  const [, side, ...more] = session.transcripts;
  assert.deepEqual([side?.id, side?.sideOf, side?.messages.length, more.length], ['agent-1', 'c3', 2, 0]);
});

test('knows session, title, model and folder', () => {
  const { id, title, model, workingDirectory } = session.main;
  assert.deepEqual(
    [id, title, model, workingDirectory],
    ['22222222-3333-4444-8555-666666666666', 'Recipes', 'claude-test-1', '/home/baker/oven'],
  );
});

test('every line stands in a message or in a kept record', () => {
  assertCovered(session);
  assert.deepEqual(session.findings, []);
  assert.equal(copilotCli.write, undefined);
});

test('broken, foreign and unknown lines are kept and told of, and nothing throws', async () => {
  const strange: JsonValue[] = [
    ...[1, 'text', [], {}, event('constructor', {}), event('session.surprise', {}), event('user.message', 1)],
    ...[event('system.message', {}), event('tool.execution_complete', null)],
  ];
  const fine = [
    event('assistant.message', { toolRequests: [1, {}] }),
    event('tool.execution_complete', { toolCallId: 'x', result: 'y' }),
  ];
  const log = await readValues(copilotCli, [...strange, ...fine]);
  assert.deepEqual(
    log.findings.map(({ level, line }) => `${level} ${line}`),
    strange.map((_, index) => `skipped ${index + 1}`),
  );
  assert.equal(keptOf(log.main).length, strange.length);
  assert.equal(log.main.messages[1] && messageText(log.main.messages[1]), 'y');
});

test('recognises its own files and no others', async () => {
  assert.equal(copilotCli.detect(session.records), 1);
  for (const name of ['claude-code', 'codex', 'codex-old', 'pi', 'pi-v1']) {
    assert.equal(copilotCli.detect((await readBytes(copilotCli, fixture(`${name}.jsonl`))).records), 0, name);
  }
});

const real = realLogs('copilot-cli');

test('real logs are read whole: every byte, every type', { skip: real.skip }, async () => {
  for (const { name, bytes } of real.files) {
    const log = await readBytes(copilotCli, bytes());
    assert.equal(copilotCli.detect(log.records.slice(0, 50)), 1, name);
    assert.deepEqual(log.findings, [], name);
    assertCovered(log);
    assertResultsFollow(log.main.messages);
    assert.deepEqual(openCalls(log.main.messages), [], name);
  }
});
