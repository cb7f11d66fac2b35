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
  /** The result is a JSON value, and `body` what it carries. */
  readonly isJson?: true;
  /** The output of the tool without the wrapping. */
  readonly body: string;
}

/**
 * What of a text are the tool's own words: `all` of it; its `envelope`, the lines and objects that only a runner writes
 * around what a command shows; the `fields` of a tool that answers in JSON, whose lines are those of others; `none`, as in
 * a file that is itself JSON.
 */
export type Trust = 'all' | 'envelope' | 'fields' | 'none';

/** More than this is read only at its start and its end. */
const maxTextChars = 400_000;

/** Reads what the result says about itself. */
export function readReport(result: ToolResultPart, trust: Trust): ResultReport {
  const text = bounded(resultText(result)).trim();
  const fields = result.extra ? fromFields(result.extra.fields, 'all') : {};
  const json = text.startsWith('{') || text.startsWith('[') ? parseJson(text) : undefined;
  const own = isJsonObject(json) ? json : contentOf(json) === undefined ? undefined : { content: json ?? null };
  if (own && speaks[trust](own)) {
    return { ...fields, ...fromFields(own, trust), isJson: true, body: outputField(own) ?? text };
  }
  const wrapped = /^<tool_use_error>|^### Error\b|^<error>/.test(text) ? { failed: true } : {};
  if (trust === 'fields' || trust === 'none') return { ...fields, ...wrapped, body: text };
  return { ...fields, ...wrapped, ...fromLines(text, trust), body: withoutEnvelope(text) };
}

/** Whether the fields of a JSON object are those of the tool. */
const speaks: Readonly<Record<Trust, (fields: JsonObject) => boolean>> = {
  all: () => true,
  fields: () => true,
  envelope: (fields) => isEnvelope(fields),
  none: (fields) => typeof fields.error === 'string' && isOnly(fields, errorKeys),
};

/** What a tool tells in place of what it was to bring. */
const errorKeys = new Set(['error', 'errors', 'message', 'success', 'ok', 'status', 'path', 'data', 'extensions']);

const isOnly = (fields: JsonObject, keys: ReadonlySet<string>): boolean =>
  Object.entries(fields).every(([key, value]) => keys.has(key) && (key !== 'data' || value === null));

/** A runner that answers in JSON gives the output a field of its own. */
const isEnvelope = (fields: JsonObject): boolean =>
  [fields, fields.metadata].some((one) => isJsonObject(one) && exitField(one) !== undefined) ||
  fields.stdout !== undefined ||
  (fields.output !== undefined && fields.error !== undefined);

function fromFields(fields: JsonObject, trust: Trust): Omit<ResultReport, 'body'> {
  const inner = [fields, fields.metadata, fields.result, fields.toolUseResult, fields.details].filter(isJsonObject);
  const exitCode = inner.map(exitField).find((code) => code !== undefined);
  const said = inner.map((one) => errorField(one, trust)).find((text) => text !== undefined);
  // Fields that only the format knows reach facts and stubs by no other way.
  const message = said === undefined ? undefined : redact(said);
  const failed =
    message !== undefined ? true : inner.map((one) => failureField(one, trust)).find((flag) => flag !== undefined);
  return {
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(failed === undefined ? {} : { failed }),
    ...(message === undefined ? {} : { message }),
  };
}

function exitField(fields: JsonObject): number | undefined {
  for (const key of ['exit_code', 'exitCode', 'returncode', 'return_code', 'exit_status', 'exit', 'rc']) {
    const value = fields[key];
    if (typeof value === 'number' && Number.isInteger(value)) return value;
  }
  return undefined;
}

/** How "no error" is written in words. */
const noError = /^(?:none|null|nil|false|no errors?|n\/a|0|ok|\(none\))$/i;

function errorField(fields: JsonObject, trust: Trust): string | undefined {
  if (fields.success === true || fields.ok === true) return undefined;
  // A search may well find errors: the list of them is then what was asked for.
  const errors = trust === 'all' || isOnly(fields, errorKeys) ? firstOf(fields.errors) : undefined;
  const error = fields.error ?? fields.error_message ?? fields.errorMessage ?? errors;
  if (typeof error === 'string') return noError.test(error.trim()) ? undefined : error.trim() || undefined;
  if (!isJsonObject(error)) return undefined;
  return typeof error.message === 'string' && error.message ? error.message : JSON.stringify(error);
}

const firstOf = (value: JsonValue | undefined): JsonValue | undefined => (Array.isArray(value) ? value[0] : undefined);

