import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { destinationsOf } from '../../packages/palimpsest/src/cli/run/compress.ts';

const stdout = { type: 'stdout' };
const nowhere = { type: 'nowhere' };
const file = { type: 'file', path: 'x.json' };

describe('where conversation and report go', () => {
  const cases: readonly (readonly [string, Parameters<typeof destinationsOf>[0], boolean, object, string])[] = [
    ['a pipe gets the conversation', {}, false, stdout, 'stderr'],
    ['a terminal gets the report and nothing is written', {}, true, nowhere, 'stdout'],
    ['-o FILE takes the conversation, the report is the output', { output: 'x.json' }, false, file, 'stdout'],
    ['-o - puts the conversation on a terminal too', { output: '-' }, true, stdout, 'stderr'],
    ['--explain is there to be read', { explain: true }, false, nowhere, 'stdout'],
    ['the example is there to be read', { example: true }, false, nowhere, 'stdout'],
    ['the example is written where that was asked for', { example: true, output: '-' }, false, stdout, 'stderr'],
    ['--json holds everything', { json: true }, false, { type: 'json' }, 'json'],
    ['--json -o FILE holds the rest', { json: true, output: 'x.json' }, false, file, 'json'],
    ['--quiet leaves only the conversation', { quiet: true }, false, stdout, 'nowhere'],
  ];
  for (const [title, flags, isTerminal, conversation, report] of cases) {
    it(title, () => assert.deepEqual(destinationsOf(flags, isTerminal), { conversation, report }));
  }
});
