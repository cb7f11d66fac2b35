/** Makes the answer to a request out of a reply: ids, tokens, and the cut at the largest answer that was asked for. */
import { isJsonObject, type JsonObject } from '../shared/json.ts';
import { conversationTokens, toolSchemaTokens } from '../tokens/measure.ts';
import { estimatingTokenizer, type Tokenizer } from '../tokens/tokenizer.ts';
import {
  type Answer,
  type AnswerCall,
  type AnswerUsage,
  type Dialect,
  type DialectName,
  type Finish,
  idOf,
} from '../transcript/wire/answer.ts';
import { asList } from '../transcript/wire/values.ts';
import { defaultPieceChars, type Reply } from './reply.ts';
import type { FakeRequest } from './request.ts';

/** The answer that a reply stands for. */
export function answerOf(
  dialect: Dialect,
  request: FakeRequest,
  { reply, created }: { readonly reply: Reply; readonly created: number },
): Answer {
  const whole: Said = {
    text: reply.text ?? '',
    reasoning: reply.reasoning ?? '',
    calls: (reply.toolCalls ?? []).map(
      ({ id, name, input }, index): AnswerCall => ({
        id: id ?? idOf(dialect.callId, request.number, index),
        name,
        input: typeof input === 'string' ? input : JSON.stringify(input),
      }),
    ),
    finish: reply.finish ?? (reply.toolCalls?.length ? 'toolCalls' : 'stop'),
  };
  const tokenizer = tokenizerOf(dialect);
  const said = cutAt(largestAnswer(request.body), whole, tokenizer);
  return {
    ...said,
    number: request.number,
    model: request.model,
    created,
    usage:
      reply.usage === 'none' ? undefined : usageOf({ said, reply, prompt: promptTokens(dialect, request), tokenizer }),
    pieceChars: reply.pieceChars ?? defaultPieceChars,
    request: request.body,
  };
}

/** The tokens of a request's prompt, estimated: messages and tool definitions. */
export function promptTokens(dialect: Dialect, { messages, body }: Pick<FakeRequest, 'messages' | 'body'>): number {
  const tokenizer = tokenizerOf(dialect);
  return conversationTokens(messages, tokenizer) + toolSchemaTokens(asList(body.tools), tokenizer);
}

const openAi = estimatingTokenizer('openai');
const tokenizers: Readonly<Record<DialectName, Tokenizer>> = {
  'openai-chat': openAi,
  'openai-responses': openAi,
  anthropic: estimatingTokenizer('claude'),
  gemini: estimatingTokenizer('gemini'),
};
const tokenizerOf = ({ name }: Dialect): Tokenizer => tokenizers[name];

interface Said {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly AnswerCall[];
  readonly finish: Finish;
}

/** The most tokens that a request wants back, reasoning included. */
function largestAnswer(body: JsonObject): number {
  const { maxOutputTokens } = isJsonObject(body.generationConfig) ? body.generationConfig : {};
  const limits = [body.max_tokens, body.max_completion_tokens, body.max_output_tokens, maxOutputTokens];
  return limits.find((limit): limit is number => typeof limit === 'number' && limit > 0) ?? Number.POSITIVE_INFINITY;
}

/** Ends what is said where the room ends: thinking first, then the text, then the arguments of calls. */
function cutAt(room: number, said: Said, tokenizer: Tokenizer): Said {
  let left = room;
  let isCut = false;
  const take = (text: string): string => {
    const tokens = isCut ? 0 : tokenizer.count(text);
    if (!isCut && tokens <= left) {
      left -= tokens;
      return text;
    }
    const fitting = isCut ? '' : longestStart(text, left, tokenizer);
    isCut = true;
    return fitting;
  };
  const reasoning = take(said.reasoning);
  const text = take(said.text);
  const calls: AnswerCall[] = [];
  for (const call of said.calls) {
    if (!isCut) calls.push({ ...call, input: take(call.input) });
  }
  return isCut ? { reasoning, text, calls, finish: 'length' } : said;
}

function longestStart(text: string, tokens: number, tokenizer: Tokenizer): string {
  let fits = 0;
  for (let tooLong = text.length; tooLong - fits > 1; ) {
    const middle = (fits + tooLong) >> 1;
    if (tokenizer.count(text.slice(0, middle)) <= tokens) fits = middle;
    else tooLong = middle;
  }
  return text.slice(0, fits).replace(/[\ud800-\udbff]$/, '');
}

interface Counted {
  readonly said: Said;
  readonly reply: Reply;
  /** Of the prompt. */
  readonly prompt: number;
  readonly tokenizer: Tokenizer;
}

/** What the reply reports, and for the rest what the texts come to. */
function usageOf({ said, reply, prompt, tokenizer }: Counted): AnswerUsage {
  const given = typeof reply.usage === 'object' ? reply.usage : {};
  const thought = tokenizer.count(said.reasoning);
  const calls = said.calls.reduce((sum, { name, input }) => sum + tokenizer.count(name) + tokenizer.count(input), 0);
  const cacheReadTokens = given.cacheReadTokens ?? 0;
  const cacheWriteTokens = given.cacheWriteTokens ?? 0;
  const outputTokens = given.outputTokens ?? Math.max(thought + tokenizer.count(said.text) + calls, 1);
  return {
    inputTokens: given.inputTokens ?? Math.max(0, prompt - cacheReadTokens - cacheWriteTokens),
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens: given.reasoningTokens ?? Math.min(thought, outputTokens),
  };
}
