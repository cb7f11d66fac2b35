/**
 * What other gateways did to the requests and answers of coding agents, each as one test: the thread that told of it stands beside it.
 * Bodies are written as an agent writes them, down to blanks and the order of keys, because that is what was lost.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gatewayBefore } from './support/gateway.ts';
import { answerOf, exchange, postOf, type WireAnswer, type WireRequest, wireUpstream } from './support/wire.ts';

interface Passed {
  readonly sent: WireRequest;
  readonly answer: WireAnswer;
}

async function passed(request: Buffer, answer: Buffer | string = answerOf('{}')): Promise<Passed> {
  await using upstream = await wireUpstream(({ socket }) => void socket.end(answer));
  await using gateway = await gatewayBefore(upstream.url);
  const got = await exchange(gateway.url, request);
  return { sent: await upstream.received(1), answer: got };
}

describe('requests', () => {
  const bodies: readonly (readonly [title: string, body: string])[] = [
    [
      'signed thinking is not written anew (headroom#2251)',
      '{"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"a \\u2014 b\\/c","signature":"Ev8BCk=="},{"type":"redacted_thinking","data":"Em=="}]}], "n":1.0}',
    ],
    ['the flag of a stream stays what it was (headroom#2952)', '{"model":"m","stream":false,"messages":[]}'],
    [
      'text that marks the cache stays at its place, byte for byte (headroom#2438)',
      '{"system":[{"type":"text","text":"a","cache_control":{"type":"ephemeral","ttl":"1h"}}],"tools":[{"name":"b"},{"name":"a"}],"messages":[]}',
    ],
    [
      'the billing header of the system prompt stays (litellm#29572)',
      '{"system":[{"type":"text","text":"x-anthropic-billing-header: cc_version=2.1.330.2d3; cc_entrypoint=sdk-cli;"},{"type":"text","text":"b"}],"messages":[]}',
    ],
    [
      'context_management stays (litellm#26240)',
      '{"messages":[],"context_management":{"edits":[{"type":"clear_thinking_20251015","keep":"all"}]}}',
    ],
    [
      'the scope of cache_control stays (Portkey#1589)',
      '{"system":[{"type":"text","text":"a","cache_control":{"type":"ephemeral","scope":"global"}}],"messages":[]}',
    ],
    [
      'tools that load later stay so (headroom#746)',
      '{"tools":[{"name":"DeferredToolPlaceholder","defer_loading":true},{"type":"tool_search"}],"messages":[]}',
    ],
    [
      'a role, a part and a signature of next year stay (CLIProxyAPI#5449)',
      '{"messages":[{"role":"system","content":"b"},{"role":"assistant","content":[{"type":"future","signature":{"kind":"v9","data":"=="}}]}]}',
    ],
    ['a key that stands there twice stays twice', '{"model":"a","model":"b","messages":[]}'],
    ['a number that a parser would round stays', '{"seed":12345678901234567890,"temperature":1.0e-0}'],
  ];
  for (const [title, body] of bodies) {
    test(`K2 ${title}`, async () => {
      const { sent } = await passed(postOf('/v1/messages?beta=true', body));
      assert.equal(sent.body.toString(), body);
      assert.match(sent.head, /^POST \/v1\/messages\?beta=true HTTP/);
    });
  }

  test('K2 beta headers are those of the client: none added, none taken away (CLIProxyAPI#2866)', async () => {
    const { sent } = await passed(postOf('/v1/messages', '{}'));
    assert.doesNotMatch(sent.head, /anthropic-beta/i);
    const beta = 'anthropic-beta: context-management-2025-06-27,not-known-yet-2027-01-01';
    const again = await passed(postOf('/v1/messages', '{}', [beta]));
    assert.ok(again.sent.head.split('\r\n').includes(beta));
  });

  test('K2 each request goes with the credentials that it brought, refreshed ones too (Portkey#1598)', async () => {
    await using upstream = await wireUpstream(({ socket }) => void socket.write(answerOf('{}')));
    await using gateway = await gatewayBefore(upstream.url);
    for (const token of ['old', 'new'])
      await exchange(gateway.url, postOf('/v1/messages', '{}', [`Authorization: Bearer ${token}`]));
    const tokens = upstream.requests.map(({ head }) => /^Authorization: Bearer (.+)$/m.exec(head)?.[1]);
    assert.deepEqual(tokens, ['old', 'new']);
  });
});

describe('answers', () => {
  const sse = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n';
  const answers: readonly (readonly [title: string, head: string, body: string])[] = [
    [
      'the usage of message_start is what was reported (vercel/ai#17326)',
      sse,
      'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":3,"cache_read_input_tokens":41200,"output_tokens":1}}}\n\n',
    ],
    [
      'a new kind of delta and signature passes (CLIProxyAPI#5449)',
      sse,
      'event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"type":"compaction_delta","encrypted_content":"Ab=="}}\n\n',
    ],
    [
      'pings pass (bitrouter#422)',
      sse,
      'event: ping\ndata: {"type": "ping"}\n\n: comment\n\nevent: ping\ndata: {"type": "ping"}\n\n',
    ],
    [
      'events that nobody knows pass (litellm#29254)',
      sse,
      'event: codex.rate_limits\ndata: {"a":1}\n\ndata: [DONE]\n\n',
    ],
    ['a stream without a content type stays without one (teamclaude PR 154)', 'HTTP/1.1 200 OK\r\n', 'data: {}\n\n'],
    ['a stream that was asked for as JSON stays a stream (headroom#3055)', sse, 'data: {"a":1}\n\n'],
    [
      'JSON that was asked for as a stream stays JSON (headroom#3017)',
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n',
      '{"a":1}',
    ],
    ['an empty 200 stays empty (headroom#3040)', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n', ''],
    ['a line end in CR LF and a character cut in two pass', sse, 'data: {"a":"\u{1f98a}"}\r\n\r\ndata: \ufffd\r\r'],
  ];
  for (const [title, head, body] of answers) {
    test(`K2 ${title}`, async () => {
      const { answer } = await passed(
        postOf('/v1/messages', '{"stream":true}'),
        `${head}x-request-id: r\r\n\r\n${body}`,
      );
      assert.deepEqual([answer.status, answer.body.toString(), answer.isWhole], [200, body, true]);
      const type = /^content-type: (.+)$/m;
      assert.equal(type.exec(answer.head)?.[1], type.exec(head.replaceAll('\r', ''))?.[1]);
    });
  }
});

test('K2 a WebSocket is refused so that Codex goes on by POST at once (codex#19821)', async () => {
  await using gateway = await gatewayBefore('http://127.0.0.1:9');
  const asked = 'GET /v1/responses HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  const answer = await exchange(gateway.url, asked);
  assert.equal(answer.status, 426);
  assert.match(JSON.parse(answer.body.toString()).error.message, /send the request by POST/);
});
