/** Pictures of ShareGPT records: marks in the texts of turns, and a list of places beside the turns, one for each mark. */
import type { JsonObject } from '../../shared/json.ts';
import type {
  FilePart,
  ImagePart,
  Message,
  OtherPart,
  Part,
  ResultContent,
  TextPart,
} from '../../transcript/message.ts';
import { attachmentMark, placeOf, urlOf } from '../../transcript/wire/parts.ts';
import { is } from '../../transcript/wire/values.ts';

/** Where a picture stands in a text, as sets of pictures write it. */
const mark = '<image>';

/** The places of the pictures of a record; undefined where it names none. */
export function imagesOf({ images, image }: JsonObject): readonly string[] | undefined {
  const list = is.list(images) ? images : images === undefined && is.text(image) ? [image] : undefined;
  return list?.every(is.text) ? list : undefined;
}

/** Messages with a picture for each mark; as they are where there are more or fewer marks than pictures. */
export function withImages(messages: readonly Message[], record: JsonObject): readonly Message[] {
  const places = imagesOf(record) ?? [];
  const marks = messages.reduce((sum, message) => sum + (mayShow(message) ? marksIn(message.parts) : 0), 0);
  if (places.length === 0 || marks !== places.length) return messages;
  let next = 0;
  const pictured = ({ text, ...part }: TextPart): readonly (TextPart | ImagePart)[] =>
    text.split(mark).flatMap((piece, at) => {
      const said = piece === '' ? [] : [{ ...part, text: piece }];
      return at === 0 ? said : [{ type: 'image', ...placeOf(places[next++] ?? '') } as const, ...said];
    });
  const shown = <P extends Part>(part: P): readonly (P | TextPart | ImagePart)[] =>
    part.type === 'text' ? pictured(part) : [part];
  return messages.map((message) => {
    if (!mayShow(message)) return message;
    const parts = message.parts.flatMap((part): readonly Part[] =>
      part.type === 'toolResult'
        ? [{ ...part, content: part.content.flatMap((one): readonly ResultContent[] => shown(one)) }]
        : shown(part),
    );
    return { ...message, parts };
  });
}

/** Models show no pictures. */
const mayShow = ({ role }: Message): boolean => role === 'user' || role === 'tool';

const marksIn = (parts: readonly Part[]): number =>
  parts.reduce((sum, part) => {
    if (part.type === 'toolResult') return sum + marksIn(part.content);
    return part.type === 'text' ? sum + part.text.split(mark).length - 1 : sum;
  }, 0);

/** Takes the pictures of a record as its texts are written. */
export interface ImageList {
  readonly places: readonly string[];
  /** The text of parts, with a mark for each picture, whose place is added to the list. */
  textOf(parts: readonly (TextPart | ImagePart | FilePart | OtherPart)[]): string;
}

/** An empty list. */
export function imageList(): ImageList {
  const places: string[] = [];
  const written = (part: TextPart | ImagePart | FilePart | OtherPart): string => {
    if (part.type === 'text') return part.text;
    if (part.type === 'other') return JSON.stringify(part.value);
    const place = part.type === 'image' ? urlOf(part, 'image/png') : undefined;
    if (place === undefined) return attachmentMark(part);
    places.push(place);
    return mark;
  };
  return {
    places,
    textOf: (parts) => {
      let text = '';
      for (const [at, part] of parts.entries()) {
        // A picture stands where it stood within the text.
        const isApart = at > 0 && part.type !== 'image' && parts[at - 1]?.type !== 'image';
        text += (isApart ? '\n' : '') + written(part);
      }
      return text;
    },
  };
}
