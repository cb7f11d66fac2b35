import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type PruneOptions, prune } from '../../../packages/core/src/compression/prune/prune.ts';
import { shrinkTail } from '../../../packages/core/src/compression/prune/shrink-tail.ts';
import type { Message, ToolCallPart } from '../../../packages/core/src/transcript/message.ts';
import { isFromPerson } from '../../../packages/core/src/transcript/origin.ts';
import { readableText, resultText, toolCalls, toolResults } from '../../../packages/core/src/transcript/text.ts';
import { validate } from '../../../packages/core/src/transcript/validate.ts';
import {
  assistant,
  call,
  calls,
  conversations,
  deepFreeze,
  result,
  resultPart,
  roughTokens,
  user,
} from '../../support/conversations.ts';

/** Ids by position in the list, as a session gives them. */
const refsOf = (messages: readonly Message[]): ((message: Message) => string) => {
  const ids = new Map(messages.map((message, at) => [message, `m${at}`]));
  return (message) => ids.get(message) ?? assert.fail('asked for the id of a message that was not in the list');
};
const base = (messages: readonly Message[]) => ({ refOf: refsOf(messages), tokensOf: roughTokens });
/** Everything but the last message is old. */
const old = { tailTokens: 1, minMessages: 1 };
const textOf = (messages: readonly Message[], at: number): string => readableText(messages[at] ?? user(''));
const long = (word: string): string => `${word} `.repeat(120).trim();

function stubOf(one: ToolCallPart, text: string, isError?: boolean): string {
  const messages: Message[] = [
    user('go'),
    { role: 'assistant', parts: [one] },
    { role: 'tool', parts: [resultPart(one.callId, text, isError)] },
    assistant('ok'),
  ];
  return textOf(prune(messages, { ...base(messages), ...old }).messages, 2);
}

test('P1: older copies of a result point to the newest, which stays', () => {
  const text = long('same');
  const messages = deepFreeze([
    user('go'),
    calls({ a: 'Read' }, { file_path: 'a.ts' }),
    result('a', text),
    calls({ b: 'Read' }, { file_path: 'a.ts' }),
    result('b', text),
    assistant('ok'),
  ]);
  const { messages: pruned, changes } = prune(messages, base(messages));
  assert.equal(textOf(pruned, 2), '[pruned: Read a.ts | ok | 599 chars, same as the newer m4 | expand m2]');
  assert.equal(pruned[4], messages[4]);
  assert.deepEqual(changes, [{ at: 2, kind: 'duplicate', before: 599, after: 70 }]);
});

test('P1: texts under 200 characters, other texts and failures of the same text are no copies', () => {
  const text = long('same');
  const messages = [
    user('go'),
    calls({ a: 'x', b: 'x', c: 'x', d: 'x' }),
    result('a', 'short'),
    result('b', 'short'),
    result('c', text),
    result('d', text, true),
  ];
  assert.equal(prune(messages, base(messages)).messages, messages);
});

test('P2: a stub names tool, target, outcome, size and id', () => {
  const output = `Exit code 1\n${long('x')}\nTests: 3 failed, 4 passed`;
  assert.equal(
    stubOf(call('a', 'Bash', { command: 'npm test' }), output, true),
    `[pruned: Bash npm test | FAILED, exit 1: Tests: 3 failed, 4 passed | ${output.length} chars, 3 lines | expand m2]`,
  );
});

