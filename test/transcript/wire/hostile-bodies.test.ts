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
import { mutated, small, torn } from '../../support/wrong-bodies.ts';

type Outcome = 'broken' | 'spliced' | 'unfit';

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

const told: Message = { role: 'user', parts: [{ type: 'text', text: 'The story so far.' }] };
/** What a gateway may want to say instead. */
const wishes: readonly ((messages: readonly Message[]) => readonly Message[])[] = [
  (messages) => messages.map(short),
  (messages) => [told, ...messages.slice(-2)],
  (messages) => [...messages, told],
];

function tryBody(dialect: DialectName, given: string | Uint8Array, wanted = wishes): readonly Outcome[] {
  const body = outcomeOf<ReturnType<typeof readBody> | 'broken'>(() => readBody(dialect, given), {
    BODY_BROKEN: 'broken',
  });
  if (body === 'broken') return ['broken'];
  assert.equal(spliceBody(body, nextMessages(body, body.messages)), body.text);
  if (typeof given === 'string') assert.equal(body.text, given);
  return wanted.map((wish) => {
    const next = nextMessages(body, wish(body.messages));
    const text = outcomeOf<string>(() => spliceBody(body, next), { BODY_UNFIT: '' });
    if (text === '') return 'unfit';
    JSON.parse(text);
    for (const one of next.slice(-20)) {
      const { spans = [] } = one.type === 'kept' ? (body.entries[one.at] ?? {}) : {};
      // A system prompt may be kept in a member to which others are added.
      for (const { start, end } of spans.slice(0, next.length > 1_000 ? 0 : undefined)) {
        const isField = one.type === 'kept' && body.entries[one.at]?.field !== undefined;
        assert.ok(isField || text.includes(body.text.slice(start, end)));
      }
    }
    return 'spliced';
  });
}

describe('ten thousand bodies that went wrong', () => {
  const seeds = clientBodies.map(({ dialect, value }): readonly [DialectName, JsonValue] => [dialect, small(value)]);

  test('K2 each is read, refused in one line, or passed on; what is read is kept to the letter', {
    timeout: 300_000,
  }, () => {
    const counts: Record<Outcome, number> = { broken: 0, spliced: 0, unfit: 0 };
    for (let seed = 0; seed < 10_000; seed++) {
      const chance = chanceOf(seed);
      const [dialect, value] = seeds[seed % seeds.length] ?? ['anthropic', {}];
      let changed = value;
      for (let count = Math.floor(chance() * 4); count >= 0; count--) changed = mutated(changed, chance);
      const text = oddJson(changed, chance);
      // Each body gets one wish, and each wish a third of every client's bodies.
      const wish = wishes[Math.floor(seed / seeds.length) % wishes.length];
      const given = seed % 4 === 0 ? torn(text, chance) : text;
      for (const outcome of tryBody(dialect, given, wish && [wish])) counts[outcome]++;
    }
    // All of it happens, or the bodies would show nothing.
    assert.ok(Math.min(counts.broken, counts.spliced, counts.unfit) > 1_000, JSON.stringify(counts));
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
        messages: Array.from({ length: 20_000 }, () => ({ role: 'user', content: 'same' })),
      }),
      'spliced',
    ],
    [
      'many members of the body',
      'openai-chat',
      JSON.stringify({
        model: 'm',
        messages: [{ role: 'user', content: 'x' }],
        ...Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`x${at}`, at])),
      }),
      'spliced',
    ],
    [
      'many parts of one message',
      'gemini',
      JSON.stringify({
        contents: [{ parts: Array.from({ length: 20_000 }, () => ({ text: 'same' })) }],
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
