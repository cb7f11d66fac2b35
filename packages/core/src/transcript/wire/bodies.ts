/** Files that hold lists of messages: the conversations in them, how sure their shape makes us, and the text to write. */

import { defined } from '../../shared/defined.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { type Format, isListKey, isMessageKey, type ReadFinding, type SourceRecord } from '../format.ts';
import type { FormatName, Message, SourceSpan, Transcript } from '../message.ts';
import { isSameFamily, keeping } from './parts.ts';
import { asList, asName, asObject, is, take } from './values.ts';

// The port of a format whose files are lists.

/** `own`: only this format writes that; `plain`: several do; `foreign`: this format does not. */
export type Verdict = 'own' | 'plain' | 'foreign';

/** What a list is read with: where each element stood, and who hears of what is wrong. */
export interface ReadContext {
  /** One span an element, in the order of the list. */
  readonly sources?: readonly SourceSpan[];
  readonly report?: (finding: ReadFinding) => void;
}

/** A format whose files hold lists of messages, bare, in an object with other fields, or a message a line. */
export interface ListFormat {
  readonly name: FormatName;
  readonly title: string;
  /** Keys of message lists, the usual one first. */
  readonly keys: readonly string[];
  /** Set when lists under several of the keys follow each other in one conversation. */
  readonly isJoined?: boolean;
  /** What the writer calls the list. @default the first of the keys */
  readonly list?: string;
  /** False where `model` has no meaning of its own. */
  readonly hasModel?: boolean;
  item(value: JsonValue, list: string | undefined): Verdict;
  envelope?(envelope: JsonObject): Verdict;
  /** What a file without one `own` piece is worth. */
  readonly plain: number;
  /** The message that leads the list, from one of these members of the object around it; undefined where it is none. */
  readonly lead?: { readonly keys: readonly string[]; read(value: JsonValue, key: string): Message | undefined };
  /** A record before it is looked at. */
  prepare?(record: SourceRecord): SourceRecord;
  read(values: readonly JsonValue[], context: ReadContext, gathered: Gathered): readonly Message[];
  /** The last touch to what was read. */
  finish?(transcript: Transcript, gathered: Gathered): Transcript;
  write?(transcript: Transcript): BodyParts;
}

export function listFormat(format: ListFormat): Format {
  const { name, title, write, prepare = (record) => record } = format;
  return {
    name,
    title,
    detect: (records) => likelihood(records.map(prepare), format),
    reader: (report) => {
      const records: SourceRecord[] = [];
      return {
        add: (record) => void records.push(prepare(record)),
        end: () => gather(records, format).map((gathered) => conversationOf(format, gathered, report)),
      };
    },
    ...(write ? { write: (transcript) => bodyText(format, transcript, write(transcript)) } : {}),
  };
}

function conversationOf(format: ListFormat, gathered: Gathered, report: (finding: ReadFinding) => void): Transcript {
  const { items, envelope, source } = gathered;
  const values = items.map(({ value }) => value);
  const sources = items.map(({ source }) => source);
  const messages = format.read(values, { sources, report }, gathered);
  const key = format.lead?.keys.find((name) => name in envelope);
  const lead = key === undefined ? undefined : format.lead?.read(envelope[key] ?? null, key);
  const { [lead && key !== undefined ? key : '']: _, ...around } = envelope;
  const all = lead ? [withSource(lead, source), ...messages] : messages;
  const transcript = transcriptOf(format, { ...gathered, envelope: lead ? around : envelope }, all);
  return format.finish?.(transcript, gathered) ?? transcript;
}

/** The message with where it came from, if that is known. */
export const withSource = (message: Message, source: SourceSpan | undefined): Message =>
  source === undefined ? message : { ...message, source: [source] };

/** A text beside the list that is its first message. */
export const leadingField = (format: FormatName, field: string): NonNullable<ListFormat['lead']> => ({
  keys: [field],
  read: (value) => {
    const text = asName(value);
    if (text === undefined) return undefined;
    return { role: 'system', parts: [{ type: 'text', text }], ...keeping(format).extraOf({}, { field }) };
  },
});

/** The first message apart where it stood beside the list, under `field`. */
export function splitLead(
  format: FormatName,
  field: string,
  messages: readonly Message[],
): { readonly lead: readonly Message[]; readonly rest: readonly Message[] } {
  const at = keeping(format).hintsOf(messages[0]).field === field ? 1 : 0;
  return { lead: messages.slice(0, at), rest: messages.slice(at) };
}

interface ElementReader {
  /** What an element should be, for those that are not. */
  readonly expected: string;
  readonly read: (value: JsonValue, index: number) => Message | undefined;
}

/** Reads the elements of a list, a message each. What is none is reported and left out. */
export function readEach(
  list: readonly JsonValue[],
  { sources, report }: ReadContext,
  { expected, read }: ElementReader,
): readonly Message[] {
  return list.flatMap((value, index) => {
    const message = read(value, index);
    if (message) return [withSource(message, sources?.[index])];
    report?.(notAMessage(value, sources?.[index], expected));
    return [];
  });
}

