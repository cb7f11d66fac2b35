/** What a model said, as the message that its client will send again. */
import { parseJson } from '../shared/json.ts';
import { fromAiSdk } from '../transcript/formats/ai-sdk.ts';
import type { Message } from '../transcript/message.ts';
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
}

interface OpenText {
  readonly type: 'text' | 'reasoning';
  text: string;
  providerMetadata: Content['providerMetadata'];
}

export function gatherReply(): ReplyGatherer {
  const content: (Content | OpenText)[] = [];
  const open = new Map<string, OpenText>();
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
        case 'tool-call':
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
