/** The result of a tool, in the forms in which it may come, and the texts in it that can be taken out. Pure. */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../shared/json.ts';
import type { ResultContent, ToolResultPart } from '../transcript/message.ts';
import { grouped } from './text.ts';

/** What a tool gave back, as a tool loop has it. */
export interface ToolOutput {
  readonly toolName: string;
  readonly callId: string;
  readonly content: string | readonly ResultContent[];
  readonly isError?: boolean;
}

/** A result in either form. */
export type AnyResult = ToolOutput | ToolResultPart;

/** A text in a result. */
export interface HeldText {
  /** Its place in the content; 0 where the content is one text. */
  readonly at: number;
  readonly text: string;
}

/** A text in the results of an answer: the number of its result, and its place in that one's content. */
export interface TextOfResults {
  readonly result: number;
  readonly at: number;
}

/** Beneath this, what stands for a text would hardly be shorter than the text. */
export const leastChars = 1_000;

/** The name of the tool; empty where it is not known. */
export const toolNameOf = (result: AnyResult): string => ('toolName' in result ? result.toolName : result.name) ?? '';

/** The provider ran the tool itself, and takes its result back only as it was. */
export const isForeign = (result: AnyResult): boolean => 'server' in result && result.server === true;

/**
 * The texts of a result: its text parts, the texts of its files, and parts that only their format knows, as JSON. Images
 * and the bytes of files are none.
 */
export function textsOf({ content }: AnyResult): readonly HeldText[] {
  if (typeof content === 'string') return [{ at: 0, text: content }];
  return content.flatMap((part, at) => {
    const text = partText(part);
    return text === undefined ? [] : [{ at, text }];
  });
}

/** Characters of all texts of a result. */
export const charsOf = (result: AnyResult): number => textsOf(result).reduce((sum, { text }) => sum + text.length, 0);

/** The result with one of its texts replaced; everything else stays. */
export function withText<R extends AnyResult>(result: R, at: number, text: string): R {
  const { content } = result;
  const replaced =
    typeof content === 'string' ? text : content.map((part, i) => (i === at ? replacedPart(part, text) : part));
  // The content keeps its form, so the result keeps its type.
  return { ...result, content: replaced } as R;
}

function partText(part: ResultContent): string | undefined {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'file':
      return part.text;
    case 'image':
      return undefined;
    case 'other':
      return JSON.stringify(part.value);
  }
}

function replacedPart(part: ResultContent, text: string): ResultContent {
  if (part.type === 'text' || part.type === 'file') return { ...part, text };
  return { type: 'text', text };
}

// The envelope that results of MCP servers come in: JSON around texts. Pure.

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
