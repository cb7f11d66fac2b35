/** `ModelMessage`s of the AI SDK (version 7): lists, call options with `system` and `messages`, and lines of either. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { Format } from '../format.ts';
import type { Message } from '../message.ts';
import { fromAiSdk } from './ai-sdk-read.ts';
import { toAiSdk } from './ai-sdk-write.ts';
import { bodyText, transcriptOf } from './body.ts';
import { asName, isList } from './fields.ts';
import { type Gathered, gatheringReader, likelihood, type Verdict } from './gather.ts';
import { extraOf, hintsOf } from './wire.ts';

export { fromAiSdk } from './ai-sdk-read.ts';
export { toAiSdk } from './ai-sdk-write.ts';

const format = 'ai-sdk';
const places = { keys: ['messages'] };
const shape = { format, list: 'messages' } as const;

export const aiSdk: Format = {
  name: format,
  title: 'AI SDK model messages, JSON or JSONL',
  detect: (records) => likelihood(records, { places, item: verdict, envelope: () => 'plain', plain: 0.2 }),
  reader: (report) =>
    gatheringReader(places, (gathered) => {
      const values = gathered.items.map(({ value }) => value);
      const sources = gathered.items.map(({ source }) => source);
      const { system, ...envelope } = gathered.envelope;
      const text = asName(system);
      const messages = fromAiSdk(values, { sources, report });
      if (text === undefined) return transcriptOf(shape, gathered, messages);
      return transcriptOf(shape, { ...gathered, envelope }, [leading(text, gathered), ...messages]);
    }),
  write: (transcript) => {
    const [first, ...rest] = transcript.messages;
    const isField = hintsOf(first?.extra, format).field === 'system';
    const [lead] = first && isField ? toAiSdk([first], transcript.format) : [];
    const items = toAiSdk(isField ? rest : transcript.messages, transcript.format);
    return bodyText(shape, transcript, { items, fields: lead ? { system: lead.content ?? '' } : {} });
  },
};

/** `system` of the call options as the first message. */
const leading = (text: string, { source }: Gathered): Message => ({
  role: 'system',
  parts: [{ type: 'text', text }],
  ...extraOf(format, {}, { field: 'system' }),
  ...(source ? { source: [source] } : {}),
});

const roles: ReadonlySet<JsonValue> = new Set(['system', 'user', 'assistant', 'tool']);

function verdict(value: JsonValue): Verdict {
  if (!isJsonObject(value) || !roles.has(value.role ?? null)) return 'foreign';
  if ('tool_calls' in value || 'tool_call_id' in value || 'parts' in value) return 'foreign';
  if ('providerOptions' in value) return 'own';
  const parts = isList(value.content) ? value.content.map(partVerdict) : [];
  if (parts.includes('foreign')) return 'foreign';
  return parts.includes('own') ? 'own' : value.role === 'tool' ? 'foreign' : 'plain';
}

const ownTypes: ReadonlySet<JsonValue> = new Set([
  'tool-call',
  'tool-result',
  'tool-approval-request',
  'tool-approval-response',
  'reasoning',
  'reasoning-file',
  'custom',
]);

function partVerdict(part: JsonValue): Verdict {
  if (!isJsonObject(part)) return 'foreign';
  if ('providerOptions' in part || ownTypes.has(part.type ?? null)) return 'own';
  if (part.type === 'text') return hasOnlyText(part) ? 'plain' : 'foreign';
  if (part.type === 'image') return 'image' in part ? 'own' : 'foreign';
  return part.type === 'file' && 'data' in part ? 'own' : 'foreign';
}

/** `cache_control` and its like beside a text belong to the wire formats. */
const hasOnlyText = (part: JsonObject): boolean => Object.keys(part).length === 2;
