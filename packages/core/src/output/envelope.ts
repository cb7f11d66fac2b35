/** The envelope that results of MCP servers come in: JSON around texts. Pure. */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../shared/json.ts';
import { grouped } from './words.ts';

/** An envelope that was opened. */
export interface Envelope {
  /** Its texts, as the tool wrote them, one after another. */
  readonly text: string;
  /** What else it holds, in one short line. */
  readonly metadata: string;
  readonly isError: boolean;
}

const maxMetadataChars = 600;
const maxValueChars = 120;

/**
 * Opens `{"content": [{"type": "text", "text": …}, …], …}`, and `{"result": "…"}` as hosts write it; undefined for every
 * other text.
 */
export function openEnvelope(text: string): Envelope | undefined {
  if (!looksLikeObject(text)) return undefined;
  const value = parseJson(text);
  if (!isJsonObject(value)) return undefined;
  const texts = textsIn(value);
  if (texts.length === 0) return undefined;
  return { text: texts.join('\n'), metadata: metadataOf(value), isError: value.isError === true };
}

/** What a result of an MCP server may hold: `CallToolResult` of the Model Context Protocol. */
const resultMembers = ['content', 'isError', 'structuredContent', '_meta'];

/** True for a text that is a result of an MCP server as it came: other tools write other members. */
export function isMcpResult(text: string): boolean {
  const value = looksLikeObject(text) ? parseJson(text) : undefined;
  if (!isJsonObject(value) || !Object.keys(value).every((key) => resultMembers.includes(key))) return false;
  return value.content !== undefined && textsIn(value).length > 0;
}

const looksLikeObject = (text: string): boolean =>
  /^\s*\{\s*"/.test(text.slice(0, 1_000)) && /\}\s*$/.test(text.slice(-1_000));

function textsIn({ content, result }: JsonObject): readonly string[] {
  if (typeof result === 'string' && content === undefined) return [result];
  if (!Array.isArray(content)) return [];
  const entries: readonly JsonValue[] = content;
  return entries.every(isEntry) ? entries.flatMap((entry) => textOf(entry) ?? []) : [];
}

const isEntry = (value: JsonValue): value is JsonObject => isJsonObject(value) && typeof value.type === 'string';

function textOf({ type, text, resource }: JsonObject): string | undefined {
  if (type === 'text' && typeof text === 'string') return text;
  return isJsonObject(resource) && typeof resource.text === 'string' ? resource.text : undefined;
}

/** Every member beside the texts, long ones by their size alone. */
function metadataOf(envelope: JsonObject): string {
  const members = Object.entries(envelope).flatMap(([key, value]) => {
    if (key === 'result' && typeof value === 'string') return [];
    const rest =
      key === 'content' && Array.isArray(value) ? value.filter((entry) => textOf(entry) === undefined) : [value];
    return rest.map((one) => `${short(key)}: ${isEntry(one) ? entryWords(one) : short(JSON.stringify(one))}`);
  });
  const line = members.join(', ') || 'nothing';
  return line.length <= maxMetadataChars ? line : `${line.slice(0, maxMetadataChars - 1).toWellFormed()}…`;
}

const entryWords = (entry: JsonObject): string =>
  [entry.type, entry.mimeType, entry.uri, entry.name]
    .filter((one) => typeof one === 'string')
    .map(short)
    .join(' ');

const short = (text: string): string =>
  text.length <= maxValueChars ? text.replaceAll(/\s+/g, ' ').toWellFormed() : `${grouped(text.length)} characters`;
