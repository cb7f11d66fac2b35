/** What a client is told before any tool is called. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rememberDefinition } from '../../packages/core/src/memory/entries/remember-tool.ts';
import { readDefinition, searchDefinition } from '../../packages/core/src/output/tools/output-tools.ts';
import { toolArguments } from '../../packages/core/src/recall/session-search/arguments.ts';
import { loadEncoding } from '../../packages/core/src/tokens/encoding.ts';
import { instructions } from '../../packages/palimpsest/src/mcp/instructions.ts';
import { toolDefinitions } from '../../packages/palimpsest/src/mcp/tools/definitions.ts';
import { withKept } from './support/kept.ts';
import { initialize, startServer } from './support/server-process.ts';

const all = toolDefinitions({ isReadOnly: false });
const argumentsOf = (name: string): readonly string[] => {
  const properties = all.find((tool) => tool.name === name)?.inputSchema.properties;
  return typeof properties === 'object' && properties !== null ? Object.keys(properties).sort() : [];
};

describe('the definitions', () => {
  test('K2 all tools together take at most 2,500 tokens, and the same list comes in the same order', () =>
    withKept(async ({ oven }) => {
      await using server = startServer(['--store', '../kept.db'], { cwd: oven });
      await initialize(server);
      const { result } = await server.ask('tools/list');
      assert.deepEqual((await server.ask('tools/list')).result, result);
      const { count } = await loadEncoding('o200k_base');
      const tokens = count(JSON.stringify(result?.tools));
      assert.ok(tokens <= 2_500, `${tokens} tokens`);
      assert.deepEqual(
        all.map(({ name }) => name),
        ['session_search', 'expand', 'read_output', 'search_output', 'memory', 'remember', 'compress_text'],
      );
    }));

  test('K2 the instructions name every tool that is offered, in what clients show of them', () => {
    for (const isReadOnly of [false, true]) {
      const text = instructions({ isReadOnly });
      assert.ok(text.length <= 2_000, `${text.length} characters`);
      for (const { name } of toolDefinitions({ isReadOnly })) assert.ok(text.includes(name), name);
    }
    assert.doesNotMatch(instructions({ isReadOnly: true }), /remember\b[^e]/);
  });

  test('K2 the tools take the arguments that the library has', () => {
    assert.deepEqual(argumentsOf('session_search'), toolArguments.toSorted());
    for (const definition of [readDefinition, searchDefinition, rememberDefinition]) {
      const { properties } = definition.parameters;
      assert.deepEqual(argumentsOf(definition.name), Object.keys(properties ?? {}).sort(), definition.name);
    }
  });
});
