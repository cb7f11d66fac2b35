/** Bodies of the clients of today, through a fake provider that checks them as the real ones do. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type FakeProvider, startFakeProvider } from '@palimpsest/core/testing';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { nextMessages } from '../../../packages/core/src/transcript/wire/body/next-messages.ts';
import { type Body, readBody } from '../../../packages/core/src/transcript/wire/body/read-body.ts';
import { spliceBody } from '../../../packages/core/src/transcript/wire/body/splice-body.ts';
import { type ClientBody, clientBodies } from '../../support/client-bodies.ts';
import { withText } from '../../support/request-bodies.ts';

const post = async (fake: FakeProvider, { path, headers }: ClientBody, body: string): Promise<number> => {
  const request = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
  const response = await fetch(`${fake.url}${path}`, request);
  await response.text();
  return response.status;
};
const handoff: Message = { role: 'user', parts: [{ type: 'text', text: 'The story so far.' }] };
const pruned = (message: Message): Message => ({
  ...message,
  parts: message.parts.map((part) =>
    part.type === 'toolResult' && part.content.some((one) => one.type === 'text' && one.text.length > 1_000)
      ? { ...part, content: [{ type: 'text', text: '[pruned: read | expand m4]' }] }
      : part,
  ),
});
const bodyFor = (one: ClientBody): Body =>
  readBody(one.dialect, JSON.stringify(one.value), { model: 'gemini-3.5-pro' });

for (const one of clientBodies) {
  describe(one.client, () => {
    test('K2 unchanged it is the very text', () => {
      const body = bodyFor(one);
      assert.equal(spliceBody(body, nextMessages(body, structuredClone(body.messages))), body.text);
    });

    test('K2 with a result pruned, the text of that result is all that differs, and its provider takes it', async () => {
      const body = bodyFor(one);
      const spliced = spliceBody(body, nextMessages(body, structuredClone(body.messages).map(pruned)));
      assert.equal(spliced, JSON.stringify(withText(one.value, one.result, '[pruned: read | expand m4]')));
      await using fake = await startFakeProvider();
      assert.equal(await post(fake, one, spliced), 200);
      assert.deepEqual(fake.requests[0]?.body, JSON.parse(spliced));
    });

    test('K2 with a handoff for what lies between, everything around the messages stays, and its provider takes it', async () => {
      const body = bodyFor(one);
      const start = body.messages.findIndex(({ role }) => role !== 'system');
      const request = body.messages.findLastIndex(
        ({ role, parts }) => role === 'user' && parts.every(({ type }) => type === 'text'),
      );
      const messages = [...body.messages.slice(0, start), handoff, ...body.messages.slice(request)];
      const spliced = spliceBody(body, nextMessages(body, messages));
      const [from, to] = [body.entries[start]?.spans[0]?.start ?? 0, body.entries[request]?.spans[0]?.start ?? 0];
      assert.equal(spliced.slice(0, from), body.text.slice(0, from));
      assert.ok(spliced.endsWith(body.text.slice(to)));
      const told = spliced.slice(from, spliced.length - (body.text.length - to));
      assert.deepEqual(told.match(/The story so far\./g), ['The story so far.']);
      assert.ok(told.length < 100, told);
      await using fake = await startFakeProvider();
      assert.equal(await post(fake, one, spliced), 200);
    });
  });
}

test('K2 Claude Code: the billing line, signatures, context management and the marks of the cache are where they were', () => {
  const [claude] = clientBodies;
  assert.ok(claude);
  const body = bodyFor(claude);
  assert.deepEqual(body.acts, [{ field: 'context_management', type: 'clear_thinking_20251015' }]);
  const spliced = spliceBody(body, nextMessages(body, body.messages.map(pruned)));
  for (const part of [
    'x-anthropic-billing-header: cc_version=2.1.330.2d3; cc_entrypoint=sdk-cli;',
    '"signature":"EqQBCgYIBRgCKkD4/+="',
    '"data":"EmwKAhgBEgy/+="',
    '{"type":"tool_reference","tool_name":"WebFetch"}',
    '"defer_loading":true',
  ]) {
    assert.equal(spliced.split(part).length, 2, part);
  }
  assert.equal(spliced.match(/cache_control/g)?.length, 3);
});
