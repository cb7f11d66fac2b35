/** What messages cost: every part, counted once and remembered. */
import { isJsonObject, type JsonValue } from '../shared/json.ts';
import {
  type FilePart,
  type ImagePart,
  type Message,
  messageHash,
  type Part,
  type ResultContent,
  type Role,
} from '../transcript/message.ts';
import { flatImageTokens, type ImageDetail, imageSize, imageTokens } from './image-tokens.ts';
import type { Tokenizer } from './tokenizer.ts';

/** The tokens of a message or a conversation by kind of part; images inside tool results are among the images. */
export interface PartTokens {
  readonly text: number;
  readonly reasoning: number;
  readonly toolCalls: number;
  readonly toolResults: number;
  readonly images: number;
  readonly files: number;
  readonly other: number;
  /** What roles, names and the marks around messages, calls and results cost. */
  readonly overhead: number;
  readonly total: number;
}

/**
 * The marks around things. A message is 3 tokens and its role one, and 3 open the reply (OpenAI cookbook, "How to count
 * tokens with tiktoken"). What is around a call and its result together is the tokenizer's; the rest is assumed, as
 * providers do not publish it.
 */
const overheads = { message: 4, reply: 3, name: 1, callAndResult: 12, tool: 8 } as const;

/**
 * The tokens of a message, with its overhead. A message object or an equal message is counted once a tokenizer.
 *
 * @example
 * import { messageTokens, tokenizerFor, type Message } from '@palimpsest/core';
 * const message: Message = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] };
 * messageTokens(message, await tokenizerFor('gpt-5'));
 */
export function messageTokens(message: Message, tokenizer: Tokenizer): number {
  return tokensByPart(message, tokenizer).total;
}

/** Counts messages with one tokenizer, as `messageTokens` does: for whoever asks about the same ones many times. */
export function messageCounter(tokenizer: Tokenizer): (message: Message) => number {
  const { byMessage } = memoOf(tokenizer);
  return (message) => (byMessage.get(message) ?? tokensByPart(message, tokenizer)).total;
}

/** The tokens of a message by kind of part. Encrypted reasoning, signatures and base64 cost nothing as text. */
export function tokensByPart(message: Message, tokenizer: Tokenizer): PartTokens {
  const memo = memoOf(tokenizer);
  const known = memo.byMessage.get(message);
  if (known) return known;
  const hash = messageHash(message);
  const tokens = memo.byHash.get(hash) ?? measured(message, tokenizer);
  memo.byMessage.set(message, tokens);
  keep(memo.byHash, hash, tokens);
  return tokens;
}

/**
 * The tokens of messages together with what opens the reply; tool definitions come on top (`toolSchemaTokens`).
 *
 * @example
 * import { conversationTokens, fromOpenAiChat, tokenizerFor } from '@palimpsest/core';
 * const messages = fromOpenAiChat([{ role: 'user', content: 'Move the ledgers.' }]);
 * conversationTokens(messages, await tokenizerFor('gpt-5'));
 */
export function conversationTokens(messages: readonly Message[], tokenizer: Tokenizer): number {
  return messages.reduce<number>((sum, message) => sum + messageTokens(message, tokenizer), overheads.reply);
}

/** The tokens of messages by role and kind of part, without what opens the reply. */
export function tokensByRole(messages: readonly Message[], tokenizer: Tokenizer): Readonly<Record<Role, PartTokens>> {
  const of = (role: Role): PartTokens =>
    messages
      .filter((message) => message.role === role)
      .map((message) => tokensByPart(message, tokenizer))
      .reduce(added, nothing);
  return { system: of('system'), user: of('user'), assistant: of('assistant'), tool: of('tool') };
}

/**
 * The tokens of tool definitions, counted as the JSON they are sent as. Providers rewrite them before the model sees
 * them, so this is an upper bound rather than a count, also with an exact tokenizer.
 */
export function toolSchemaTokens(tools: readonly JsonValue[], tokenizer: Tokenizer): number {
  return tools.reduce<number>((sum, tool) => sum + overheads.tool + tokenizer.count(JSON.stringify(tool)), 0);
}

interface Memo {
  readonly byMessage: WeakMap<Message, PartTokens>;
  readonly byHash: Map<string, PartTokens>;
}

/** Distinct messages remembered for each tokenizer; the one unused for longest goes first. */
const maxRemembered = 50_000;

const memos = new WeakMap<Tokenizer, Memo>();

