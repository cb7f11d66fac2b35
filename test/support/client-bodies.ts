/**
 * Bodies as agents send them today, written after what they were seen to send on loopback: Claude Code 2.1.330, Codex 0.169.0,
 * opencode 1.18.33, pi 0.73.1, Qwen Code 0.24.4 and Gemini CLI 0.61.0. The words in them are ours.
 */
import type { JsonObject } from '../../packages/core/src/shared/json.ts';
import type { DialectName } from '../../packages/core/src/transcript/wire/answer.ts';

export interface ClientBody {
  readonly client: string;
  readonly dialect: DialectName;
  /** Of the request to the fake provider. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: JsonObject;
  /** The text of a long tool result in it. */
  readonly result: string;
}

const result = '=src/main.ts\n'.repeat(200);
const ephemeral = { cache_control: { type: 'ephemeral' } };
const signature = 'EqQBCgYIBRgCKkD4/+=';

const claudeCode: ClientBody = {
  client: 'Claude Code',
  dialect: 'anthropic',
  path: '/v1/messages?beta=true',
  headers: {
    'anthropic-version': '2023-06-01',
    'anthropic-beta': 'claude-code-20250219,context-management-2025-06-27,mid-conversation-tool-changes-2026-07-01',
  },
  result,
  value: {
    model: 'claude-opus-5-5',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: '<system-reminder>\nContext.\n</system-reminder>' },
          { type: 'text', text: 'List the files.' },
        ],
      },
      { role: 'system', content: 'Environment: linux. Deferred tools: WebFetch.' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'I list them.', signature },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'toolu_01', name: 'Bash', input: { command: 'ls "src"', timeout: 1000 } },
          { type: 'tool_use', id: 'toolu_02', name: 'ToolSearch', input: { query: 'select:WebFetch' } },
        ],
      },
      {
        role: 'user',
        content: [
          { tool_use_id: 'toolu_01', type: 'tool_result', content: result, is_error: false },
          {
            type: 'tool_result',
            tool_use_id: 'toolu_02',
            content: [{ type: 'tool_reference', tool_name: 'WebFetch' }],
          },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'redacted_thinking', data: 'EmwKAhgBEgy/+=' },
          { type: 'text', text: 'There are 200.' },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'Thank you. What now?' }] },
      { role: 'system', content: [{ type: 'text', text: "The user hasn't heard from you in a while.", ...ephemeral }] },
    ],
    system: [
      { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.330.2d3; cc_entrypoint=sdk-cli;' },
      { type: 'text', text: 'You are a coding agent.', ...ephemeral },
      { type: 'text', text: 'Long instructions.', ...ephemeral },
    ],
    tools: [
      {
        name: 'Bash',
        description: 'Runs a command.',
        input_schema: { type: 'object', properties: { command: { type: 'string' } } },
      },
      { name: 'ToolSearch', description: 'Finds tools.', input_schema: { type: 'object', properties: {} } },
      {
        name: 'WebFetch',
        description: 'Placeholder.',
        input_schema: { type: 'object', properties: {} },
        defer_loading: true,
      },
    ],
    metadata: { user_id: '{"device_id":"d","account_uuid":"","session_id":"5f0c"}' },
    max_tokens: 128_000,
    thinking: { type: 'adaptive', display: 'updates' },
    context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    output_config: { effort: 'high' },
    stream: true,
  },
};

const codexMessage = (role: string, text: string, id: string): JsonObject => ({
  type: 'message',
  role,
  content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
  id,
});

