/** Every dialect that providers speak over HTTP. */

import type { Dialect, DialectName } from './answer.ts';
import { anthropicDialect } from './anthropic/server.ts';
import { chatDialect } from './chat/server.ts';
import { geminiDialect } from './gemini/server.ts';
import { responsesDialect } from './responses/server.ts';

/** In the order in which a path is looked up. */
export const dialects: readonly Dialect[] = [chatDialect, responsesDialect, anthropicDialect, geminiDialect];

/** The dialect of a name. */
export const dialectNamed = (name: DialectName): Dialect =>
  dialects.find((dialect) => dialect.name === name) ?? chatDialect;
