/**
 * Random wire messages of each chat format for property tests: every kind of part, every way of writing content, and
 * unknown fields at every level.
 */
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../packages/core/src/shared/json.ts';

/** Fields that no format knows. */
const unknownFields = (): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant({}) },
    fc.constantFrom<JsonObject>(
      { cache_control: { type: 'ephemeral' } },
      { x_note: null },
      { x_list: [1, { a: [] }], x_text: 'föö' },
      { '': 0, constructor: 'c' },
    ),
  );

export const text = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom('ok', '', ' ', 'Grüße 🙂', '日本語のテキスト', 'line one\nline two\r\n', 'a "quoted" \\ path'),
    fc.string({ maxLength: 20 }),
  );
export const name = (): fc.Arbitrary<string> => fc.constantFrom('read', 'bash', 'mcp__box__put', 'search');
export const id = (): fc.Arbitrary<string> => fc.integer({ min: 0, max: 999_999 }).map((n) => `id_${n}`);
export const base64 = (): fc.Arbitrary<string> => fc.constantFrom('aGVsbG8=', 'iVBORw0KGgo=', '');
export const json = (): fc.Arbitrary<JsonValue> =>
  // JSON carries no -0: it comes back as 0.
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);
const input = (): fc.Arbitrary<JsonObject> =>
  fc.dictionary(fc.constantFrom('path', 'command', 'n'), json(), { noNullPrototype: true });

export const one = <T extends JsonValue>(...values: readonly fc.Arbitrary<T>[]): fc.Arbitrary<T> => fc.oneof(...values);

/** An object of the given fields, where the optional ones may be absent, and of unknown ones. */
export function object(
  fields: Readonly<Record<string, fc.Arbitrary<JsonValue>>>,
  optional: Readonly<Record<string, fc.Arbitrary<JsonValue>>> = {},
): fc.Arbitrary<JsonObject> {
  const required = Object.keys(fields);
  const known = fc.record({ ...fields, ...optional }, { requiredKeys: required, noNullPrototype: true });
  return fc.tuple(known, unknownFields()).map(([a, b]) => ({ ...b, ...a }));
}

export const the = (value: string): fc.Arbitrary<string> => fc.constant(value);