const codex: ClientBody = {
  client: 'Codex',
  dialect: 'openai-responses',
  path: '/v1/responses',
  headers: { 'session-id': 's', 'x-codex-beta-features': 'remote_compaction_v2' },
  result,
  value: {
    model: 'gpt-5.6-codex',
    stream: true,
    input: [
      codexMessage('developer', 'You are a coding agent.', 'msg_1'),
      codexMessage('developer', '<permissions>on-request</permissions>', 'msg_2'),
      codexMessage('user', '<environment_context><cwd>/work</cwd></environment_context>', 'msg_3'),
      codexMessage('user', 'Fix the importer.', 'msg_4'),
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'I look.' }],
        content: null,
        encrypted_content: 'gAAAAABo/+=',
      },
      { type: 'function_call', id: 'fc_1', name: 'shell', arguments: '{"command":["cat","a.ts"]}', call_id: 'call_1' },
      { type: 'function_call_output', id: 'fco_1', call_id: 'call_1', output: result },
      {
        type: 'custom_tool_call',
        id: 'ctc_1',
        status: 'completed',
        call_id: 'call_2',
        name: 'apply_patch',
        input: '*** Begin Patch\n*** End Patch\n',
      },
      {
        type: 'custom_tool_call_output',
        id: 'cto_1',
        call_id: 'call_2',
        output: '{"output":"Done","metadata":{"exit_code":0}}',
      },
      { type: 'tool_search_call', id: 'tsc_1', call_id: 'call_3', execution: 'client', arguments: { query: 'memory' } },
      {
        type: 'tool_search_output',
        id: 'tso_1',
        call_id: 'call_3',
        status: 'completed',
        execution: 'client',
        tools: [],
      },
      codexMessage('assistant', 'Done.', 'msg_5'),
      codexMessage('user', 'And the tests?', 'msg_6'),
    ],
    tools: [
      { type: 'function', name: 'shell', strict: false, parameters: { type: 'object', properties: {} } },
      { type: 'custom', name: 'apply_patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' } },
      { type: 'tool_search' },
      { type: 'web_search' },
    ],
    tool_choice: 'auto',
    parallel_tool_calls: true,
    reasoning: { effort: 'high', summary: 'auto' },
    store: false,
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: '0199',
    text: { verbosity: 'low' },
    client_metadata: { originator: 'codex_exec' },
  },
};

const chatOf = (client: string, more: JsonObject, thought: JsonObject = {}): ClientBody => ({
  client,
  dialect: 'openai-chat',
  path: '/v1/chat/completions',
  headers: {},
  result,
  value: {
    model: 'qwen3-coder',
    messages: [
      { role: 'system', content: 'You are a coding agent.' },
      { role: 'user', content: [{ type: 'text', text: 'Read the file.' }] },
      {
        role: 'assistant',
        content: null,
        ...thought,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"filePath": "/a"}' }, index: 0 },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: result },
      { role: 'assistant', content: 'It has 200 lines.' },
      { role: 'user', content: 'Why?' },
    ],
    ...more,
  },
});

const geminiCli: ClientBody = {
  client: 'Gemini CLI',
  dialect: 'gemini',
  path: '/v1beta/models/gemini-3.5-pro:streamGenerateContent?alt=sse',
  headers: { 'x-goog-api-key': 'fake' },
  result,
  value: {
    contents: [
      { parts: [{ text: 'This is the setup.' }], role: 'user' },
      { role: 'user', parts: [{ text: 'Read the file.' }] },
      {
        role: 'model',
        parts: [
          { text: 'I read it.', thought: true },
          {
            functionCall: { id: 'read_1', name: 'read_file', args: { path: 'a', limit: 10 } },
            thoughtSignature: 'CpwB/+=',
          },
          { functionCall: { id: 'read_2', name: 'glob', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'read_1', name: 'read_file', response: { output: result } } },
          { functionResponse: { id: 'read_2', name: 'glob', response: { output: 'none' } } },
        ],
      },
      { parts: [{ text: 'It has 200 lines.', thoughtSignature: 'CpwB/2=' }], role: 'model' },
      { role: 'user', parts: [{ text: 'Why?' }] },
    ],
    systemInstruction: { role: 'user', parts: [{ text: 'You are a coding agent.' }] },
    tools: [
      { functionDeclarations: [{ name: 'read_file', parametersJsonSchema: { type: 'object' } }, { name: 'glob' }] },
    ],
    generationConfig: { temperature: 1, topP: 0.95, thinkingConfig: { includeThoughts: true } },
  },
};

export const clientBodies: readonly ClientBody[] = [
  claudeCode,
  codex,
  chatOf('opencode', { stream: true, stream_options: { include_usage: true }, tool_choice: 'auto' }),
  chatOf('pi', { stream: true, store: false, max_completion_tokens: 32_000 }, { reasoning_content: 'I read it.' }),
  chatOf('Qwen Code', { temperature: 0.7, top_p: 0.8, stream: true, metadata: { sessionId: 's', promptId: 'p' } }),
  geminiCli,
];
