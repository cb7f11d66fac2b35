/** Bodies of `POST /v1beta/models/MODEL:generateContent`. */
import type { BodyFormat } from '../body/format.ts';
import { is } from '../values.ts';
import { fromGemini, fromGeminiSystem, toGemini } from './messages.ts';
import { geminiDialect } from './server.ts';

export const geminiBody: BodyFormat = {
  dialect: geminiDialect,
  list: 'contents',
  systems: ['systemInstruction', 'system_instruction'],
  joinsSystems: true,
  toolLists: ['tools'],
  maxTokens: [
    ['generationConfig', 'maxOutputTokens'],
    ['generation_config', 'max_output_tokens'],
  ],
  read: fromGemini,
  readSystem: fromGeminiSystem,
  write: (message) => toGemini([message]).contents,
  writeSystem: (message) => Object.values(toGemini([message]).system)[0],
  brief: (role, text) => ({ role: role === 'assistant' ? 'model' : 'user', parts: [{ text }] }),
  acts: () => [],
  // What is cached stands before the contents.
  continues: ({ cachedContent: cached }) => (is.name(cached) ? 'cachedContent' : undefined),
};
