/** Bodies of `POST /v1/messages`. */
import type { JsonValue } from '../../../shared/json.ts';
import { actsIn, type BodyFormat } from '../body/format.ts';
import { asList, asObject } from '../values.ts';
import { fromAnthropic, fromAnthropicSystem, toAnthropic } from './messages.ts';
import { anthropicDialect } from './server.ts';

export const anthropicBody: BodyFormat = {
  dialect: anthropicDialect,
  list: 'messages',
  systems: ['system'],
  joinsSystems: true,
  toolLists: ['tools'],
  maxTokens: [['max_tokens']],
  read: fromAnthropic,
  readSystem: fromAnthropicSystem,
  write: (message) => toAnthropic([message]).messages,
  writeSystem: (message) => toAnthropic([message]).system,
  brief: (role, content) => ({ role, content }),
  acts: ({ context_management: management, compaction }) => [
    ...actsIn('context_management', asList(asObject(management).edits).map(asObject)),
    ...(compaction === undefined ? [] : actsIn('compaction', [asObject(compaction)])),
  ],
  continues: () => undefined,
  misplaced: (values, before) => {
    // A conversation that was compacted on demand opens with the block that says so.
    const at = opensCompacted(before) ? values.findIndex(isCompacted) : 0;
    return at > 0 ? 'the compaction block that opened the messages no longer does' : undefined;
  },
};

const isCompacted = (value: JsonValue): boolean =>
  asList(asObject(value).content).some((block) => asObject(block).type === 'compaction');

const opensCompacted = ([first]: readonly JsonValue[]): boolean => first !== undefined && isCompacted(first);
