/** The setting `prompt.tool_share` through the command: which tools a request offers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChatOnce, inProject } from './chat-once.ts';
import { offeredTools } from './week/tool-use.ts';

/** The names of the tools that the newest request offered. */
const offered = ({ fake }: ChatOnce): readonly string[] => {
  const request = fake.requests.at(-1);
  assert.ok(request);
  return [...offeredTools(request).keys()];
};

const seldom = ['read_output', 'search_output', 'compress', 'delegate'];

test('Y3: prompt.tool_share is the share of the window at which tools that are seldom used wait behind find_tools', () =>
  inProject(async (place) => {
    await place.ask('Good morning.');
    const all = offered(place);
    assert.ok(!all.includes('find_tools'));
    for (const name of seldom) assert.ok(all.includes(name), name);
    place.write('.config/palimpsest/config.yaml', 'prompt:\n  tool_share: 0.01\n');
    await place.ask('Good morning.');
    const few = offered(place);
    assert.deepEqual(few.slice(-2), ['find_tools', 'call_tool']);
    for (const name of seldom) assert.ok(!few.includes(name), name);
    for (const name of ['terminal', 'read_file', 'memory', 'session_search']) assert.ok(few.includes(name), name);
    await place.ask('Good morning.', { window: 16_000, env: { PALIMPSEST_PROMPT_TOOL_SHARE: '1' } });
    assert.deepEqual(offered(place), all);
  }));
