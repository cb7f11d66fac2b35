/** Words for tests that change a body: what is kept, changed and new, and the messages of a small conversation. */
import assert from 'node:assert/strict';
import type { PalimpsestError } from '../../packages/core/src/shared/errors.ts';
import type { Message, Part } from '../../packages/core/src/transcript/message.ts';
import { type Body, readBody } from '../../packages/core/src/transcript/wire/body/read-body.ts';
import { type NextMessage, spliceBody } from '../../packages/core/src/transcript/wire/body/splice-body.ts';

export const said = (role: Message['role'], text: string): Message => ({ role, parts: [{ type: 'text', text }] });
export const isNew = (role: Message['role'], text: string): NextMessage => ({ type: 'new', message: said(role, text) });
export const kept = (...indexes: readonly number[]): readonly NextMessage[] =>
  indexes.map((at) => ({ type: 'kept', at }));
export const changed = (body: Body, at: number, change: (part: Part) => readonly Part[]): NextMessage => {
  const message = body.messages[at];
  assert.ok(message);
  return { type: 'changed', at, message: { ...message, parts: message.parts.flatMap(change) } };
};
export const refuses = (body: Body, next: readonly NextMessage[], words: RegExp): void =>
  assert.throws(
    () => spliceBody(body, next),
    (error: PalimpsestError) => {
      assert.equal(error.code, 'BODY_UNFIT');
      assert.match(error.message, words);
      assert.match(error.message, /send the original/);
      return true;
    },
  );

export const anthropic = (messages: readonly string[], more = ''): Body =>
  readBody('anthropic', `{"model":"m","max_tokens":1e3,"messages":[${messages.join(',')}]${more}}`);
export const user = '{"role":"user","content":"H\\u0069"}';
export const call =
  '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{"n":1.0,"text":"long"}}]}';
export const result =
  '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"long", "cache_control":{"type":"ephemeral"}}]}';
export const answer = '{"role":"assistant","content":"Done"}';
