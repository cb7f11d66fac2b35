/** A misspelt option, and what is no object at all, at the public doors: refused with the name that was meant. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOutputBudget, createOutputTools, planBreakpoints } from '@palimpsest/core';
import { prepareStep } from '@palimpsest/core/ai-sdk';
import { ContextCompressor, createChatCompressor, createCompressor } from '@palimpsest/core/engine';
import { search, sessionSearchTool } from '@palimpsest/core/search';
import { openStore } from '@palimpsest/core/store';
import { insights, toolUse } from '@palimpsest/core/usage';
import { simulate } from 'palimpsest';

/** As a caller without a compiler has it. */
const untyped = <T>(value: unknown): T => value as T; // the functions under test are to find out

for (const [name, call] of [
  ['ContextCompressor', (options: object) => new ContextCompressor(options)],
  ['createCompressor', createCompressor],
  ['createChatCompressor', createChatCompressor],
  ['createCompressor', prepareStep],
] as const) {
  test(`E1 ${call.name || name} refuses an option that is none`, () => {
    assert.throws(() => call(untyped({ contextLenght: 8_000 })), {
      code: 'BAD_OPTION',
      message: `expected an option of ${name}, got contextLenght: did you mean contextLength?`,
    });
    assert.throws(() => call(untyped('gpt-5')), {
      code: 'BAD_OPTION',
      message: `expected the options of ${name} as an object, got "gpt-5"`,
    });
  });
}

for (const make of [createOutputBudget, createOutputTools]) {
  test(`R1 ${make.name} refuses an option that is none, and says that it needs the outputs of a store`, () => {
    assert.throws(() => make(untyped({})), {
      code: 'BAD_OPTION',
      message: `expected as outputs of ${make.name} the outputs of a store (store.outputs), got undefined`,
    });
    assert.throws(() => make(untyped({ output: {} })), {
      code: 'BAD_OPTION',
      message: /output: did you mean outputs\?/,
    });
    assert.throws(() => make(untyped(undefined)), { code: 'BAD_OPTION', message: /as an object, got undefined/ });
  });
}

test('Q1 search refuses what is no store, no query and no option', async () => {
  await using store = await openStore({ path: ':memory:' });
  const refused = { code: 'BAD_OPTION' };
  await assert.rejects(search(untyped(undefined), 'x'), { ...refused, message: /a store to search.* got undefined/ });
  await assert.rejects(search(store, untyped(undefined)), { ...refused, message: /a query as a text, got undefined/ });
  await assert.rejects(search(store, 'x', untyped({ limt: 3 })), { ...refused, message: /limt: did you mean limit\?/ });
  await assert.rejects(search(store, 'x', untyped(3)), {
    ...refused,
    message: /options of search as an object, got 3/,
  });
});

test('C1 planBreakpoints refuses an option that is none', () => {
  assert.throws(() => planBreakpoints([], untyped({ targt: 'litellm' })), { code: 'BAD_OPTION', message: /target\?/ });
});

test('U2 insights and toolUse refuse an option that is none', async () => {
  await using store = await openStore({ path: ':memory:' });
  await assert.rejects(insights(store, untyped({ sinse: 0 })), {
    code: 'BAD_OPTION',
    message: /insights.* mean since\?/,
  });
  await assert.rejects(toolUse(store, untyped({ sinse: 0 })), {
    code: 'BAD_OPTION',
    message: /toolUse.* mean since\?/,
  });
});

test('Q1 sessionSearchTool refuses an option that is none, and what is no store', async () => {
  await using store = await openStore({ path: ':memory:' });
  assert.throws(() => sessionSearchTool({ store, ...{ vector: 3 } }), {
    code: 'BAD_OPTION',
    message: /mean vectors\?/,
  });
  assert.throws(() => sessionSearchTool(untyped({})), { code: 'BAD_OPTION', message: /a store to search/ });
});

test('C4 simulate refuses an option that is none', async () => {
  const misspelt = { model: 'claude-opus-4-8', ...{ polices: [] } };
  await assert.rejects(simulate({ messages: [] }, misspelt), { code: 'BAD_OPTION', message: /mean policies\?/ });
});