/** What to tell when an element of a message list is not a message. */
export const notAMessage = (value: JsonValue, source: SourceSpan | undefined, expected: string): ReadFinding => ({
  level: 'skipped',
  line: source?.line ?? 0,
  message: `expected ${expected}, found ${kindText(value)}: skipped`,
});

/** What a value is, for messages: an object by its first keys, anything else by its type. */
export function kindText(value: JsonValue): string {
  if (is.list(value)) return 'a list';
  if (!isJsonObject(value)) return value === null ? 'null' : `a ${typeof value}`;
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an object with no keys';
  const shown = keys.slice(0, 6).map((key) => (key.length > 30 ? `${key.slice(0, 30)}…` : key));
  return `an object with the keys ${shown.join(', ')}${keys.length > 6 ? ', …' : ''}`;
}

// The conversations of a file.

/** One conversation of a file, not yet understood. */
export interface Gathered {
  /** `lines`: one message a line; `list`: a bare list; `object`: a list inside an object. */
  readonly shape: 'lines' | 'list' | 'object';
  /** `list` is the key of the list it stood in. */
  readonly items: readonly { value: JsonValue; source: SourceSpan; list?: string | undefined }[];
  /** The object around the list without the lists of `items`. */
  readonly envelope: JsonObject;
  /** Keys of the lists of `items`, empty for lines and bare lists. */
  readonly lists: readonly string[];
  /** Where the whole conversation stands, where that is more than its items. */
  readonly source?: SourceSpan | undefined;
}

interface Growing {
  shape: Gathered['shape'];
  readonly items: Gathered['items'][number][];
  around?: JsonObject;
  source?: SourceSpan;
}

type Places = Pick<ListFormat, 'keys' | 'isJoined'>;

/** The conversations in the order of the file. */
function gather(records: readonly SourceRecord[], places: Places): readonly Gathered[] {
  const found = new Map<string, Growing>();
  const at = (name: string, shape: Gathered['shape']): Growing => {
    const known = found.get(name) ?? { shape, items: [] };
    found.set(name, known);
    return known;
  };
  for (const { type, value, span: source, conversation, list } of records) {
    if (type === 'element') at(`d${conversation}`, 'list').items.push({ value, source, list });
    else if (type === 'envelope') {
      const envelopes = is.list(value) && value.length > 0 ? value : [value];
      for (const [number, around] of envelopes.entries()) {
        const growing = at(`d${number}`, 'list');
        if (isJsonObject(around)) Object.assign(growing, { shape: 'object', around });
        if (envelopes.length === 1) growing.source = source;
      }
    } else addLine(value, source, { at, keys: places.keys });
  }
  return [...found.values()].map((growing) => sorted(growing, places));
}

interface LinePlaces {
  readonly at: (name: string, shape: Gathered['shape']) => Growing;
  readonly keys: readonly string[];
}

/** A line is a message, or a whole conversation: a list of messages or an object that holds one. */
function addLine(value: JsonValue, source: SourceSpan, { at, keys }: LinePlaces): void {
  const whole = asObject(value);
  const lists = keys.filter((key) => is.list(whole[key]) && isListKey(key, Object.keys(whole).some(isMessageKey)));
  if (!is.list(value) && lists.length === 0) {
    at('lines', 'lines').items.push({ value, source });
    return;
  }
  const growing = at(`l${source.start}`, is.list(value) ? 'list' : 'object');
  growing.source = source;
  for (const item of asList(value)) growing.items.push({ value: item, source });
  for (const list of lists) for (const item of asList(whole[list])) growing.items.push({ value: item, source, list });
  if (lists.length > 0) growing.around = { ...whole, ...Object.fromEntries(lists.map((key) => [key, []])) };
}

/** Separates the messages from other lists, which go back to where they stood. */
function sorted({ shape, items: all, around = {}, source }: Growing, { keys, isJoined }: Places): Gathered {
  const empty = keys.filter((key) => is.list(around[key]) && around[key].length === 0);
  const present = [...new Set([...all.flatMap(({ list }) => list ?? []), ...empty])];
  const known = (isJoined ? present : keys).filter((key) => present.includes(key) && keys.includes(key));
  const lists = known.length === 0 ? present : isJoined ? known : known.slice(0, 1);
  const envelope: { [key: string]: JsonValue } = { ...around };
  for (const key of present) {
    if (lists.includes(key)) delete envelope[key];
    else envelope[key] = all.flatMap(({ value, list }) => (list === key ? [value] : []));
  }
  const items = all.filter(({ list }) => !list || lists.includes(list));
  return { shape: lists.length > 0 ? 'object' : shape, items, envelope, lists, source };
}

