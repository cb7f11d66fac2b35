/** The `content` of OpenAI chat messages, read and written: text, images, audio, files and refusals. */

import { defined } from '../../../shared/defined.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { FilePart, FormatName, ImagePart, Part, ResultContent } from '../../message.ts';
import { attachmentMark, dataOf, keeping, placeOf, urlOf } from '../parts.ts';
import { asObject, filled, is, json, take } from '../values.ts';

const { extraOf, other, fieldsOf, hintsOf, isOwn } = keeping('openai-chat');

/** Reads one part of a content; one of unknown type or shape is kept as it came. */
export function readPart(value: JsonValue): ResultContent {
  if (is.text(value)) return { type: 'text', text: value, ...extraOf({}, { bare: true }) };
  const { type, ...rest } = asObject(value);
  const read = is.text(type) && Object.hasOwn(readers, type) ? readers[type]?.(rest) : undefined;
  return read ?? other(value);
}

const readers: Readonly<Record<string, (part: JsonObject) => ResultContent | undefined>> = {
  text: (part) => {
    const known = take(part, { text: is.text });
    return known && { type: 'text', text: known.text, ...extraOf(known.rest) };
  },
  refusal: (part) => {
    const known = take(part, { refusal: is.text });
    return known && { type: 'text', text: known.refusal, ...extraOf(known.rest, { type: 'refusal' }) };
  },
  image_url: ({ image_url: image, ...fields }) => {
    if (is.text(image)) return { type: 'image', ...placeOf(image), ...extraOf(fields, { bare: true }) };
    const known = take(asObject(image), { url: is.text });
    return known && { type: 'image', ...placeOf(known.url), ...extraOf(fields, { inner: filled(known.rest) }) };
  },
  input_audio: ({ input_audio: audio, ...fields }) => {
    const known = take(asObject(audio), { data: is.text, format: is.text });
    if (!known || known.format === 'mpeg') return undefined;
    const mediaType = `audio/${known.format === 'mp3' ? 'mpeg' : known.format}`;
    return { type: 'file', mediaType, data: known.data, ...extraOf(fields, { inner: filled(known.rest) }) };
  },
  file: ({ file, ...fields }) => {
    const known = take(asObject(file), { file_id: is.maybeText, filename: is.maybeText, file_data: is.maybeText });
    if (!known || (known.file_id === undefined) === (known.file_data === undefined)) return undefined;
    const { file_id: fileId, filename: name, file_data: data, rest } = known;
    const place = data === undefined ? {} : (dataOf(data) ?? { data });
    const isAudio = 'mediaType' in place && place.mediaType.startsWith('audio/');
    const hints = { inner: filled(rest), type: isAudio ? 'file' : undefined };
    return defined({ type: 'file', name, fileId, ...place, ...extraOf(fields, hints) });
  },
};

/** A part for the wire; nothing for one that chat content has no place for. */
export function writePart(part: Part, from: FormatName): readonly JsonValue[] {
  const own = isOwn(part, from);
  switch (part.type) {
    case 'text': {
      const { bare, type } = hintsOf(part);
      if (!own && is.blank(part.text)) return [];
      if (bare === true) return [part.text];
      const said = type === 'refusal' ? { type, refusal: part.text } : { type: 'text', text: part.text };
      return [{ ...said, ...fieldsOf(part) }];
    }
    case 'image': {
      const url = urlOf(part, 'image/png');
      if (url === undefined) return [{ type: 'text', text: attachmentMark(part) }];
      const { bare, inner } = hintsOf(part);
      return [{ type: 'image_url', image_url: bare === true ? url : { url, ...asObject(inner) }, ...fieldsOf(part) }];
    }
    case 'file':
      return [writeFile(part)];
    case 'other':
      return [own ? part.value : { type: 'text', text: JSON.stringify(part.value) }];
    default:
      return [];
  }
}

function writeFile(part: FilePart): JsonValue {
  const { data, fileId: file_id, mediaType, name: filename } = part;
  const hints = hintsOf(part);
  const inner = asObject(hints.inner);
  const fields = fieldsOf(part);
  if (mediaType?.startsWith('audio/') && data !== undefined && hints.type !== 'file') {
    const kind = mediaType === 'audio/mpeg' ? 'mp3' : mediaType.slice('audio/'.length);
    return { type: 'input_audio', input_audio: { data, format: kind, ...inner }, ...fields };
  }
  const isOpenAiFile = file_id !== undefined && (part.extra === undefined || part.extra.format === 'openai-chat');
  if (data === undefined && !isOpenAiFile) return { type: 'text', text: attachmentMark(part) };
  const file_data = data === undefined || mediaType === undefined ? data : urlOf(part, '');
  return { type: 'file', file: json({ file_id, filename, file_data, ...inner }), ...fields };
}

/** True for what has no place in the result of a foreign tool: it follows in a message of its own. */
export const isAttachment = (part: Part): part is ImagePart | FilePart =>
  part.type === 'image' || (part.type === 'file' && is.text(part.data) && part.data !== '');

/** What a format knows of a part of a content: whether nobody else writes it. */
export function partVerdict(part: JsonValue): 'own' | 'plain' | 'foreign' {
  if (!isJsonObject(part)) return 'foreign';
  const { type, file } = part;
  if (type === 'text') return 'providerOptions' in part ? 'foreign' : 'plain';
  if (type === 'image_url' || type === 'input_audio' || type === 'refusal') return 'own';
  return type === 'file' && isJsonObject(file) ? 'own' : 'foreign';
}
