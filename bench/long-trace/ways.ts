/** How programs compress a long conversation, and what a model sees of it at the end. */
import {
  type ConversationRecord,
  compress,
  createRecord,
  fromOpenAiChat,
  type Message,
  type Tokenizer,
  toOpenAiChat,
} from '@palimpsest/core';
import { ContextCompressor, type JsonObject } from '@palimpsest/core/engine';
import { messageText } from '../../packages/core/src/transcript/text.ts';
import type { LongTrace, Turn } from './trace.ts';

export interface Way {
  readonly name: string;
  /** What is said of its size. */
  readonly size: string;
  run(trace: LongTrace, tokenizer: Tokenizer): Promise<readonly Message[]>;
}

export interface WayOptions {
  readonly window: number;
  readonly targets: readonly number[];
}

/** Once at the end for each target, then the loops. */
export function longTraceWays({ window, targets }: WayOptions): readonly Way[] {
  const thousands = (tokens: number): string => `${tokens / 1_000}K`;
  const once = targets.map(
    (target): Way => ({
      name: 'once',
      size: thousands(target),
      run: async (trace, tokenizer) => {
        const messages = fromOpenAiChat([trace.system, ...trace.turns.flatMap((turn) => turn.messages)]);
        return (await compress(messages, { tokenizer, targetTokens: target })).messages;
      },
    }),
  );
  const loop = (isRecorded: boolean, target?: number): Way => ({
    name: `loop ${isRecorded ? 'with' : 'without'} record`,
    size: target === undefined ? 'default' : thousands(target),
    run: (trace, tokenizer) => runLoop(trace, { tokenizer, window, isRecorded, target }),
  });
  const engine: Way = {
    name: 'ContextCompressor',
    size: 'default',
    run: (trace) => runEngine(trace, window),
  };
  const sized = targets.flatMap((target) => [loop(true, target), loop(false, target)]);
  return [...once, loop(true), loop(false), engine, ...sized];
}

interface LoopOptions {
  readonly tokenizer: Tokenizer;
  readonly window: number;
  readonly isRecorded: boolean;
  /** Without one the sizes are those of the configuration. */
  readonly target: number | undefined;
}

/**
 * A list is compressed from this share of the window on: half where nothing is said, later with a target of one's own;
 * and at the end, so that every way is looked at right behind a compression.
 */
const startShare = { default: 0.5, target: 0.75 };

async function runLoop(trace: LongTrace, options: LoopOptions): Promise<readonly Message[]> {
  const { tokenizer, window, isRecorded, target } = options;
  const start = window * (target === undefined ? startShare.default : startShare.target);
  const tokensOf = (message: Message): number => tokenizer.count(JSON.stringify(toOpenAiChat([message])));
  const record: ConversationRecord | undefined = isRecorded ? createRecord({ count: tokenizer.count }) : undefined;
  let list: readonly Message[] = fromOpenAiChat([trace.system]);
  let tokens = 0;
  let compressionCount = 0;
  for (const [at, turn] of trace.turns.entries()) {
    const more = fromOpenAiChat(turn.messages);
    list = [...list, ...more];
    tokens += more.reduce((sum, message) => sum + tokensOf(message), 0);
    if (tokens < start && at < trace.turns.length - 1) continue;
    const sizes = { contextLength: window, ...(target === undefined ? {} : { targetTokens: target }) };
    const known = record ? { record, compressionCount } : {};
    const { messages } = await compress(list, { tokenizer, ...sizes, ...known });
    // Without a record the list goes as JSON to wherever it is read again.
    list = record ? messages : fromOpenAiChat(toOpenAiChat(messages));
    tokens = list.reduce((sum, message) => sum + tokensOf(message), 0);
    compressionCount++;
  }
  return list;
}

/** The engine as a loop of one's own uses it, told the size of every prompt. */
async function runEngine(trace: LongTrace, window: number): Promise<readonly Message[]> {
  const engine = new ContextCompressor<JsonObject & { readonly role: string }>({ contextLength: window });
  const roleOf = (message: JsonObject): string => String(message.role);
  const withRole = (message: JsonObject): JsonObject & { readonly role: string } => ({
    ...message,
    role: roleOf(message),
  });
  let list = [withRole(trace.system)];
  for (const [at, { messages }] of trace.turns.entries()) {
    list = [...list, ...messages.map(withRole)];
    // Four characters a token, as a program without a tokenizer would guess.
    const promptTokens = Math.round(JSON.stringify(list).length / 4);
    engine.updateFromResponse({ promptTokens, completionTokens: 0, totalTokens: promptTokens });
    if (engine.shouldCompress() || at === trace.turns.length - 1) list = [...(await engine.compress(list))];
  }
  return fromOpenAiChat(list);
}

/** What a person said that a model still sees, and what it does not. */
export interface Kept {
  readonly kept: readonly Turn[];
  readonly lost: readonly Turn[];
}

export function keptOf(context: readonly Message[], turns: readonly Turn[]): Kept {
  const text = plain(context.map(messageText).join('\n'));
  const isKept = ({ asked }: Turn): boolean => text.includes(plain(asked.words));
  return { kept: turns.filter(isKept), lost: turns.filter((turn) => !isKept(turn)) };
}

const plain = (text: string): string => text.replace(/\s+/g, ' ');
