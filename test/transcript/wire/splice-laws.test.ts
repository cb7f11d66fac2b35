/** Laws of spliced bodies, over conversations of every dialect written as no serialiser of ours writes JSON. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../packages/core/src/shared/json.ts';
import { elementsAt, membersOf, type Span } from '../../../packages/core/src/shared/json-spans.ts';
import type { Message, Part } from '../../../packages/core/src/transcript/message.ts';
import type { DialectName } from '../../../packages/core/src/transcript/wire/answer.ts';
import { nextMessages } from '../../../packages/core/src/transcript/wire/body/next-messages.ts';
import { type Body, readBody } from '../../../packages/core/src/transcript/wire/body/read-body.ts';
import { spliceBody } from '../../../packages/core/src/transcript/wire/body/splice-body.ts';
import { dialectNamed, dialects } from '../../../packages/core/src/transcript/wire/dialects.ts';
import * as gemini from '../../support/gemini-contents.ts';
import * as wire from '../../support/messages.ts';
import { chanceOf, oddJson } from '../../support/odd-json.ts';
import { bodyOf, conversations, type MadeBody, type Told, withText } from '../../support/request-bodies.ts';

const names = dialects.map(({ name }) => name);
const list = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
const placeOf = (text: string, name: string): Span => {
  const member = membersOf(text).find((one) => one.name === name);
  assert.ok(member, name);
  return member;
};
const cut = (text: string, { start, end }: Span): string => text.slice(start, end);
const json = (text: string): JsonObject => JSON.parse(text);

/** The messages whose elements belong to some rounds, by the entries of the body. */
const messagesOf = (body: Body, { rounds }: MadeBody, isWanted: (round: number) => boolean): readonly Message[] =>
  body.entries.flatMap(({ message, field, from }) =>
    field !== undefined || isWanted(rounds[from] ?? -1) ? [message] : [],
  );

const withResult = (message: Message, from: string, to: string): Message => ({
  ...message,
  parts: message.parts.map(
    (part): Part =>
      part.type === 'toolResult'
        ? {
            ...part,
            content: part.content.map((one) => (one.type === 'text' && one.text === from ? { ...one, text: to } : one)),
          }
        : part,
  ),
});

const handoff = '=The story so far.';
const handoffOf: Readonly<Record<DialectName, JsonObject>> = {
  anthropic: { role: 'user', content: handoff },
  'openai-chat': { role: 'user', content: handoff },
  'openai-responses': { type: 'message', role: 'user', content: handoff },
  gemini: { role: 'user', parts: [{ text: handoff }] },
};

