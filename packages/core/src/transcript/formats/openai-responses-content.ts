/** The content of message items and outputs of the OpenAI Responses API. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { FilePart, ImagePart, Part, ResultContent } from '../message.ts';
import { asText } from './fields.ts';
import { attachmentMark, dataOf, extraOf, fieldsOf, type Hints, hintsOf, ownExtra, placeOf, urlOf } from './wire.ts';

const format = 'openai-responses';

export type TextType = 'input_text' | 'output_text';

/** Reads one piece of content; `usual` is the type that a text has in this place. `more` are further hints to keep. */
export function readPiece(value: JsonValue, usual: TextType, more: Hints = {}): ResultContent {
  const known = isJsonObject(value) ? readKnownPiece(value, usual, more) : undefined;
  return known ?? { type: 'other', value, ...ownExtra(format, {}, { ...more, in: 'content' }) };
}

const textTypes: ReadonlySet<JsonValue> = new Set([
  'input_text',
  'output_text',
  'text',
  'summary_text',
  'reasoning_text',
]);

function readKnownPiece(value: JsonObject, usual: TextType, more: Hints): ResultContent | undefined {
  const { type, ...rest } = value;
  if (textTypes.has(type ?? null) && typeof value.text === 'string') {
    const { text: _, ...fields } = rest;
    return {
      type: 'text',
      text: value.text,
      ...extraOf(format, fields, { ...more, type: type === usual ? undefined : type }),
    };
  }
  if (type === 'refusal' && typeof value.refusal === 'string') {
    const { refusal: _, ...fields } = rest;
    return { type: 'text', text: value.refusal, ...extraOf(format, fields, { ...more, type }) };
  }
  if (type === 'input_image') return readImage(rest, more);
  if (type === 'input_file') return readFile(rest, more);
  return undefined;
}

export function readImage(
  { image_url: url, file_id: fileId, ...fields }: JsonObject,
  hints: Hints,
): ImagePart | undefined {
  if (typeof url === 'string' && fileId === undefined) {
    return { type: 'image', ...placeOf(url), ...extraOf(format, fields, hints) };
  }
  if (typeof fileId !== 'string' || url !== undefined) return undefined;
  return { type: 'image', fileId, ...extraOf(format, fields, hints) };
}

function readFile(rest: JsonObject, hints: Hints): FilePart | undefined {
  const { file_id: fileId, file_url: url, file_data: data, filename, ...fields } = rest;
  const places = [fileId, url, data].filter((place) => place !== undefined);
  const [place] = places;
  if (places.length !== 1 || typeof place !== 'string' || (filename !== undefined && typeof filename !== 'string')) {
    return undefined;
  }
  const body =
    data !== undefined ? (dataOf(place) ?? { data: place }) : url !== undefined ? { url: place } : { fileId: place };
  return {
    type: 'file',
    ...body,
    ...(filename === undefined ? {} : { name: filename }),
    ...extraOf(format, fields, hints),
  };
}

/** A piece for the wire. Of another provider's part, what cannot be carried becomes a short mark. */
export function writePiece(part: Part, usual: TextType, isOwn: boolean): JsonValue {
  const hints = hintsOf(part.extra, format);
  const fields = fieldsOf(part.extra, format);
  switch (part.type) {
    case 'text': {
      const type = asText(hints.type) ?? usual;
      return { type, [type === 'refusal' ? 'refusal' : 'text']: part.text, ...fields };
    }
    case 'image':
      return writeImage(part, usual, isOwn);
    case 'file':
      return writeFile(part, usual, isOwn);
    case 'other':
      return isOwn ? part.value : { type: usual, text: JSON.stringify(part.value) };
    case 'reasoning':
    case 'toolCall':
    case 'toolResult':
      // These are items of their own and never get here.
      return { type: usual, text: '' };
  }
}

function writeImage(part: ImagePart, usual: TextType, isOwn: boolean): JsonObject {
  const fields = fieldsOf(part.extra, format);
  const url = urlOf(part, 'image/png');
  if (url !== undefined) return { type: 'input_image', image_url: url, ...fields };
  if (isOwn && part.fileId !== undefined) return { type: 'input_image', file_id: part.fileId, ...fields };
  return { type: usual, text: attachmentMark(part) };
}

function writeFile(part: FilePart, usual: TextType, isOwn: boolean): JsonObject {
  const fields = fieldsOf(part.extra, format);
  const name = part.name === undefined ? {} : { filename: part.name };
  if (part.data !== undefined) {
    const isBare = part.mediaType === undefined;
    return { type: 'input_file', file_data: isBare ? part.data : (urlOf(part, '') ?? part.data), ...name, ...fields };
  }
  if (part.url !== undefined) return { type: 'input_file', file_url: part.url, ...name, ...fields };
  if (isOwn && part.fileId !== undefined) return { type: 'input_file', file_id: part.fileId, ...name, ...fields };
  return { type: usual, text: attachmentMark(part) };
}
