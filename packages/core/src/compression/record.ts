/**
 * The record of a conversation while a process follows it: every message once, in the order it was first seen, under
 * the number by which handoffs and stubs name it. A list that was compressed in between is recognised: its messages
 * are found again, what stands for others is not taken for something new.
 */

import { isSameMessage, type Message, messageHash } from '../transcript/message.ts';
import { isHandoff } from './handoff-block.ts';
import { createLedger, type Ledger, type LedgerOptions } from './ledger/ledger.ts';
import { createNumbers } from './numbering.ts';
import type { Ref } from './result.ts';

/** Every message of a conversation once, under the number that handoffs and stubs name. */
export interface ConversationRecord {
  readonly ledger: Ledger;
  readonly size: number;
  /** The places of all messages, in the order in which they came. */
  readonly arrivals: readonly number[];
  /** Places of the system messages that opened a list. */
  readonly prompts: ReadonlySet<number>;
  /** Places of what was said and taken back: they keep their numbers, and nothing is known of what stood there. */
  readonly takenBack: ReadonlySet<number>;
  /**
   * Takes a list as it would be sent. Returns for each message its place in the record, from 0; -1 for one that only
   * stands for others (a handoff that this record made). Messages not seen before are appended.
   */
  ingest(messages: readonly Message[]): readonly number[];
  /** Gives the next numbers to so many messages that were taken back. */
  passOver(count: number): void;
  /** Remembers a list that was made of messages of the record, with the place of each (-1 as above), for its return. */
  rememberView(messages: readonly Message[], places: readonly number[]): void;
  /** What lies at a place. */
  at(place: number): Message | undefined;
  /** How the message at a place is named: `m0` for a handoff. */
  refOf(place: number): Ref;
  /**
   * The message of a reference, exactly as it came in; undefined for a number that was not given, or that belongs to a
   * message which was compressed before the conversation came here. `m0` is the handoff that it came with.
   */
  message(ref: Ref): Message | undefined;
}

/** The ref of the message at a place, from 0: `m1` for the first. */
export const refAt = (place: number): Ref => `m${place + 1}`;

/** What a handoff itself has in place of a place. */
export const nowhere = -1;

/**
 * An empty record. A ledger in place of the options for a new one has to be empty, and hears of messages from here alone.
 *
 * @example
 * import { createRecord, fromOpenAiChat } from '@palimpsest/core';
 * const record = createRecord({ count: (text) => text.length / 4 });
 * record.ingest(fromOpenAiChat([{ role: 'user', content: 'Move the ledgers.' }])); // [0]
 * record.message('m1');
 */
export function createRecord(options: LedgerOptions | { readonly ledger: Ledger }): ConversationRecord {
  return new OpenRecord('ledger' in options ? options.ledger : createLedger(options));
}

class OpenRecord implements ConversationRecord {
  readonly ledger: Ledger;
  readonly arrivals: readonly number[];
  readonly prompts: ReadonlySet<number>;
  readonly takenBack: ReadonlySet<number>;
  readonly #state: RecordState;

  constructor(ledger: Ledger) {
    const state = emptyState(ledger);
    this.ledger = ledger;
    this.arrivals = state.arrivals;
    this.prompts = state.prompts;
    this.takenBack = state.takenBack;
    this.#state = state;
  }

  get size(): number {
    return this.#state.messages.length;
  }

