// The engine in a loop of your own. The guide shows this file from the next import on.
import { ContextCompressor } from '@palimpsest/core/engine';

export interface Message {
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
  // The form of every answer of this API.
  const { choices, usage } = (await response.json()) as {
    choices: readonly [{ message: Message }];
    usage: { prompt_tokens: number; completion_tokens: number };
  };
  return { answer: choices[0].message, prompt: usage.prompt_tokens, reply: usage.completion_tokens };
}

/** Works until the model asks for nothing more. */
export async function work(url: string, request: string, tool: (input: string) => string): Promise<readonly Message[]> {
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
