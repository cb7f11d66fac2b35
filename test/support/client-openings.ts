/**
 * First requests of a conversation as agents send them, written after what they were seen to send on loopback (Claude Code 2.1.330,
 * Codex 0.169.0, opencode 1.18.33, pi 0.73.1, Qwen Code 0.24.4, Gemini CLI 0.61.0). The words in them are ours, the wrapping is theirs.
 */
import type { JsonObject, JsonValue } from '../../packages/core/src/shared/json.ts';
import type { DialectName } from '../../packages/core/src/transcript/wire/answer.ts';

export interface ClientOpening {
  readonly client: string;
  readonly dialect: DialectName;
  readonly path: string;
  readonly value: JsonObject;
}

/** What the person asks in each of them. */
export const openingRequest = 'Read the pages of this folder.';

const long = 'A line of the setup that says nothing of the matter. '.repeat(60);
const reminder = (text: string): string => `<system-reminder>\n${text}\n${long}</system-reminder>`;
const texts = (...all: readonly string[]): JsonValue => all.map((text) => ({ type: 'text', text }));

const anthropic = (client: string, content: JsonValue): ClientOpening => ({
  client,
  dialect: 'anthropic',
  path: '/v1/messages',
  value: {
    model: 'claude-haiku-4-5',
    max_tokens: 32_000,
    system: [{ type: 'text', text: 'You are a coding agent.' }],
    messages: [{ role: 'user', content }],
    tools: [{ name: 'Read', description: 'Reads.', input_schema: { type: 'object', properties: {} } }],
  },
});

const chat = (client: string, content: JsonValue): ClientOpening => ({
  client,
  dialect: 'openai-chat',
  path: '/v1/chat/completions',
  value: {
    model: 'qwen3-coder-plus',
    messages: [
      { role: 'system', content: 'You are a coding agent.' },
      { role: 'user', content },
    ],
    tools: [{ type: 'function', function: { name: 'read_file', parameters: { type: 'object', properties: {} } } }],
  },
});

const gemini = (client: string, parts: readonly string[], before: readonly JsonValue[] = []): ClientOpening => ({
  client,
  dialect: 'gemini',
  path: '/v1beta/models/gemini-2.5-pro:generateContent',
  value: {
    contents: [...before, { parts: parts.map((text) => ({ text })), role: 'user' }],
    systemInstruction: { role: 'user', parts: [{ text: 'You are a coding agent.' }] },
    tools: [{ functionDeclarations: [{ name: 'read_file', parametersJsonSchema: { type: 'object' } }] }],
  },
});

const codexMessage = (role: string, text: string): JsonObject => ({
  type: 'message',
  role,
  content: [{ type: 'input_text', text }],
});

export const clientOpenings: readonly ClientOpening[] = [
  anthropic(
    'Claude Code',
    texts(reminder('# Environment'), reminder('The following tools are deferred.'), openingRequest),
  ),
  anthropic('Claude Code, with a reminder behind the request', texts(openingRequest, reminder('# Environment'))),
  anthropic('Claude Code, in one text', `${reminder('# claudeMd')}\n\n${openingRequest}\n${reminder('# Today')}`),
  {
    client: 'Codex',
    dialect: 'openai-responses',
    path: '/v1/responses',
    value: {
      model: 'gpt-5.2',
      store: false,
      input: [
        codexMessage('developer', 'You are a coding agent.'),
        codexMessage('user', `# AGENTS.md instructions for /work\n\n<INSTRUCTIONS>\n${long}\n</INSTRUCTIONS>`),
        codexMessage('user', '<environment_context>\n  <cwd>/work</cwd>\n</environment_context>'),
        codexMessage('user', openingRequest),
      ],
      tools: [{ type: 'function', name: 'exec_command', parameters: { type: 'object', properties: {} } }],
    },
  },
  anthropic('opencode', texts(openingRequest)),
  anthropic('pi', openingRequest),
  chat(
    'Qwen Code',
    texts(
      reminder('<available_skills>\n<skill>\n<name>\nbatch\n</name>\n</skill>\n</available_skills>'),
      reminder('This is the Qwen Code. We are setting up the context.'),
      openingRequest,
    ),
  ),
  gemini('Gemini CLI', [`<session_context>\nThis is the Gemini CLI.\n${long}</session_context>`, openingRequest]),
  gemini(
    'Gemini CLI, older',
    [openingRequest],
    [
      {
        role: 'user',
        parts: [{ text: 'This is the Gemini CLI. We are setting up the context for our chat.\nToday is Monday.' }],
      },
      { role: 'model', parts: [{ text: 'Got it. Thanks for the context!' }] },
    ],
  ),
];
