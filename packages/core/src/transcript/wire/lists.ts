/** Files that hold lists of messages: the conversations in them, how sure their shape makes us, and the text to write. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { FormatReader, ReadFinding, SourceRecord } from '../format.ts';
import { isListKey, isMessageKey } from '../list-keys.ts';
import type { FormatName, Message, SourceSpan, Transcript } from '../message.ts';
import { asName, asObject, defined, extraOf, fieldsOf, hintsOf, isList, isSameFamily } from './values.ts';

export interface GatheredItem {
  readonly value: JsonValue;
  readonly source: SourceSpan;
  /** The key of the list it stood in. */
  readonly list?: string;
}

/** One conversation of a file, not yet understood. */
export interface Gathered {
  /** `lines`: one message a line; `list`: a bare list; `object`: a list inside an object. */
  readonly shape: 'lines' | 'list' | 'object';
  readonly items: readonly GatheredItem[];
  /** The object around the list without the lists of `items`. */
  readonly envelope: JsonObject;
  /** Keys of the lists of `items`, empty for lines and bare lists. */
  readonly lists: readonly string[];
  /** Where the whole conversation stands, where that is more than its items. */
  readonly source?: SourceSpan;
}

/** Where a format keeps its messages. */
export interface ListPlaces {
  /** Keys of message lists, the usual one first. */
  readonly keys: readonly string[];
  /** Set when lists under several of the keys follow each other in one conversation. */
  readonly isJoined?: boolean;
}

/** Collects records; `end` gives the conversations in the order of the file. */
export class Gatherer {
  #places: ListPlaces;
  #conversations = new Map<string, { shape: Gathered['shape']; items: GatheredItem[]; around?: JsonObject }>();
  #sources = new Map<string, SourceSpan>();

  constructor(places: ListPlaces) {
    this.#places = places;
  }

  add({ type, value, span, conversation, list }: SourceRecord): void {
    if (type === 'element') this.#at(`d${conversation}`, 'list').items.push(withList({ value, source: span }, list));
    else if (type === 'envelope') this.#addEnvelope(value, span);
    else this.#addLine(value, span);
  }

  end(): readonly Gathered[] {
    return [...this.#conversations].map(([name, { shape, items, around }]) => {
      const source = this.#sources.get(name);
      return { ...this.#sorted(shape, items, around), ...(source ? { source } : {}) };
    });
  }

  #at(
    name: string,
    shape: Gathered['shape'],
  ): { shape: Gathered['shape']; items: GatheredItem[]; around?: JsonObject } {
    const found = this.#conversations.get(name) ?? { shape, items: [] };
    this.#conversations.set(name, found);
    return found;
  }

  #addEnvelope(value: JsonValue, span: SourceSpan): void {
    const envelopes = isList(value) ? (value.length === 0 ? [[]] : value) : [value];
    for (const [number, around] of envelopes.entries()) {
      const conversation = this.#at(`d${number}`, 'list');
      if (isJsonObject(around)) Object.assign(conversation, { shape: 'object', around });
      if (envelopes.length === 1) this.#sources.set(`d${number}`, span);
    }
  }

  /** A line is a message, or a whole conversation: a list of messages or an object that holds one. */
  #addLine(value: JsonValue, span: SourceSpan): void {
    const lists = isList(value) ? [] : listsIn(value, this.#places.keys);
    if (!isList(value) && lists.length === 0) {
      this.#at('lines', 'lines').items.push({ value, source: span });
      return;
    }
    const name = `l${span.start}`;
    this.#sources.set(name, span);
    const conversation = this.#at(name, isList(value) ? 'list' : 'object');
    if (isList(value)) conversation.items.push(...value.map((item) => ({ value: item, source: span })));
    else if (isJsonObject(value)) {
      conversation.around = { ...value, ...Object.fromEntries(lists.map((key) => [key, []])) };
      for (const list of lists) {
        const items = value[list];
        if (isList(items)) for (const item of items) conversation.items.push({ value: item, source: span, list });
      }
    }
  }

  /** Separates the messages from other lists, which go back to where they stood. */
  #sorted(shape: Gathered['shape'], all: readonly GatheredItem[], around: JsonObject | undefined): Gathered {
    const { keys, isJoined } = this.#places;
    const present = [...new Set([...all.flatMap(({ list }) => list ?? []), ...emptyLists(around, keys)])];
    const known = keys.filter((key) => present.includes(key));
    const main =
      known.length > 0 ? (isJoined ? present.filter((key) => keys.includes(key)) : known.slice(0, 1)) : present;
    const envelope: { [key: string]: JsonValue } = { ...around };
    for (const key of present) {
      if (main.includes(key)) delete envelope[key];
      else envelope[key] = all.flatMap((item) => (item.list === key ? [item.value] : []));
    }
    const items = main.length === present.length ? all : all.filter(({ list }) => !list || main.includes(list));
    return { shape: main.length > 0 ? 'object' : shape, items, envelope, lists: main };
  }
}

