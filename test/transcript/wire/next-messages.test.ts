/** The messages of a context, found again in the body that they came from. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { estimatingTokenizer } from '@palimpsest/core';
import { compress } from '../../../packages/core/src/compression/compress.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../packages/core/src/shared/json.ts';
import type { Message, Part } from '../../../packages/core/src/transcript/message.ts';
import { nextMessages } from '../../../packages/core/src/transcript/wire/body/next-messages.ts';
import { type Body, readBody } from '../../../packages/core/src/transcript/wire/body/read-body.ts';
import { type NextMessage, spliceBody } from '../../../packages/core/src/transcript/wire/body/splice-body.ts';
import { dialectNamed, dialects } from '../../../packages/core/src/transcript/wire/dialects.ts';
import { systemNote } from '../../../packages/core/src/transcript/wire/turns.ts';
import { chanceOf, oddJson } from '../../support/odd-json.ts';
import { bodyOf, type Round, type Told } from '../../support/request-bodies.ts';

const said = (role: Message['role'], text: string): Message => ({ role, parts: [{ type: 'text', text }] });
const short = (next: readonly NextMessage[]): readonly string[] =>
  next.map((one) => (one.type === 'new' ? 'new' : `${one.type} ${one.at}`));
const bodyWith = (...messages: readonly JsonValue[]): Body =>
  readBody('anthropic', JSON.stringify({ model: 'm', max_tokens: 9, messages }));
const withParts = (message: Message | undefined, change: (part: Part) => readonly Part[]): Message => {
  assert.ok(message);
  return { ...message, parts: message.parts.flatMap(change) };
};

describe('which entry a message is', () => {
  const body = bodyWith(
    { role: 'user', content: 'go on' },
    { role: 'assistant', content: 'one' },
    { role: 'user', content: 'go on' },
    { role: 'assistant', content: 'two' },
    { role: 'user', content: 'go on' },
  );
  const copies = structuredClone(body.messages);

  test('K2 the same object, an equal one, and of equal ones the next in their order', () => {
    assert.deepEqual(short(nextMessages(body, body.messages)), ['kept 0', 'kept 1', 'kept 2', 'kept 3', 'kept 4']);
    assert.deepEqual(short(nextMessages(body, copies)), ['kept 0', 'kept 1', 'kept 2', 'kept 3', 'kept 4']);
    assert.deepEqual(short(nextMessages(body, [said('user', 'story'), ...copies.slice(3)])), [
      'new',
      'kept 3',
      'kept 4',
    ]);
    assert.deepEqual(short(nextMessages(body, [copies[3] ?? said('user', ''), said('user', 'go on')])), [
      'kept 3',
      'kept 4',
    ]);
  });

  test('B6 a request that is said twice after a compression stands there twice', () => {
    const next = nextMessages(body, [...body.messages, said('assistant', 'x'), body.messages[4] ?? said('user', '')]);
    assert.deepEqual(short(next).slice(-2), ['new', 'kept 4']);
  });

  test('A1 a handoff in front of a request leaves the words of the request as they were written', () => {
    const text = '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Plea\\u0073e"}]}';
    const plain = readBody('anthropic', text);
    const merged = withParts(plain.messages[0], (part) => [{ type: 'text', text: '<handoff>' }, part]);
    const spliced = spliceBody(plain, nextMessages(plain, structuredClone([merged])));
    assert.equal(
      spliced,
      text.replace('"Plea\\u0073e"', '[{"type":"text","text":"<handoff>"},{"type":"text","text":"Plea\\u0073e"}]'),
    );
  });

  test('P4 a text that was shortened is the message between its neighbours', () => {
    const marked = bodyWith(
      { role: 'user', content: 'a' },
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'long '.repeat(50), cache_control: { type: 'ephemeral' } }],
      },
      { role: 'user', content: 'b' },
    );
    const cut = withParts(marked.messages[1], (part) =>
      part.type === 'text' ? [{ ...part, text: 'long …' }] : [part],
    );
    const next = nextMessages(marked, structuredClone(marked.messages).with(1, structuredClone(cut)));
    assert.deepEqual(short(next), ['kept 0', 'changed 1', 'kept 2']);
    assert.equal(spliceBody(marked, next), marked.text.replace('long '.repeat(50), 'long …'));
  });
});

describe('what stays whole though it was changed', () => {
  test('A4 a signed call keeps its arguments, and its result is shortened', () => {
    const contents = [
      { role: 'user', parts: [{ text: 'Go' }] },
      { role: 'model', parts: [{ functionCall: { name: 'write', args: { text: 'long' } }, thoughtSignature: 'c2ln' }] },
      { role: 'user', parts: [{ functionResponse: { name: 'write', response: { output: 'long result' } } }] },
      { role: 'model', parts: [{ text: 'Done' }] },
      { role: 'user', parts: [{ text: 'More' }] },
    ];
    const body = readBody('gemini', JSON.stringify({ contents }));
    const cut = body.messages.map((message) =>
      withParts(message, (part) => {
        if (part.type === 'toolCall') return [{ ...part, input: '{"text":"…"}' }];
        return part.type === 'toolResult' ? [{ ...part, content: [{ type: 'text', text: 'cut' }] }] : [part];
      }),
    );
    const next = nextMessages(body, structuredClone(cut));
    assert.deepEqual(short(next), ['kept 0', 'kept 1', 'changed 2', 'kept 3', 'kept 4']);
    assert.equal(spliceBody(body, next), body.text.replace('long result', 'cut'));
  });

  test('K2 a result that loads tools stays as it is', () => {
    const loads = { type: 'tool_result', tool_use_id: 's', content: [{ type: 'tool_reference', tool_name: 'x' }] };
    const body = bodyWith(
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 's', name: 'ToolSearch', input: {} }] },
      { role: 'user', content: [loads] },
    );
    const cut = withParts(body.messages[2], (part) =>
      part.type === 'toolResult' ? [{ ...part, content: [{ type: 'text', text: 'cut' }] }] : [part],
    );
    const next = nextMessages(body, body.messages.with(2, cut));
    assert.equal(spliceBody(body, next), body.text);
  });

  test('K2 a late system message that became a note of the user stays what it was', () => {
    const body = bodyWith(
      { role: 'user', content: 'Go' },
      {
        role: 'system',
        content: [{ type: 'text', text: 'Tools have changed.', cache_control: { type: 'ephemeral' } }],
      },
      { role: 'assistant', content: 'Yes' },
      { role: 'user', content: 'More' },
    );
    const { extra: _, ...late } = body.messages[1] ?? said('system', '');
    const note: Message = {
      ...late,
      role: 'user',
      origin: 'host',
      parts: late.parts.map((part) => (part.type === 'text' ? { ...part, text: systemNote(part.text) } : part)),
    };
    const next = nextMessages(body, body.messages.with(1, structuredClone(note)));
    assert.equal(spliceBody(body, next), body.text);
  });

  test('A4 thoughts that are taken out of a message are refused, not written anew', () => {
    const body = bodyWith(
      { role: 'user', content: 'Go' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 's' },
          { type: 'tool_use', id: 'a', name: 'f', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] },
    );
    const thoughtless = body.messages.map((message) =>
      withParts(message, (part) => (part.type === 'reasoning' ? [] : [part])),
    );
    const next = nextMessages(body, thoughtless);
    assert.deepEqual(short(next), ['kept 0', 'changed 1', 'kept 2']);
    assert.throws(() => spliceBody(body, next), { code: 'BODY_UNFIT' });
  });
});

describe('what a compression leaves', () => {
  const rounds = Array.from(
    { length: 24 },
    (_, number): Round => ({
      ask: `Please look at case ${number} of the importer. ${'It matters. '.repeat(8)}`,
      steps: [
        {
          thought: number % 2 === 0,
          calls: [0, 1].map((call) => ({
            input: { path: `src/case-${number}-${call}.ts`, text: 'const a = 1;\n'.repeat(call === 0 ? 90 : 1) },
            result: `=case ${number}.${call}\n${'const row = 1 * 2;\n'.repeat(60)}`,
          })),
        },
      ],
      answer: `Case ${number} multiplies its rows.`,
      more: number % 3 === 0 ? { x_n: 1 } : {},
      isMarked: number % 2 === 1,
    }),
  );
  const told: Told = { system: 'You are careful.', around: { temperature: 1, x_more: [1e3] }, rounds };
  const tokenizer = estimatingTokenizer('claude');

  for (const { name } of dialects) {
    for (const contextLength of [8_000, 16_000, 32_000]) {
      test(`A3 A4 ${name}, ${contextLength}: the provider takes it, and what was not touched has its bytes`, async () => {
        const { value, list } = bodyOf(name, told);
        const text = oddJson(value, chanceOf(contextLength));
        const body = readBody(name, text, { model: 'gemini-3-pro' });
        // As they come out of a store.
        const messages: readonly Message[] = structuredClone(body.messages);
        const { status, messages: context } = await compress(messages, {
          tokenizer,
          contextLength,
          targetTokens: contextLength / 2,
        });
        assert.equal(status, 'compressed');
        const next = nextMessages(body, context);
        const spliced = spliceBody(body, next);
        assert.equal(dialectNamed(name).reject(JSON.parse(spliced), 'gemini-3-pro'), undefined);
        assert.ok(spliced.length < text.length * 0.7, `${spliced.length} of ${text.length}`);
        const { [list]: _, ...around } = JSON.parse(spliced);
        const { [list]: __, ...aroundBefore } = value;
        assert.deepEqual(withoutSystem(around), withoutSystem(aroundBefore));
        let kept = 0;
        for (const one of next) {
          if (one.type !== 'kept') continue;
          kept++;
          for (const { start, end } of body.entries[one.at]?.spans ?? [])
            assert.ok(spliced.includes(text.slice(start, end)));
        }
        assert.ok(kept >= 2, `${kept} kept`);
        // What the body says now is what the compression left.
        const again = readBody(name, spliced, { model: 'gemini-3-pro' });
        assert.ok(next.some(({ type }) => type === 'changed'));
        assert.equal(textsOf(again.messages).join('\n'), textsOf(context).join('\n'));
      });
    }
  }
});

const withoutSystem = ({ system: _, systemInstruction: __, instructions: ___, ...rest }: JsonObject): JsonObject => {
  assert.ok(isJsonObject(rest));
  return rest;
};

const textsOf = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      if (part.type === 'text') return [part.text];
      return part.type === 'toolResult' ? part.content.map((one) => (one.type === 'text' ? one.text : one.type)) : [];
    }),
  );
