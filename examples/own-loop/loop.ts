// A loop of one's own around a model, with the engine in it. The guide shows this file from the next import to the line of
// dashes. Here the model is the fake provider of `palimpsest/testing`, over real HTTP; it asks for a tool sixty times.
import assert from 'node:assert/strict';
import { ContextCompressor } from '../../src/engine.ts';
import { type FakeRequest, startFakeProvider } from '../../src/testing/index.ts';

interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | null | readonly object[];
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly arguments: string } }[];
  readonly tool_call_id?: string;
}

/** One call of the model: its answer, and how many tokens it counted. */
async function ask(
  url: string,
  messages: readonly Message[],
): Promise<{ answer: Message; prompt: number; reply: number }> {
  const body = JSON.stringify({ model: 'gpt-5', messages });
  const response = await fetch(`${url}/chat/completions`, { method: 'POST', body });
  // As every server of this API answers.
  const { choices, usage } = (await response.json()) as {
    choices: readonly [{ message: Message }];
    usage: { prompt_tokens: number; completion_tokens: number };
  };
  return { answer: choices[0].message, prompt: usage.prompt_tokens, reply: usage.completion_tokens };
}

/** Works until the model asks for nothing more. */
async function work(url: string, request: string, tool: (input: string) => string): Promise<readonly Message[]> {
  const engine = new ContextCompressor<Message>({ model: 'gpt-5', contextLength: 16_000 });
  let messages: readonly Message[] = [
    { role: 'system', content: 'You move ledgers.' },
    { role: 'user', content: request },
  ];
  for (;;) {
    if (engine.shouldCompress()) messages = await engine.compress(messages, { currentTokens: engine.lastPromptTokens });
    const { answer, prompt, reply } = await ask(url, messages);
    engine.updateFromResponse({ promptTokens: prompt, completionTokens: reply });
    messages = [...messages, answer];
    const calls = answer.tool_calls ?? [];
    if (calls.length === 0) break;
    for (const call of calls) {
      messages = [...messages, { role: 'tool', tool_call_id: call.id, content: tool(call.function.arguments) }];
    }
  }
  console.log(
    `${engine.compressionCount} compressions, ${engine.status().usagePercent.toFixed(0)} % of the window in use`,
  );
  return messages;
}

// ---

let steps = 0;
const script = ({
  messages,
}: FakeRequest): { text: string; toolCalls?: { name: string; input: { region: number } }[] } => {
  assert.ok(messages.length > 0);
  steps++;
  return steps > 60
    ? { text: 'All regions are moved.' }
    : { text: `Region ${steps}.`, toolCalls: [{ name: 'move', input: { region: steps } }] };
};
await using provider = await startFakeProvider({ script, contextLength: 16_000 });
const rows = (input: string): string => `moved ${input}\n${'one row of the ledger\n'.repeat(60)}`;
const request = 'Move the ledgers of all regions, one after the other.';
const left = await work(provider.baseUrl('openai-chat'), request, rows);

assert.equal(steps, 61);
assert.ok(
  provider.requests.every(({ status }) => status === 200),
  'expected every request to fit the window',
);
assert.ok(left.length < 122, `expected a shorter list, got ${left.length} messages`);
assert.equal(left.at(-1)?.content, 'All regions are moved.');
assert.ok(left.some(({ role, content }) => role === 'user' && JSON.stringify(content).includes(request)));
