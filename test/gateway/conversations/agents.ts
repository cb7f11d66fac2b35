/** Small agents over plain HTTP, one for each dialect: they send their whole list with each request, as agents do. */
import type { JsonObject, JsonValue } from '@palimpsest/core/settings';
import type { DialectName } from '@palimpsest/core/wire';

export interface Exchanged {
  /** As it was sent. */
  readonly body: string;
  readonly status: number;
  readonly headers: Headers;
  readonly answer: string;
}

interface StepOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Members of the body beside those that it always has. */
  readonly more?: JsonObject;
}

/** An agent that reads files until it is told that it is done. */
export interface Agent {
  /** Puts the marks of a prompt cache on the newest two messages alone, as clients do that move them along. */
  moveMarks(): void;
  readonly dialect: DialectName;
  readonly list: JsonValue[];
  /** One request; what was answered stands in the list then, with the result of each call. */
  step(result: string, options?: StepOptions): Promise<Exchanged>;
}

interface Speech {
  readonly path: string;
  readonly body: (list: readonly JsonValue[]) => JsonObject;
  readonly user: (text: string) => JsonObject;
  /** What goes into the list for an answer, and the results of its calls. */
  readonly said: (answer: JsonObject, result: string) => readonly JsonValue[];
}

const tool = { name: 'read_file', description: 'Reads a file.' };
const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const system = 'You are a careful agent. You read files and report what is in them.';
const model = 'some-model';

// The shapes of the answers are those of the fake provider, which speaks the real wire formats.
const at = (value: unknown, ...path: readonly (string | number)[]): JsonValue =>
  path.reduce<unknown>((one, name) => Reflect.get(Object(one), name), value) as JsonValue;
const list = (value: JsonValue): readonly JsonObject[] => (Array.isArray(value) ? (value as JsonObject[]) : []);

const speeches: Readonly<Record<DialectName, Speech>> = {
  anthropic: {
    path: '/v1/messages',
    body: (messages) => ({
      ...{ model, max_tokens: 1_000, system, messages },
      tools: [{ ...tool, input_schema: schema }],
    }),
    user: (content) => ({ role: 'user', content }),
    said: (answer, result) => {
      const content = at(answer, 'content');
      const results = list(content)
        .filter(({ type }) => type === 'tool_use')
        .map(({ id }) => ({ type: 'tool_result', tool_use_id: id ?? '', content: result }));
      return [{ role: 'assistant', content }, ...(results.length === 0 ? [] : [{ role: 'user', content: results }])];
    },
  },
  'openai-chat': {
    path: '/v1/chat/completions',
    body: (messages) => ({
      model,
      messages: [{ role: 'system', content: system }, ...messages],
      tools: [{ type: 'function', function: { ...tool, parameters: schema } }],
    }),
    user: (content) => ({ role: 'user', content }),
    said: (answer, result) => {
      const message = at(answer, 'choices', 0, 'message');
      const results = list(at(message, 'tool_calls')).map(({ id }) => ({
        role: 'tool',
        tool_call_id: id ?? '',
        content: result,
      }));
      return [message, ...results];
    },
  },
  'openai-responses': {
    path: '/v1/responses',
    body: (input) => ({
      ...{ model, instructions: system, input, store: false },
      tools: [{ type: 'function', ...tool, parameters: schema }],
    }),
    user: (text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
    said: (answer, result) => {
      const output = list(at(answer, 'output'));
      const results = output
        .filter(({ type }) => type === 'function_call')
        .map(({ call_id: id }) => ({ type: 'function_call_output', call_id: id ?? '', output: result }));
      return [...output, ...results];
    },
  },
  gemini: {
    path: `/v1beta/models/${model}:generateContent`,
    body: (contents) => ({
      contents,
      systemInstruction: { parts: [{ text: system }] },
      tools: [{ functionDeclarations: [{ ...tool, parameters: schema }] }],
    }),
    user: (text) => ({ role: 'user', parts: [{ text }] }),
    said: (answer, result) => {
      const content = at(answer, 'candidates', 0, 'content');
      const results = list(at(content, 'parts')).flatMap(({ functionCall: call }) =>
        call === undefined
          ? []
          : [{ functionResponse: { name: 'read_file', ...idOf(call), response: { output: result } } }],
      );
      return [content, ...(results.length === 0 ? [] : [{ role: 'user', parts: results }])];
    },
  },
};

const idOf = (call: JsonValue): JsonObject => {
  const id = at(call, 'id');
  return typeof id === 'string' ? { id } : {};
};

/** An agent that was asked something. */
export function agentOf(dialect: DialectName, url: string, asked: string): Agent {
  const { path, body, user, said } = speeches[dialect];
  const own: JsonValue[] = [user(asked)];
  return {
    dialect,
    list: own,
    moveMarks: () => {
      for (const [at, entry] of own.entries()) own[at] = marked(entry, at >= own.length - 2);
    },
    async step(result, { headers = {}, more = {} } = {}) {
      const text = JSON.stringify({ ...body(own), ...more }, undefined, 1);
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...headers },
        body: text,
      });
      const answer = await response.text();
      if (response.ok) own.push(...said(JSON.parse(answer) as JsonObject, result));
      return { body: text, status: response.status, headers: response.headers, answer };
    },
  };
}

/** A message of Anthropic's with a mark on its last block, or with none: its text is a list then, or bare. */
function marked(entry: JsonValue, isMarked: boolean): JsonValue {
  const { content, ...rest } = entry as JsonObject;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content ?? null);
  const bare = blocks.map(({ cache_control: _, ...block }) => block);
  const last = bare.at(-1);
  if (isMarked && last) bare[bare.length - 1] = { ...last, cache_control: { type: 'ephemeral' } };
  const [only] = bare;
  return { ...rest, content: !isMarked && bare.length === 1 && only?.type === 'text' ? (only.text ?? '') : bare };
}

/** The next words of the person, for the newest list. */
export const askAgain = (agent: Agent, text: string): void => void agent.list.push(speeches[agent.dialect].user(text));
