/** ShareGPT: training conversations of `{from, value}` (or `{role, content}`) under `conversations`. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { Format } from '../format.ts';
import type { Message, Transcript } from '../message.ts';
import { bodyText, transcriptOf } from './body.ts';
import { asName } from './fields.ts';
import { type Gathered, gatheringReader, likelihood, type Verdict } from './gather.ts';
import { fromShareGpt } from './sharegpt-read.ts';
import { toShareGpt } from './sharegpt-write.ts';
import { extraOf, hintsOf, type ReadContext } from './wire.ts';

export { fromShareGpt } from './sharegpt-read.ts';
export { toShareGpt } from './sharegpt-write.ts';

const format = 'sharegpt';
const places = { keys: ['conversations', 'conversation', 'items', 'messages'] };
const shape = { format, list: 'conversations', hasModel: false } as const;

export const shareGpt: Format = {
  name: format,
  title: 'ShareGPT training conversations, JSON or JSONL',
  detect: (records) => likelihood(records, { places, item: verdict, envelope: () => 'plain', plain: 0 }),
  reader: (report) =>
    gatheringReader(places, (gathered) => {
      const values = gathered.items.map(({ value }) => value);
      const sources = gathered.items.map(({ source }) => source);
      return conversation(gathered, values, { sources, report });
    }),
  write: (transcript) => {
    const [first, ...rest] = transcript.messages;
    const isField = hintsOf(first?.extra, format).field === 'system';
    const [entry] = first && isField ? toShareGpt([first], transcript.format) : [];
    const messages = isField ? rest : transcript.messages;
    const fields = {
      ...(transcript.id === undefined ? {} : { id: transcript.id }),
      ...(entry ? { system: entry.value ?? '' } : {}),
    };
    return bodyText(shape, transcript, { items: toShareGpt(messages, transcript.format), fields });
  },
};

/** `id` names the conversation, and `system` beside the list is its first message. */
function conversation(gathered: Gathered, values: readonly JsonValue[], context: ReadContext): Transcript {
  const { id: given, system, ...rest } = gathered.envelope;
  const id = asName(given);
  const text = asName(system);
  const envelope: JsonObject = {
    ...rest,
    ...(given !== undefined && id === undefined ? { id: given } : {}),
    ...(system !== undefined && text === undefined ? { system } : {}),
  };
  const messages = fromShareGpt(values, context);
  const lead: readonly Message[] = text === undefined ? [] : [leading(text, gathered)];
  const found = transcriptOf(shape, { ...gathered, envelope }, [...lead, ...messages]);
  return id === undefined ? found : { ...found, id };
}

const leading = (text: string, { source }: Gathered): Message => ({
  role: 'system',
  parts: [{ type: 'text', text }],
  ...extraOf(format, {}, { field: 'system' }),
  ...(source ? { source: [source] } : {}),
});

function verdict(value: JsonValue, list: string | undefined): Verdict {
  if (!isJsonObject(value)) return 'foreign';
  if (typeof value.from === 'string' && 'value' in value) return 'own';
  const isPlain = typeof value.role === 'string' && typeof value.content === 'string' && !('tool_calls' in value);
  return isPlain && list?.startsWith('conversation') ? 'own' : 'foreign';
}
