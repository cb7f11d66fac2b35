/** The scan of hostile sizes ends: what it finds is counted, and no pattern backtracks without bound. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scanMemory } from '@palimpsest/core/memory';

const size = 60_000;
const shapes: Readonly<Record<string, string>> = {
  letters: 'a',
  spaces: ' ',
  breaks: '\n',
  'spelled letters': 'i ',
  'opening brackets': '<![(',
  percents: '%41',
  escapes: '\\u0041',
  'invisible signs': '\u200b',
  'one verb': 'send ',
  'verbs and objects': 'ignore previous instructions ',
  'Chinese verbs': '忽略指令',
};

describe('M2: cost', () => {
  for (const [name, unit] of Object.entries(shapes))
    test(`M2: reads ${size} signs of ${name} to their end`, () => {
      const text = unit.repeat(Math.ceil(size / unit.length));
      assert.ok(scanMemory(text).length <= text.length);
    });
});
