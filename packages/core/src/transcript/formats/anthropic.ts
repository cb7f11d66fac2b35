/** Messages of the Anthropic Messages API: request bodies with `system`, bare lists, and lines of either. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { Format } from '../format.ts';
import { fromAnthropic, fromAnthropicSystem } from './anthropic-read.ts';
import { toAnthropic } from './anthropic-write.ts';
import { bodyText, transcriptOf } from './body.ts';
import { isList } from './fields.ts';
import { gatheringReader, likelihood, type Verdict } from './gather.ts';

export { fromAnthropic, fromAnthropicSystem } from './anthropic-read.ts';
export { toAnthropic } from './anthropic-write.ts';

const places = { keys: ['messages'] };
const shape = { format: 'anthropic', list: 'messages' } as const;

export const anthropic: Format = {
  name: 'anthropic',
  title: 'Anthropic Messages: messages or request bodies, JSON or JSONL',
  detect: (records) => likelihood(records, { places, item: verdict, envelope: envelopeVerdict, plain: 0.3 }),
  reader: (report) =>
    gatheringReader(places, (gathered) => {
      const values = gathered.items.map(({ value }) => value);
      const sources = gathered.items.map(({ source }) => source);
      const messages = fromAnthropic(values, { sources, report });
      const system = fromAnthropicSystem(gathered.envelope.system);
      if (!system) return transcriptOf(shape, gathered, messages);
      const { system: _, ...envelope } = gathered.envelope;
      const source = gathered.source ? { source: [gathered.source] } : {};
      return transcriptOf(shape, { ...gathered, envelope }, [{ ...system, ...source }, ...messages]);
    }),
  write: (transcript) => {
    const { system, messages } = toAnthropic(transcript.messages, transcript.format);
    return bodyText(shape, transcript, { items: messages, fields: system === undefined ? {} : { system } });
  },
};

function verdict(value: JsonValue): Verdict {
  if (!isJsonObject(value) || (value.role !== 'user' && value.role !== 'assistant')) return 'foreign';
  if ('tool_calls' in value || 'parts' in value) return 'foreign';
  const blocks = isList(value.content) ? value.content.map(blockVerdict) : [];
  if (blocks.includes('foreign')) return 'foreign';
  return blocks.includes('own') ? 'own' : 'plain';
}

const ownTypes: ReadonlySet<JsonValue> = new Set([
  'thinking',
  'redacted_thinking',
  'tool_use',
  'tool_result',
  'server_tool_use',
  'mcp_tool_use',
  'document',
  'search_result',
  'container_upload',
]);

function blockVerdict(block: JsonValue): Verdict {
  if (!isJsonObject(block)) return 'foreign';
  if (block.type === 'text') return 'providerOptions' in block ? 'foreign' : 'plain';
  if (block.type === 'image') return isJsonObject(block.source) ? 'own' : 'foreign';
  return ownTypes.has(block.type ?? null) || String(block.type).endsWith('_tool_result') ? 'own' : 'foreign';
}

/** A system prompt beside the messages; the other names of the body are those of OpenAI too. */
function envelopeVerdict(envelope: JsonObject): Verdict {
  const isOwn = typeof envelope.system === 'string' || isList(envelope.system) || 'stop_sequences' in envelope;
  return isOwn || 'anthropic_version' in envelope ? 'own' : 'plain';
}