/** Every way to write content that a list can be written in. */
const content = (parts: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> =>
  one<JsonValue>(text(), fc.constant(null), fc.array(parts, { maxLength: 4 }));

// OpenAI chat

const chatParts = (): fc.Arbitrary<JsonValue> =>
  one<JsonValue>(
    object({ type: the('text'), text: text() }),
    object({ type: the('refusal'), refusal: text() }),
    object({ type: the('image_url'), image_url: object({ url: url() }, { detail: the('low') }) }),
    object({ type: the('image_url'), image_url: url() }),
    object({
      type: the('input_audio'),
      input_audio: object({ data: base64(), format: fc.constantFrom('wav', 'mp3', 'mpeg') }),
    }),
    object({
      type: the('file'),
      file: object({}, { file_id: id(), filename: text(), file_data: one(url(), base64()) }),
    }),
    object({ type: the('video_of_tomorrow') }),
    text(),
  );

const url = (): fc.Arbitrary<string> =>
  fc.constantFrom(
    'https://example.com/a.png',
    'data:image/png;base64,aGVsbG8=',
    'data:audio/wav;base64,aGVsbG8=',
    'data:image/svg+xml;utf8,<svg/>',
    'data:application/pdf;base64,',
  );

const chatCall = (): fc.Arbitrary<JsonValue> =>
  one<JsonValue>(
    object(
      { id: id(), type: the('function'), function: object({ name: name(), arguments: argumentsText() }) },
      { index: fc.nat(9) },
    ),
    object({ function: object({ name: name() }, { arguments: one<JsonValue>(input(), fc.constant(null)) }) }),
    object({ id: id(), type: the('custom'), custom: object({ name: name(), input: text() }) }),
    object({ id: id(), type: the('tool_of_tomorrow') }),
  );

const argumentsText = (): fc.Arbitrary<string> =>
  fc.oneof(
    input().map((value) => JSON.stringify(value)),
    fc.constantFrom('', '{"path": "a', '[]', '{ "path" :  1.0 }'),
  );

const reasoningDetail = (): fc.Arbitrary<JsonValue> =>
  one<JsonValue>(
    object({ type: the('reasoning.text'), text: text() }, { signature: text(), id: id(), index: fc.nat(3) }),
    object({ type: the('reasoning.summary'), summary: text() }),
    object({ type: the('reasoning.encrypted'), data: text() }),
    object({ type: the('reasoning.text'), text: fc.constant(null) }),
  );

export const chatMessages = (): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    object(
      { role: fc.constantFrom('user', 'system', 'developer') },
      { content: content(chatParts()), name: one<JsonValue>(text(), fc.constant(null)) },
    ),
    object(
      { role: the('assistant') },
      {
        content: content(chatParts()),
        name: text(),
        refusal: one<JsonValue>(text(), fc.constant(null)),
        tool_calls: one<JsonValue>(fc.array(chatCall(), { maxLength: 3 }), fc.constant(null)),
        function_call: one<JsonValue>(object({ name: name(), arguments: argumentsText() }), fc.constant(null)),
        reasoning_content: one<JsonValue>(text(), fc.constant(null)),
        reasoning: one<JsonValue>(text(), fc.constant(null)),
        reasoning_details: fc.array(reasoningDetail(), { maxLength: 2 }),
        audio: one<JsonValue>(
          object({ id: id() }, { data: base64(), transcript: text(), expires_at: fc.nat() }),
          fc.constant(null),
        ),
        annotations: fc.array(json(), { maxLength: 1 }),
      },
    ),
    object({ role: the('tool') }, { tool_call_id: id(), content: content(chatParts()), name: name() }),
    object({ role: the('function'), name: name() }, { content: content(chatParts()) }),
  );

// Anthropic

const anthropicContent = (): fc.Arbitrary<JsonValue> =>
  one<JsonValue>(
    object({ type: the('text'), text: text() }, { citations: fc.array(json(), { maxLength: 1 }) }),
    object({ type: the('image'), source: anthropicSource() }),
    object(
      { type: the('document'), source: anthropicSource() },
      { title: one<JsonValue>(text(), fc.constant(null)), context: text() },
    ),
    object({ type: the('search_result'), source: text(), title: text(), content: fc.array(json(), { maxLength: 1 }) }),
    object({ type: the('container_upload'), file_id: id() }),
    object({ type: the('part_of_tomorrow') }),
  );

const anthropicSource = (): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    object({ type: the('base64'), media_type: fc.constantFrom('image/png', 'application/pdf'), data: base64() }),
    object({ type: the('url'), url: url() }),
    object({ type: the('file'), file_id: id() }),
    object({ type: the('text'), media_type: the('text/plain'), data: text() }),
    object({ type: the('content'), content: content(json()) }),
  );

const anthropicResult = (): fc.Arbitrary<JsonValue> =>
  one<JsonValue>(
    object(
      { type: the('tool_result'), tool_use_id: id() },
      { content: content(anthropicContent()), is_error: fc.boolean() },
    ),
    object(
      {
        type: fc.constantFrom('web_search_tool_result', 'code_execution_tool_result', 'mcp_tool_result'),
        tool_use_id: id(),
      },
      {
        content: one<JsonValue>(
          fc.array(object({ type: the('web_search_result') }), { maxLength: 2 }),
          object({ type: fc.constantFrom('web_search_tool_result_error', 'code_execution_result') }),
        ),
        is_error: fc.boolean(),
      },
    ),
  );

const anthropicSpoken = (): fc.Arbitrary<JsonValue> =>
  one<JsonValue>(
    object({ type: the('thinking'), thinking: text() }, { signature: one<JsonValue>(text(), fc.constant(null)) }),
    object({ type: the('redacted_thinking'), data: text() }),
    object({
      type: fc.constantFrom('tool_use', 'server_tool_use', 'mcp_tool_use'),
      id: id(),
      name: name(),
      input: json(),
    }),
  );

