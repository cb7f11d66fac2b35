/** Bodies that nobody should send: each is read or refused, never anything else, and never slowly. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PalimpsestError } from '@palimpsest/core';
import type { JsonObject, JsonValue } from '../../../packages/core/src/shared/json.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import type { DialectName } from '../../../packages/core/src/transcript/wire/answer.ts';
import { nextMessages } from '../../../packages/core/src/transcript/wire/body/next-messages.ts';
import { readBody } from '../../../packages/core/src/transcript/wire/body/read-body.ts';
import { spliceBody } from '../../../packages/core/src/transcript/wire/body/splice-body.ts';
import { clientBodies } from '../../support/client-bodies.ts';
import { chanceOf, oddJson } from '../../support/odd-json.ts';

type Outcome = 'broken' | 'kept' | 'spliced' | 'unfit';

const short = (message: Message): Message => ({
  ...message,
  parts: message.parts.map((part) =>
    part.type === 'toolResult' ? { ...part, content: [{ type: 'text', text: 'cut' }] } : part,
  ),
});

/** The code of an error of ours; anything else that is thrown fails the test. */
function outcomeOf<T>(work: () => T, codes: Readonly<Record<string, T>>): T {
  try {
    return work();
  } catch (error) {
    assert.ok(PalimpsestError.isInstance(error), String(error instanceof Error ? error.stack : error));
    const outcome = codes[error.code];
    assert.ok(outcome !== undefined, error.message);
    assert.ok(error.message.length < 800, error.message);
    return outcome;
  }
}

function tryBody(dialect: DialectName, given: string | Uint8Array): readonly Outcome[] {
  const body = outcomeOf<ReturnType<typeof readBody> | 'broken'>(() => readBody(dialect, given), {
    BODY_BROKEN: 'broken',
  });
  if (body === 'broken') return ['broken'];
  assert.equal(spliceBody(body, nextMessages(body, body.messages)), body.text);
  if (typeof given === 'string') assert.equal(body.text, given);
  const told: Message = { role: 'user', parts: [{ type: 'text', text: 'The story so far.' }] };
  return [body.messages.map(short), [told, ...body.messages.slice(-2)], [...body.messages, told]].map((messages) =>
    outcomeOf<Outcome>(
      () => {
        const text = spliceBody(body, nextMessages(body, messages));
        JSON.parse(text);
        return 'spliced';
      },
      { BODY_UNFIT: 'unfit' },
    ),
  );
}

const junk: readonly JsonValue[] = [
  null,
  0,
  -1.5,
  '',
  'x',
  true,
  [],
  {},
  [[]],
  [null],
  { type: 'text' },
  { role: 'user' },
  '\ud83d',
  { '#': { id: 'absent' } },
];
const roles: readonly JsonValue[] = ['user', 'assistant', 'tool', 'system', 'developer', 'model', 'function', 'nobody'];

/** A value with one place in it changed: replaced, left out, said twice, or renamed. */
function mutated(value: JsonValue, chance: () => number): JsonValue {
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(chance() * list.length)];
  const isLeaf = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
  if (isLeaf || chance() < 0.08) return (chance() < 0.3 ? pick(roles) : pick(junk)) ?? null;
  if (Array.isArray(value)) {
    const at = Math.floor(chance() * value.length);
    const way = chance();
    if (way < 0.1) return value.toSpliced(at, 1);
    if (way < 0.2) return value.toSpliced(at, 0, value[at]);
    if (way < 0.25) return value.toReversed();
    return value.with(at, mutated(value[at], chance));
  }
  const entries = Object.entries(value);
  const at = Math.floor(chance() * entries.length);
  const [name, member] = entries[at] ?? ['', null];
  const way = chance();
  if (way < 0.1) return Object.fromEntries(entries.toSpliced(at, 1));
  if (way < 0.15) return Object.fromEntries(entries.with(at, ['__proto__', member]));
  return Object.fromEntries(entries.with(at, [name, mutated(member, chance)]));
}

