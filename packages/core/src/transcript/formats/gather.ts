/** From records to conversations: what the readers of all chat formats do before they look at a message. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { FormatReader, ReadFinding, SourceRecord } from '../format.ts';
import { isListKey, isMessageKey } from '../list-keys.ts';
import type { SourceSpan, Transcript } from '../message.ts';
import { isList } from './fields.ts';

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