export const anthropicMessages = (): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    object({ role: the('user') }, { content: content(one(anthropicContent(), anthropicResult())) }),
    object(
      { role: the('assistant') },
      { content: content(one(anthropicContent(), anthropicResult(), anthropicSpoken())) },
    ),
  );

// OpenAI Responses

const responsesContent = (): fc.Arbitrary<JsonValue> =>
  one<JsonValue>(
    object(
      { type: fc.constantFrom('input_text', 'output_text', 'text'), text: text() },
      { annotations: fc.array(json(), { maxLength: 1 }) },
    ),
    object({ type: the('refusal'), refusal: text() }),
    object({ type: the('input_image') }, { image_url: url(), file_id: id(), detail: the('auto') }),
    object(
      { type: the('input_file') },
      { file_id: id(), file_url: url(), file_data: one(url(), base64()), filename: text() },
    ),
    object({ type: the('input_of_tomorrow') }),
  );

const responsesCall = (): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    object(
      { type: the('function_call'), call_id: id(), name: name(), arguments: argumentsText() },
      { id: id(), status: the('completed') },
    ),
    object({ type: the('custom_tool_call'), call_id: id(), name: name(), input: text() }, { id: id() }),
    object({ type: the('computer_call'), call_id: id(), action: input() }, { id: id(), pending_safety_checks: json() }),
    object({ type: fc.constantFrom('local_shell_call', 'shell_call'), action: input() }, { call_id: id(), id: id() }),
    object({ type: the('apply_patch_call'), call_id: id(), operation: input() }),
    object({ type: the('web_search_call'), action: input() }, { id: id(), status: the('completed') }),
    object(
      { type: the('file_search_call'), queries: json() },
      { id: id(), results: one<JsonValue>(fc.array(json(), { maxLength: 2 }), fc.constant(null)) },
    ),
    object(
      { type: the('code_interpreter_call'), code: one<JsonValue>(text(), fc.constant(null)) },
      { id: id(), outputs: json() },
    ),
    object(
      { type: the('image_generation_call') },
      { id: id(), result: one<JsonValue>(base64(), fc.constant(null)), output_format: the('webp') },
    ),
    object(
      { type: the('mcp_call'), name: name(), arguments: argumentsText() },
      { id: id(), output: one<JsonValue>(text(), fc.constant(null)), error: json(), server_label: text() },
    ),
  );

const responsesOutput = (): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    object(
      { type: fc.constantFrom('function_call_output', 'custom_tool_call_output'), call_id: id() },
      { output: one<JsonValue>(text(), fc.array(responsesContent(), { maxLength: 2 }), json()), id: id() },
    ),
    object({
      type: the('computer_call_output'),
      call_id: id(),
      output: object({ type: the('computer_screenshot') }, { image_url: url(), file_id: id() }),
    }),
    object({ type: the('local_shell_call_output'), output: text() }, { id: id(), call_id: id() }),
    object({ type: the('mcp_approval_response'), approve: fc.boolean(), approval_request_id: id() }),
  );

export const responsesItems = (): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    object(
      { role: fc.constantFrom('user', 'system', 'developer', 'assistant') },
      {
        type: the('message'),
        content: one<JsonValue>(text(), fc.array(responsesContent(), { maxLength: 3 })),
        id: id(),
        phase: text(),
      },
    ),
    object(
      { type: the('reasoning') },
      {
        summary: fc.array(object({ type: the('summary_text'), text: text() }), { maxLength: 2 }),
        content: fc.array(object({ type: the('reasoning_text'), text: text() }), { maxLength: 2 }),
        encrypted_content: one<JsonValue>(text(), fc.constant(null)),
        id: id(),
      },
    ),
    responsesCall(),
    responsesOutput(),
    object(
      {
        type: fc.constantFrom(
          'item_reference',
          'mcp_list_tools',
          'mcp_approval_request',
          'compaction',
          'item_of_tomorrow',
        ),
      },
      { id: id() },
    ),
  );