const withList = (item: GatheredItem, list: string | undefined): GatheredItem => (list ? { ...item, list } : item);

/** Keys of the message lists in an object that is a conversation; none when it is a message itself. */
function listsIn(value: JsonValue, keys: readonly string[]): readonly string[] {
  if (!isJsonObject(value)) return [];
  const isMessage = Object.keys(value).some(isMessageKey);
  return keys.filter((key) => isList(value[key]) && isListKey(key, isMessage));
}

const emptyLists = (around: JsonObject | undefined, keys: readonly string[]): readonly string[] =>
  around ? keys.filter((key) => isList(around[key])) : [];

/** A reader that gathers first and then makes a transcript of every conversation. */
export function gatheringReader(places: ListPlaces, toTranscript: (gathered: Gathered) => Transcript): FormatReader {
  const gatherer = new Gatherer(places);
  return {
    add: (record) => gatherer.add(record),
    end: () => gatherer.end().map(toTranscript),
  };
}

/** `own`: only this format writes that; `plain`: several do; `foreign`: this format does not. */
export type Verdict = 'own' | 'plain' | 'foreign';

export interface Judge {
  readonly places: ListPlaces;
  item(value: JsonValue, list: string | undefined): Verdict;
  envelope(envelope: JsonObject): Verdict;
  /** What a file without one `own` piece is worth. */
  readonly plain: number;
}

/** How likely the first records of a file are of a format. */
export function likelihood(records: readonly SourceRecord[], judge: Judge): number {
  const gatherer = new Gatherer(judge.places);
  for (const record of records) gatherer.add(record);
  const count = { own: 0, plain: 0, foreign: 0 };
  for (const { items, envelope, lists } of gatherer.end()) {
    for (const { value, list } of items) count[judge.item(value, list)]++;
    if (lists.some((list) => judge.places.keys.includes(list))) count[judge.envelope(envelope)]++;
  }
  const total = count.own + count.plain + count.foreign;
  if (total === 0) return 0;
  return (count.own > 0 ? 0.9 : judge.plain) * (1 - count.foreign / total);
}

/** What to tell when an element of a message list is not a message. */
export function notAMessage(value: JsonValue, source: SourceSpan | undefined, expected: string): ReadFinding {
  const message = `expected ${expected}, found ${kindText(value)}: skipped`;
  return { level: 'skipped', line: source?.line ?? 0, message };
}

/** What a value is, for messages: an object by its first keys, anything else by its type. */
export function kindText(value: JsonValue): string {
  if (isJsonObject(value)) return `an object with ${keysText(value)}`;
  if (isList(value)) return 'a list';
  return value === null ? 'null' : `a ${typeof value}`;
}

function keysText(value: JsonObject): string {
  const keys = Object.keys(value);
  if (keys.length === 0) return 'no keys';
  const shown = keys.slice(0, 6).map((key) => (key.length > 30 ? `${key.slice(0, 30)}…` : key));
  return `the keys ${shown.join(', ')}${keys.length > 6 ? ', …' : ''}`;
}

// The file around a list of messages: the object with its other fields, a bare list, or lines.

/** What a format calls its list, and whether its body names the model and the tools. */
export interface BodyShape {
  readonly format: FormatName;
  readonly list: string;
  /** False where `model` has no meaning of its own. */
  readonly hasModel?: boolean;
}

/** The transcript of a gathered conversation: model and tools get their names, the rest is kept as it came. */
export function transcriptOf(
  { format, list, hasModel = true }: BodyShape,
  gathered: Pick<Gathered, 'shape' | 'lists'> & { readonly envelope: JsonObject },
  messages: readonly Message[],
): Transcript {
  const { model, tools, ...rest } = gathered.envelope;
  const name = hasModel && typeof model === 'string' && model !== '' ? model : undefined;
  const definitions = isList(tools) ? tools : undefined;
  const fields = {
    ...rest,
    ...(model !== undefined && name === undefined ? { model } : {}),
    ...(tools !== undefined && definitions === undefined ? { tools } : {}),
  };
  const [key] = gathered.lists;
  const hints = {
    shape: gathered.shape === 'object' ? undefined : gathered.shape,
    list: key === undefined || key === list ? undefined : key,
  };
  return {
    format,
    messages,
    ...(name === undefined ? {} : { model: name }),
    ...(definitions === undefined ? {} : { tools: definitions }),
    ...extraOf(format, fields, hints),
  };
}

