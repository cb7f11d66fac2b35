import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSetting } from '../../packages/palimpsest/src/config/files.ts';

const change = { path: ['context', 'engine'], value: 'newest' };
const yaml = (text: string): Promise<string> => withSetting({ path: 'config.yaml', text }, change);

test('T1 a setting is changed in a file, and its comments and its order stay', async () => {
  const text = '# mine\ncompression:\n  threshold: 0.6 # early\n\ncontext:\n  engine: old # until spring\noutput: {}\n';
  assert.equal(await yaml(text), text.replace(': old', ': newest'));
});

test('T1 a setting is added to a section that is there, missing, or commented out', async () => {
  assert.equal(await yaml(''), 'context:\n  engine: newest\n');
  assert.equal(await yaml('# nothing yet\n'), '# nothing yet\n\ncontext:\n  engine: newest\n');
  assert.equal(await yaml('context:\n  # engine: old\n'), 'context:\n  # engine: old\n  engine: newest\n');
  assert.equal(await yaml('context: {}\n'), 'context: {engine: newest}\n');
  assert.equal(await yaml('a: [b, c]\n'), 'a: [b, c]\ncontext:\n  engine: newest\n');
  assert.equal(await yaml('a: [ b, c ]\n'), 'a: [ b, c ]\ncontext:\n  engine: newest\n');
});

test('T1 a setting is changed in a JSON file with its own indentation', async () => {
  const text = '{\n\t"compression": {\n\t\t"threshold": 0.6\n\t}\n}\n';
  const expected =
    '{\n\t"compression": {\n\t\t"threshold": 0.6\n\t},\n\t"context": {\n\t\t"engine": "newest"\n\t}\n}\n';
  assert.equal(await withSetting({ path: 'config.json', text }, change), expected);
});

test('T1 a setting is taken out of a file, and everything else stays as it was', async () => {
  const gone = { path: ['context', 'engine'], value: undefined };
  const without = (path: string, text: string): Promise<string> => withSetting({ path, text }, gone);
  const text = '# mine\ncontext:\n  # which\n  size: 3 # small\n  engine: old\noutput: {}\n';
  assert.equal(await without('config.yaml', text), text.replace('  engine: old\n', ''));
  const json = '{\n  "context": {\n    "engine": "old",\n    "size": 3\n  }\n}\n';
  assert.equal(await without('config.json', json), json.replace('    "engine": "old",\n', ''));
  for (const absent of ['', '# nothing\n', 'context:\n', 'context: null # none\n', 'output: {}\n'])
    assert.equal(await without('config.yaml', absent), absent);
  for (const absent of ['{}\n', '{\n  "context": null\n}\n', '{\n  "output": {}\n}\n'])
    assert.equal(await without('config.json', absent), absent);
});

test('T1 a file that cannot be read is not written', async () => {
  await assert.rejects(yaml('a: [1'), {
    code: 'BAD_CONFIG',
    message: /config\.yaml is not valid YAML.*nothing was written/s,
  });
  await assert.rejects(yaml('- a\n'), { code: 'BAD_CONFIG', message: /not a list of sections/ });
  await assert.rejects(withSetting({ path: 'c.json', text: '[1]' }, change), { code: 'BAD_CONFIG' });
});
