/** The labels of open matters: references to transcripts of others, of which nothing stands in this repository. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  cutFrom,
  messagesBefore,
  missingForLabels,
  phraseAt,
  quoted,
  referenceForm,
} from '../../bench/open-lists/labels.ts';
import { root } from '../../bench/options.ts';
import type { JsonValue } from '../../packages/core/src/shared/json.ts';

const folder = join(root, 'test/fixtures/story');
const lines = readdirSync(folder)
  .filter((name) => /^open-lists-.*\.jsonl$/.test(name))
  .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));

const sources = { data: join(root, '../shared/data'), kit: join(root, '../shared/eval') };

/** Every string of a value, below whatever names. */
const stringsIn = (value: JsonValue): readonly string[] =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(stringsIn);

/** What a set may hold beside references: the name of a transcript, its language, how a matter is open. */
const fileForm = /^[\w-]+\/[\w.-]+\.gz$/;
const words: ReadonlySet<string> = new Set(['en', 'ja', 'ko', 'in-flight', 'open', 'waiting', 'blocked']);

test('the labels of open matters quote nothing: they name files, messages and places', () => {
  assert.equal(lines.length, 51);
  for (const line of lines) {
    // JSON.parse returns what JSON can carry and nothing else.
    const strings = stringsIn(JSON.parse(line) as JsonValue);
    const others = strings.filter((one) => !words.has(one) && !fileForm.test(one) && !referenceForm.test(one));
    assert.deepEqual(others, []);
  }
});

test('every label of open matters finds its words in its message', {
  skip: missingForLabels(sources) ?? false,
}, async () => {
  let found = 0;
  for (const cut of lines.map(cutFrom)) {
    const messages = await messagesBefore(cut, sources);
    assert.equal(messages.length, cut.messages, cut.file);
    found += quoted(cut, messages).reduce((sum, label) => sum + label.words.length, 0);
  }
  assert.equal(found, 1714);
});

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);
const message = {
  role: 'assistant',
  content: 'The ferry 渡し船 leaves at nine.',
  tool_calls: [{ id: 'a', function: { name: 'list_ferries', arguments: '{"pier":"north"}' } }],
};

test('a reference gives the words at its place, of a text or of a call', () => {
  assert.equal(phraseAt(`content:4+9#${hashOf('ferry 渡し船')}`, message), 'ferry 渡し船');
  assert.equal(phraseAt(`call0:0+12#${hashOf('list_ferries')}`, message), 'list_ferries');
  assert.equal(phraseAt(`call0:22+5#${hashOf('north')}`, message), 'north');
});

test('a transcript in which something else stands there is refused, with its place and without its words', () => {
  const reference = `content:4+5#${hashOf('train')}`;
  assert.equal(phraseAt(reference, message), undefined);
  assert.equal(phraseAt(`call1:0+5#${hashOf('train')}`, message), undefined);
  assert.equal(phraseAt('ferry', message), undefined);
  assert.equal(phraseAt(reference, undefined), undefined);
  const cut = cutFrom(
    JSON.stringify({ file: 'pi/pier.jsonl.gz', segment: 1, messages: 1, open: [{ at: 0, words: [reference] }] }),
  );
  assert.throws(
    () => quoted(cut, [message]),
    (error: Error) =>
      /pi\/pier\.jsonl\.gz, segment 1, message 0: content:4\+5#/.test(error.message) && !/ferry/.test(error.message),
  );
});
