/** A chat route of a program, and a browser that sends it the whole list each time, as text. */

import type { AnyModel } from '@palimpsest/core/ai-sdk';
import {
  convertToModelMessages,
  isStepCount,
  isToolUIPart,
  readUIMessageStream,
  streamText,
  type ToolSet,
  type UIMessage,
} from 'ai';

/** What a person says, and which tools there are. */
export interface Chat {
  readonly questions: readonly string[];
  readonly tools: ToolSet;
  /** Whether a person lets tools run that ask for it. @default true */
  readonly isAllowed?: boolean;
}

/** The messages of the browser once every question is answered. `route` makes the model anew for each request. */
export async function chat(
  route: () => AnyModel,
  { questions, tools, isAllowed = true }: Chat,
): Promise<readonly UIMessage[]> {
  let messages: UIMessage[] = [];
  for (const text of questions) {
    messages.push({ id: text, role: 'user', parts: [{ type: 'text', text }] });
    for (let isAsked = true; isAsked; ) {
      messages = JSON.parse(JSON.stringify(messages));
      const answer = await answerTo(messages, { model: route(), tools, id: `to ${text}` });
      const waiting = answer.parts.filter(isToolUIPart).filter(({ state }) => state === 'approval-requested');
      for (const part of waiting) {
        Object.assign(part, { state: 'approval-responded', approval: { ...part.approval, approved: isAllowed } });
      }
      messages = [...messages.filter(({ id }) => id !== answer.id), answer];
      isAsked = waiting.length > 0;
    }
  }
  return messages;
}

interface Answering {
  readonly model: AnyModel;
  readonly tools: ToolSet;
  readonly id: string;
}

async function answerTo(messages: UIMessage[], { model, tools, id }: Answering): Promise<UIMessage> {
  const last = messages.at(-1);
  const result = streamText({
    model,
    maxRetries: 0,
    stopWhen: isStepCount(5),
    tools,
    messages: await convertToModelMessages(messages, { tools }),
  });
  const stream = result.toUIMessageStream({ originalMessages: messages, generateMessageId: () => id });
  const states = readUIMessageStream({ stream, ...(last?.role === 'assistant' ? { message: last } : {}) });
  const answer = (await Array.fromAsync(states)).at(-1);
  if (!answer) throw new Error('expected an answer, got an empty stream');
  return answer;
}
