import { defaultContextLength } from '../compression/run.ts';
import {
  type Breakpoint,
  type CacheTarget,
  type CacheTtl,
  planBreakpoints,
} from '../context/prompt-cache/breakpoints.ts';
import { cacheMark } from '../context/prompt-cache/mark.ts';
import type { ConversationRuntime } from '../conversation/conversations.ts';
import type { PreparedContext } from '../conversation/request.ts';
import type { Message } from '../transcript/message.ts';
import { beginsWithThought, withTurnOpening } from '../transcript/turn-opening.ts';
import type { Door } from './door.ts';
import type { CallOptions, Prompt, PromptMessage } from './interface.ts';
import { withoutAbsentTools } from './memory-tools.ts';
import { cacheOf, ownOptions } from './options.ts';
import { placeOfSent, promptOf } from './prompt.ts';

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
  const { prepared, isAsItCame } = begun;
  const plain = withoutAbsentTools(door, ownOptions(options).plain, prepared.absentTools ?? []);
  const brought = prepared.isWhole ? begun.asked : broughtInto(begun);
  const shown = brought ?? apart(door, prepared.messages);
  // What is remembered stands before everything that was said, and takes no thought away.
  const isAsSaid = brought !== undefined && prepared.recalled === undefined;
  const messages = isAsSaid ? shown : opened(door, plain, { ...begun, shown });
  const prompt: Prompt = prepared.isWhole && isAsItCame ? options.prompt : promptOf(messages);
  const { maxTokens } = prepared;
  const { tools = [], providerOptions } = plain;
  const isThinking = isAsSaid || (!prepared.isThoughtless && canThink(plain, messages));
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
  return withTurnOpening(shown, { said: asked, contextLength });
}

/** What was asked, with what is recalled and remembered: were anything else mended, a cache would miss in every other turn. */
function broughtInto({ asked, prepared: { recalled = [], memory } }: Begun): readonly Message[] | undefined {
  if (recalled.length === 0 && memory === undefined) return undefined;
  const list = [...asked];
  for (const { at, part, isBefore } of recalled) {
    const message = list[at];
    if (message) list[at] = { ...message, parts: isBefore ? [part, ...message.parts] : [...message.parts, part] };
  }
  if (memory === undefined) return list;
  const first = list.findIndex(({ role }) => role !== 'system');
  return list.toSpliced(first < 0 ? list.length : first, 0, memory);
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

// Thinking that a program asks Claude for.

/** False for a call that asks for thoughts, in a turn that does not begin with one. */
function canThink({ providerOptions }: CallOptions, messages: readonly Message[]): boolean {
  const { thinking } = providerOptions?.anthropic ?? {};
  if (typeof thinking !== 'object' || thinking === null || Reflect.get(thinking, 'type') !== 'enabled') return true;
  return beginsWithThought(messages) ?? true;
}

/** The call without thinking. */
const withoutThinking = (call: CallOptions): CallOptions => ({
  ...call,
  providerOptions: {
    ...call.providerOptions,
    anthropic: { ...call.providerOptions?.anthropic, thinking: { type: 'disabled' } },
  },
});

// Prompt-cache breakpoints on a prompt, as the providers of the SDK take them: in the options of messages and parts.

/** A prompt and what is known of it. */
interface Markable extends MarkedCall {
  /** The same messages in our form. */
  readonly messages: readonly Message[];
}

/** The most that Anthropic takes in one request. */
const most = 4;

/**
 * The prompt with breakpoints where its model has use for them, at most four together with those that the program has set. Only
 * messages that get one are copied.
 */
function marked(door: Door, { prompt, messages, tools, providerOptions }: Markable): Prompt {
  const { cacheTarget: target, options } = door;
  if (target === undefined) return prompt;
  const set = programMarks({ prompt, tools, providerOptions });
  const { layout = 'system_and_3', ttl = '5m' } = cacheOf(options);
  const isTaken = (at: number): boolean => set.some((mark) => mark.at === at);
  const plan = planBreakpoints(messages, { target, layout }).filter(({ message }) => !isTaken(message));
  const list = [...prompt];
  for (const place of chosen(plan, most - set.length)) {
    const message = list[place.message];
    const mark = { target, ttl: ttlAt(place.message, set, ttl) };
    if (message) list[place.message] = withMark(message, place.part, mark);
  }
  return list;
}

/** The first one saves most, and the newest ones come next. */
function chosen(plan: readonly Breakpoint[], room: number): readonly Breakpoint[] {
  if (plan.length <= room) return plan;
  return room < 1 ? [] : [...plan.slice(0, 1), ...(room > 1 ? plan.slice(1 - room) : [])];
}

/** Anthropic refuses a mark of an hour behind one of five minutes: ours hold as long as those of the program let them. */
function ttlAt(at: number, set: readonly ProgramMark[], wanted: CacheTtl): CacheTtl {
  if (set.some((mark) => mark.at > at && mark.ttl === '1h')) return '1h';
  return set.some((mark) => mark.at < at && mark.ttl === '5m') ? '5m' : wanted;
}

// The prompt-cache breakpoints that a program has set itself.

/** What may carry them. */
interface MarkedCall {
  readonly prompt: Prompt;
  readonly tools: NonNullable<CallOptions['tools']>;
  /** Of the whole call. */
  readonly providerOptions: CallOptions['providerOptions'];
}

/** One of them. */
interface ProgramMark {
  /** Index of its message; -1 for a tool, which stands before them. */
  readonly at: number;
  readonly ttl: CacheTtl;
}

/**
 * All of them. One that is asked for with the call is set by Anthropic itself on the last part there is, and counts as one of the
 * four (coder/mux#3112): it is one of the last message.
 */
function programMarks({ prompt, tools, providerOptions }: MarkedCall): readonly ProgramMark[] {
  const marks: ProgramMark[] = [];
  for (const tool of tools) addMarks(marks, -1, tool);
  for (const [at, message] of prompt.entries()) addMarks(marks, at, message);
  addMarks(marks, prompt.length - 1, { providerOptions });
  return marks;
}

interface Optioned {
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined;
  readonly content?: unknown;
}

function addMarks(marks: ProgramMark[], at: number, thing: unknown): void {
  if (typeof thing !== 'object' || thing === null) return;
  const { providerOptions = {}, content }: Optioned = thing;
  if (Array.isArray(content)) for (const part of content) addMarks(marks, at, part);
  const control = Object.values(providerOptions).map(controlIn).find(Boolean);
  if (control) marks.push({ at, ttl: Reflect.get(control, 'ttl') === '1h' ? '1h' : '5m' });
}

/** What the options of one provider say. */
function controlIn(options: unknown): object | undefined {
  if (typeof options !== 'object' || options === null) return undefined;
  const control: unknown = Reflect.get(options, 'cacheControl') ?? Reflect.get(options, 'cache_control');
  return typeof control === 'object' && control !== null ? control : undefined;
}

// One prompt-cache breakpoint on one message of a prompt, as its provider reads it.

/** Who reads a mark, and how long it holds. */
interface Mark {
  readonly target: CacheTarget;
  readonly ttl: CacheTtl;
}

/**
 * A copy of a message with a mark on the nth of its parts that are sent; the same where its provider could not read one there.
 */
function withMark(message: PromptMessage, nth: number, mark: Mark): PromptMessage {
  const part = typeof message.content === 'string' ? nth : placeOfSent(message.content, nth);
  const control = cacheMark(mark.ttl);
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
