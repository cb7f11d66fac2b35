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
    ...actsIn('context_management', asList(asObject(management).edits)),
    ...(compaction === undefined ? [] : actsIn('compaction', [compaction])),
  ],
  continues: () => undefined,
  misplaced: (values, before) => {
    // A conversation that was compacted on demand opens with the block that says so.
    const [first] = before;
    const at = first !== undefined && isCompacted(first) ? values.findIndex(isCompacted) : 0;
    if (at > 0) return 'the compaction block that opened the messages no longer does';
    const isNew = values.some(isEarlySystem) && !before.some(isEarlySystem);
    return isNew ? 'a system message before one of the user' : undefined;
  },
};

const isCompacted = (value: JsonValue): boolean =>
  asList(asObject(value).content).some((block) => asObject(block).type === 'compaction');

/** A system message in mid-conversation stands before the assistant or at the end. */
const isEarlySystem = (value: JsonValue, at: number, values: readonly JsonValue[]): boolean =>
  asObject(value).role === 'system' && asObject(values[at + 1]).role === 'user';
