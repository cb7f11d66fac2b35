/** Bodies of `POST /v1/chat/completions`. */
import type { BodyFormat } from '../body/format.ts';
import { asList, is } from '../values.ts';
import { fromOpenAiChat, toOpenAiChat } from './messages.ts';
import { chatDialect } from './server.ts';

export const chatBody: BodyFormat = {
  dialect: chatDialect,
  list: 'messages',
  systems: [],
  toolLists: ['tools', 'functions'],
  maxTokens: [['max_completion_tokens'], ['max_tokens']],
  read: fromOpenAiChat,
  readSystem: () => undefined,
  write: (message) => toOpenAiChat([message]),
  writeSystem: () => undefined,
  brief: (role, content) => ({ role, content }),
  // OpenRouter leaves messages out of the middle when it is asked to.
  acts: ({ transforms }) =>
    asList(transforms).flatMap((type) => (is.text(type) ? [{ field: 'transforms', type }] : [])),
  continues: () => undefined,
};
