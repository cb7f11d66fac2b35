/** How large results may be, by window, tool and configuration. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { limitOf, outputDefaults, outputLimits, resolveOutputConfig } from '../../packages/core/src/output/settings.ts';

const limits = (contextLength?: number) => outputLimits(contextLength, outputDefaults);

describe('R1: limits of tool results', () => {
  test('R1 a large window has the full limits, and so has an unknown one', () => {
    const full = { result: 100_000, mcpResult: 50_000, turn: 200_000, page: 20_000 };
    assert.deepEqual(limits(1_000_000), full);
    assert.deepEqual(limits(), full);
  });

  test('R1 a smaller window gives a result 15 % of its characters, and the results of an answer 30 %', () => {
    assert.deepEqual(limits(100_000), { result: 60_000, mcpResult: 50_000, turn: 120_000, page: 20_000 });
    assert.deepEqual(limits(32_000), { result: 19_200, mcpResult: 19_200, turn: 38_400, page: 19_200 });
  });

  test('R1 limits never fall below 8,000 and 16,000 characters', () => {
    assert.deepEqual(limits(1), { result: 8_000, mcpResult: 8_000, turn: 16_000, page: 8_000 });
  });

  test('R1 limits grow with the window, up to the defaults', () => {
    const windows = [1, 4_000, 8_192, 13_334, 32_768, 128_000, 166_666, 166_667, 200_000, 2_000_000];
    const results = windows.map((length) => limits(length).result);
    assert.deepEqual(
      results,
      results.toSorted((a, b) => a - b),
    );
    assert.equal(limits(166_667).result, 100_000);
  });

  for (const contextLength of [0, -1, Number.NaN]) {
    test(`R1 refuses a window of ${contextLength} tokens`, () => {
      assert.throws(() => limits(contextLength), { code: 'BAD_OPTION', message: /contextLength .* at least 1/ });
    });
  }
});

describe('R1: which limit a tool has', () => {
  const config = resolveOutputConfig({ toolChars: { read_file: 10, mcp_web: 70_000, quiet: null, small: 0 } });
  const limit = (name: string, declared: Readonly<Record<string, number>> = {}): number =>
    limitOf(name, limits(), { config, declared });

  for (const [title, name, expected] of [
    ['a pinned tool has none, even where one is configured', 'read_file', Number.POSITIVE_INFINITY],
    ['a configured one beats that of an MCP server', 'mcp_web', 70_000],
    ['a tool of an MCP server has its own', 'mcp__github__list', 50_000],
    ['null stands for none', 'quiet', Number.POSITIVE_INFINITY],
    ['0 has every result saved that is worth it', 'small', 0],
    ['all others have the limit of the window', 'bash', 100_000],
    ['a name of JavaScript is a name like any other', 'constructor', 100_000],
    ['a tool without a name is like any other', '', 100_000],
  ] as const) {
    test(`R1 ${title}`, () => assert.equal(limit(name), expected));
  }

  test('R1 what a tool says of itself counts up to the limit of the window', () => {
    const declared = { grep: 30_000, dump: 5_000_000, mcp_web: 1, read_file: 1 };
    assert.equal(limit('grep', declared), 30_000);
    assert.equal(limit('dump', declared), 100_000);
    assert.equal(limit('mcp_web', declared), 70_000);
    assert.equal(limit('read_file', declared), Number.POSITIVE_INFINITY);
  });

  test('R1 a configured limit holds in every window', () => {
    assert.equal(limitOf('mcp_web', limits(8_000), { config }), 70_000);
  });
});

describe('R1: the configuration of tool results', () => {
  test('R1 an unknown key is told with the nearest known one', () => {
    // As a caller without types may write it.
    const mistyped: object = { pageChar: 3 };
    assert.throws(() => resolveOutputConfig(mistyped), {
      code: 'BAD_CONFIG',
      message: /did you mean "pageChars"\?/,
    });
  });

  test('R1 a limit beneath what a notice takes is refused', () => {
    assert.throws(() => resolveOutputConfig({ resultChars: 10 }), {
      code: 'BAD_CONFIG',
      message: /resultChars expected a whole number of at least 1000, got 10/,
    });
  });
});
