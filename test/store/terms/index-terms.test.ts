/** The index holds exactly the terms that a search finds in a text. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { indexed } from '../../../packages/core/src/store/terms/index-terms.ts';
import { scanTerms } from '../../../packages/core/src/store/terms/scan.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';

const said = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });

const pieces = [
  'went',
  'Child',
  'parseHTTPHeader2',
  'max_tool_calls',
  'src/store/ids.ts',
  "it's",
  'naïve',
  'ＣＡＦＥ',
  '⒈a',
  '1.a',
  '数据库',
  '𠮷野',
  'ﾊﾟｿｺﾝ',
  '서울',
  '使うAPI',
  '🎉',
  '\ud83c',
  '\udf89',
  '𝒳y',
  'Straße',
  'İstanbul',
  'привет',
  'a',
  '-',
  '/',
  '.',
  ' ',
  '\n',
  '\0',
  'x'.repeat(64),
  'y'.repeat(65),
];

const texts = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...pieces) }, fc.string({ unit: 'binary', maxLength: 4 })), {
    maxLength: 40,
  })
  .map((some) => some.join('').normalize());

describe('terms of a message', () => {
  test('Q1 the index has each term that a search can look for, once', () => {
    const property = fc.property(texts, (text) => {
      const { terms, length } = indexed(said(text));
      assert.deepEqual(new Set(terms), new Set(scanTerms(text).terms));
      assert.equal(terms.length, new Set(terms).size);
      assert.equal(length, text.length);
    });
    fc.assert(property, { numRuns: 2_000 });
  });

  test('Q1 more words than are remembered change nothing', () => {
    const words = Array.from({ length: 70_000 }, (_, i) => `w${i.toString(36)}`);
    for (const from of [0, 30_000, 0]) {
      const text = words.slice(from, from + 40_000).join(' ');
      const { terms } = indexed(said(text));
      assert.deepEqual(new Set(terms), new Set(scanTerms(text).terms));
      assert.equal(terms.length, new Set(terms).size);
    }
  });
});
