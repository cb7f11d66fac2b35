import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type ModelSimulation, simulationReport } from '../../../packages/palimpsest/src/cli/run/simulate.ts';
import { screenOf } from '../../../packages/palimpsest/src/terminal/screen.ts';

type Policy = ModelSimulation['policies'][number];

const costing = (dollars: number): Policy => ({
  name: `p${dollars}`,
  about: 'a policy',
  dollars,
  promptDollars: dollars,
  summaryDollars: 0,
  hitRate: 0,
  compressions: 0,
  rewrites: 0,
  lossyEvents: 0,
  lostTokens: 0,
  meanPromptTokens: 0,
  failed: 0,
  calls: 1,
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
});

it('C4 gives dollars four places below one dollar, and what rounds to a dollar is one', () => {
  const screen = screenOf({ stream: { isTTY: false }, env: { LANG: 'C.UTF-8' }, colourWanted: false });
  const policies = [0.00004, 0.1067, 0.99994, 0.99996, 1, 1234.5].map(costing);
  const rules: ModelSimulation['rules'] = JSON.parse('{"name":"none","read":"2026-10","source":"here"}');
  const known = {
    model: 'gpt-5.5',
    contextLength: 1,
    rules,
    conversations: 1,
    calls: 1,
    files: [],
    largestPromptTokens: 1,
    thresholdTokens: 1,
  };
  const lines = simulationReport([{ ...known, policies }], screen).slice(4, 10);
  assert.deepEqual(
    lines.map((line) => line.match(/\$\S+/)?.[0]),
    ['$0.0000', '$0.1067', '$0.9999', '$1.00', '$1.00', '$1,234.50'],
  );
});
