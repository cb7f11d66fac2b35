/** Which tools are shown and which wait behind a search. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PalimpsestError } from '@palimpsest/core';
import type { EngineTool } from '@palimpsest/core/engine';
import { planTools } from '@palimpsest/core/prompt';

const tool = (name: string, description: string, ...parameters: readonly string[]): EngineTool => ({
  name,
  description,
  parameters: {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map((parameter) => [parameter, { type: 'string', description: parameter }]),
    ),
    required: [...parameters],
  },
});

const terminal = tool('terminal', 'Runs a command in a shell and returns what it prints.', 'command');
const many: readonly EngineTool[] = [
  terminal,
  ...Array.from({ length: 40 }, (_, at) =>
    tool(
      `service_${at}`,
      `Does number ${at} of what the service can do, and tells what came of it in a few words.`,
      'subject',
    ),
  ),
  tool('listCalendarEvents', 'Lists the appointments of a week.', 'firstDay', 'time_zone'),
  tool('天気', '都市の天気予報を調べます。', 'city'),
];

describe('Y3 tools whose definitions take too much of the window', () => {
  test('Y3 are all shown where they fit their share', () => {
    const plan = planTools(many, { contextLength: 200_000 });
    assert.deepEqual([plan.shown.length, plan.deferred, plan.searchTools], [many.length, [], []]);
    assert.equal(plan.sentTokens, plan.allTokens);
  });

  test('Y3 wait behind a search, those first that are never used', () => {
    const uses = { service_7: 3, listCalendarEvents: 9 };
    const plan = planTools(many, { contextLength: 16_000, share: 0.05, keep: ['terminal'], uses });
    assert.ok(plan.sentTokens <= plan.maxTokens, `${plan.sentTokens} of ${plan.maxTokens}`);
    assert.equal(plan.maxTokens, 800);
    assert.ok(plan.shown.includes('terminal') && plan.shown.includes('service_7'));
    assert.ok(plan.shown.includes('listCalendarEvents'));
    assert.ok(plan.deferred.length > 30);
    assert.equal(plan.shown.length + plan.deferred.length, many.length);
    assert.deepEqual(
      plan.searchTools.map(({ name }) => name),
      ['find_tools', 'call_tool'],
    );
  });

  test('Y3, C3 are the same for the same tools, in the order in which they were given', () => {
    const options = { contextLength: 16_000, share: 0.05, keep: ['terminal', 'service_39'] };
    const plan = planTools(many, options);
    const again = planTools(structuredClone(many), options);
    assert.equal(JSON.stringify([plan.shown, plan.searchTools]), JSON.stringify([again.shown, again.searchTools]));
    assert.deepEqual(
      plan.shown,
      many.map(({ name }) => name).filter((name) => plan.shown.includes(name)),
    );
  });

  test('Y3 are shown where the search would weigh as much as they', () => {
    const plan = planTools([terminal], { contextLength: 4_000, share: 0.001 });
    assert.deepEqual([plan.shown, plan.deferred], [['terminal'], []]);
  });

  test('Y3 that must be shown are, whatever they weigh', () => {
    const keep = many.map(({ name }) => name);
    assert.deepEqual(planTools(many, { contextLength: 4_000, keep }).deferred, []);
  });

  test('Y3 are found by words of their names, what they say, and their parameters', () => {
    const { finder } = planTools(many, { contextLength: 4_000, share: 0.05, keep: ['terminal'] });
    const found = (words: string): string | undefined => finder.search(words)[0]?.name;
    assert.equal(found('appointments this week'), 'listCalendarEvents');
    assert.equal(found('calendar'), 'listCalendarEvents');
    assert.equal(found('time zone'), 'listCalendarEvents');
    assert.equal(found('天気予報'), '天気');
    assert.equal(found('number 12 of the service'), 'service_12');
    assert.deepEqual(
      finder.search('service_3').map(({ name }) => name),
      ['service_3'],
    );
    assert.equal(finder.search('service', 3).length, 3);
    assert.deepEqual(finder.search('zebra'), []);
    assert.equal(finder.resolve('terminal'), undefined);
    assert.equal(finder.resolve('service_1')?.name, 'service_1');
    assert.equal(finder.nearest('list_calendar_event'), 'listCalendarEvents');
  });

  test('Y3 options that make no sense are told', () => {
    const refused = (options: object): void =>
      assert.throws(
        () => planTools(many, { contextLength: 4_000, ...options }),
        (error) => PalimpsestError.isInstance(error) && error.code === 'BAD_OPTION',
      );
    for (const options of [{ share: 2 }, { keep: 'terminal' }, { contextLength: 0 }, { shares: 1 }]) refused(options);
  });
});
