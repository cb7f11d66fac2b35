/** A client that streams, in any dialect: it sends its whole list with each request, and keeps what it got of an answer that broke off. */
import type { JsonObject, JsonValue } from '@palimpsest/core/settings';
import { createAnswerReader, type DialectName } from '@palimpsest/core/wire';

export interface StreamingClient {
  readonly name: string;
  readonly dialect: DialectName;
  /** In its dialect. */
  readonly list: JsonValue[];
  /** The texts of the list, and how many of them the gateway has acknowledged. */
  readonly texts: string[];
  acknowledged: number;
  /** The session of the newest acknowledgement. */
  session: string;
  /** What came of the newest answer. */
  newest: string;
}

export const clientOf = (name: string, dialect: DialectName): StreamingClient => ({
  ...{ name, dialect, list: [], texts: [], acknowledged: 0, session: '', newest: '' },
});

const model = 'some-model';
const bodies: Readonly<Record<DialectName, (list: readonly JsonValue[]) => JsonObject>> = {
  anthropic: (messages) => ({ model, max_tokens: 500, stream: true, messages }),
  'openai-chat': (messages) => ({ model, stream: true, messages }),
  'openai-responses': (input) => ({ model, stream: true, store: false, input }),
  gemini: (contents) => ({ contents }),
};
const paths: Readonly<Record<DialectName, string>> = {
  anthropic: '/v1/messages',
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  gemini: `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
};

function said(dialect: DialectName, role: 'user' | 'assistant', text: string): JsonObject {
  if (dialect === 'gemini') return { role: role === 'user' ? 'user' : 'model', parts: [{ text }] };
  if (dialect !== 'openai-responses') return { role, content: text };
  const type = role === 'user' ? 'input_text' : 'output_text';
  return { type: 'message', role, content: [{ type, text }] };
}

/** Says something, unless it has said something already that was not answered; the next request has it. */
export function say(client: StreamingClient, text: string): void {
  if (client.texts.length % 2 === 1) return;
  client.list.push(said(client.dialect, 'user', text));
  client.texts.push(text);
}

/** Sends the list and reads the answer. Rejects where that breaks off; what is acknowledged until then counts. */
export async function ask(client: StreamingClient, url: string, acknowledge: () => void): Promise<void> {
  const { dialect, list } = client;
  client.newest = '';
  const response = await fetch(`${url}${paths[dialect]}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(bodies[dialect](list)),
  });
  if (response.status !== 200) throw new Error(`${client.name}: ${response.status} ${await response.text()}`);
  const session = response.headers.get('x-palimpsest-session');
  if (session !== null) {
    Object.assign(client, { session, acknowledged: list.length });
    acknowledge();
  }
  const seen = createAnswerReader(dialect);
  try {
    for await (const piece of response.body ?? []) seen.read(piece);
  } finally {
    client.newest = textOf(seen.end().reply?.parts ?? []);
  }
  if (!seen.end().isWhole) throw new Error(`${client.name}: an answer ended early`);
  client.list.push(said(dialect, 'assistant', client.newest));
  client.texts.push(client.newest);
}

/** The words of a message. */
export const textOf = (parts: readonly { readonly type: string; readonly text?: string }[]): string =>
  parts.map(({ type, text = '' }) => (type === 'text' ? text : '')).join('');
