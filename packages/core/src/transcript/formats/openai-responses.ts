/** Requests, responses and item lists of the OpenAI Responses API. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { Format, SourceRecord } from '../format.ts';
import type { Message, Transcript } from '../message.ts';
import { messageText } from '../text.ts';
import { bodyText, transcriptOf } from './body.ts';
import { asText, isList } from './fields.ts';
import { type Gathered, gatheringReader, likelihood, type Verdict } from './gather.ts';
import { fromInstructions, fromOpenAiResponses } from './openai-responses-read.ts';
import { toOpenAiResponses } from './openai-responses-write.ts';
import { extraOf, hintsOf, type ReadContext } from './wire.ts';

export { fromOpenAiResponses } from './openai-responses-read.ts';
export { toOpenAiResponses } from './openai-responses-write.ts';

const format = 'openai-responses';
const places = { keys: ['input', 'output', 'items'], isJoined: true };
const shape = { format, list: 'input' } as const;

export const openAiResponses: Format = {
  name: format,
  title: 'OpenAI Responses: requests, responses or items, JSON or JSONL',
  detect: (records) =>
    likelihood(records.map(withListInput), { places, item: verdict, envelope: envelopeVerdict, plain: 0.3 }),
  reader: (report) => {
    const reader = gatheringReader(places, (gathered) => conversation(gathered, { report }));
    return { add: (record) => reader.add(withListInput(record)), end: () => reader.end() };
  },
  write: (transcript) => {
    const { instructions, items, border } = toOpenAiResponses(transcript.messages, transcript.format);
    const hints = hintsOf(transcript.extra, format);
    const fields: JsonObject = instructions === undefined ? {} : { instructions };
    const plain = plainInputOf(transcript);
    if (plain !== undefined && items.length === 1)
      return bodyText(shape, transcript, { fields: { ...fields, input: plain } });
    const [first, second] = isList(hints.lists) ? hints.lists.map(String) : [];
    if (first !== undefined && second !== undefined) {
      const before = { ...fields, [first]: items.slice(0, border) };
      return bodyText(shape, transcript, { items: items.slice(border), fields: before, key: second });
    }
    return bodyText(shape, transcript, { items, fields });
  },
};

/** Stands in the fields around a list of which `input` was a plain text; no field of the API has such a name. */
const plainInput = '#input';

/** A request whose `input` is a text means one user message with that text. */
function withListInput(record: SourceRecord): SourceRecord {
  const { value } = record;
  if (record.type === 'element' || !isJsonObject(value) || typeof value.input !== 'string') return record;
  if ('role' in value || 'type' in value || 'call_id' in value) return record;
  return {
    ...record,
    type: 'line',
    value: { ...value, input: [{ role: 'user', content: value.input }], [plainInput]: true },
  };
}

function conversation(gathered: Gathered, { report }: ReadContext): Transcript {
  const { instructions: given, [plainInput]: isPlain, ...rest } = gathered.envelope;
  const instructions = asText(given);
  const envelope = given !== undefined && instructions === undefined ? { ...rest, instructions: given } : rest;
  const [, second] = gathered.lists;
  const start = second === undefined ? -1 : gathered.items.findIndex(({ list }) => list === second);
  const messages = fromOpenAiResponses(
    gathered.items.map(({ value }) => value),
    {
      sources: gathered.items.map(({ source }) => source),
      ...(report ? { report } : {}),
      ...(start < 0 ? {} : { border: start }),
    },
  );
  const all = instructions === undefined ? messages : [leading(instructions, gathered), ...messages];
  const found = transcriptOf(shape, { ...gathered, envelope }, isPlain === true ? all.map(asPlainInput) : all);
  const hints = isJsonObject(found.extra?.fields['#']) ? found.extra.fields['#'] : {};
  if (second === undefined) return found;
  return { ...found, ...extraOf(format, found.extra?.fields ?? {}, { ...hints, lists: gathered.lists }) };
}

/** The message that a text as `input` means. */
const asPlainInput = (message: Message): Message =>
  message.role === 'user' ? { ...message, ...extraOf(format, {}, { field: 'input' }) } : message;

function plainInputOf({ messages }: Transcript): string | undefined {
  const last = messages.at(-1);
  return last && hintsOf(last.extra, format).field === 'input' ? messageText(last) : undefined;
}

const leading = (text: string, { source }: Gathered): Message => ({
  ...fromInstructions(text),
  ...(source ? { source: [source] } : {}),
});

const ownTypes: ReadonlySet<JsonValue> = new Set([
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'reasoning',
  'web_search_call',
  'file_search_call',
  'computer_call',
  'computer_call_output',
  'code_interpreter_call',
  'image_generation_call',
  'local_shell_call',
  'local_shell_call_output',
  'shell_call',
  'shell_call_output',
  'apply_patch_call',
  'apply_patch_call_output',
  'mcp_call',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
  'item_reference',
  'compaction',
]);

const contentTypes: ReadonlySet<JsonValue> = new Set([
  'input_text',
  'output_text',
  'input_image',
  'input_file',
  'refusal',
]);

function verdict(value: JsonValue, list: string | undefined): Verdict {
  if (!isJsonObject(value)) return 'foreign';
  // Logs wrap items into lines of their own, and those are not ours.
  if (ownTypes.has(value.type ?? null)) return 'payload' in value || 'message' in value ? 'foreign' : 'own';
  if (typeof value.role !== 'string' || (value.type !== undefined && value.type !== 'message')) return 'foreign';
  if (value.role === 'tool' || 'tool_calls' in value || 'message' in value) return 'foreign';
  if (value.type === 'message') return 'own';
  const isListed = list !== undefined && places.keys.includes(list);
  if (!isList(value.content)) return isListed ? 'own' : 'plain';
  const isOwn = value.content.every((piece) => isJsonObject(piece) && contentTypes.has(piece.type ?? null));
  return isOwn && value.content.length > 0 ? 'own' : 'foreign';
}

const envelopeVerdict = (envelope: JsonObject): Verdict =>
  'instructions' in envelope || envelope.object === 'response' || 'previous_response_id' in envelope ? 'own' : 'plain';
