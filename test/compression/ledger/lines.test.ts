import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { oneLine } from '../../../packages/core/src/compression/handoff-rows.ts';
import {
  linesOf,
  maxLineChars,
  maxSentenceChars,
  type Voice,
} from '../../../packages/core/src/compression/ledger/lines.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { agent, person } from './session.ts';

function lines(message: Message): readonly string[] {
  const found: string[] = [];
  linesOf(message, (text) => found.push(text));
  return found;
}
const resultLines = (text: string): readonly string[] =>
  lines({ role: 'tool', parts: [{ type: 'toolResult', callId: 'c', content: [{ type: 'text', text }] }] });
const callLines = (input: string, inputType: 'json' | 'text' = 'json'): readonly string[] =>
  lines({ role: 'assistant', parts: [{ type: 'toolCall', callId: 'c', name: 'x', input, inputType }] });

test('S8: the line numbers of viewers and searches are taken off', () => {
  for (const [first, second] of [
    ['     1→', '     2→'],
    ['     9\t', '    10\t'],
    ['12|', '13|'],
    ['  12 │', '  13 │'],
    ['12: ', '40: '],
    ['12:', '40:'],
  ]) {
    assert.deepEqual(
      resultLines(`${first}const one = 1;\n${second}const two = 2;`),
      ['const one = 1;', 'const two = 2;'],
      first,
    );
  }
});

test('S8: a number that belongs to the text stays', () => {
  for (const text of [
    '404: not found',
    '12:30 meeting with the team\n12:45 lunch',
    '3|alice|admin\n17|bob|guest',
    '12\t3\tsrc/app.ts\n1\t0\tsrc/run.ts',
    '2024-05-01 first\n2024-05-02 second',
    ' 1 | alice\n 2 | bob',
    '8080: in use\n443: free',
  ]) {
    assert.deepEqual(
      resultLines(text),
      text.split('\n').map((line) => line.trim()),
      text,
    );
  }
  assert.deepEqual(lines(person('1: first\n2: second')), ['1: first', '2: second'], 'only tools number lines');
});

test('S8: a long line is cut at the end of a sentence, in any script', () => {
  const english = `${'The first part is here. '.repeat(7)}${'and goes on without an end '.repeat(6)}`;
  assert.ok(lines(agent(english))[0]?.endsWith('here.'));
  const chinese = `${'这是第一句话，说明了原因。'.repeat(14)}${'然后继续'.repeat(30)}`;
  assert.ok(lines(agent(chinese))[0]?.endsWith('。'));
  const japanese = `${'これは最初の文ですか？'.repeat(16)}${'そして続く'.repeat(30)}`;
  assert.ok(lines(agent(japanese))[0]?.endsWith('？'));
});

test('S8: one-line JSON results are read leaf by leaf', () => {
  const value = {
    items: [
      { name: 'alpha-one', note: 'first\nsecond line' },
      { name: 'beta-two', size: 12345 },
    ],
    pad: 'x'.repeat(400),
  };
  const found = resultLines(JSON.stringify(value));
  for (const leaf of ['alpha-one', 'first', 'second line', 'beta-two', '12345']) assert.ok(found.includes(leaf), leaf);
  assert.deepEqual(resultLines('{"short": true}'), ['{"short": true}']);
  assert.ok(resultLines(`{"cut": "${'y'.repeat(500)}`).length > 0, 'broken JSON is text');
});

test('S8: JSON nested without end is read without recursion', () => {
  const depth = 50_000;
  const text = `${'['.repeat(depth)}"the core"${']'.repeat(depth)}`;
  assert.deepEqual(resultLines(text), ['the core']);
  assert.deepEqual(callLines(text), ['the core']);
});

test('S8: arguments are read value by value, free-form input line by line', () => {
  assert.deepEqual(callLines('{"path":"src/app.ts","edits":[{"new":"one line\\nanother line"}],"n":4711}'), [
    'src/app.ts',
    'one line',
    'another line',
    '4711',
  ]);
  assert.deepEqual(callLines('*** Begin Patch\n+added line', 'text'), ['*** Begin Patch', '+added line']);
  assert.deepEqual(callLines('{"broken": "jso'), ['{"broken": "jso']);
});

test('S8: thoughts are not said', () => {
  assert.deepEqual(lines({ role: 'assistant', parts: [{ type: 'reasoning', text: 'hidden thought' }] }), []);
});

const messageOf = (text: string, voice: Voice): Message =>
  voice === 'user'
    ? person(text)
    : voice === 'agent'
      ? agent(text)
      : voice === 'result'
        ? { role: 'tool', parts: [{ type: 'toolResult', callId: 'c', content: [{ type: 'text', text }] }] }
        : { role: 'assistant', parts: [{ type: 'toolCall', callId: 'c', name: 'x', input: text, inputType: 'text' }] };
const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');
const voices = fc.constantFrom<Voice>('user', 'agent', 'result', 'call');
const lineText = (): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('🙂', 'word ', '修复。', '. ', '12:', '👩‍👩‍👧', ',', 'x'.repeat(90)),
      ),
    )
    .map((pieces) => oneLine(pieces.join('')));

test('S8: no line of three characters with a letter or digit is lost up to the longest length', () => {
  fc.assert(
    fc.property(fc.array(lineText(), { maxLength: 6 }), voices, (texts, voice) => {
      const found = lines(messageOf(texts.join('\n'), voice));
      for (const text of texts.map((line) => line.trim())) {
        if (text.length < 3 || text.length > maxLineChars || !/[\p{L}\p{N}]/u.test(text)) continue;
        // What an assistant says is cut at the ends of its sentences.
        if (voice === 'agent') assert.ok(letters(found.join('')).includes(letters(text)), text);
        else
          assert.ok(
            found.some((line) => (voice === 'result' ? text.endsWith(line) : text === line)),
            text,
          );
      }
    }),
  );
});

test('S8: lines are trimmed, bounded, well-formed when the text is, and pieces of it in order', () => {
  fc.assert(
    fc.property(fc.array(lineText(), { maxLength: 6 }), voices, (texts, voice) => {
      const text = texts.join('\n');
      let at = 0;
      for (const line of lines(messageOf(text, voice))) {
        assert.ok(line.length <= (voice === 'agent' ? maxSentenceChars : maxLineChars) && line === line.trim());
        if (text.isWellFormed()) assert.ok(line.isWellFormed(), 'a surrogate pair was split');
        const found = text.indexOf(line, at);
        assert.ok(found >= at);
        at = found + line.length;
      }
    }),
  );
});
