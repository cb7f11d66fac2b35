/**
 * Trajectories of SWE-agent (`.traj`): `history` is what the model saw, `trajectory` the steps with their observations.
 * Read only: nothing but SWE-agent itself has a use for the file.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { Format } from '../format.ts';
import type { Message, Origin, Part, ResultContent, SourceSpan, ToolResultPart } from '../message.ts';
import { readBlock } from '../wire/anthropic/format.ts';
import { fromOpenAiChat } from '../wire/chat/format.ts';
import { type Gathered, gatheringReader, likelihood, notAMessage, transcriptOf, type Verdict } from '../wire/lists.ts';
import { asList, asName, asObject, asText, extraOf, isList, type ReadContext, withSource } from '../wire/values.ts';

const format = 'swe-agent';
const places = { keys: ['history'] };
const shape = { format, list: 'history' } as const;

export const sweAgent: Format = {
  name: format,
  title: 'SWE-agent trajectories (.traj)',
  detect: (records) => {
    const found = likelihood(records, { places, item: verdict, envelope: envelopeVerdict, plain: 0 });
    // Its entries are chat messages with more keys, so chat would be as sure of them.
    return found > 0.5 ? Math.min(1, found + 0.08) : 0;
  },
  reader: (report) =>
    gatheringReader(places, (gathered) => {
      const values = gathered.items.map(({ value }) => value);
      const sources = gathered.items.map(({ source }) => source);
      const messages = values.length > 0 ? fromSweAgent(values, { sources, report }) : fromSteps(gathered);
      return transcriptOf(shape, gathered, messages);
    }),
};

const ownKeys: readonly string[] = ['agent', 'message_type', 'is_demo', 'thought', 'action', 'tool_call_ids'];

function verdict(value: JsonValue, list: string | undefined): Verdict {
  if (!isJsonObject(value) || typeof value.role !== 'string' || list !== 'history') return 'foreign';
  return ownKeys.some((key) => key in value) ? 'own' : 'plain';
}

const envelopeVerdict = (envelope: JsonObject): Verdict =>
  isList(envelope.trajectory) || 'replay_config' in envelope ? 'own' : 'plain';

/** Reads the entries of `history`. Observations that came as user messages are the host's, and so are demonstrations. */
export function fromSweAgent(list: readonly JsonValue[], { sources, report }: ReadContext = {}): readonly Message[] {
  let hasAnswered = false;
  return list.flatMap((value, index) => {
    const source = sources?.[index];
    if (!isJsonObject(value) || typeof value.role !== 'string') {
      report?.(notAMessage(value, source, 'an entry with a role'));
      return [];
    }
    const message = readEntry(value, hasAnswered, {
      ...(source ? { sources: [source] } : {}),
      ...(report ? { report } : {}),
    });
    if (message?.role === 'assistant') hasAnswered = true;
    return message ? [withSource(message, source)] : [];
  });
}

function readEntry(value: JsonObject, hasAnswered: boolean, context: ReadContext): Message | undefined {
  const { role, content, tool_calls: calls, tool_call_ids: ids, thinking_blocks: thinking, ...fields } = value;
  const chat = {
    role: role ?? null,
    ...(content === undefined ? {} : { content }),
    ...(calls === undefined ? {} : { tool_calls: calls }),
  };
  const [message] = fromOpenAiChat([chat], context);
  if (!message) return undefined;
  const origin = message.role === 'user' ? (message.origin ?? originOfEntry(value, hasAnswered)) : undefined;
  const thoughts = asList(thinking).map(readBlock);
  const parts = message.role === 'tool' ? resultsFor(message.parts, ids, context) : [...thoughts, ...message.parts];
  const kept =
    message.role === 'tool' && !isList(ids) && ids !== undefined ? { ...fields, tool_call_ids: ids } : fields;
  return { role: message.role, parts, ...(origin ? { origin } : {}), ...extraOf(format, kept) };
}

/** Newer files name the kind of an entry; in older ones every user message after the first answer is an observation. */
function originOfEntry(value: JsonObject, hasAnswered: boolean): Origin {
  const kind = asName(value.message_type);
  if (value.is_demo === true || kind === 'demonstration') return 'host';
  return kind === 'observation' || (kind === undefined && hasAnswered) ? 'host' : 'person';
}

/** One entry answers the calls it names; its text stands with the first. */
function resultsFor(
  parts: readonly Part[],
  ids: JsonValue | undefined,
  { sources, report }: ReadContext,
): readonly Part[] {
  const [result] = parts.filter((part) => part.type === 'toolResult');
  const callIds = asList(ids).flatMap((id) => asText(id) ?? []);
  if (callIds.length > 1) {
    const message = `expected one call for each observation, found ${callIds.length}: the text is kept with the first`;
    report?.({ level: 'note', line: sources?.[0]?.line ?? 0, message });
  }
  const content: readonly ResultContent[] = result?.content ?? [];
  const first: ToolResultPart = { type: 'toolResult', callId: callIds[0] ?? result?.callId ?? '', content };
  const more = callIds.slice(1).map((callId): ToolResultPart => ({ type: 'toolResult', callId, content: [] }));
  return [first, ...more];
}

/** A file without a history still has its steps: what the model answered and what it saw then. */
function fromSteps({ envelope, source }: Gathered): readonly Message[] {
  return asList(envelope.trajectory).flatMap((step) => {
    const { response, observation } = asObject(step);
    return [...said('assistant', response, source), ...said('user', observation, source)];
  });
}

function said(
  role: 'assistant' | 'user',
  value: JsonValue | undefined,
  source: SourceSpan | undefined,
): readonly Message[] {
  const text = asName(value);
  if (text === undefined) return [];
  const message: Message = { role, parts: [{ type: 'text', text }] };
  return [withSource(role === 'user' ? { ...message, origin: 'host' } : message, source)];
}