// AI SDK

const modelFile = (): fc.Arbitrary<JsonValue> =>
  one<JsonValue>(
    object(
      {
        type: the('file'),
        data: one<JsonValue>(
          fc.record({ type: the('data'), data: base64() }, { noNullPrototype: true }),
          fc.record({ type: the('url'), url: url() }, { noNullPrototype: true }),
          fc.record({ type: the('text'), text: text() }, { noNullPrototype: true }),
          fc.record(
            { type: the('reference'), reference: fc.record({ openai: id() }, { noNullPrototype: true }) },
            { noNullPrototype: true },
          ),
          url(),
          base64(),
          fc.record({ openai: id() }, { noNullPrototype: true }),
          fc.record({ openai: id(), google: id() }, { noNullPrototype: true }),
        ),
      },
      { mediaType: fc.constantFrom('image/png', 'image', 'application/pdf', 'text'), filename: text() },
    ),
    object({ type: the('image'), image: one<JsonValue>(url(), base64()) }, { mediaType: the('image/png') }),
  );

const modelContent = (): fc.Arbitrary<JsonValue> =>
  one<JsonValue>(
    object({ type: the('text'), text: text() }, { providerOptions: json() }),
    modelFile(),
    object({ type: fc.constantFrom('image-data', 'file-data'), data: base64(), mediaType: the('image/png') }),
    object({ type: fc.constantFrom('image-url', 'file-url'), url: url() }, { mediaType: the('image/png') }),
    object({ type: fc.constantFrom('custom', 'reasoning-file', 'part-of-tomorrow') }),
  );

const modelResult = (): fc.Arbitrary<JsonValue> =>
  object(
    { type: the('tool-result'), toolCallId: id(), toolName: name() },
    {
      providerOptions: json(),
      output: one<JsonValue>(
        object({ type: fc.constantFrom('text', 'error-text'), value: text() }),
        object({ type: fc.constantFrom('json', 'error-json'), value: json() }),
        object({ type: the('execution-denied') }, { reason: text() }),
        object({ type: the('content'), value: fc.array(modelContent(), { maxLength: 2 }) }),
        json(),
      ),
    },
  );

const modelSpoken = (): fc.Arbitrary<JsonValue> =>
  one<JsonValue>(
    object(
      { type: the('reasoning'), text: text() },
      { providerOptions: fc.constant({ anthropic: { signature: 's' } }) },
    ),
    object(
      { type: the('tool-call'), toolCallId: id(), toolName: name() },
      { input: json(), providerExecuted: fc.boolean() },
    ),
    object({ type: the('tool-approval-request'), approvalId: id(), toolCallId: id() }),
  );

export const modelMessages = (): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    object({ role: the('system'), content: text() }),
    object({ role: the('user') }, { content: content(modelContent()), providerOptions: json() }),
    object({ role: the('assistant') }, { content: content(one(modelContent(), modelSpoken(), modelResult())) }),
    object({
      role: the('tool'),
      content: fc.array(one(modelResult(), object({ type: the('tool-approval-response') })), { maxLength: 3 }),
    }),
  );

// ShareGPT

export const shareGptEntries = (): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    object(
      { from: fc.constantFrom('human', 'gpt', 'system', 'user', 'bing', 'Narrator') },
      { value: one<JsonValue>(text(), json()), weight: fc.nat(1) },
    ),
    object({ role: fc.constantFrom('user', 'assistant', 'system') }, { content: text() }),
    object({ from: fc.constantFrom('function_call', 'tool_call') }, { value: one(callText(), text()) }),
    object({ from: fc.constantFrom('observation', 'tool', 'function_response') }, { value: text() }),
  );

const callText = (): fc.Arbitrary<string> => {
  const call = fc.record(
    { name: name(), arguments: one<JsonValue>(input(), argumentsText()) },
    { noNullPrototype: true },
  );
  return fc.oneof(
    call.map((value) => JSON.stringify(value)),
    fc.array(call, { maxLength: 3 }).map((value) => JSON.stringify(value, null, 1)),
  );
};
