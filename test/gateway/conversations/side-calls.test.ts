/** Calls beside conversations, as clients were seen to send them; and conversations that look a little like them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, JsonValue } from '@palimpsest/core/settings';
import { type Kept, keptGateway } from './support.ts';

interface Asked {
  readonly path: string;
  readonly body: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

const setup = '<session_context>\nThis is the Gemini CLI. We are setting up the context.\n</session_context>';
const geminiText = (role: string, text: string): JsonValue => ({ role, parts: [{ text }] });
const router = {
  systemInstruction: { role: 'user', parts: [{ text: 'You route tasks.' }] },
  generationConfig: { responseMimeType: 'application/json', responseJsonSchema: { type: 'OBJECT' } },
};
const routerPath = '/v1beta/models/gemini-3.5-flash-lite:generateContent';
const claude = { model: 'claude-haiku-4-5', max_tokens: 32_000 };
const version = { 'anthropic-version': '2023-06-01' };
const reading = { name: 'read', description: 'Reads.', input_schema: { type: 'object', properties: {} } };
const functionOf = (name: string): JsonValue => ({ type: 'function', function: { name, parameters: {} } });
const schemaTool = { tools: [functionOf('respond_in_schema')], tool_choice: 'required' };

const beside: Readonly<Record<string, Asked>> = {
  'the title of opencode, before any tool was used': {
    path: '/v1/messages',
    headers: { 'x-session-id': 'ses_3f0a9c77', ...version },
    body: {
      ...claude,
      system: 'You make titles.',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Generate a title for this conversation:\n' },
            { type: 'text', text: 'Read.' },
          ],
        },
      ],
    },
  },
  'the router of Gemini CLI before the first request': {
    path: routerPath,
    body: { ...router, contents: [geminiText('user', setup), geminiText('user', 'Read the pages.')] },
  },
  'the router of Gemini CLI amid a conversation': {
    path: routerPath,
    body: {
      ...router,
      contents: [
        geminiText('user', 'Read the pages.'),
        geminiText('model', 'I read page 1.'),
        geminiText('user', 'And the next?'),
        geminiText('model', 'Both are read.'),
        geminiText('user', 'Which one is longer?'),
      ],
    },
  },
  'a question of Qwen Code that one tool answers': {
    path: '/v1/chat/completions',
    body: {
      model: 'qwen3-coder-plus',
      messages: [
        { role: 'user', content: 'Read the pages.' },
        { role: 'assistant', content: 'They are read.' },
        { role: 'user', content: 'Generate the session title now.' },
      ],
      ...schemaTool,
    },
  },
  'the probe of a quota': {
    path: '/v1/messages',
    headers: version,
    body: { model: 'claude-haiku-4-5', max_tokens: 1, messages: [{ role: 'user', content: 'quota' }] },
  },
  'a suggestion of what the person may type next, with all tools': {
    path: '/v1/messages',
    headers: version,
    body: {
      ...claude,
      messages: [
        { role: 'user', content: 'Read the pages.' },
        { role: 'assistant', content: 'They are read.' },
        { role: 'user', content: '[SUGGESTION MODE: Suggest what the user might naturally type next.]\n\nBe brief.' },
      ],
      tools: [reading],
    },
  },
};

const conversations: Readonly<Record<string, Asked>> = {
  'a chat without tools': {
    path: '/v1/chat/completions',
    body: {
      model: 'm',
      messages: [
        { role: 'user', content: 'Who are you?' },
        { role: 'assistant', content: 'A model.' },
        { role: 'user', content: 'Which one?' },
      ],
    },
  },
  'a first request without tools, under a name': {
    path: '/v1/messages',
    headers: { 'x-session-id': 'ses_8be1d0c2', ...version },
    body: { ...claude, messages: [{ role: 'user', content: 'Generate a title for this conversation: Tea at five.' }] },
  },
  'a conversation whose answers are all in a form': {
    path: '/v1/chat/completions',
    body: {
      model: 'm',
      response_format: { type: 'json_object' },
      messages: [
        { role: 'user', content: 'Colours of the flag, as JSON?' },
        { role: 'assistant', content: '{"colours":["blue"]}' },
        { role: 'user', content: 'And of the sea?' },
      ],
    },
  },
  'an agent of one tool that it must call': {
    path: '/v1/chat/completions',
    body: {
      model: 'm',
      tools: [functionOf('read_file')],
      tool_choice: 'required',
      messages: [
        { role: 'user', content: 'Read a.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read_file', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'a' },
      ],
    },
  },
  'somebody who asks about suggestions': {
    path: '/v1/chat/completions',
    body: { model: 'm', messages: [{ role: 'user', content: 'What does [SUGGESTION MODE: on] mean?' }] },
  },
};

const ask = ({ url }: Kept, { path, body, headers = {} }: Asked): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('K2: calls beside conversations', () => {
  for (const [name, asked] of Object.entries(beside)) {
    test(`K2 ${name} passes as it came and is no conversation`, async () => {
      await using kept = await keptGateway({ script: { text: '{"title":"Pages"}' } });
      const { status, headers } = await ask(kept, asked);
      assert.equal(status, 200);
      assert.equal(headers.get('x-palimpsest-action'), 'passed');
      assert.equal(headers.get('x-palimpsest-reason'), 'side-call');
      assert.ok(kept.bodies.every(({ came, sent }) => came.equals(sent)));
      assert.deepEqual(await kept.store.sessions.list({ sides: true }), []);
    });
  }

  for (const [name, asked] of Object.entries(conversations)) {
    test(`K2 ${name} is one and is kept`, async () => {
      await using kept = await keptGateway({ script: { text: 'Yes.' } });
      const { headers } = await ask(kept, asked);
      assert.equal(headers.get('x-palimpsest-action'), 'whole');
      assert.equal((await kept.store.sessions.list()).length, 1);
    });
  }
});