function memoOf(tokenizer: Tokenizer): Memo {
  const found = memos.get(tokenizer);
  if (found) return found;
  const memo: Memo = { byMessage: new WeakMap(), byHash: new Map() };
  memos.set(tokenizer, memo);
  return memo;
}

/** Puts an entry last in the order of the map, and drops the first when there are too many. */
function keep(map: Map<string, PartTokens>, hash: string, tokens: PartTokens): void {
  map.delete(hash);
  map.set(hash, tokens);
  if (map.size <= maxRemembered) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}

const nothing: PartTokens = {
  text: 0,
  reasoning: 0,
  toolCalls: 0,
  toolResults: 0,
  images: 0,
  files: 0,
  other: 0,
  overhead: 0,
  total: 0,
};

function measured(message: Message, tokenizer: Tokenizer): PartTokens {
  const name = message.name ? overheads.name + tokenizer.count(message.name) : 0;
  const costs = [
    cost('overhead', overheads.message + name),
    ...message.parts.flatMap((part) => costsOf(part, tokenizer)),
  ];
  const sums = { ...nothing };
  for (const { kind, tokens } of costs) {
    sums[kind] += tokens;
    sums.total += tokens;
  }
  return sums;
}

interface Cost {
  readonly kind: Exclude<keyof PartTokens, 'total'>;
  readonly tokens: number;
}

const cost = (kind: Cost['kind'], tokens: number): Cost => ({ kind, tokens });

function costsOf(part: Part, tokenizer: Tokenizer): readonly Cost[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [cost(part.type, tokenizer.count(part.text))];
    case 'toolCall':
      return [
        cost('overhead', Math.ceil(callTokens(tokenizer) / 2)),
        cost('toolCalls', tokenizer.count(part.name) + tokenizer.count(part.input)),
      ];
    case 'toolResult':
      return [
        cost('overhead', Math.floor(callTokens(tokenizer) / 2)),
        ...part.content.flatMap((content) => resultCosts(content, tokenizer)),
      ];
    case 'image':
      return [cost('images', imagePartTokens(part, tokenizer))];
    case 'file':
      return [cost('files', filePartTokens(part, tokenizer))];
    case 'other':
      return [cost('other', jsonTokens(part.value, tokenizer))];
  }
}

const callTokens = ({ callTokens: tokens }: Tokenizer): number => tokens ?? overheads.callAndResult;

function resultCosts(content: ResultContent, tokenizer: Tokenizer): readonly Cost[] {
  return content.type === 'text' ? [cost('toolResults', tokenizer.count(content.text))] : costsOf(content, tokenizer);
}

function imagePartTokens(part: ImagePart, tokenizer: Tokenizer): number {
  const data = part.data ?? /^data:[^,]*;base64,(.*)$/s.exec(part.url ?? '')?.[1];
  const size = data === undefined ? undefined : imageSize(data);
  return imageTokens(size, tokenizer.images ?? 'flat', detailOf(part));
}

/** OpenAI's wish for a cheaper look, which the formats keep as an extra field. */
function detailOf(part: ImagePart): ImageDetail {
  const fields = part.extra?.fields ?? {};
  const inner = isJsonObject(fields.image_url) ? fields.image_url.detail : undefined;
  const detail = fields.detail ?? inner;
  return detail === 'low' || detail === 'high' ? detail : 'auto';
}

/** A file is its text where it has one; else a page for each 50 KB started, about a PDF's, at the price of an image. */
function filePartTokens(part: FilePart, tokenizer: Tokenizer): number {
  const name = part.name === undefined ? 0 : tokenizer.count(part.name);
  if (part.text !== undefined) return name + tokenizer.count(part.text);
  const bytes = ((part.data?.length ?? 0) * 3) / 4;
  return name + flatImageTokens * Math.max(1, Math.ceil(bytes / 50_000));
}

/** Base64 of some length inside a part that we have no name for is data, not text. */
const data = /^(?:data:[^,]*,)?[A-Za-z0-9+/_-]{512,}={0,2}$/;

function jsonTokens(value: JsonValue, tokenizer: Tokenizer): number {
  const text = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' && data.test(inner) ? '' : inner,
  );
  return tokenizer.count(text);
}

function added(a: PartTokens, b: PartTokens): PartTokens {
  return {
    text: a.text + b.text,
    reasoning: a.reasoning + b.reasoning,
    toolCalls: a.toolCalls + b.toolCalls,
    toolResults: a.toolResults + b.toolResults,
    images: a.images + b.images,
    files: a.files + b.files,
    other: a.other + b.other,
    overhead: a.overhead + b.overhead,
    total: a.total + b.total,
  };
}
