/** One prompt-cache breakpoint on one message of a prompt, as its provider reads it. */
import type { CacheTarget, CacheTtl } from '../context/prompt-cache/breakpoints.ts';
import type { PromptMessage } from './interface.ts';
import { placeOfSent } from './unsent.ts';

/** Who reads a mark, and how long it holds. */
export interface Mark {
  readonly target: CacheTarget;
  readonly ttl: CacheTtl;
}

/**
 * A copy of a message with a mark on the nth of its parts that are sent; the same where its provider could not read one there.
 */
export function withMark(message: PromptMessage, nth: number, mark: Mark): PromptMessage {
  const part = typeof message.content === 'string' ? nth : placeOfSent(message.content, nth);
  const control = mark.ttl === '5m' ? { type: 'ephemeral' } : { type: 'ephemeral', ttl: mark.ttl };
  if (mark.target === 'anthropic') return onPart(message, part, { anthropic: { cacheControl: control } });
  const text = loneText(message, part);
  if (text === undefined && message.role !== 'user') return message;
  // Routers read marks on parts of the content only. The compatible provider writes a lone text as a string, but what stands
  // in its options over that; the provider of OpenRouter's own knows what to do.
  const compatible =
    text === undefined ? { cache_control: control } : { content: [{ type: 'text', text, cache_control: control }] };
  const options = { openaiCompatible: compatible, openrouter: { cacheControl: control } };
  return message.role === 'assistant' ? withOptions(message, options) : onPart(message, part, options);
}

/** The text that Chat Completions make of a message, or of a tool result; undefined where they make a list, or something else. */
function loneText({ role, content }: PromptMessage, at: number): string | undefined {
  switch (role) {
    case 'system':
      return content;
    case 'user': {
      const [only, ...more] = content;
      return only?.type === 'text' && more.length === 0 ? only.text : undefined;
    }
    case 'assistant':
      return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    case 'tool': {
      const part = content[at];
      const output = part?.type === 'tool-result' ? part.output : undefined;
      return output?.type === 'text' || output?.type === 'error-text' ? output.value : undefined;
    }
  }
}

type Options = Readonly<Record<string, object>>;

/** On a part where the message has parts; a system prompt has none. */
function onPart(message: PromptMessage, at: number, options: Options): PromptMessage {
  const { content } = message;
  const part: unknown = Array.isArray(content) ? content[at] : undefined;
  if (typeof part !== 'object' || part === null) return withOptions(message, options);
  const parts: readonly unknown[] = [...content.slice(0, at), withOptions(part, options), ...content.slice(at + 1)];
  // Only the options of one of its parts are others.
  return { ...message, content: parts } as PromptMessage;
}

function withOptions<T extends { readonly providerOptions?: Readonly<Record<string, object>> }>(
  thing: T,
  more: Options,
): T {
  const merged: Record<string, object> = { ...thing.providerOptions };
  for (const [name, fields] of Object.entries(more)) merged[name] = { ...merged[name], ...fields };
  return { ...thing, providerOptions: merged };
}