/** How likely the first records of a file are of a format. */
function likelihood(records: readonly SourceRecord[], format: ListFormat): number {
  const count = { own: 0, plain: 0, foreign: 0 };
  for (const { items, envelope, lists } of gather(records, format)) {
    for (const { value, list } of items) count[format.item(value, list)]++;
    if (lists.some((list) => format.keys.includes(list))) count[format.envelope?.(envelope) ?? 'plain']++;
  }
  const total = count.own + count.plain + count.foreign;
  if (total === 0) return 0;
  return (count.own > 0 ? 0.9 : format.plain) * (1 - count.foreign / total);
}

// The file around a list of messages: the object with its other fields, a bare list, or lines.

/** The transcript of a gathered conversation: model and tools get their names, the rest is kept as it came. */
function transcriptOf(
  { name: format, keys, list = keys[0], hasModel = true }: ListFormat,
  { envelope, shape, lists }: Gathered,
  messages: readonly Message[],
): Transcript {
  const isModel = (value: JsonValue | undefined): value is string => hasModel && asName(value) !== undefined;
  const { model, tools, rest = {} } = take(envelope, {}, { model: isModel, tools: is.list }) ?? {};
  const hints = { shape: shape === 'object' ? undefined : shape, list: lists[0] === list ? undefined : lists[0] };
  return defined({ format, messages, model, tools, ...keeping(format).extraOf(rest, hints) });
}

/** What a writer makes of a transcript. */
export interface BodyParts {
  /** Absent where the fields hold the messages already. */
  readonly items?: Iterable<JsonValue>;
  /** Further fields of the object around the list. */
  readonly fields?: JsonObject;
  /** The key of the list, where it is neither the usual one nor the one that was read. */
  readonly key?: string;
}

/** The text of a file, a message a piece. */
function* bodyText(
  { name, keys, list = keys[0] ?? '', hasModel = true }: ListFormat,
  transcript: Transcript,
  { items, fields = {}, key: wanted }: BodyParts,
): Iterable<string> {
  const { fieldsOf, hintsOf } = keeping(name);
  const hints = hintsOf(transcript);
  const tools = toolsFor(name, transcript);
  const model = hasModel ? transcript.model : undefined;
  const around: JsonObject = { ...defined({ model }), ...fieldsOf(transcript), ...fields, ...defined({ tools }) };
  const isBare = Object.keys(around).length === 0;
  if (!items) yield `${JSON.stringify(around)}\n`;
  else if (isBare && hints.shape === 'lines') for (const item of items) yield `${JSON.stringify(item)}\n`;
  else if (isBare && hints.shape === 'list') {
    yield* listText(items);
    yield '\n';
  } else {
    const key = wanted ?? (typeof hints.list === 'string' ? hints.list : list);
    yield `${JSON.stringify(around).slice(0, -1)}${isBare ? '' : ','}${JSON.stringify(key)}:`;
    yield* listText(items);
    yield '}\n';
  }
}

function* listText(items: Iterable<JsonValue>): Iterable<string> {
  let isFirst = true;
  yield '[';
  for (const item of items) {
    yield `${isFirst ? '\n' : ',\n'}${JSON.stringify(item)}`;
    isFirst = false;
  }
  yield isFirst ? ']' : '\n]';
}

// Tool definitions in the words of each format: the same three things under other names.

/** The transcript's tools as `format` writes them; tools that only the provider of another format runs are left out. */
function toolsFor(format: FormatName, { tools, format: from }: Transcript): readonly JsonValue[] | undefined {
  if (!tools || isSameFamily(from, format)) return tools;
  const converted = tools.flatMap(declarationsIn).flatMap((tool) => definitionFor(format, tool));
  if (converted.length === 0) return undefined;
  return format === 'gemini' ? [{ functionDeclarations: converted }] : converted;
}

/** Gemini lists its functions inside of one tool. */
function declarationsIn(tool: JsonValue): readonly JsonValue[] {
  const declared = asObject(tool).functionDeclarations;
  if (!is.list(declared)) return [tool];
  return declared.map((one) => (isJsonObject(one) ? { type: 'function', ...one } : one));
}

/** OpenAI chat nests the function, OpenAI Responses does not, Anthropic calls the schema `input_schema`. */
function definitionFor(format: FormatName, tool: JsonValue): readonly JsonObject[] {
  const { type, function: nested, ...flat } = asObject(tool);
  const inner = isJsonObject(nested) ? nested : flat;
  const name = asName(inner.name);
  const schema = inner.parameters ?? inner.parametersJsonSchema ?? inner.input_schema ?? inner.inputSchema;
  if (name === undefined || (schema === undefined && type !== 'function')) return [];
  const about = defined({ name, description: asName(inner.description) });
  const isEmpty = Object.keys(asObject(schema)).length === 0;
  const parameters = isEmpty ? { type: 'object', properties: {} } : asObject(schema);
  if (format === 'openai-responses') return [{ type: 'function', ...about, parameters }];
  if (format === 'anthropic') return [{ ...about, input_schema: parameters }];
  if (format === 'gemini') return [{ ...about, parametersJsonSchema: parameters }];
  return [{ type: 'function', function: { ...about, parameters } }];
}
