/** What a model said, as the message that its client will send again. */
import { parseJson } from '../shared/json.ts';
import type { Message } from '../transcript/message.ts';
import { fromAiSdk } from '../transcript/wire/ai-sdk/messages.ts';
import type { Content, StreamPart } from './interface.ts';
import { isUnsent } from './unsent.ts';

/** The content of an answer as a message. */
export function replyOf(content: readonly Content[]): Message {
  const parts = content.filter((part) => !isUnsent(part)).flatMap(promptPart);
  const [reply] = fromAiSdk([{ role: 'assistant', content: parts }]);
  return reply ?? { role: 'assistant', parts: [] };
}

/** A piece of an answer as it stands in a prompt; sources and requests for approval stand in none. */
function promptPart(part: Content): readonly unknown[] {
  const { providerMetadata: providerOptions, ...rest } = part;
  switch (rest.type) {
    case 'text':
      return rest.text === '' ? [] : [{ type: 'text', text: rest.text, providerOptions }];
    case 'tool-call': {
      const { dynamic: _, input, ...call } = rest;
      return [{ ...call, input: input.trim() === '' ? {} : (parseJson(input) ?? input), providerOptions }];
    }
    case 'tool-result': {
      const { result, isError, preliminary, dynamic: _, ...fields } = rest;
      // The whole one comes after it, and takes its place.
      if (preliminary) return [];
      return [{ ...fields, output: { type: isError ? 'error-json' : 'json', value: result }, providerOptions }];
    }
    case 'source':
    case 'tool-approval-request':
      return [];
    default:
      return [{ ...rest, providerOptions }];
  }
}

/** Gathers the parts of a stream into the content of an answer. */
export interface ReplyGatherer {
  add(part: StreamPart): void;
  reply(): Message;
  /** The same with tool calls whose arguments are not complete. */
  brokenOff(): Message;
}

interface OpenText {
  readonly type: 'text' | 'reasoning';
  text: string;
  providerMetadata: Content['providerMetadata'];
}

type Call = Extract<Content, { type: 'tool-call' }>;

export function gatherReply(): ReplyGatherer {
  const content: (Content | OpenText)[] = [];
  const open = new Map<string, OpenText>();
  const calls = new Map<string, Call>();
  const textFor = (type: OpenText['type'], id: string): OpenText => {
    const key = `${type} ${id}`;
    const found = open.get(key) ?? { type, text: '', providerMetadata: undefined };
    if (!open.has(key)) content.push(found);
    open.set(key, found);
    return found;
  };
  return {
    add(part) {
      switch (part.type) {
        case 'text-start':
        case 'text-delta':
        case 'text-end':
          return addTo(textFor('text', part.id), part);
        case 'reasoning-start':
        case 'reasoning-delta':
        case 'reasoning-end':
          return addTo(textFor('reasoning', part.id), part);
        case 'tool-input-start':
          calls.set(part.id, { type: 'tool-call', toolCallId: part.id, toolName: part.toolName, input: '' });
          return;
        case 'tool-input-delta': {
          const call = calls.get(part.id);
          if (call) calls.set(part.id, { ...call, input: call.input + part.delta });
          return;
        }
        case 'tool-call':
          calls.delete(part.toolCallId);
          content.push(part);
          return;
        case 'tool-result':
        case 'file':
        case 'reasoning-file':
        case 'custom':
          content.push(part);
          return;
        default:
          return;
      }
    },
    reply: () => replyOf(content.map(closed)),
    brokenOff: () => replyOf([...content.map(closed), ...calls.values()]),
  };
}

/** The newest word of a provider about a text counts, as the SDK has it. */
function addTo(
  text: OpenText,
  part: { readonly delta?: string; readonly providerMetadata?: Content['providerMetadata'] },
): void {
  text.text += part.delta ?? '';
  text.providerMetadata = part.providerMetadata ?? text.providerMetadata;
}

function closed(part: Content | OpenText): Content {
  const { providerMetadata, ...rest } = part;
  if (rest.type !== 'text' && rest.type !== 'reasoning') return part as Content; // only texts are ever open
  return { type: rest.type, text: rest.text, ...(providerMetadata ? { providerMetadata } : {}) };
}
