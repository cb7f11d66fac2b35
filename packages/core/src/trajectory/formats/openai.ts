/** Records of OpenAI's fine-tuning and of everything alike: `{"messages": [{role, content, tool_calls}]}`. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { fromOpenAiChat } from '../../transcript/wire/chat/messages.ts';
import { withMarkup } from '../markup.ts';
import type { Speaker } from '../turn.ts';
import type { EntryFormat } from './entry.ts';
import { appendedContent, callText, clipMessage, contentText, userMessage } from './parts.ts';

const speakers: ReadonlyMap<string, Speaker> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'human'],
  ['human', 'human'],
  ['assistant', 'gpt'],
  ['model', 'gpt'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

export const openAiEntries: EntryFormat = {
  format: 'openai-chat',
  expected: 'a chat message with a role',
  // Whatever has a role and is of no other format.
  knows: (list) => isJsonObject(list[0]) && typeof list[0].role === 'string',
  read: (value) => {
    const role = value.role;
    if (typeof role !== 'string') return undefined;
    return { speaker: speakers.get(role) ?? 'human', text: textOf(value) };
  },
  messages: (turns) => {
    const values = turns.map(({ value, text, field }) =>
      field === undefined ? value : { role: 'system', content: text },
    );
    return withMarkup(fromOpenAiChat(values), turns);
  },
  human: (pieces) => userMessage(pieces),
  clip: ({ value }) => clipMessage(value),
  isPersons: ({ speaker }) => speaker === 'human',
  append: (turn, text) => {
    const content = appendedContent(turn, text);
    return isJsonObject(turn.value) ? { ...turn.value, content } : content;
  },
};

/** Reasoning, text and calls, as the model wrote them. */
function textOf(value: JsonObject): string {
  const reasoning = ['reasoning_content', 'reasoning']
    .map((name) => value[name])
    .find((text) => typeof text === 'string');
  const said = contentText(value.content);
  return [reasoning, said, ...callsOf(value)].filter((text) => typeof text === 'string' && text !== '').join('\n');
}

function callsOf({ tool_calls: calls, function_call: call }: JsonObject): readonly string[] {
  const list = Array.isArray(calls) ? calls.map(functionOf) : [];
  return [...list, ...(isJsonObject(call) ? [callText(call.name, call.arguments)] : [])];
}

function functionOf(value: JsonValue): string {
  if (!isJsonObject(value)) return '';
  const { function: func, custom } = value;
  if (isJsonObject(func)) return callText(func.name, func.arguments);
  return isJsonObject(custom) ? callText(custom.name, custom.input) : '';
}