test('P2: every kind of tool has its own line', () => {
  const text = long('content');
  const patch = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-x\n+y\n*** Add File: src/b.ts\n+z\n*** End Patch';
  const cases: readonly [ToolCallPart, string][] = [
    [call('a', 'exec_command', { cmd: 'ls -la' }), 'exec_command ls -la'],
    [call('a', 'shell', { command: ['bash', '-lc', 'make all'] }), 'shell make all'],
    [call('a', 'bash', { command: 'cd /a/very/long/folder && make all' }), 'bash make all'],
    [call('a', 'local_shell', { action: { command: ['ls', '-a'] } }), 'local_shell ls -a'],
    [call('a', 'Read', { file_path: '/a/b.ts', offset: 10, limit: 20 }), 'Read /a/b.ts:10+20'],
    [call('a', 'view', { path: '/a/b.ts', view_range: [3, 9] }), 'view /a/b.ts:3-9'],
    [call('a', 'read_file', { path: 'b.ts', start_line: 3, end_line: 9 }), 'read_file b.ts:3-9'],
    [call('a', 'write_file', { path: 'b.ts', content: '1\n2\n3' }), 'write_file b.ts (3 lines)'],
    [
      call('a', 'str_replace_editor', { command: 'create', path: 'c.py', file_text: 'x' }),
      'str_replace_editor c.py (1 lines)',
    ],
    [call('a', 'edit', { path: 'b.ts', oldText: 'x', newText: 'y' }), 'edit b.ts'],
    [{ ...call('a', 'apply_patch', patch), inputType: 'text' }, 'apply_patch src/a.ts src/b.ts'],
    [call('a', 'Grep', { pattern: 'foo', path: 'src' }), 'Grep "foo" in src'],
    [call('a', 'mcp__fs__search_files', { pattern: 'foo', path: 'src' }), 'mcp__fs__search_files "foo" in src'],
    [call('a', 'WebFetch', { url: 'https://example.org/x' }), 'WebFetch https://example.org/x'],
    [
      call('a', 'web_extract', { urls: [{ href: 'https://example.org/1' }, 'https://example.org/2'] }),
      'web_extract https://example.org/1 +1 more',
    ],
    [call('a', 'browser_navigate', { url: 'https://example.org' }), 'browser_navigate https://example.org'],
    [call('a', 'delegate_task', { goal: 'find the bug' }), 'delegate_task "find the bug"'],
    [call('a', 'Task', { description: 'review', prompt: '…' }), 'Task "review"'],
    [call('a', 'execute_code', { code: 'print(1)\nprint(2)' }), 'execute_code print(1) print(2)'],
    [call('a', 'TaskUpdate', { taskId: '7', status: 'completed' }), 'TaskUpdate 7 completed'],
    [call('a', 'memory', { action: 'add', target: 'user' }), 'memory add user'],
    [call('a', 'Skill', { skill: 'commit' }), 'Skill commit'],
    [call('a', 'NotebookEdit', { notebook_path: 'n.ipynb', cell_id: 'c3' }), 'NotebookEdit n.ipynb c3'],
    [
      call('a', 'frobnicate', { first: 'x'.repeat(60), second: [1, 2], third: 3 }),
      `frobnicate first=${'x'.repeat(39)}… second=[1,2]`,
    ],
    [call('a', 'TodoWrite', { todos: [] }), 'TodoWrite'],
  ];
  for (const [one, start] of cases) {
    const stub = stubOf(one, text);
    assert.ok(stub.startsWith(`[pruned: ${start} | `), `${stub}\nshould start with ${start}`);
    assert.ok(stub.endsWith('| 959 chars | expand m2]'), stub);
  }
});

test('P2: the answer of the user to a question stays', () => {
  const answer = `User has answered your questions: "Which color?"="blue, because of the logo". ${'You can go on now. '.repeat(12)}`;
  assert.ok(stubOf(call('a', 'AskUserQuestion', { questions: [] }), answer).includes('="blue, because of the logo"'));
});

test('P2: a failed result never looks like a success, whatever the mode', () => {
  const failures = [
    `Error: no such user. ${long('x')}`,
    `${long('y')}\nnpm ERR! code 1`,
    `Traceback (most recent call last):\n  File "a"\nValueError: no\n${long('z')}`,
  ];
  for (const text of failures) {
    assert.match(stubOf(call('a', 'bash', { command: './run' }), text), /\| FAILED/);
    assert.match(stubOf(call('a', 'lookup', {}), text, true), /\| FAILED/);
  }
  const text = `${long('start ')}${'x'.repeat(3_000)}\nnpm ERR! code 1\n${'y'.repeat(3_000)}`;
  const messages = [user('go'), calls({ a: 'bash' }, { command: './run' }), result('a', text), assistant('ok')];
  assert.match(
    textOf(prune(messages, { ...base(messages), ...old, mode: 'head_tail' }).messages, 2),
    /FAILED npm ERR! code 1/,
  );
});

