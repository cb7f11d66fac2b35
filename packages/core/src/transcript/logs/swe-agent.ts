/**
 * Trajectories of SWE-agent (`.traj`): `history` is what the model saw, `trajectory` the steps with their observations.
 * Read only: nothing but SWE-agent itself has a use for the file.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { Format } from '../format.ts';
import type { Message, Origin, ToolResultPart } from '../message.ts';
import { toolResults } from '../text.ts';
import { readBlock } from '../wire/anthropic/messages.ts';
import { type Gathered, listFormat, type ReadContext, readEach, withSource } from '../wire/bodies.ts';
import { fromOpenAiChat } from '../wire/chat/messages.ts';
import { keeping } from '../wire/parts.ts';
import { asList, asName, asObject, asText, hasAny, is, json } from '../wire/values.ts';

const format = 'swe-agent';
const ownKeys = ['agent', 'message_type', 'is_demo', 'thought', 'action', 'tool_call_ids'];

const histories = listFormat({
  name: format,
  title: 'SWE-agent trajectories (.traj)',
  keys: ['history'],
  item: (value, list) => {
    if (!isJsonObject(value) || !is.text(value.role) || list !== 'history') return 'foreign';
    return hasAny(value, ownKeys) ? 'own' : 'plain';
  },
  envelope: (body) => (is.list(body.trajectory) || 'replay_config' in body ? 'own' : 'plain'),
  plain: 0,
  read: (values, context, gathered) => (values.length > 0 ? fromSweAgent(values, context) : fromSteps(gathered)),
});

export const sweAgent: Format = {
  ...histories,
  detect: (records) => {
    const found = histories.detect(records);
    // Its entries are chat messages with more keys, so chat would be as sure of them.
    return found > 0.5 ? Math.min(1, found + 0.08) : 0;
  },
};

/** Reads the entries of `history`. Observations that came as user messages are the host's, and so are demonstrations. */
function fromSweAgent(list: readonly JsonValue[], context: ReadContext): readonly Message[] {
  let hasAnswered = false;
  return readEach(list, context, {
    expected: 'an entry with a role',
    read: (value, index) => {
      if (!isJsonObject(value) || !is.text(value.role)) return undefined;
      const source = context.sources?.[index];
      const message = readEntry(value, hasAnswered, { ...context, ...(source ? { sources: [source] } : {}) });
      hasAnswered ||= message?.role === 'assistant';
      return message;
    },
  });
}

function readEntry(value: JsonObject, hasAnswered: boolean, context: ReadContext): Message | undefined {
  const { role = null, content, tool_calls: calls, tool_call_ids: ids, thinking_blocks: thinking, ...fields } = value;
  const [message] = fromOpenAiChat([json({ role, content, tool_calls: calls })], context);
  if (!message) return undefined;
  const origin = message.role === 'user' ? (message.origin ?? originOfEntry(value, hasAnswered)) : undefined;
  const isResult = message.role === 'tool';
  const parts = isResult ? resultsFor(message, ids, context) : [...asList(thinking).map(readBlock), ...message.parts];
  const kept = isResult && !is.list(ids) ? { ...fields, ...json({ tool_call_ids: ids }) } : fields;
  return { role: message.role, parts, ...(origin ? { origin } : {}), ...keeping(format).extraOf(kept) };
}

/** Newer files name the kind of an entry; in older ones every user message after the first answer is an observation. */
function originOfEntry(value: JsonObject, hasAnswered: boolean): Origin {
  const kind = asName(value.message_type);
  if (value.is_demo === true || kind === 'demonstration') return 'host';
  return kind === 'observation' || (kind === undefined && hasAnswered) ? 'host' : 'person';
}

/** One entry answers the calls it names; its text stands with the first. */
function resultsFor(
  read: Message,
  ids: JsonValue | undefined,
  { sources, report }: ReadContext,
): readonly ToolResultPart[] {
  const [result] = toolResults(read);
  const [first = result?.callId ?? '', ...more] = asList(ids).flatMap((id) => asText(id) ?? []);
  if (more.length > 0) {
    const message = `expected one call for each observation, found ${more.length + 1}: the text is kept with the first`;
    report?.({ level: 'note', line: sources?.[0]?.line ?? 0, message });
  }
  const answer = (callId: string, content: ToolResultPart['content']): ToolResultPart => ({
    type: 'toolResult',
    callId,
    content,
  });
  return [answer(first, result?.content ?? []), ...more.map((callId) => answer(callId, []))];
}

/** A file without a history still has its steps: what the model answered and what it saw then. */
function fromSteps({ envelope, source }: Gathered): readonly Message[] {
  return asList(envelope.trajectory).flatMap((step) => {
    const { response, observation } = asObject(step);
    const said = (message: Omit<Message, 'parts'>, value: JsonValue | undefined): readonly Message[] => {
      const text = asName(value);
      return text === undefined ? [] : [withSource({ ...message, parts: [{ type: 'text', text }] }, source)];
    };
    return [...said({ role: 'assistant' }, response), ...said({ role: 'user', origin: 'host' }, observation)];
  });
}
