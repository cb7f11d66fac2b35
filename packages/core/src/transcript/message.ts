/**
 * The nouns of the project: what was said, in one form that every wire format can be read into and written from,
 * and that loses nothing. Everything here is a plain value; nothing in the project changes one after it was made.
 */

import { contentHash } from '../shared/hash.ts';
import type { JsonObject, JsonValue } from '../shared/json.ts';

/** Who a message comes from, as providers name it. */
export type Role = 'system' | 'user' | 'assistant' | 'tool';

/** Fields of a format that the model below has no name for, kept so that the same format can write them back. */
export interface Extra {
  /** The format the fields belong to; every other writer leaves them out. */
  readonly format: FormatName;
  readonly fields: JsonObject;
}

/** Text. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly extra?: Extra;
}

/** An image, by its bytes, its address or its id. */
export interface ImagePart {
  readonly type: 'image';
  /** MIME type, such as `image/png`, where the format names it. */
  readonly mediaType?: string;
  /** Base64, without a `data:` prefix. Exactly one of `data`, `url` and `fileId` is set. */
  readonly data?: string;
  readonly url?: string;
  /** The provider's id of an uploaded file. */
  readonly fileId?: string;
  readonly extra?: Extra;
}

/** A document, an audio clip or any other attachment that is not an image. */
export interface FilePart {
  readonly type: 'file';
  readonly mediaType?: string;
  readonly name?: string;
  /** Base64. */
  readonly data?: string;
  readonly url?: string;
  readonly fileId?: string;
  /** Plain text of the attachment, where the format carries it as text. */
  readonly text?: string;
  readonly extra?: Extra;
}

/** What a model thought before it answered. */
export interface ReasoningPart {
  readonly type: 'reasoning';
  /** What can be read of it; empty when the provider hides it. */
  readonly text: string;
  /** The provider's proof that it wrote the text; breaks when what stands before it changes. */
  readonly signature?: string;
  /** Encrypted or redacted reasoning, opaque to everybody but the provider. */
  readonly encrypted?: string;
  readonly extra?: Extra;
}

/** A model asks for a tool to run. */
export interface ToolCallPart {
  readonly type: 'toolCall';
  readonly callId: string;
  readonly name: string;
  /** The arguments as the text that was sent; for JSON arguments a JSON text, possibly a broken one. */
  readonly input: string;
  /** `text` for free-form input (a Codex custom tool), which is not JSON. */
  readonly inputType: 'json' | 'text';
  /** Set when the provider runs the tool itself; its result then stands in the same message. */
  readonly server?: true;
  readonly extra?: Extra;
}

/** What may stand inside a tool result. */
export type ResultContent = TextPart | ImagePart | FilePart | OtherPart;

/** What a tool gave back for one call. */
export interface ToolResultPart {
  readonly type: 'toolResult';
  readonly callId: string;
  readonly name?: string;
  readonly content: readonly ResultContent[];
  /** Set when the tool or the format says that the call failed. */
  readonly isError?: boolean;
  readonly server?: true;
  readonly extra?: Extra;
}

/** A part of a type we have no name for, exactly as it came. */
export interface OtherPart {
  readonly type: 'other';
  readonly value: JsonValue;
  readonly extra?: Extra;
}

/** A typed piece of a message. */
export type Part = TextPart | ImagePart | FilePart | ReasoningPart | ToolCallPart | ToolResultPart | OtherPart;

/**
 * Who is behind a message with role `user`, where that is known: a person; the host program (reminders, environment,
 * command output, notifications); or an earlier compression, whose summary it carries.
 */
export type Origin = 'person' | 'host' | 'summary';

/** Where a message stood in the file it was read from. */
export interface SourceSpan {
  /** First byte and the byte after the last, counted in the uncompressed file. */
  readonly start: number;
  readonly end: number;
  /** Line of the first byte, from 1. */
  readonly line: number;
}

/** Something that was said, by whom, in parts. */
export interface Message {
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly origin?: Origin;
  /** The author's name, where the format has one. */
  readonly name?: string;
  /** ISO 8601. */
  readonly time?: string;
  /** The model that wrote it. */
  readonly model?: string;
  /** The provider's id of the message. */
  readonly providerId?: string;
  readonly extra?: Extra;
  /** One span a record; a message that a log wrote as several lines has several. */
  readonly source?: readonly SourceSpan[];
}

/** What a provider reported for one call of a model, as a log has it. */
export interface ReportedUsage {
  /** Tells the call from every other one of the tool, and is the same in every copy of the log. */
  readonly id: string;
  /** The model, as `provider/model` where the log names the provider. */
  readonly model?: string;
  /** ISO 8601. */
  readonly time?: string;
  /** The provider's report, as it came. */
  readonly report: JsonObject;
  /** Set for a report that was written before the call had ended: what it counts is at least so much. */
  readonly isPartial?: true;
  /** Set for a call of a side conversation that this log tells of. */
  readonly ofSide?: true;
}

/** All messages of a session in order. */
export interface Transcript {
  readonly format: FormatName;
  readonly messages: readonly Message[];
  /** The session's own id, where the format has one. */
  readonly id?: string;
  readonly title?: string;
  readonly model?: string;
  /** The folder the agent worked in. */
  readonly workingDirectory?: string;
  /** Tool definitions, where the format carries them, as they came. */
  readonly tools?: readonly JsonValue[];
  /** Indexes of the messages that open a stretch after a compression by the tool that wrote the log. */
  readonly compressions?: readonly number[];
  /** What the calls behind the messages used, where the format carries it. */
  readonly usage?: readonly ReportedUsage[];
  /** Set for a side conversation (a sub-agent): the id of what it branched from, where known. */
  readonly sideOf?: string;
  /** What stood around the messages: the envelope of the file, as it came. */
  readonly extra?: Extra;
}

/** Every format by the name that flags, reports and file headers use. */
export const formatNames = [
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
  'ai-sdk',
  'claude-code',
  'codex',
  'copilot-cli',
  'pi',
  'swe-agent',
  'sharegpt',
] as const;

/** The name of a transcript format. */
export type FormatName = (typeof formatNames)[number];

// What makes two messages the same message: their content, not where they stood or when they were said.

const known = new WeakMap<Message, string>();

/** The content hash of a message: role, name and parts with every field; equal content gives an equal id. */
export function messageHash(message: Message): string {
  const found = known.get(message);
  if (found !== undefined) return found;
  const hash = contentHash(`${message.role}\n${message.name ?? ''}\n${JSON.stringify(message.parts)}`);
  known.set(message, hash);
  return hash;
}

/** True for messages of equal content, which is looked at field by field: a hash alone is no proof. */
export const isSameMessage = (a: Message, b: Message): boolean =>
  a === b || (a.role === b.role && a.name === b.name && isSameValue(a.parts, b.parts));

/** Loops, not closures: whole transcripts are compared with every request. */
function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && isSameList(a, b);
  // Every object has fields, of whatever names.
  return isSameFields(a as Fields, b as Fields);
}

type Fields = Readonly<Record<string, unknown>>;

function isSameFields(a: Fields, b: Fields): boolean {
  let fields = 0;
  for (const key in a) {
    const value = a[key];
    if (value !== undefined) fields++;
    if (!isSameValue(value, b[key])) return false;
  }
  // A field that is undefined is none: no file and no request can tell them apart.
  for (const key in b) if (b[key] !== undefined) fields--;
  return fields === 0;
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (!isSameValue(a[at], b[at])) return false;
  return true;
}
