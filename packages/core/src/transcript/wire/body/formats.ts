/** The bodies of every dialect. */
import type { DialectName } from '../answer.ts';
import { anthropicBody } from '../anthropic/body.ts';
import { chatBody } from '../chat/body.ts';
import { geminiBody } from '../gemini/body.ts';
import { responsesBody } from '../responses/body.ts';
import type { BodyFormat } from './format.ts';

const formats: Readonly<Record<DialectName, BodyFormat>> = {
  'openai-chat': chatBody,
  'openai-responses': responsesBody,
  anthropic: anthropicBody,
  gemini: geminiBody,
};

export const bodyFormatOf = (dialect: DialectName): BodyFormat => formats[dialect];
