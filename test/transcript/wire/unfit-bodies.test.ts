/** What a provider would refuse is refused before, with the reason. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Part } from '../../../packages/core/src/transcript/message.ts';
import type { DialectName } from '../../../packages/core/src/transcript/wire/answer.ts';
import { nextMessages } from '../../../packages/core/src/transcript/wire/body/next-messages.ts';
import { readBody } from '../../../packages/core/src/transcript/wire/body/read-body.ts';
import { type NextMessage, spliceBody } from '../../../packages/core/src/transcript/wire/body/splice-body.ts';
import { answer, anthropic, call, changed, isNew, kept, refuses, result, said, user } from '../../support/spliced.ts';

describe('what would be refused', () => {
  test('B3 a call without its result, and a result without its call', () => {
    const body = anthropic([user, call, result, answer, user]);
    refuses(body, kept(0, 1, 3, 4), /`tool_use` ids were found without `tool_result` blocks/);
    refuses(body, kept(0, 2, 3, 4), /unexpected `tool_use_id`/);
    const chat = readBody(
      'openai-chat',
      '{"model":"m","messages":[{"role":"user","content":"Hi"},{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"x"},{"role":"user","content":"Go"}]}',
    );
    refuses(chat, kept(0, 2, 3), /must be a response to a preceeding message/);
    refuses(chat, kept(0, 1, 3), /must be followed by tool messages/);
  });

  test('B3 Chat: the result of an old function call without it', () => {
    const body = readBody(
      'openai-chat',
      '{"model":"m","messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"x"}]}',
    );
    refuses(body, kept(0, 2), /a tool result has no id|orphan|no call/);
  });

  test('B3 Responses: an item of a kind that is newer than we are, without the one that it belongs to', () => {
    const body = readBody(
      'openai-responses',
      '{"model":"m","input":[{"role":"user","content":"Hi"},{"type":"tool_search_call","call_id":"s","execution":"client"},{"type":"tool_search_output","call_id":"s","tools":[]},{"role":"user","content":"Go"}]}',
    );
    refuses(body, kept(0, 2, 3), /the call s is parted from its answer/);
    refuses(body, kept(0, 1, 3), /the call s is parted from its answer/);
    assert.doesNotThrow(() => spliceBody(body, kept(0, 3)));
  });

  test('A3 Anthropic does not begin with the assistant, nor Gemini speak twice', () => {
    refuses(anthropic([user, answer, user]), kept(1, 2), /first message must use the "user" role/);
    const gemini = readBody(
      'gemini',
      '{"contents":[{"role":"user","parts":[{"text":"Hi"}]},{"role":"model","parts":[{"text":"a"}]},{"role":"user","parts":[{"text":"b"}]},{"role":"model","parts":[{"text":"c"}]},{"role":"user","parts":[{"text":"d"}]}]}',
    );
    refuses(gemini, kept(0, 1, 3, 4), /alternate between user and model/);
  });

  const sealed: readonly [string, DialectName, string][] = [
    [
      'thinking',
      'anthropic',
      `{"model":"m","max_tokens":9,"messages":[${user},{"role":"assistant","content":[{"type":"thinking","thinking":"Hm","signature":"s"},{"type":"text","text":"long"}]},${user}]}`,
    ],
    [
      'hidden thinking',
      'anthropic',
      `{"model":"m","max_tokens":9,"messages":[${user},{"role":"assistant","content":[{"type":"redacted_thinking","data":"s"},{"type":"text","text":"long"}]},${user}]}`,
    ],
    [
      'a signed answer',
      'gemini',
      '{"contents":[{"parts":[{"text":"Hi"}]},{"role":"model","parts":[{"text":"Hm","thought":true,"thoughtSignature":"s"},{"text":"long","thoughtSignature":"t"}]},{"parts":[{"text":"Go"}]}]}',
    ],
    [
      'encrypted reasoning',
      'openai-responses',
      '{"model":"m","input":[{"role":"user","content":"Hi"},{"type":"reasoning","summary":[],"encrypted_content":"s"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"long"}]},{"role":"user","content":"Go"}]}',
    ],
    [
      'signed details',
      'openai-chat',
      '{"model":"m","messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"long","reasoning_details":[{"type":"reasoning.text","text":"Hm","signature":"s"}]},{"role":"user","content":"Go"}]}',
    ],
  ];
  for (const [what, dialect, text] of sealed) {
    test(`A4 ${dialect}: ${what} changed or taken out of its message; with all of it, it may go`, () => {
      const body = readBody(dialect, text);
      const other = (change: (part: Part) => readonly Part[]): readonly NextMessage[] => [
        ...kept(0),
        changed(body, 1, change),
        ...kept(2),
      ];
      refuses(
        body,
        other((part) => (part.type === 'reasoning' ? [] : [part])),
        /signed in message 1/,
      );
      refuses(
        body,
        other((part) => (part.type === 'reasoning' ? [{ ...part, text: 'Other' }] : [part])),
        /signed in message 1/,
      );
      if (dialect === 'gemini')
        refuses(
          body,
          other((part) => (part.type === 'text' ? [{ ...part, text: 'cut' }] : [part])),
          /signed in message 1/,
        );
      assert.doesNotThrow(() => spliceBody(body, [...kept(0), isNew('assistant', 'in short'), ...kept(2)]));
    });
  }

  test('B3 a call of the provider without its result in the same message', () => {
    const blocks =
      '{"type":"server_tool_use","id":"s","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"s","content":[]},{"type":"text","text":"x"}';
    const body = anthropic([user, `{"role":"assistant","content":[${blocks}]}`, user]);
    const half = (type: Part['type']): readonly NextMessage[] => [
      ...kept(0),
      changed(body, 1, (part) => (part.type === type ? [] : [part])),
      ...kept(2),
    ];
    refuses(body, half('toolResult'), /server call s has no result/);
    refuses(body, half('toolCall'), /server result s has no call/);
  });

  test('K2 the system prompt left out or behind a message, an entry that is not there, and a body without a list', () => {
    const body = readBody('anthropic', `{"model":"m","max_tokens":1,"system":"Rules.","messages":[${user}]}`);
    refuses(body, kept(1), /the system prompt is left out/);
    refuses(body, kept(1, 0), /no longer leads/);
    refuses(body, kept(0, 1, 2), /there is no message 2: the body has 2/);
    refuses(body, kept(0), /at least one message is required/);
    refuses(
      readBody('openai-responses', '{"model":"m","previous_response_id":"r"}'),
      [isNew('user', 'x')],
      /no list of messages/,
    );
    assert.throws(
      () => spliceBody(readBody('openai-responses', '{"model":"m","input":"x"}'), kept(0), { maxTokens: 9 }),
      /sets no limit/,
    );
  });

  test('C1 a mark that stands twice, so that there are five', () => {
    const marked = '{"role":"user","content":[{"type":"text","text":"Hi","cache_control":{"type":"ephemeral"}}]}';
    refuses(
      anthropic([marked, marked, marked, marked]),
      kept(0, 1, 2, 3, 0),
      /A maximum of 4 blocks with cache_control/,
    );
  });

  test('H3 what asks for a compaction last or opens with one, anywhere else', () => {
    const trigger = readBody(
      'openai-responses',
      '{"model":"m","input":[{"role":"user","content":"Hi"},{"type":"compaction_trigger"}]}',
    );
    refuses(trigger, [...kept(0, 1), isNew('user', 'x')], /not the last item/);
    const opening = '{"role":"assistant","content":[{"type":"compaction","content":"x","signature":"s"}]}';
    const body = anthropic([user, opening, user]);
    assert.doesNotThrow(() => spliceBody(body, kept(0, 1)));
    const opened = readBody(
      'anthropic',
      `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"compaction","signature":"s"}]},${user}]}`,
    );
    refuses(opened, [isNew('user', 'x'), ...kept(0, 1)], /no longer does/);
  });

  test('K2 what a client did wrong already is no reason of ours', () => {
    const body = readBody(
      'openai-responses',
      '{"model":"m","previous_response_id":"r","input":[{"type":"function_call_output","call_id":"a","output":"x"},{"role":"user","content":"Go"}]}',
    );
    assert.doesNotThrow(() => spliceBody(body, [...kept(0), isNew('user', 'More')]));
  });
});

test('K2 a message that our writers cannot write as it was read is kept whole or not at all', () => {
  const body = readBody(
    'openai-chat',
    '{"model":"m","messages":[{"role":"user","content":"Hi","#":{"role":"tool"}},{"role":"user","content":"Go"}]}',
  );
  const spliced = spliceBody(body, nextMessages(body, [...body.messages.slice(0, 1), said('user', 'Other')]));
  assert.equal(spliced, body.text.replace('{"role":"user","content":"Go"}', '{"role":"user","content":"Other"}'));
  refuses(
    body,
    [changed(body, 0, () => [{ type: 'text', text: 'cut' }]), ...kept(1)],
    /cannot be written as it was read/,
  );
});