for (const dialect of names) {
  describe(dialect, () => {
    const told = fc.tuple(conversations(), fc.integer());
    const make = ([said, seed]: readonly [Told, number]): {
      readonly made: MadeBody;
      readonly text: string;
      readonly body: Body;
    } => {
      const made = bodyOf(dialect, said);
      const text = oddJson(made.value, chanceOf(seed));
      return { made, text, body: readBody(dialect, text, { model: 'gemini-3-pro' }) };
    };

    test('K2 a body of which everything is kept comes back as the very text', () => {
      fc.assert(
        fc.property(told, (given) => {
          const { body, text } = make(given);
          const next = nextMessages(body, body.messages);
          assert.ok(next.every((one) => one.type === 'kept'));
          assert.equal(spliceBody(body, next), text);
          // Messages that were stored and read again say the same.
          assert.equal(spliceBody(body, nextMessages(body, structuredClone(body.messages))), text);
          const bytes = new TextEncoder().encode(text);
          assert.deepEqual(new TextEncoder().encode(readBody(dialect, bytes).text), bytes);
          assert.equal(dialectNamed(dialect).reject(made(given), 'gemini-3-pro'), undefined);
        }),
        { numRuns: 120 },
      );
      function made([said]: readonly [Told, number]): JsonObject {
        return bodyOf(dialect, said).value;
      }
    });

    test('K2 a new message in the place of the middle changes the list there and no other byte', () => {
      fc.assert(
        fc.property(told, (given) => {
          const { made, text, body } = make(given);
          const last = Math.max(...made.rounds);
          const kept = messagesOf(body, made, (round) => round <= 0 || round === last);
          const at =
            kept.findLastIndex((message) =>
              body.entries.some((one) => one.message === message && (made.rounds[one.from] ?? -1) < last),
            ) + 1;
          const said: Message = { role: 'user', parts: [{ type: 'text', text: handoff }] };
          const spliced = spliceBody(body, nextMessages(body, kept.toSpliced(at, 0, said)));
          assert.equal(dialectNamed(dialect).reject(json(spliced), 'gemini-3-pro'), undefined);
          const [before, after] = [placeOf(text, made.list), placeOf(spliced, made.list)];
          assert.equal(spliced.slice(0, after.start), text.slice(0, before.start));
          assert.equal(spliced.slice(after.end), text.slice(before.end));
          const olds = elementsAt(text, before.start).map((span) => cut(text, span));
          const first = olds.filter((_, index) => (made.rounds[index] ?? -1) <= 0);
          const end = olds.filter((_, index) => made.rounds[index] === last);
          const news = elementsAt(spliced, after.start).map((span) => cut(spliced, span));
          assert.deepEqual(news.toSpliced(first.length, 1), [...first, ...end]);
          assert.deepEqual(json(news[first.length] ?? ''), handoffOf[dialect]);
        }),
        { numRuns: 120 },
      );
    });

    test('K2 a result that is replaced is the only string that changes', () => {
      let replaced = 0;
      fc.assert(
        fc.property(told, fc.nat(), (given, which) => {
          const { made, text, body } = make(given);
          const results = given[0].rounds.flatMap(({ steps }) =>
            steps.flatMap(({ calls }) => calls.map(({ result }) => result)),
          );
          const result = results[which % Math.max(1, results.length)];
          if (result === undefined || results.filter((one) => one === result).length > 1) return;
          replaced++;
          const stub = '=[pruned: read | "1" chars | expand m2]';
          const next = nextMessages(
            body,
            body.messages.map((message) => withResult(message, result, stub)),
          );
          assert.equal(next.filter(({ type }) => type === 'changed').length, 1);
          const spliced = spliceBody(body, next);
          assert.equal(
            spliced,
            text.replace(JSON.stringify(result), () => JSON.stringify(stub)),
          );
          assert.deepEqual(json(spliced), withText(made.value, result, stub));
        }),
        { numRuns: 150 },
      );
      assert.ok(replaced > 50, `${replaced} results replaced`);
    });

    test('K2 a text behind the newest request leaves its own words and everything else as they were', () => {
      fc.assert(
        fc.property(told, (given) => {
          const { made, text, body } = make(given);
          const at = body.messages.findLastIndex(
            ({ role, parts }) => role === 'user' && parts.every(({ type }) => type === 'text'),
          );
          const recalled: Part = { type: 'text', text: '=recalled' };
          const messages = body.messages.map((one, index) =>
            index === at ? { ...one, parts: [...one.parts, recalled] } : one,
          );
          const spliced = spliceBody(body, nextMessages(body, messages));
          const [before, after] = [placeOf(text, made.list), placeOf(spliced, made.list)];
          const [olds, news] = [elementsAt(text, before.start), elementsAt(spliced, after.start)];
          const place = body.entries[at]?.from ?? 0;
          assert.deepEqual(
            news.map((span) => cut(spliced, span)).toSpliced(place, 1),
            olds.map((span) => cut(text, span)).toSpliced(place, 1),
          );
          const said = readBody(dialect, spliced).messages[at]?.parts.map((part) => ('text' in part ? part.text : ''));
          assert.deepEqual(
            said,
            [...(body.messages[at]?.parts ?? []), recalled].map((part) => ('text' in part ? part.text : '')),
          );
          const { [made.list]: _, ...around } = json(spliced);
          const { [made.list]: __, ...aroundBefore } = made.value;
          assert.deepEqual(around, aroundBefore);
        }),
        { numRuns: 100 },
      );
    });
  });
}

describe('messages of every kind', () => {
  const kinds: readonly [DialectName, string, () => fc.Arbitrary<JsonObject>][] = [
    ['openai-chat', 'messages', wire.chatMessages],
    ['openai-responses', 'input', wire.responsesItems],
    ['anthropic', 'messages', wire.anthropicMessages],
    ['gemini', 'contents', gemini.geminiContents],
  ];
  for (const [dialect, key, message] of kinds) {
    test(`K2 ${dialect}: every one has its entry, and the text comes back`, () => {
      const bodies = fc.tuple(fc.array(message(), { maxLength: 6 }), fc.integer());
      fc.assert(
        fc.property(bodies, ([messages, seed]) => {
          const text = oddJson({ x: [1e3], [key]: messages, y: 'é' }, chanceOf(seed));
          const body = readBody(dialect, text);
          assert.deepEqual(
            body.entries
              .filter(({ field }) => field === undefined)
              .flatMap(({ spans }) => spans.map((span) => json(cut(text, span)))),
            messages,
          );
          assert.equal(spliceBody(body, nextMessages(body, structuredClone(body.messages))), text);
          for (const { from, to, spans } of body.entries) assert.equal(to - from, spans.length);
          assert.equal(list(body.value[key]).length, messages.length);
        }),
        { numRuns: 200 },
      );
    });
  }
});
