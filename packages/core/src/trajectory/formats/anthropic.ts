/** Records of Anthropic messages: `{"system", "messages": [{role, content: [blocks]}]}`, results of tools in messages of the user. */
import { isJsonObject, type JsonValue } from '../../shared/json.ts';
import type { Message } from '../../transcript/message.ts';
import { fromAnthropic } from '../../transcript/wire/anthropic/messages.ts';
import type { Speaker, Turn } from '../turn.ts';
import type { EntryFormat } from './entry.ts';
import { appendedContent, clipMessage, contentText, userMessage } from './parts.ts';

const ownParts =
  /^(?:thinking|redacted_thinking|tool_use|tool_result|server_tool_use|mcp_tool_use|document)$|_tool_result$/;

export const anthropicEntries: EntryFormat = {
  format: 'anthropic',
  expected: 'a message with the role user or assistant',
  knows: (list, record) => {
    const isRoles = list.every((value) => isJsonObject(value) && (value.role === 'user' || value.role === 'assistant'));
    if (!isRoles) return false;
    return (isJsonObject(record) && record.system !== undefined) || list.some(hasOwnPart);
  },
  read: (value) => {
    const { role, content } = value;
    if (role !== 'user' && role !== 'assistant' && role !== 'system') return undefined;
    return { speaker: speakerOf(role, content), text: contentText(content) };
  },
  messages: (turns) => turns.flatMap(messageOf),
  human: (pieces) => userMessage(pieces),
  isPersons: ({ speaker }) => speaker === 'human' || speaker === 'tool',
  clip: ({ value }) => clipMessage(value),
  append: (turn, text) => {
    const content = appendedContent(turn, text);
    return turn.field === undefined && isJsonObject(turn.value) ? { ...turn.value, content } : content;
  },
};

/** A message of the user that brings results belongs to the calls before it, whatever else is said in it. */
function speakerOf(role: string, content: JsonValue | undefined): Speaker {
  if (role === 'system') return 'system';
  if (role === 'assistant') return 'gpt';
  return partTypes(content).some((type) => type.endsWith('tool_result')) ? 'tool' : 'human';
}

const hasOwnPart = (value: JsonValue): boolean =>
  isJsonObject(value) && partTypes(value.content).some((type) => ownParts.test(type));

const partTypes = (content: JsonValue | undefined): readonly string[] =>
  Array.isArray(content) ? content.map((part) => (isJsonObject(part) ? String(part.type) : '')) : [];

function messageOf({ value, text, field }: Turn): readonly Message[] {
  if (field !== undefined) return [{ role: 'system', parts: [{ type: 'text', text }] }];
  return fromAnthropic([value]);
}
