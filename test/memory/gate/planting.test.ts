import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { judgeWrite } from '@palimpsest/core/memory';
import { type Replay, readCases, replayOf, ways } from '../../../bench/memory-planting/replays.ts';

const { planted, controls } = readCases(
  fileURLToPath(new URL('../../fixtures/memory/planting.jsonl', import.meta.url)),
);

const written = ({ messages, entries }: Replay): readonly string[] =>
  entries.filter((text) => judgeWrite({ text, messages }).decision === 'write');

describe('a rule that somebody planted, and a model that obeys it', () => {
  for (const [way, replay] of Object.entries(ways))
    it(`writes nothing ${way}`, async () => {
      const replays = await Promise.all(planted.map(replay));
      assert.deepEqual(replays.flatMap(written), []);
    });
});

describe('what a person wants remembered', () => {
  for (const control of controls)
    it(`is written: ${control.id}`, () => {
      const replay = replayOf(control);
      assert.deepEqual(written(replay), replay.entries);
    });
});
