/** Who is behind a user message of Codex. */
import type { JsonObject } from '../../shared/json.ts';
import type { Origin, Part } from '../message.ts';
import { isHostElements } from '../origin.ts';
import { isCompaction } from './codex-items.ts';

/** What stands before a summary that Codex wrote itself. */
const summaryOpening = 'Another language model started to solve this problem and produced a summary';

const hostOpening = /^(?:# AGENTS\.md instructions for |Warning: The maximum number of unified exec processes)/;

/** The origin as far as the log tells it: the program's texts stand in parts of their own. */
export function codexOrigin(item: JsonObject, parts: readonly Part[]): Origin | undefined {
  if (isCompaction(item)) return 'summary';
  if (item.type === 'agent_message') return 'host';
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text.trim()] : []));
  if (texts.some((text) => text.startsWith(summaryOpening))) return 'summary';
  const ofHost = texts.filter((text) => hostOpening.test(text) || isHostElements(text));
  if (ofHost.length === 0) return undefined;
  return ofHost.length === parts.length ? 'host' : 'person';
}