export interface BodyParts {
  /** Absent where the fields hold the messages already. */
  readonly items?: Iterable<JsonValue>;
  /** Further fields of the object around the list. */
  readonly fields?: JsonObject;
  /** The key of the list, where it is neither the usual one nor the one that was read. */
  readonly key?: string;
}

/** The text of a file, a message a piece. */
export function* bodyText(
  { format, list, hasModel = true }: BodyShape,
  transcript: Transcript,
  { items, fields = {}, key: wanted }: BodyParts,
): Iterable<string> {
  const hints = hintsOf(transcript.extra, format);
  const tools = toolsFor(format, transcript);
  const around: JsonObject = {
    ...(hasModel && transcript.model !== undefined ? { model: transcript.model } : {}),
    ...fieldsOf(transcript.extra, format),
    ...fields,
    ...(tools === undefined ? {} : { tools }),
  };
  if (!items) {
    yield `${JSON.stringify(around)}\n`;
    return;
  }
  const isBare = Object.keys(around).length === 0;
  if (isBare && hints.shape === 'lines') {
    for (const item of items) yield `${JSON.stringify(item)}\n`;
  } else if (isBare && hints.shape === 'list') {
    yield* listText(items);
    yield '\n';
  } else {
    const head = JSON.stringify(around).slice(0, -1);
    const key = wanted ?? (typeof hints.list === 'string' ? hints.list : list);
    yield `${head}${isBare ? '' : ','}${JSON.stringify(key)}:`;
    yield* listText(items);
    yield '}\n';
  }
}

export function* listText(items: Iterable<JsonValue>): Iterable<string> {
  let isFirst = true;
  yield '[';
  for (const item of items) {
    yield `${isFirst ? '\n' : ',\n'}${JSON.stringify(item)}`;
    isFirst = false;
  }
  yield isFirst ? ']' : '\n]';
}

// Tool definitions in the words of each format: the same three things under other names.

interface Definition {
  readonly name: string;
  readonly description?: string;
  readonly schema: JsonObject;
}

/** The transcript's tools as `format` writes them; tools that only the provider of another format runs are left out. */
function toolsFor(format: FormatName, { tools, format: from }: Transcript): readonly JsonValue[] | undefined {
  if (!tools || isSameFamily(from, format)) return tools;
  const converted = tools.flatMap(declarationsIn).flatMap((tool) => {
    const definition = definitionOf(tool);
    return definition ? [written(definition, format)] : [];
  });
  if (converted.length === 0) return undefined;
  return format === 'gemini' ? [{ functionDeclarations: converted }] : converted;
}

/** Gemini lists its functions inside of one tool. */
function declarationsIn(tool: JsonValue): readonly JsonValue[] {
  const declared = isJsonObject(tool) ? tool.functionDeclarations : undefined;
  if (!isList(declared)) return [tool];
  return declared.map((one) => (isJsonObject(one) ? { type: 'function', ...one } : one));
}

/** OpenAI chat nests the function, OpenAI Responses does not, Anthropic calls the schema `input_schema`. */
function definitionOf(tool: JsonValue): Definition | undefined {
  if (!isJsonObject(tool)) return undefined;
  const inner = isJsonObject(tool.function) ? tool.function : tool;
  const name = asName(inner.name);
  const schema = inner.parameters ?? inner.parametersJsonSchema ?? inner.input_schema ?? inner.inputSchema;
  if (name === undefined || (schema === undefined && tool.type !== 'function')) return undefined;
  return { ...defined({ description: asName(inner.description) }), name, schema: asObject(schema) };
}

function written({ name, description, schema }: Definition, format: FormatName): JsonObject {
  const about = { name, ...(description === undefined ? {} : { description }) };
  const parameters = Object.keys(schema).length > 0 ? schema : { type: 'object', properties: {} };
  if (format === 'openai-responses') return { type: 'function', ...about, parameters };
  if (format === 'anthropic') return { ...about, input_schema: parameters };
  if (format === 'gemini') return { ...about, parametersJsonSchema: parameters };
  return { type: 'function', function: { ...about, parameters } };
}
