/** Bodies of `POST /v1/responses`. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { messageText } from '../../text.ts';
import { actsIn, type BodyFormat, type Pairs } from '../body/format.ts';
import { asList, asObject, is } from '../values.ts';
import { fromInstructions, fromOpenAiResponses, toOpenAiResponses } from './messages.ts';
import { responsesDialect } from './server.ts';

const trigger = 'compaction_trigger';

export const responsesBody: BodyFormat = {
  dialect: responsesDialect,
  list: 'input',
  mayLackList: true,
  systems: ['instructions'],
  toolLists: ['tools'],
  maxTokens: [['max_output_tokens']],
  plain: (content) => ({ role: 'user', content }),
  read: fromOpenAiResponses,
  readSystem: (value) => (is.text(value) ? fromInstructions(value) : undefined),
  write: (message) => toOpenAiResponses([message]).items,
  writeSystem: messageText,
  brief: (role, content) => ({ type: 'message', role, content }),
  acts: (body) => [
    ...actsIn('context_management', asList(body.context_management).map(asObject)),
    ...(body.truncation === 'auto' ? [{ field: 'truncation', type: 'auto' }] : []),
    ...(asList(body.input).some(isTrigger) ? [{ field: trigger }] : []),
  ],
  continues: (body) => continuing.find((name) => (body[name] ?? null) !== null),
  pairs,
  misplaced: (values) => {
    const at = values.findIndex(isTrigger);
    return at >= 0 && at < values.length - 1 ? `a ${trigger} that is not the last item` : undefined;
  },
};

/** What the provider keeps stands before the input. */
const continuing = ['previous_response_id', 'conversation', 'prompt'];

const isTrigger = (item: JsonValue): boolean => asObject(item).type === trigger;

/** Calls of every kind, also of tools that are newer than our list of them, and questions of the provider. */
function pairs(values: readonly JsonValue[]): Pairs {
  const items = values.filter(isJsonObject);
  const idsOf = (isWanted: (type: string) => boolean): readonly string[] =>
    items.flatMap((item) => (is.text(item.type) && isWanted(item.type) ? idOf(item) : []));
  return {
    calls: idsOf((type) => type.endsWith('_call') || type === 'mcp_approval_request'),
    answers: idsOf((type) => type.endsWith('_output') || type === 'mcp_approval_response'),
  };
}

function idOf({ type, id, call_id: call, approval_request_id: request }: JsonObject): readonly string[] {
  const found = type === 'mcp_approval_request' ? id : (call ?? request);
  return is.text(found) ? [found] : [];
}
