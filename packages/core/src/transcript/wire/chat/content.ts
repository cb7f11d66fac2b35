/** The `content` of OpenAI chat messages: text, images, audio, files and refusals. SWE-agent uses the same. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { FilePart, FormatName, ImagePart, Part, ResultContent, TextPart } from '../../message.ts';
import {
  attachmentMark,
  dataOf,
  extraOf,
  fieldsOf,
  hintsOf,
  isBlank,
  isList,
  originFormat,
  ownExtra,
  placeOf,
  urlOf,
} from '../values.ts';

const format = 'openai-chat';

/** How content was written when it was not in the usual way: a string where there is one text, a list otherwise. */
export type ContentShape = 'absent' | 'null' | 'string' | 'list' | 'bare';

export interface Content {
  readonly parts: readonly ResultContent[];
  readonly shape?: ContentShape;
}

/** Reads content. `usual` is what an empty one is written as when there is no hint: null for assistants. */
export function readContent(content: JsonValue | undefined, usual: '' | null): Content {
  if (content === undefined) return { parts: [], shape: 'absent' };
  if (content === null) return usual === null ? { parts: [] } : { parts: [], shape: 'null' };
  if (content === '') return usual === '' ? { parts: [] } : { parts: [], shape: 'string' };
  if (typeof content === 'string') return { parts: [{ type: 'text', text: content }] };
  if (!isList(content)) return { parts: [readPart(content)], shape: 'bare' };
  const parts = content.map(readPart);
  const [first] = parts;
  const isUsual = parts.length > 1 || (first && !isPlainText(first));
  return isUsual ? { parts } : { parts, shape: 'list' };
}

const isPlainText = (part: ResultContent): part is TextPart => part.type === 'text' && part.extra === undefined;

function readPart(value: JsonValue): ResultContent {
  if (typeof value === 'string') return { type: 'text', text: value, ...extraOf(format, {}, { bare: true }) };
  const known = isJsonObject(value) ? readKnownPart(value) : undefined;
  return known ?? { type: 'other', value, ...ownExtra(format, {}) };
}

function readKnownPart(value: JsonObject): ResultContent | undefined {
  const { type, ...rest } = value;
  if (type === 'text' && typeof value.text === 'string') {
    const { text: _, ...fields } = rest;
    return { type: 'text', text: value.text, ...extraOf(format, fields) };
  }
  if (type === 'refusal' && typeof value.refusal === 'string') {
    const { refusal: _, ...fields } = rest;
    return { type: 'text', text: value.refusal, ...extraOf(format, fields, { type: 'refusal' }) };
  }
  if (type === 'image_url') return readImage(rest);
  if (type === 'input_audio' && isJsonObject(value.input_audio)) return readAudio(value.input_audio, rest);
  if (type === 'file' && isJsonObject(value.file)) return readFile(value.file, rest);
  return undefined;
}

function readImage({ image_url: image, ...fields }: JsonObject): ImagePart | undefined {
  if (typeof image === 'string') {
    return { type: 'image', ...placeOf(image), ...extraOf(format, fields, { bare: true }) };
  }
  if (!isJsonObject(image) || typeof image.url !== 'string') return undefined;
  const { url: _, ...inner } = image;
  return { type: 'image', ...placeOf(image.url), ...extraOf(format, fields, { inner: innerOf(inner) }) };
}

function readAudio(audio: JsonObject, { input_audio: _, ...fields }: JsonObject): FilePart | undefined {
  const { data, format: kind, ...inner } = audio;
  if (typeof data !== 'string' || typeof kind !== 'string' || kind === 'mpeg') return undefined;
  const mediaType = `audio/${kind === 'mp3' ? 'mpeg' : kind}`;
  return { type: 'file', mediaType, data, ...extraOf(format, fields, { inner: innerOf(inner) }) };
}

function readFile(file: JsonObject, { file: _, ...fields }: JsonObject): FilePart | undefined {
  const { file_id: fileId, filename, file_data: data, ...inner } = file;
  const isText = (value: JsonValue | undefined): value is string | undefined =>
    value === undefined || typeof value === 'string';
  if (!isText(fileId) || !isText(filename) || !isText(data) || (fileId === undefined) === (data === undefined)) {
    return undefined;
  }
  const place = data === undefined ? {} : (dataOf(data) ?? { data });
  const isAudio = 'mediaType' in place && place.mediaType.startsWith('audio/');
  return {
    type: 'file',
    ...(filename === undefined ? {} : { name: filename }),
    ...(fileId === undefined ? {} : { fileId }),
    ...place,
    ...extraOf(format, fields, { inner: innerOf(inner), type: isAudio ? 'file' : undefined }),
  };
}