test('P2: placeholder and head_tail are modes', () => {
  const text = `${'a'.repeat(1_500)}${'b'.repeat(1_500)}`;
  const messages = [
    user('go'),
    calls({ a: 'bash' }),
    result('a', text),
    calls({ b: 'bash' }),
    result('b', long('mid')),
    assistant('ok'),
  ];
  const run = (mode: NonNullable<PruneOptions['mode']>): readonly Message[] =>
    prune(messages, { ...base(messages), ...old, mode }).messages;
  assert.equal(textOf(run('placeholder'), 2), '[pruned: old tool output | expand m2]');
  assert.equal(textOf(run('head_tail'), 2), `${'a'.repeat(800)}\n[… 1400 chars cut | expand m2 …]\n${'b'.repeat(800)}`);
  assert.equal(textOf(run('head_tail'), 4), long('mid'));
});

test('P3: long arguments lose their long strings and stay the same JSON otherwise', () => {
  const input = `{"path": "src/ä.ts", "n": 12345678901234567890, "f": 1.0, "content": ${JSON.stringify('日本語 "x" \n'.repeat(100))}, "${'k'.repeat(300)}": [null, "short"]}`;
  const messages: Message[] = [
    user('go'),
    { role: 'assistant', parts: [call('a', 'write', input)] },
    result('a', 'ok'),
    assistant('done'),
  ];
  const pruned = prune(messages, { ...base(messages), ...old }).messages;
  const after = pruned[1] && toolCalls(pruned[1])[0]?.input;
  assert.ok(after?.startsWith('{"path": "src/ä.ts", "n": 12345678901234567890, "f": 1.0, "content": "日本語'), after);
  const value: { content: string } = JSON.parse(after ?? '');
  assert.equal(value.content.length, 200);
  assert.match(value.content, /… \[\d+ chars cut \| expand m1\]$/);
  assert.deepEqual(Object.keys(value), ['path', 'n', 'f', 'content', 'k'.repeat(300)]);
});

test('P3: broken arguments are left alone, and patches keep their files', () => {
  const patch = `*** Begin Patch\n*** Update File: src/a.ts\n@@\n${'-old line\n+new line\n'.repeat(200)}*** Add File: src/b.ts\n${'+x\n'.repeat(200)}*** End Patch`;
  const parts = [
    call('a', 'write', `{"content": "${'x'.repeat(900)}`),
    { ...call('b', 'apply_patch', patch), inputType: 'text' as const },
    call('c', 'apply_patch', { input: patch }),
  ];
  const messages: Message[] = [
    user('go'),
    { role: 'assistant', parts },
    result('a', '1'),
    result('b', '2'),
    result('c', '3'),
    assistant('done'),
  ];
  const [broken, text, json] = toolCalls(prune(messages, { ...base(messages), ...old }).messages[1] ?? user(''));
  assert.equal(broken?.input, parts[0]?.input);
  for (const short of [text?.input, JSON.parse(json?.input ?? '').input]) {
    assert.match(
      short,
      /^\*\*\* Begin Patch\n\*\*\* Update File: src\/a\.ts\n@@\n-old line\n[\s\S]*\*\*\* Add File: src\/b\.ts\n/,
    );
    assert.match(short, /chars of the patch cut \| expand m1\]$/);
    assert.ok(short.length < 500, `${short.length}`);
  }
});

test('P4: protects by tokens walking back, and a number of messages in any case', () => {
  const rows = (n: number): Message[] =>
    Array.from({ length: n }, (_, i) => [calls({ [`c${i}`]: 'bash' }), result(`c${i}`, `${i} ${long('row')}`)]).flat();
  const messages = [user('go'), ...rows(20)];
  const size = roughTokens(messages[2] ?? user(''));
  const kept = (options: object): number =>
    prune(messages, { ...base(messages), ...options }).messages.filter(
      (message, at) => message.role === 'tool' && message === messages[at],
    ).length;
  assert.equal(kept({ tailTokens: 10 * size, minMessages: 0 }) >= 7, true);
  assert.equal(kept({ tailTokens: 10 * size, minMessages: 0 }) <= 10, true);
  assert.equal(kept({ tailTokens: 1_000_000 }), 20);
});