  ingest(list: readonly Message[]): readonly number[] {
    return ingest(this.#state, list);
  }

  passOver(count: number): void {
    passOver(this.#state, count);
  }

  rememberView(list: readonly Message[], places: readonly number[]): void {
    rememberView(this.#state, list, places);
  }

  at(place: number): Message | undefined {
    return this.#state.messages[place];
  }

  message(ref: Ref): Message | undefined {
    const { messages, inheritedAt } = this.#state;
    const place = Number(ref.slice(1)) - 1;
    return place === inheritedAt ? undefined : messages[place === nowhere ? inheritedAt : place];
  }

  refOf(place: number): Ref {
    return refAt(place === this.#state.inheritedAt ? nowhere : place);
  }
}

/** The places that a new record would give the messages of a list, which are not read for that. */
export const placesIn = (messages: readonly Message[]): readonly number[] =>
  ingest(emptyState(createNumbers()), messages);

const emptyState = (ledger: RecordState['ledger']): RecordState => ({
  ledger,
  messages: [],
  arrivals: [],
  prompts: new Set(),
  takenBack: new Set(),
  places: new Map(),
  views: new Map(),
  viewsMade: 0,
  inheritedAt: nowhere,
  tookOver: false,
  steps: [],
  basis: { view: undefined, opening: 0 },
});

interface RecordState {
  readonly ledger: Pick<Ledger, 'add' | 'inheritedAt'>;
  /** By place. */
  readonly messages: Message[];
  readonly arrivals: number[];
  readonly prompts: Set<number>;
  readonly takenBack: Set<number>;
  /** Places of the messages with a hash, rising. */
  readonly places: Map<string, number[]>;
  /** The lists that were made of the record, by the hash of the message that tells them apart, and how many. */
  readonly views: Map<string, View>;
  viewsMade: number;
  /** The place of the handoff that the conversation came with. */
  inheritedAt: number;
  /** The newest list brought something that has no place. */
  tookOver: boolean;
  /** The newest list that was taken in, message by message; a list that goes on from it is taken up where it ends. */
  readonly steps: Step[];
  basis: Basis;
}

function ingest(state: RecordState, list: readonly Message[]): readonly number[] {
  const { steps, views } = state;
  steps.length = sharedStart(steps, list);
  const view = newestView(list, { steps, views });
  // A list of system messages alone is no opening of anything.
  const opening = list.findIndex((message) => message.role !== 'system');
  if (view !== state.basis.view || opening !== state.basis.opening) {
    steps.length = 0;
    state.basis = { view, opening };
  }
  const known = state.inheritedAt;
  state.tookOver = false;
  for (let at = steps.length; at < list.length; at++) {
    const message = list[at];
    if (message) steps.push(stepTo(state, message, list[at + 1]));
  }
  const found = steps.map(({ place }) => place);
  // A list that somebody else compressed: its order is not that of the numbers, so it is known again as a whole.
  if (state.inheritedAt !== known || state.tookOver) rememberView(state, list, found);
  return found;
}

/** Where the next message of the list belongs, behind the newest step. */
function stepTo(state: RecordState, message: Message, following: Message | undefined): Step {
  const { view, opening } = state.basis;
  const hash = messageHash(message);
  const before = state.steps.at(-1);
  // What came after a view was made lies behind everything that it was made of.
  const { row = -1, last = (view?.size ?? 0) - 1, lastSystem = -1 } = before ?? {};
  const newest = newer(before?.newest, state.views.get(hash));
  const here = { message, hash, row, last, lastSystem, newest };
  const shown = view?.rowAfter(hash, row);
  if (view && shown !== undefined) return { ...here, place: view.placeAt(shown), row: shown };
  const isPrompt = state.steps.length < opening;
  // A system prompt may change at any time; where it stands says nothing about the messages behind it.
  const place = placeAfter(state, here, isPrompt ? lastSystem : last) ?? append(state, here, following);
  if (!isPrompt) return { ...here, place, last: place };
  state.prompts.add(place);
  return { ...here, place, lastSystem: place };
}

/** The next place of an equal message; a hash alone is no proof. */
function placeAfter({ places, messages }: RecordState, { message, hash }: Hashed, last: number): number | undefined {
  const known = places.get(hash) ?? [];
  for (let i = firstAfter(known, last); i < known.length; i++) {
    const place = known[i];
    const found = place === undefined ? undefined : messages[place];
    if (place !== undefined && found && isSameMessage(found, message)) return place;
  }
  return undefined;
}

function append(state: RecordState, { message, hash }: Hashed, following: Message | undefined): number {
  const { ledger, messages, arrivals, places } = state;
  const named = Number(ledger.add(message, following).slice(1)) - 1;
  // A handoff that was made elsewhere lies where none of its messages can come back.
  const isInherited = state.inheritedAt !== ledger.inheritedAt;
  state.inheritedAt = ledger.inheritedAt;
  const place = named === nowhere && isInherited ? ledger.inheritedAt : named;
  if (place === nowhere) {
    state.tookOver = true;
    return nowhere;
  }
  messages[place] = message;
  arrivals.push(place);
  const known = places.get(hash);
  if (known) known.push(place);
  else places.set(hash, [place]);
  return place;
}

/** It says nothing and is found in no list. */
const silent: Message = { role: 'assistant', parts: [] };

function passOver({ ledger, messages, takenBack }: RecordState, count: number): void {
  for (let i = 0; i < count; i++) {
    const place = Number(ledger.add(silent).slice(1)) - 1;
    messages[place] = silent;
    takenBack.add(place);
  }
}

function rememberView(state: RecordState, list: readonly Message[], places: readonly number[]): void {
  const { messages, steps, views } = state;
  const isDerived = (message: Message, at: number): boolean => messages[places[at] ?? nowhere] !== message;
  const sign = list.find(isHandoff) ?? list.find(isDerived);
  if (!sign) return;
  const hashOf = (place: number): string | undefined => {
    const original = messages[place];
    return original && messageHash(original);
  };
  const hash = messageHash(sign);
  const made = createView({ list, places, hashOf, size: messages.length });
  views.set(hash, { ...made, number: ++state.viewsMade });
  // What the steps know of views is no longer true.
  if (steps.some((step) => step.hash === hash)) steps.length = 0;
}

interface Hashed {
  readonly message: Message;
  readonly hash: string;
}

/** A message of the newest list, and how the walk through the list stood behind it. */
interface Step extends Hashed {
  readonly place: number;
  /** The newest row of the view that was seen, and the newest places of a message and of a system prompt. */
  readonly row: number;
  readonly last: number;
  readonly lastSystem: number;
  /** The newest view whose sign stands in the list up to here. */
  readonly newest: View | undefined;
}

/** What every step of a walk depends on. */
interface Basis {
  readonly view: View | undefined;
  /** How many system messages open the list. */
  readonly opening: number;
}

/** A list as it was sent, to be recognised when it comes back with more behind it. */
interface View {
  /** Of two views the one with the higher number is newer. */
  readonly number: number;
  /** How many messages the record had. */
  readonly size: number;
  /** The first row behind another one that has a message; undefined when there is none. */
  rowAfter(hash: string, row: number): number | undefined;
  /** The place in the record of the message of a row. */
  placeAt(row: number): number;
}

interface ViewSource {
  readonly list: readonly Message[];
  readonly places: readonly number[];
  readonly hashOf: (place: number) => string | undefined;
  readonly size: number;
}

function createView({ list, places, hashOf, size }: ViewSource): Omit<View, 'number'> {
  const rows = new Map<string, number[]>();
  const put = (hash: string | undefined, row: number): void => {
    if (hash === undefined) return;
    const known = rows.get(hash);
    if (known) known.push(row);
    else rows.set(hash, [row]);
  };
  for (const [row, message] of list.entries()) {
    const hash = messageHash(message);
    const original = hashOf(places[row] ?? nowhere);
    put(hash, row);
    // A host may have kept the message as it was before it was shortened.
    if (original !== hash) put(original, row);
  }
  return {
    size,
    rowAfter: (hash, row) => {
      const known = rows.get(hash);
      return known?.[firstAfter(known, row)];
    },
    placeAt: (row) => places[row] ?? nowhere,
  };
}

/** How many messages at the start of a list are the very objects of the steps. */
function sharedStart(steps: readonly Step[], list: readonly Message[]): number {
  const end = Math.min(steps.length, list.length);
  for (let at = 0; at < end; at++) if (steps[at]?.message !== list[at]) return at;
  return end;
}

interface KnownViews {
  /** The steps of the start of the list. */
  readonly steps: readonly Step[];
  readonly views: ReadonlyMap<string, View>;
}

/** The newest view whose sign stands in the list. */
function newestView(list: readonly Message[], { steps, views }: KnownViews): View | undefined {
  if (views.size === 0) return undefined;
  let newest = steps.at(-1)?.newest;
  for (let at = steps.length; at < list.length; at++) {
    const message = list[at];
    if (message) newest = newer(newest, views.get(messageHash(message)));
  }
  return newest;
}

const newer = (a: View | undefined, b: View | undefined): View | undefined =>
  (b?.number ?? 0) > (a?.number ?? 0) ? b : a;

/** The index of the first number over `last` in a rising list. */
function firstAfter(rising: readonly number[], last: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rising[middle] ?? 0) > last) high = middle;
    else low = middle + 1;
  }
  return low;
}