/** A text with a few characters lost, put in or put elsewhere. */
function torn(text: string, chance: () => number): string {
  const at = Math.floor(chance() * text.length);
  const other = Math.min(text.length, at + Math.floor(chance() * 40));
  const way = chance();
  if (way < 0.3) return text.slice(0, at) + text.slice(other);
  if (way < 0.6) return text.slice(0, other) + text.slice(at);
  if (way < 0.8)
    return text.slice(0, at) + '"\\{}[],:0\u0000\ufeff\u00e9\ud800'.charAt(Math.floor(chance() * 14)) + text.slice(at);
  return text.slice(0, at);
}

const small = (value: JsonValue): JsonValue => {
  if (typeof value === 'string') return value.slice(0, 40);
  if (Array.isArray(value)) return value.map(small);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, small(one)]));
};

describe('ten thousand bodies that went wrong', () => {
  const seeds = clientBodies.map(({ dialect, value }): readonly [DialectName, JsonValue] => [dialect, small(value)]);

  test('K2 each is read, refused in one line, or passed on; what is read is kept to the letter', {
    timeout: 300_000,
  }, () => {
    const counts: Record<Outcome, number> = { broken: 0, kept: 0, spliced: 0, unfit: 0 };
    for (let seed = 0; seed < 10_000; seed++) {
      const chance = chanceOf(seed);
      const [dialect, value] = seeds[seed % seeds.length] ?? ['anthropic', {}];
      let changed = value;
      for (let count = Math.floor(chance() * 4); count >= 0; count--) changed = mutated(changed, chance);
      const text = oddJson(changed, chance);
      for (const outcome of tryBody(dialect, seed % 4 === 0 ? torn(text, chance) : text)) counts[outcome]++;
    }
    // All of it happens, or the bodies would show nothing.
    assert.ok(counts.broken > 1_000 && counts.spliced > 1_000 && counts.unfit > 1_000, JSON.stringify(counts));
    assert.equal(Reflect.get({}, 'role'), undefined);
  });

  test('K2 the same for bytes of chance', () => {
    for (let seed = 0; seed < 2_000; seed++) {
      const chance = chanceOf(seed);
      const bytes = new TextEncoder().encode(JSON.stringify(seeds[seed % seeds.length]?.[1]));
      for (let count = 0; count < 3; count++) bytes[Math.floor(chance() * bytes.length)] = Math.floor(chance() * 256);
      tryBody(seeds[seed % seeds.length]?.[0] ?? 'anthropic', bytes);
    }
  });
});

describe('bodies that are made to be slow or deep', () => {
  const anthropic = (content: string): string =>
    `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":${content}}]}`;
  const deep = (count: number): string => `${'['.repeat(count)}${']'.repeat(count)}`;
  const million = 1_000_000;
  const cases: readonly [string, DialectName, string, Outcome][] = [
    ['a nest as deep as may be', 'anthropic', anthropic(`[{"type":"text","text":"x","x":${deep(500)}}]`), 'spliced'],
    ['a nest without end', 'anthropic', anthropic(deep(million)), 'broken'],
    [
      'a nest in the tools',
      'anthropic',
      `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"x"}],"tools":${deep(million)}}`,
      'broken',
    ],
    ['a million backslashes', 'anthropic', anthropic(JSON.stringify('\\'.repeat(million))), 'spliced'],
    ['a million quotes', 'anthropic', anthropic(JSON.stringify('"'.repeat(million))), 'spliced'],
    ['a string that does not end', 'anthropic', anthropic(`"${'\\"'.repeat(million)}`), 'broken'],
    [
      'many messages',
      'openai-chat',
      JSON.stringify({
        model: 'm',
        messages: Array.from({ length: 100_000 }, () => ({ role: 'user', content: 'same' })),
      }),
      'spliced',
    ],
    [
      'many members of the body',
      'openai-chat',
      JSON.stringify({
        model: 'm',
        messages: [{ role: 'user', content: 'x' }],
        ...Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`x${at}`, at])),
      }),
      'spliced',
    ],
    [
      'many parts of one message',
      'gemini',
      JSON.stringify({
        contents: [{ parts: Array.from({ length: 100_000 }, () => ({ text: 'same' })) }],
      } satisfies JsonObject),
      'spliced',
    ],
  ];
  for (const [what, dialect, text, outcome] of cases) {
    test(`K2 ${what}`, { timeout: 60_000 }, () => {
      assert.ok(tryBody(dialect, text).includes(outcome));
    });
  }
});