const innerOf = (inner: JsonObject): JsonObject | undefined => (Object.keys(inner).length > 0 ? inner : undefined);

/** Content for the wire: the shape of the hint where it still fits, else a string for one text and a list for more. */
export function writeContent(
  parts: readonly Part[],
  from: FormatName,
  { shape, usual }: { readonly shape: JsonValue | undefined; readonly usual: '' | null },
): JsonValue | undefined {
  const written = parts.flatMap((part) => writePart(part, from));
  if (written.length === 0) {
    if (shape === 'absent') return undefined;
    if (shape === 'null') return null;
    return shape === 'list' ? [] : shape === 'string' ? '' : usual;
  }
  const [first] = written;
  if (shape === 'bare' && written.length === 1 && first !== undefined) return first;
  const text = plainText(first);
  return written.length === 1 && text !== undefined && shape !== 'list' ? text : written;
}

/** The text of a written part that says nothing else. */
function plainText(value: JsonValue | undefined): string | undefined {
  if (!isJsonObject(value) || value.type !== 'text' || typeof value.text !== 'string') return undefined;
  return Object.keys(value).length === 2 ? value.text : undefined;
}

/** A part for the wire; nothing for one that chat content has no place for. */
export function writePart(part: Part, from: FormatName): readonly JsonValue[] {
  const isOwn = originFormat(part, from) === format;
  switch (part.type) {
    case 'text':
      return isOwn ? [writeText(part)] : isBlank(part.text) ? [] : [{ type: 'text', text: part.text }];
    case 'image':
      return [writeImage(part)];
    case 'file':
      return [writeFile(part)];
    case 'other':
      return isOwn ? [part.value] : [{ type: 'text', text: JSON.stringify(part.value) }];
    case 'reasoning':
    case 'toolCall':
    case 'toolResult':
      return [];
  }
}

function writeText(part: TextPart): JsonValue {
  const hints = hintsOf(part.extra, format);
  if (hints.bare === true) return part.text;
  const fields = fieldsOf(part.extra, format);
  if (hints.type === 'refusal') return { type: 'refusal', refusal: part.text, ...fields };
  return { type: 'text', text: part.text, ...fields };
}

function writeImage(part: ImagePart): JsonValue {
  const url = urlOf(part, 'image/png');
  if (url === undefined) return { type: 'text', text: attachmentMark(part) };
  const hints = hintsOf(part.extra, format);
  const fields = fieldsOf(part.extra, format);
  if (hints.bare === true) return { type: 'image_url', image_url: url, ...fields };
  return { type: 'image_url', image_url: { url, ...innerHint(hints) }, ...fields };
}

function writeFile(part: FilePart): JsonValue {
  const hints = hintsOf(part.extra, format);
  const fields = fieldsOf(part.extra, format);
  const audio = part.mediaType?.startsWith('audio/') ? part.mediaType.slice('audio/'.length) : undefined;
  if (audio !== undefined && part.data !== undefined && hints.type !== 'file') {
    const kind = audio === 'mpeg' ? 'mp3' : audio;
    return { type: 'input_audio', input_audio: { data: part.data, format: kind, ...innerHint(hints) }, ...fields };
  }
  const isOpenAiFile = part.fileId !== undefined && (part.extra === undefined || part.extra.format === format);
  if (part.data === undefined && !isOpenAiFile) return { type: 'text', text: attachmentMark(part) };
  const isBareData = part.data !== undefined && part.mediaType === undefined;
  const file = {
    ...(part.fileId === undefined ? {} : { file_id: part.fileId }),
    ...(part.name === undefined ? {} : { filename: part.name }),
    ...(part.data === undefined ? {} : { file_data: isBareData ? part.data : (urlOf(part, '') ?? part.data) }),
    ...innerHint(hints),
  };
  return { type: 'file', file, ...fields };
}

const innerHint = (hints: JsonObject): JsonObject => (isJsonObject(hints.inner) ? hints.inner : {});
