/**
 * Messages of the OpenAI Chat Completions API and of everything that speaks it: lists, request bodies, lines of either,
 * and arrays of finished conversations under `traj` (τ-bench).
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { Format } from '../format.ts';
import { bodyText, transcriptOf } from './body.ts';
import { isList } from './fields.ts';
import { gatheringReader, likelihood, type Verdict } from './gather.ts';
import { fromOpenAiChat } from './openai-chat-read.ts';
import { toOpenAiChat } from './openai-chat-write.ts';

export { fromOpenAiChat } from './openai-chat-read.ts';
export { toOpenAiChat } from './openai-chat-write.ts';

const places = { keys: ['messages', 'traj', 'conversations', 'history'] };
const shape = { format: 'openai-chat', list: 'messages' } as const;

export const openAiChat: Format = {
  name: 'openai-chat',
  title: 'OpenAI Chat Completions: messages or request bodies, JSON or JSONL',
  detect: (records) => likelihood(records, { places, item: verdict, envelope: () => 'plain', plain: 0.5 }),
  reader: (report) =>
    gatheringReader(places, (gathered) => {
      const values = gathered.items.map(({ value }) => value);
      const sources = gathered.items.map(({ source }) => source);
      return transcriptOf(shape, gathered, fromOpenAiChat(values, { sources, report }));
    }),
  write: (transcript) => bodyText(shape, transcript, { items: toOpenAiChat(transcript.messages, transcript.format) }),
};

const ownRoles: ReadonlySet<JsonValue> = new Set(['tool', 'developer', 'function']);
const ownKeys: readonly string[] = ['tool_calls', 'function_call', 'refusal', 'reasoning_content', 'reasoning_details'];

function verdict(value: JsonValue): Verdict {
  if (!isJsonObject(value) || typeof value.role !== 'string') return 'foreign';
  const content = isList(value.content) ? value.content.map(partVerdict) : [];
  if (content.includes('foreign')) return 'foreign';
  const isOwnRole = ownRoles.has(value.role) && !(isList(value.content) && value.content.some(isAiSdkPart));
  return isOwnRole || ownKeys.some((key) => key in value) || content.includes('own') ? 'own' : 'plain';
}

const isAiSdkPart = (part: JsonValue): boolean => isJsonObject(part) && String(part.type).startsWith('tool-');

function partVerdict(part: JsonValue): Verdict {
  if (!isJsonObject(part)) return 'foreign';
  if (part.type === 'text') return hasProviderOptions(part) ? 'foreign' : 'plain';
  if (part.type === 'image_url' || part.type === 'input_audio' || part.type === 'refusal') return 'own';
  return part.type === 'file' && isJsonObject(part.file) ? 'own' : 'foreign';
}

const hasProviderOptions = (part: JsonObject): boolean => 'providerOptions' in part;