test('P4: a protected end over 1.5 × its budget gives way too, oldest first, what the model has not seen last', () => {
  const rows = Array.from({ length: 6 }, (_, i) => [
    calls({ [`c${i}`]: 'bash' }),
    result(`c${i}`, `${i} ${'row '.repeat(1_000)}`),
  ]).flat();
  const messages = deepFreeze([user('go'), ...rows]);
  const size = roughTokens(messages[2] ?? user(''));
  const run = (tailTokens: number) => prune(messages, { ...base(messages), tailTokens, minMessages: 100 });
  const untouched = (pruned: readonly Message[]): readonly number[] =>
    pruned.flatMap((message, at) => (message.role === 'tool' && message === messages[at] ? [at] : []));
  assert.deepEqual(untouched(run(5 * size).messages), [2, 4, 6, 8, 10, 12]);
  assert.deepEqual(untouched(run(3 * size).messages), [6, 8, 10, 12]);
  assert.deepEqual(untouched(run(size).messages), [12]);
  const least = run(Math.floor(size / 2)).messages;
  assert.match(textOf(least, 12), /chars cut \| expand m12 …\]/, 'the newest result is cut, not replaced');
  assert.ok(textOf(least, 12).length > 1_000);
});

test('P5: images outside the newest few become a placeholder, base64 in texts too', () => {
  const image = { type: 'image', mediaType: 'image/png', data: 'aGVsbG8='.repeat(100) } as const;
  const shot = (id: string): Message[] => [
    calls({ [id]: 'browser_take_screenshot' }),
    { role: 'tool', parts: [{ type: 'toolResult', callId: id, content: [{ type: 'text', text: 'a page' }, image] }] },
    assistant('I see'),
  ];
  const blob = 'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW+/xYz'.repeat(60);
  const messages = deepFreeze([
    user('go'),
    ...shot('a'),
    ...shot('b'),
    ...shot('c'),
    ...shot('d'),
    calls({ e: 'bash' }),
    result('e', `data:image/png;base64,${blob} and ${'w'.repeat(2_000)}`),
    assistant('ok'),
  ]);
  const { messages: pruned, changes } = prune(messages, base(messages));
  assert.deepEqual(
    changes.map(({ at, kind }) => `${kind} ${at}`),
    ['image 2', 'base64 14'],
  );
  assert.equal(textOf(pruned, 2), 'a page\n[removed: image image/png | expand m2]');
  assert.equal(
    textOf(pruned, 14),
    `[removed: base64 image/png, ${blob.length + 22} chars | expand m14] and ${'w'.repeat(2_000)}`,
  );
});

test('P5: base64 that is wrapped over lines is found, a list of hashes is not', () => {
  const line = 'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vWxYzaB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vWxYz+/aBcD';
  const wrapped = `${`${line}\n`.repeat(30)}aGVsbG8=`;
  const hashes = Array.from({ length: 40 }, (_, i) => i.toString(16).padStart(64, '0')).join('\n');
  const messages = [
    user('go'),
    calls({ a: 'bash', b: 'bash' }),
    result('a', `mail:\n${wrapped}\nend`),
    result('b', hashes),
    assistant('ok'),
  ];
  const pruned = prune(messages, base(messages)).messages;
  assert.equal(textOf(pruned, 2), `mail:\n[removed: base64, ${wrapped.length} chars | expand m2]\nend`);
  assert.equal(pruned[3], messages[3]);
});

const settings = fc.record({
  tailTokens: fc.integer({ min: 1, max: 20_000 }),
  minMessages: fc.integer({ min: 0, max: 20 }),
  mode: fc.constantFrom<NonNullable<PruneOptions['mode']>[]>('stub', 'placeholder', 'head_tail'),
  keepImages: fc.integer({ min: 0, max: 3 }),
});

