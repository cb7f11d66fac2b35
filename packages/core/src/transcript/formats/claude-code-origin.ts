/** Who is behind a user message of Claude Code. */
import { type JsonObject, parseJson } from '../../shared/json.ts';
import type { Origin, Part } from '../message.ts';
import { asObject, asText } from './fields.ts';

/** Elements that the program writes in the user's place: commands and their output, reminders, notifications. */
const hostElement =
  /^<(command-(?:name|message|args|contents)|local-command-[\w-]+|bash-(?:input|stdout|stderr)|system-reminder|task-notification|agent-notification|user-memory-input|session-start-hook|user-prompt-submit-hook|ide_[\w-]+|teammate-message|agent-message|new-diagnostics|tick)\b[^>]*>[\s\S]*?<\/\1>\s*/;

/** A notification is followed by where to read more. */
const hostOpening =
  /^(?:\[Request interrupted by user[^\]\n]*\]\s*$|Caveat: The messages below were generated|<task-notification>)/;

const summaryOpening = 'This session is being continued from a previous conversation that ran out of context';

/** The origin as far as the log tells it; undefined leaves the question to the text. */
export function claudeCodeOrigin(record: JsonObject, parts: readonly Part[]): Origin | undefined {
  if (record.isCompactSummary === true) return 'summary';
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (texts.length === 0 && parts.some((part) => part.type === 'toolResult')) return undefined;
  if (texts[0]?.startsWith(summaryOpening)) return 'summary';
  // What a sub-agent is asked is written by the agent that started it.
  if (record.isMeta === true || record.isSidechain === true || isFromProgram(record)) return 'host';
  return originOfText(texts.join('\n').trim());
}

function isFromProgram(record: JsonObject): boolean {
  const kind = asText(asObject(record.origin).kind);
  const mode = asText(record.commandMode);
  return (kind !== undefined && kind !== 'human') || mode === 'task-notification';
}

/** What the program queues about a task that it moved into the background: `{"task_id":…,"task_type":…}`. */
function isTaskNote(text: string): boolean {
  if (!text.startsWith('{') || !text.includes('"task_id"')) return false;
  const note = asObject(parseJson(text));
  return typeof note.task_id === 'string' && typeof note.task_type === 'string';
}

/** Words that remain when the program's elements are taken away are a person's. */
function originOfText(text: string): Origin | undefined {
  if (hostOpening.test(text) || isTaskNote(text)) return 'host';
  let words = text;
  for (let found = hostElement.exec(words); found; found = hostElement.exec(words))
    words = words.slice(found[0].length);
  if (words.length === text.length) return undefined;
  return words === '' ? 'host' : 'person';
}
