/** What a spliced body keeps of the original, and how what comes is written. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Part } from '../../../packages/core/src/transcript/message.ts';
import type { DialectName } from '../../../packages/core/src/transcript/wire/answer.ts';
import { readBody } from '../../../packages/core/src/transcript/wire/body/read-body.ts';
import { type NextMessage, spliceBody } from '../../../packages/core/src/transcript/wire/body/splice-body.ts';
import { answer, anthropic, call, changed, isNew, kept, result, user } from '../../support/spliced.ts';

const stub: readonly Part[] = [{ type: 'text', text: 'cut' }];
const cutResult = (part: Part): readonly Part[] =>
  part.type === 'toolResult' ? [{ ...part, content: [{ type: 'text', text: 'cut' }] }] : [part];

describe('what stays', () => {
  test('K2 the layout of a body that was printed for people', () => {
    const value = {
      messages: [1, 2, 3, 4].map((n) => ({ role: n % 2 ? 'user' : 'assistant', content: `${n}` })),
      model: 'm',
    };
    const text = JSON.stringify(value, null, 2);
    const body = readBody('openai-chat', text);
    const lines = text.split('\n');
    const spliced = spliceBody(body, kept(0, 1, 2));
    assert.equal(spliced, [...lines.slice(0, 13), '    }', ...lines.slice(-3)].join('\n'));
    const told = spliceBody(body, [...kept(0), isNew('assistant', 'in short'), ...kept(2)]);
    const expected = [
      ...lines.slice(0, 6),
      '    {"role":"assistant","content":"in short"},',
      ...lines.slice(10, 13),
      '    }',
      ...lines.slice(-3),
    ];
    assert.equal(told, expected.join('\n'));
  });

  test('K2 a result keeps its other fields, and a mark of the cache with them', () => {
    const body = anthropic([user, call, result, answer, user]);
    const spliced = spliceBody(body, [...kept(0, 1), changed(body, 2, cutResult), ...kept(3, 4)]);
    assert.equal(spliced, body.text.replace('"content":"long"', '"content":"cut"'));
  });

  test('C1 a mark of the cache goes with its message, and none is added', () => {
    const body = anthropic([user, call, result, answer, user]);
    const spliced = spliceBody(body, [isNew('user', 'in short'), ...kept(3, 4)]);
    assert.equal(spliced, body.text.replace([user, call, result].join(','), '{"role":"user","content":"in short"}'));
    assert.doesNotMatch(spliced, /cache_control/);
  });

  test('P3 arguments of a call keep the spelling of everything that was not shortened', () => {
    const body = anthropic([user, call, result, answer, user]);
    const shorter = (part: Part): readonly Part[] =>
      part.type === 'toolCall' ? [{ ...part, input: '{"n":1,"text":"lo…"}' }] : [part];
    const spliced = spliceBody(body, [...kept(0), changed(body, 1, shorter), ...kept(2, 3, 4)]);
    assert.equal(spliced, body.text.replace('"text":"long"', '"text":"lo…"'));
  });

  test('P5 an image becomes a text beside what stood with it', () => {
    const image = '{"type":"image","source":{"type":"base64","media_type":"image\\/png","data":"aGVsbG8="}}';
    const text = '{"text":"Look \\u0061t this", "type":"text"}';
    const body = anthropic([`{"role":"user","content":[${image}, ${text}]}`]);
    const spliced = spliceBody(body, [changed(body, 0, (part) => (part.type === 'image' ? stub : [part]))]);
    assert.equal(spliced, body.text.replace(image, '{"type":"text","text":"cut"}'));
  });

  test('A6 thinking comes back to the letter beside a call that was shortened', () => {
    const thinking = '{"type":"thinking","thinking":"\\u0048m\\/m","signature":"c2ln\\/\\u002b="}';
    const redacted = '{"data":"ZW5j\\/","type":"redacted_thinking"}';
    const body = anthropic([user, call.replace('[{', `[${thinking} ,${redacted},{`), result]);
    const shorter = (part: Part): readonly Part[] =>
      part.type === 'toolCall' ? [{ ...part, input: '{"n":1,"text":""}' }] : [part];
    const spliced = spliceBody(body, [...kept(0), changed(body, 1, shorter), ...kept(2)]);
    assert.equal(spliced, body.text.replace('"text":"long"', '"text":""'));
  });

  test('K2 a late system message, tools that wait, and what is new to us', () => {
    const late =
      '{"role":"system","content":[{"type":"text","text":"DeferredTools: x","cache_control":{"type":"ephemeral"}}]}';
    const tools =
      ',"tools":[{"name":"x","defer_loading":true,"input_schema":{}},{"type":"of_tomorrow","v":1.0}],"output_config":{"effort":"high"}';
    const body = anthropic([user, late, answer, user], tools);
    assert.equal(
      spliceBody(body, [isNew('user', 'in short'), ...kept(1, 2, 3)]),
      body.text.replace(user, '{"role":"user","content":"in short"}'),
    );
  });

  test('K2 Codex: the answer to a custom call, with its id and type', () => {
    const items = [
      '{"type":"message","role":"user","content":[{"type":"input_text","text":"Go"}]}',
      '{"type":"custom_tool_call","id":"ctc_1","call_id":"c","name":"apply_patch","input":"*** Begin Patch"}',
      '{"id":"fco_1","type":"custom_tool_call_output","call_id":"c","output":"long"}',
    ];
    const body = readBody('openai-responses', `{"model":"m","input":[${items.join(', ')}],"store":false}`);
    assert.equal(spliceBody(body, [...kept(0, 1), changed(body, 2, cutResult)]), body.text.replace('"long"', '"cut"'));
  });

  test('K2 a reference to an item, and a body whose beginning the provider keeps', () => {
    const items = [
      '{"type":"function_call_output","call_id":"earlier","output":"x"}',
      '{"id":"msg_1","type":"item_reference"}',
      '{"role":"user","content":"Go"}',
    ];
    const body = readBody(
      'openai-responses',
      `{"model":"m","previous_response_id":"resp_1","input":[${items.join(',')}]}`,
    );
    assert.equal(body.continues, 'previous_response_id');
    const spliced = spliceBody(body, [...kept(0, 1), isNew('user', 'More')]);
    assert.equal(spliced, body.text.replace(items[2] ?? '', '{"type":"message","role":"user","content":"More"}'));
  });
});

describe('what comes', () => {
  const chat = readBody(
    'openai-chat',
    '{"messages":[{"role":"developer","content":"Rules."},{"role":"user","content":"Hi"}],"model":"m"}',
  );

  test('K2 a new system prompt speaks as the developer where the client does', () => {
    assert.equal(
      spliceBody(chat, [...kept(0), isNew('system', 'Known.'), ...kept(1)]),
      chat.text.replace('"Rules."},', '"Rules."},{"role":"developer","content":"Known."},'),
    );
  });

  const systems: readonly [string, DialectName, string, string][] = [
    [
      'a text becomes a list that begins with it',
      'anthropic',
      '{"system":"B\\u0065 brief.","max_tokens":1,"model":"m","messages":[{"role":"user","content":"Hi"}]}',
      '{"system":[{"type":"text","text":"B\\u0065 brief."},{"type":"text","text":"Known."}],"max_tokens":1,"model":"m","messages":[{"role":"user","content":"Hi"}]}',
    ],
    [
      'a list grows, marks included',
      'anthropic',
      '{"system":[ {"type":"text","text":"Rules.", "cache_control":{}} ],"max_tokens":1,"model":"m","messages":[{"role":"user","content":"Hi"}]}',
      '{"system":[ {"type":"text","text":"Rules.", "cache_control":{}},{"type":"text","text":"Known."} ],"max_tokens":1,"model":"m","messages":[{"role":"user","content":"Hi"}]}',
    ],
    [
      'a body without one gets one before its messages',
      'anthropic',
      '{"model":"m", "messages":[{"role":"user","content":"Hi"}], "max_tokens":1}',
      '{"model":"m", "system":"Known.","messages":[{"role":"user","content":"Hi"}], "max_tokens":1}',
    ],
    [
      'a part beside the others',
      'gemini',
      '{"contents":[{"parts":[{"text":"Hi"}]}],"system_instruction":{"role":"user","parts":[{"text":"Rules."}]}}',
      '{"contents":[{"parts":[{"text":"Hi"}]}],"system_instruction":{"role":"user","parts":[{"text":"Rules."},{"text":"Known."}]}}',
    ],
    [
      'a body without instructions of its own gets them',
      'gemini',
      '{"contents":[{"parts":[{"text":"Hi"}]}]}',
      '{"systemInstruction":{"parts":[{"text":"Known."}]},"contents":[{"parts":[{"text":"Hi"}]}]}',
    ],
    [
      'a message in front, and the instructions stay',
      'openai-responses',
      '{"model":"m","instructions":"Rules.","input":[{"role":"user","content":"Hi"}]}',
      '{"model":"m","instructions":"Rules.","input":[{"type":"message","role":"system","content":"Known."},{"role":"user","content":"Hi"}]}',
    ],
  ];
  for (const [what, dialect, text, expected] of systems) {
    test(`M1 ${dialect}: of a new system prompt, ${what}`, () => {
      const body = readBody(dialect, text);
      const isField = (at: number): boolean => body.entries[at]?.field !== undefined;
      const all = body.entries.map((_, at): NextMessage => ({ type: 'kept', at }));
      const at = isField(0) ? 1 : 0;
      assert.equal(spliceBody(body, [...all.slice(0, at), isNew('system', 'Known.'), ...all.slice(at)]), expected);
    });
  }

  test('K2 a late new system prompt is a note where the dialect has no place for it', () => {
    const body = anthropic([user]);
    const spliced = spliceBody(body, [...kept(0), isNew('assistant', 'Yes'), isNew('system', 'Late.')]);
    assert.match(spliced, /\{"role":"user","content":"<system-note>\\nLate\.\\n<\/system-note>"\}\]/);
  });

  test('K2 Responses: a plain text stays as it was written in the list that it becomes', () => {
    const body = readBody('openai-responses', '{"model":"m", "input" : "H\\u0069" ,"top_p":1.0}');
    const message = '{"role":"user","content":"H\\u0069"}';
    assert.equal(
      spliceBody(body, [isNew('user', 'in short'), ...kept(0)]),
      `{"model":"m", "input" : [{"type":"message","role":"user","content":"in short"},${message}] ,"top_p":1.0}`,
    );
    assert.equal(spliceBody(body, kept(0)), body.text);
  });

  const limits: readonly [DialectName, string, string][] = [
    ['anthropic', '"max_tokens": 1e4, "model":"m"', '"max_tokens": 900, "model":"m"'],
    [
      'openai-chat',
      '"max_tokens":5000.0,"max_completion_tokens":6e3,"model":"m"',
      '"max_tokens":5000.0,"max_completion_tokens":900,"model":"m"',
    ],
    ['openai-responses', '"model":"m","max_output_tokens":5000', '"model":"m","max_output_tokens":900'],
    [
      'gemini',
      '"generationConfig":{ "topP":1.0,"maxOutputTokens":9999 }',
      '"generationConfig":{ "topP":1.0,"maxOutputTokens":900 }',
    ],
  ];
  for (const [dialect, before, after] of limits) {
    test(`O2 ${dialect}: a lower limit for the output, and nothing else`, () => {
      const list = { gemini: '"contents":[{"parts":[{"text":"Hi"}]}]', 'openai-responses': '"input":"Hi"' };
      const messages = Reflect.get(list, dialect) ?? '"messages":[{"role":"user","content":"Hi"}]';
      const body = readBody(dialect, `{${messages},${before}}`);
      assert.equal(spliceBody(body, kept(0), { maxTokens: 900 }), `{${messages},${after}}`);
    });
  }
});
