/** The ways by which a list gets compressed, each without the record of what was compressed before. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compress, createConversations, estimatingTokenizer, fromOpenAiChat, toOpenAiChat } from '@palimpsest/core';
import { prepareStep, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { ContextCompressor } from '@palimpsest/core/engine';
import { openStore } from '@palimpsest/core/store';
import { startFakeProvider } from '@palimpsest/core/testing';
import { generateText, type ModelMessage } from 'ai';
import { compressSession } from '../../packages/core/src/conversation/compress/compress-session.ts';
import { chat } from '../ai-sdk/providers.ts';
import { runHere } from '../support/command-line.ts';
import type { ChatMessage } from './attack-conversation.ts';

/** As clients keep it: texts in parts become one text. */
const plainly = (list: readonly { readonly role: string; readonly content?: unknown }[]): readonly ChatMessage[] =>
  list.map(({ content, ...message }) => {
    const parts: readonly unknown[] = Array.isArray(content) ? content : [];
    const texts = parts.flatMap((part) =>
      typeof part === 'object' && part !== null && 'text' in part ? [String(part.text)] : [],
    );
    const role = message.role === 'developer' ? 'system' : message.role;
    // What a door gives has the form of Chat Completions.
    return {
      ...message,
      role,
      content: Array.isArray(content) ? texts.join('\n\n') : (content ?? null),
    } as ChatMessage;
  });

/** How many attacks a conversation has, and how many rounds of talk follow them: as many as its handoff still quotes. */
interface Load {
  readonly together: number;
  readonly rounds: number;
}

const toTarget: Load = { together: 10, rounds: 12 };
const inWindow: Load = { together: 6, rounds: 16 };

/** Compresses a list; what comes back is what a client may send again. */
export interface Door {
  readonly name: string;
  readonly load: Load;
  compress(list: readonly ChatMessage[]): Promise<readonly ChatMessage[]>;
}

const tokenizer = estimatingTokenizer('claude');
const [contextLength, targetTokens] = [12_000, 8_000];
const config = { threshold: 0.5 };

// What the writer of the format gives is in its form.
const written = (messages: Parameters<typeof toOpenAiChat>[0]): readonly ChatMessage[] =>
  toOpenAiChat(messages) as readonly unknown[] as readonly ChatMessage[];
const read = (list: readonly ChatMessage[]): ReturnType<typeof fromOpenAiChat> =>
  // JSON in, JSON out.
  fromOpenAiChat(JSON.parse(JSON.stringify(list)));

const plain: Door = {
  name: 'compress without a record',
  load: toTarget,
  compress: async (list) =>
    written((await compress(read(list), { tokenizer, contextLength: 200_000, targetTokens })).messages),
};

const engine: Door = {
  name: 'a new ContextCompressor',
  load: inWindow,
  compress: async (list) =>
    new ContextCompressor<ChatMessage>({ contextLength, config }).compress(list, { force: true }),
};

const commandLine: Door = {
  name: 'palimpsest compress',
  load: toTarget,
  compress: async (list) => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-attacks-'));
    try {
      const [from, to] = [join(folder, 'from.json'), join(folder, 'to.json')];
      writeFileSync(from, JSON.stringify(list));
      const { code, stderr } = await runHere(['compress', from, '--target', String(targetTokens), '-o', to], {
        cwd: folder,
      });
      if (code !== 0) throw new Error(stderr);
      // Written in the form that it was read in.
      return JSON.parse(readFileSync(to, 'utf8')) as readonly ChatMessage[];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

const step: Door = {
  name: 'a new prepareStep',
  load: inWindow,
  compress: async (list) => {
    const messages = modelMessages(list);
    const prepare = prepareStep({ contextLength, config });
    const input = { messages, initialMessages: messages, instructions: undefined, model: 'openai/gpt-5', steps: [] };
    return chatMessages((await prepare(input))?.messages ?? messages);
  },
};

const runtime: Door = {
  name: 'the runtime over a fresh store',
  load: inWindow,
  compress: async (list) => {
    await using store = await openStore({ path: ':memory:' });
    const conversations = createConversations({ store, model: 'claude-sonnet-4-5', tokenizer, contextLength, config });
    return written((await conversations.prepare({ messages: read(list) })).messages);
  },
};

const session: Door = {
  name: 'a stored session',
  load: toTarget,
  compress: async (list) => {
    await using store = await openStore({ path: ':memory:' });
    const { id } = await store.sessions.create({ source: 'library' });
    await store.messages.append(id, read(list));
    const { result } = await compressSession(store, id, {
      tokenizer,
      owner: 'test',
      contextLength: 200_000,
      targetTokens,
    });
    return written(result.messages);
  },
};

const model: Door = {
  name: 'a wrapped model over a fresh store',
  load: inWindow,
  compress: async (list) => {
    await using fake = await startFakeProvider({ contextLength: 200_000, script: { text: 'Seen.' } });
    const wrapped = withPalimpsest(chat.model(fake), { contextLength, config });
    await generateText({ model: wrapped, maxRetries: 0, messages: modelMessages(list), allowSystemInMessages: true });
    // The fake provider has checked the form of the request.
    const body = fake.requests.at(-1)?.body as { readonly messages: readonly ChatMessage[] } | undefined;
    return body?.messages ?? [];
  },
};

export const doors: readonly Door[] = [plain, engine, commandLine, step, runtime, session, model].map((door) => ({
  ...door,
  compress: async (list) => plainly(await door.compress(list)),
}));

/** The same list as the AI SDK has it. */
function modelMessages(list: readonly ChatMessage[]): ModelMessage[] {
  const names = new Map<string, string>();
  return list.map((message): ModelMessage => {
    if (message.role === 'system' || message.role === 'user') return message;
    if (message.role !== 'assistant') {
      const toolName = names.get(message.tool_call_id) ?? 'tool';
      const output = { type: 'text' as const, value: message.content };
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId: message.tool_call_id, toolName, output }] };
    }
    const text = message.content ? [{ type: 'text' as const, text: message.content }] : [];
    const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: input } }) => {
      names.set(id, name);
      return { type: 'tool-call' as const, toolCallId: id, toolName: name, input: JSON.parse(input) };
    });
    return { role: 'assistant', content: [...text, ...calls] };
  });
}

function chatMessages(list: readonly ModelMessage[]): readonly ChatMessage[] {
  return list.flatMap((message): readonly ChatMessage[] => {
    if (message.role === 'system') return [message];
    const parts =
      typeof message.content === 'string' ? [{ type: 'text' as const, text: message.content }] : message.content;
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    if (message.role === 'user') return [{ role: 'user', content: text }];
    if (message.role === 'tool') {
      return parts.flatMap((part): ChatMessage[] =>
        part.type === 'tool-result' && part.output.type === 'text'
          ? [{ role: 'tool', tool_call_id: part.toolCallId, content: part.output.value }]
          : [],
      );
    }
    const calls = parts.flatMap((part) =>
      part.type === 'tool-call'
        ? [
            {
              id: part.toolCallId,
              type: 'function' as const,
              function: { name: part.toolName, arguments: JSON.stringify(part.input) },
            },
          ]
        : [],
    );
    return [{ role: 'assistant', content: text || null, ...(calls.length > 0 ? { tool_calls: calls } : {}) }];
  });
}
