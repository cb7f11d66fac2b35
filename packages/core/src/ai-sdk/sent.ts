/** A call as it goes to the provider. */
import { personMessage } from '../compression/handoff-block.ts';
import { defaultContextLength } from '../compression/sizes.ts';
import type { ConversationRuntime } from '../conversation/conversations.ts';
import type { PreparedContext } from '../conversation/request.ts';
import { isSameMessage } from '../transcript/identity.ts';
import type { Message } from '../transcript/message.ts';
import { marked } from './cache-marks.ts';
import type { Door } from './door.ts';
import type { CallOptions, Prompt } from './interface.ts';
import { ownOptions } from './own-options.ts';
import { promptOf } from './prompt.ts';
import { canThink, withOpening, withoutThinking } from './thinking.ts';

/** What the program asked for, read and prepared. */
export interface Begun {
  readonly runtime: ConversationRuntime;
  /** The prompt as it came, tool results held to their room. */
  readonly asked: readonly Message[];
  /** True when no tool result was replaced. */
  readonly isAsItCame: boolean;
  readonly prepared: PreparedContext;
}

/** The options of the program with the context in place of its prompt. What is whole goes as it came, to the letter. */
export function sentOptions(door: Door, options: CallOptions, begun: Begun): CallOptions {
  const { plain } = ownOptions(options);
  const { prepared, isAsItCame } = begun;
  const shown = prepared.isWhole ? begun.asked : (recalledInto(begun) ?? apart(door, prepared.messages));
  const messages = prepared.isWhole ? shown : opened(door, plain, { ...begun, shown });
  const prompt: Prompt = prepared.isWhole && isAsItCame ? options.prompt : promptOf(messages);
  const { maxTokens } = prepared;
  const { tools = [], providerOptions } = plain;
  const isThinking = prepared.isWhole || (!prepared.isThoughtless && canThink(plain, messages));
  return {
    ...(isThinking ? plain : withoutThinking(plain)),
    prompt: marked(door, { prompt, messages, tools, providerOptions }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
  };
}

/** With the thought that the turn has begun with, where the program wishes thoughts that the provider would refuse without it. */
function opened(
  { contextLength = defaultContextLength }: Door,
  plain: CallOptions,
  { asked, prepared, shown }: Begun & { readonly shown: readonly Message[] },
): readonly Message[] {
  if (prepared.isThoughtless || canThink(plain, shown)) return shown;
  return withOpening(shown, { asked, contextLength }) ?? shown;
}

/** What was asked, and the fence: were anything else mended in turns that recall something, a cache would miss in every other. */
function recalledInto({ asked, prepared: { carrier } }: Begun): readonly Message[] | undefined {
  if (carrier === undefined) return undefined;
  const at = asked.findLastIndex((message) => personMessage(message) !== undefined);
  const message = asked[at];
  const fence = carrier.parts.slice(-1);
  if (!message || !isSameMessage(message, { ...carrier, parts: carrier.parts.slice(0, -1) })) return undefined;
  return asked.with(at, { ...message, parts: [...message.parts, ...fence] });
}

/**
 * A system prompt that an engine has added to, as messages of their own: where caches hear marks, what was marked ends as it did
 * before, and is found again.
 */
function apart({ cacheTarget }: Door, messages: readonly Message[]): readonly Message[] {
  if (cacheTarget === undefined) return messages;
  return messages.flatMap((message): readonly Message[] => {
    const [first, ...added] = message.parts;
    if (message.role !== 'system' || first === undefined || added.length === 0) return [message];
    return [{ ...message, parts: [first] }, ...added.map((part) => ({ role: 'system' as const, parts: [part] }))];
  });
}
