/** Every dialect of the fake. */
import type { DialectName } from '../request.ts';
import { anthropic } from './anthropic.ts';
import type { Dialect } from './dialect.ts';
import { gemini } from './gemini.ts';
import { openAiChat, openAiResponses } from './openai.ts';

/** In the order in which a path is looked up. */
export const dialects: readonly Dialect[] = [openAiChat, openAiResponses, anthropic, gemini];

const byName: Readonly<Record<DialectName, Dialect>> = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  anthropic,
  gemini,
};

/** The dialect of a name. */
export const dialectNamed = (name: DialectName): Dialect => byName[name];