test('P2: pruning twice changes nothing more', () => {
  fc.assert(
    fc.property(conversations({ maxSteps: 20 }), settings, (messages, options) => {
      const once = prune(messages, { ...base(messages), ...options }).messages;
      const ids = new Map(once.map((message, at) => [message, `m${at}`]));
      const twice = prune(once, { ...options, tokensOf: roughTokens, refOf: (message) => ids.get(message) ?? '' });
      assert.deepEqual(twice.changes, []);
      assert.equal(twice.messages, once);
    }),
    { numRuns: 400 },
  );
});

test('P2: a pruned list is as valid as before, no longer, and keeps every message, call and word of a person', () => {
  fc.assert(
    fc.property(conversations({ maxSteps: 20 }), settings, (messages, options) => {
      const { messages: pruned, changes } = prune(messages, { ...base(messages), ...options });
      assert.deepEqual(validate(pruned), []);
      assert.equal(pruned.length, messages.length);
      const total = (list: readonly Message[]): number =>
        list.reduce((sum, message) => sum + readableText(message).length, 0);
      if (changes.every(({ kind }) => kind !== 'image')) assert.ok(total(pruned) <= total(messages));
      for (const [at, message] of messages.entries()) {
        const after = pruned[at] ?? user('');
        assert.deepEqual(
          toolCalls(after).map((one) => one.callId),
          toolCalls(message).map((one) => one.callId),
        );
        assert.deepEqual(
          toolResults(after).map((one) => one.isError),
          toolResults(message).map((one) => one.isError),
        );
        const words = (one: Message): readonly string[] =>
          one.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
        if (message.role === 'user') assert.ok(words(message).every((text) => words(after).includes(text)));
      }
    }),
    { numRuns: 300 },
  );
});

test('P4: a tail is cut down to its room, longest texts first, the newest words of a person never', () => {
  fc.assert(
    fc.property(conversations({ maxSteps: 6 }), fc.integer({ min: 100, max: 5_000 }), (messages, maxTokens) => {
      const { messages: cut, fits, cutAt } = shrinkTail(messages, maxTokens, base(messages));
      const total = cut.reduce((sum, message) => sum + roughTokens(message), 0);
      assert.equal(fits, total <= maxTokens);
      if (cutAt.length === 0) assert.equal(cut, messages);
      const newest = messages.findLastIndex(isFromPerson);
      if (newest !== -1) assert.equal(cut[newest], messages[newest]);
      assert.deepEqual(validate(cut), []);
    }),
    { numRuns: 300 },
  );
});

test('P4: one result larger than the window is cut in the middle and says how much is gone', () => {
  const messages = deepFreeze([
    user('run it'),
    calls({ a: 'bash' }),
    result('a', `first line\n${'x'.repeat(100_000)}\nlast line`),
  ]);
  const { messages: cut, fits } = shrinkTail(messages, 2_000, base(messages));
  assert.equal(fits, true);
  const text = resultText(toolResults(cut[2] ?? user(''))[0] ?? assert.fail());
  assert.match(text, /^first line\n[\s\S]*\n\[… \d+ chars cut \| expand m2 …\]\n[\s\S]*last line$/);
  const used = cut.reduce((sum, message) => sum + roughTokens(message), 0);
  assert.ok(used > 1_800, `only ${used} of 2000 tokens used`);
});

test('P2: pruning takes time linear in the size of the list', () => {
  const rows = Array.from({ length: 5_000 }, (_, i) => [
    calls({ [`c${i}`]: 'bash' }, { command: 'ls' }),
    result(`c${i}`, `${i} ${long('row')}`),
  ]).flat();
  const messages = [user('go'), ...rows, { ...assistant('ok') }];
  // A quadratic walk over 10,000 messages would not end within the limit of the test runner.
  assert.equal(prune(messages, { ...base(messages), ...old }).changes.length, 5_000);
});
