import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchFields } from '../../../packages/core/src/store/terms/index-terms.ts';

const fieldsOf = (input: string): readonly string[] =>
  searchFields({
    role: 'assistant',
    parts: [{ type: 'toolCall', callId: 'a', name: 'run', input, inputType: 'json' }],
  }).map(({ name, text }) => `${name}: ${text}`);

test('Q1 keys and values of arguments are found in their order', () => {
  const input = '{"path":"src/a.ts","edits":[{"from":1,"to":"two"},"three"],"deep":{"on":true}}';
  assert.deepEqual(fieldsOf(input), [
    'tool: run',
    'arguments: path\nsrc/a.ts\nedits\nfrom\n1\nto\ntwo\nthree\ndeep\non',
  ]);
});

test('Q1 arguments may be nested without end', () => {
  const depth = 30_000;
  assert.deepEqual(fieldsOf(`${'['.repeat(depth)}"needle"${']'.repeat(depth)}`), ['tool: run', 'arguments: needle']);
});
