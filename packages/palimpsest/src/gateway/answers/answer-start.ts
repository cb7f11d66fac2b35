/** The start of an answer with a good status: some providers tell there, and not by a status, that a request is too long. */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '@palimpsest/core/settings';

/** `open`: nothing was said yet. `said`: the answer has begun, or there is life to be passed on. `error`: in place of an answer. */
export type AnswerStart = 'open' | 'said' | 'error';

/** What the bytes so far show, in any dialect. `isWhole`: there are no more. */
export function answerStart(bytes: Uint8Array, isWhole = false): AnswerStart {
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === '') return 'open';
  return /^\s*[[{]/.test(text) ? bodyStart(text) : streamStart(text, isWhole);
}

/** The first member of a body, or of the first in a list of them; errors stand there. */
const firstMember = /^\s*\[?\s*\{\s*"((?:[^"\\]|\\.)*)"\s*:\s*("[^"]*"?|\S)/;

/** An error is told once it is whole. */
function bodyStart(text: string): AnswerStart {
  const [, name, value = ''] = firstMember.exec(text) ?? [];
  if (name === undefined) return 'open';
  // Its value may not be whole yet.
  const mayFail = name === 'error' || (name === 'type' && '"error"'.startsWith(value));
  if (!mayFail) return 'said';
  const whole = parseJson(text);
  if (whole === undefined) return 'open';
  const [body] = Array.isArray(whole) ? whole : [whole];
  return isJsonObject(body) && isFailure(body, '') ? 'error' : 'said';
}

const blankLine = /\r\n\r\n|\n\n|\r\r/;

function streamStart(text: string, isWhole: boolean): AnswerStart {
  const events = text.split(blankLine);
  // What stands behind the last blank line is no event yet.
  for (const event of isWhole ? events.filter((one) => one.trim() !== '') : events.slice(0, -1)) {
    const start = eventStart(event.split(/\r\n|\n|\r/));
    if (start !== 'open') return start;
  }
  return 'open';
}

function eventStart(lines: readonly string[]): AnswerStart {
  const valuesOf = (field: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).trim());
  const data = parseJson(valuesOf('data').join('\n'));
  // A comment, a ping, the end: whoever waits for a sign of life gets it.
  if (!isJsonObject(data)) return 'said';
  const [name = ''] = valuesOf('event');
  if (isFailure(data, name)) return 'error';
  return isSilent(data) ? 'open' : 'said';
}

const isFailure = ({ type, error }: JsonObject, name: string): boolean =>
  type === 'error' || type === 'response.failed' || name === 'error' || isJsonObject(error);

/** Events before the first word: of Responses and of Anthropic. */
const opening: ReadonlySet<unknown> = new Set([
  'response.created',
  'response.queued',
  'response.in_progress',
  'message_start',
]);

/** True for what says that an answer begins, and nothing of it: also the first chunk of Chat Completions, which has a role alone. */
function isSilent({ type, choices }: JsonObject): boolean {
  if (opening.has(type)) return true;
  if (!Array.isArray(choices)) return false;
  return choices.every((choice: JsonValue) => {
    if (!isJsonObject(choice) || !isJsonObject(choice.delta) || (choice.finish_reason ?? null) !== null) return false;
    return Object.entries(choice.delta).every(([name, value]) => name === 'role' || value === '' || value === null);
  });
}
