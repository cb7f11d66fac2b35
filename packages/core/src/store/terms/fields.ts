/** The texts of a message that can be searched for, and what they are in it. */
import { isJsonObject, type JsonValue, parseJson } from '../../shared/json.ts';
import type { Message, Part, ResultContent } from '../../transcript/message.ts';

/** Where in a message a text stands. */
export type FieldName = 'said' | 'thought' | 'speaker' | 'tool' | 'arguments' | 'result' | 'attached';

export interface Field {
  readonly name: FieldName;
  readonly text: string;
}

/** The searchable texts of a message in their order: never base64, signatures or ids of a provider. */
export function searchFields(message: Message): readonly Field[] {
  const fields = message.parts.flatMap(fieldsOf);
  return message.name ? [{ name: 'speaker', text: message.name.normalize() }, ...fields] : fields;
}

function fieldsOf(part: Part): readonly Field[] {
  switch (part.type) {
    case 'text':
      return field('said', part.text);
    case 'reasoning':
      return field('thought', part.text);
    case 'toolCall':
      return [...field('tool', part.name), ...field('arguments', argumentText(part.input))];
    case 'toolResult':
      return [...field('tool', part.name ?? ''), ...part.content.flatMap(resultFields)];
    case 'image':
      return field('attached', addressOf(part.url));
    case 'file':
      return field('attached', [part.name, addressOf(part.url), part.text].filter(Boolean).join('\n'));
    case 'other':
      return [];
  }
}

function resultFields(content: ResultContent): readonly Field[] {
  if (content.type === 'text') return field('result', content.text);
  return content.type === 'other' ? field('result', stringsOf(content.value).join('\n')) : fieldsOf(content);
}

const field = (name: FieldName, text: string): readonly Field[] => (text ? [{ name, text: text.normalize() }] : []);

/** An address; inline bytes have none. */
const addressOf = (url: string | undefined): string => (url === undefined || url.startsWith('data:') ? '' : url);

/** The values of JSON arguments, one a line, without quotes and escapes; any other text as it is. */
function argumentText(input: string): string {
  const value = /^\s*[{[]/.test(input) ? parseJson(input) : undefined;
  return value === undefined ? input : stringsOf(value).join('\n');
}

/** Keys and values in their order; without recursion, because what tools send may be nested without end. */
function stringsOf(whole: JsonValue): readonly string[] {
  const found: string[] = [];
  const left: JsonValue[] = [whole];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') found.push(value);
    else if (typeof value === 'number') found.push(String(value));
    else if (Array.isArray(value)) pushReversed(left, value);
    else if (isJsonObject(value)) pushReversed(left, Object.entries(value).flat());
  }
  return found;
}

/** So that the first one is taken next. */
function pushReversed(left: JsonValue[], values: readonly JsonValue[]): void {
  for (let at = values.length - 1; at >= 0; at--) left.push(values[at] ?? null);
}