function failureField(fields: JsonObject, trust: Trust): boolean | undefined {
  for (const key of ['success', 'ok']) if (typeof fields[key] === 'boolean') return !fields[key];
  for (const key of ['isError', 'is_error', 'error', 'errors'])
    if (typeof fields[key] === 'boolean') return fields[key];
  if (fields.interrupted === true || fields.timed_out === true) return true;
  if (typeof fields.status === 'string' && /^(?:running|pending|queued|in_progress)$/i.test(fields.status))
    return undefined;
  return statusField(fields, trust) ?? (isSaidToBeNone(fields) ? false : undefined);
}

/** `"error": null` is the tool's word that there was none; so is a reply of JSON-RPC or GraphQL without errors. */
function isSaidToBeNone(fields: JsonObject): boolean {
  const { error, errors } = fields;
  if (error === null || error === '' || (typeof error === 'string' && noError.test(error.trim()))) return true;
  if (Array.isArray(errors) && errors.length === 0) return true;
  return (fields.jsonrpc !== undefined && fields.result !== undefined) || isJsonObject(fields.data);
}

function statusField(fields: JsonObject, trust: Trust): boolean | undefined {
  const http = fields.status_code ?? fields.statusCode ?? fields.status ?? (fields.message && fields.code);
  const code = typeof http === 'string' && /^[1-5]\d\d$/.test(http) ? Number(http) : http;
  if (typeof code === 'number') return code >= 400 && code < 600 ? true : code >= 200 && code < 400 ? false : undefined;
  if (typeof http !== 'string') return undefined;
  if (/^error$/i.test(http)) return true;
  // What is looked up may have failed; the look at it has not.
  if (/^(?:failed|failure|timeout|timed_out)$/i.test(http)) return trust === 'all' || undefined;
  return /^(?:success|succeeded|ok|completed)$/i.test(http) ? false : undefined;
}

function outputField(fields: JsonObject): string | undefined {
  const texts = ['output', 'stdout', 'stderr', 'content', 'result', 'message'].map(
    (key): JsonValue => contentOf(fields[key]) ?? fields[key] ?? '',
  );
  const found = texts.filter((text) => typeof text === 'string' && text !== '');
  return found.length > 0 ? found.join('\n') : undefined;
}

/** The text of a list of parts, as MCP servers answer; undefined for every other value. */
function contentOf(value: JsonValue | undefined): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const texts = value.map((part) => (isJsonObject(part) && part.type === 'text' ? part.text : undefined));
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : undefined;
}

/** Exit codes as tools write them: alone on one of the first lines, or in the closing line. */
const opening =
  /^(?:(?:Process|Command) exited with code|Exit[ _]?code[:=]?|Return ?code[:=]?|Command executed\b.{0,200}\bExit code:|<(?:exit_code|returncode)>)\s*(-?\d+)/i;
const closing =
  /(?:(?:exited|completed|finished|failed|terminated) with (?:exit )?(?:code|status):?|^\W*exit(?:ed)?(?:[ _]?(?:code|status))?[:=]?|\(exit(?: code)?:?|^\(?return ?code[:=]?)\s*(-?\d+)\W*$/i;
/** The same where the line holds nothing else: what is shown may well speak of exit codes. */
const closingAlone =
  /^[[(<]?(?:(?:The )?(?:Process|Command) )?(?:exit(?:ed)?|completed|finished|returned?)[ _]?(?:with )?(?:exit )?(?:code|status)?[:=]?\s*(-?\d+)[\])>.]*$/i;
const stillRunning = /^(?:Process running with session ID|Command running in background with ID)\b/;

function fromLines(text: string, trust: Trust): Omit<ResultReport, 'body'> {
  const first = text.slice(0, 1_000).split('\n', 8);
  const last = text.slice(-1_000).split('\n').slice(-4);
  if (first.some((line) => stillRunning.test(line))) return { running: true };
  const heads = trust === 'all' ? first : first.slice(0, 1 + first.findLastIndex((line) => envelopeLine.test(line)));
  const found =
    heads.map((line) => opening.exec(line)).find((match) => match) ??
    last
      .map((line) => (trust === 'all' ? closing : closingAlone).exec(line.slice(0, 300).trim()))
      .findLast((match) => match);
  return found ? { exitCode: Number(found[1]) } : {};
}

const envelopeLine =
  /^(?:Chunk ID: |Wall time: |Process exited with code |Exit[ _]?code:? |Original token count: |<(?:exit_code|returncode)>)/i;

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
