/** What a tool result reports about itself outside of its plain output: JSON fields, envelopes, closing lines. */
import { redact } from '../redaction/redact.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../shared/json.ts';
import type { ToolResultPart } from '../transcript/message.ts';
import { resultText } from '../transcript/text.ts';

/** A result taken apart. */
export interface ResultReport {
  readonly exitCode?: number;
  /** True when fields or wrapping say that the call failed, false when they say that it worked. */
  readonly failed?: boolean;
  /** The error that a field names. */
  readonly message?: string;
  /** The command still ran when the result was written. */
  readonly running?: true;
  /** The output of the tool without the wrapping. */
  readonly body: string;
}

/** More than this is read only at its start and its end. */
const maxTextChars = 400_000;

/** Reads what the result says about itself. `trusted` tells that exit codes in plain text are the tool's own words. */
export function readReport(result: ToolResultPart, trusted: boolean): ResultReport {
  const text = bounded(resultText(result)).trim();
  const fields = result.extra ? fromFields(result.extra.fields) : {};
  const json = text.startsWith('{') ? parseJson(text) : undefined;
  if (isJsonObject(json)) return { ...fields, ...fromFields(json), body: outputField(json) ?? text };
  const wrapped = /^<tool_use_error>|^### Error\b|^<error>/.test(text) ? { failed: true } : {};
  const body = trusted ? withoutEnvelope(text) : text;
  return { ...fields, ...wrapped, ...(trusted ? fromLines(text) : {}), body };
}

function fromFields(fields: JsonObject): Omit<ResultReport, 'body'> {
  const inner = [fields, fields.metadata, fields.result, fields.toolUseResult, fields.details].filter(isJsonObject);
  const exitCode = inner.map(exitField).find((code) => code !== undefined);
  const said = inner.map(errorField).find((text) => text !== undefined);
  // Fields that only the format knows reach facts and stubs by no other way.
  const message = said === undefined ? undefined : redact(said);
  const failed = message !== undefined ? true : inner.map(failureField).find((flag) => flag !== undefined);
  return {
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(failed === undefined ? {} : { failed }),
    ...(message === undefined ? {} : { message }),
  };
}

function exitField(fields: JsonObject): number | undefined {
  for (const key of ['exit_code', 'exitCode', 'returncode', 'return_code', 'exit_status', 'exit']) {
    const value = fields[key];
    if (typeof value === 'number' && Number.isInteger(value)) return value;
  }
  return undefined;
}

function errorField(fields: JsonObject): string | undefined {
  if (fields.success === true || fields.ok === true) return undefined;
  const error = fields.error ?? fields.error_message;
  if (typeof error === 'string') return error.trim() || undefined;
  if (!isJsonObject(error)) return undefined;
  return typeof error.message === 'string' && error.message ? error.message : JSON.stringify(error);
}

function failureField(fields: JsonObject): boolean | undefined {
  for (const key of ['success', 'ok']) if (typeof fields[key] === 'boolean') return !fields[key];
  for (const key of ['isError', 'is_error']) if (typeof fields[key] === 'boolean') return fields[key];
  if (fields.interrupted === true || fields.timed_out === true) return true;
  return typeof fields.status === 'string' && /^(?:error|failed|failure|timeout)$/i.test(fields.status)
    ? true
    : undefined;
}

function outputField(fields: JsonObject): string | undefined {
  const texts = ['output', 'stdout', 'stderr', 'content', 'result', 'message'].map(
    (key): JsonValue => fields[key] ?? '',
  );
  const found = texts.filter((text) => typeof text === 'string' && text !== '');
  return found.length > 0 ? found.join('\n') : undefined;
}

/** Exit codes as tools write them: alone on one of the first lines, or in the closing line. */
const opening =
  /^(?:(?:Process|Command) exited with code|Exit code:?|exit_code[:=]|Return ?code:?|<(?:exit_code|returncode)>)\s*(-?\d+)/i;
const closing =
  /(?:(?:exited|completed|finished|failed|terminated) with (?:exit )?(?:code|status):?|^\W*exit(?:ed)?(?:[ _](?:code|status))?:?|^\(?returncode:?)\s*(-?\d+)\W*$/i;
const stillRunning = /^(?:Process running with session ID|Command running in background with ID)\b/;

function fromLines(text: string): Omit<ResultReport, 'body'> {
  const first = text.slice(0, 1_000).split('\n', 8);
  const last = text.slice(-1_000).split('\n').slice(-4);
  if (first.some((line) => stillRunning.test(line))) return { running: true };
  const found =
    first.map((line) => opening.exec(line)).find((match) => match) ??
    last.map((line) => closing.exec(line.slice(0, 300))).findLast((match) => match);
  return found ? { exitCode: Number(found[1]) } : {};
}

const envelopeLine = /^(?:Chunk ID: |Wall time: |Process exited with code |Exit code:? |Original token count: )/;

/** The text after the first lines in which the runner reports (Codex: up to `Output:`; Claude Code: `Exit code N`). */
function withoutEnvelope(text: string): string {
  let start = 0;
  for (let lines = 0; lines < 8; lines++) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end === -1 ? undefined : end);
    if (line === 'Output:' && start > 0) return end === -1 ? '' : text.slice(end + 1);
    if (!envelopeLine.test(line)) break;
    if (end === -1) return '';
    start = end + 1;
  }
  return text.slice(start);
}

function bounded(text: string): string {
  if (text.length <= maxTextChars) return text;
  return `${text.slice(0, maxTextChars / 2)}\n${text.slice(-maxTextChars / 2)}`;
}
