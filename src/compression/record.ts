/**
 * The record of a conversation while a process follows it: every message once, in the order it was first seen, under
 * the number by which handoffs and stubs name it. A list that was compressed in between is recognised: its messages
 * are found again, what stands for others is not taken for something new.
 */
import { messageHash } from '../transcript/identity.ts';
import type { Message } from '../transcript/message.ts';
import { isHandoff } from './handoff-block.ts';
import { createLedger, type Ledger, type LedgerOptions } from './ledger/ledger.ts';
import type { Ref } from './result.ts';

/** Every message of a conversation once, under the number that handoffs and stubs name. */
export interface ConversationRecord {
  readonly ledger: Ledger;
  readonly size: number;
  /** Places of the system messages that opened a list. */
  readonly prompts: ReadonlySet<number>;
  /**
   * Takes a list as it would be sent. Returns for each message its place in the record, from 0; -1 for one that only
   * stands for others (a handoff that this record made). Messages not seen before are appended.
   */
  ingest(messages: readonly Message[]): readonly number[];
  /** Remembers a list that was made of messages of the record, with the place of each (-1 as above), for its return. */
  rememberView(messages: readonly Message[], places: readonly number[]): void;
  /** The message of a reference, exactly as it came in; undefined for a number that was not given. */
  message(ref: Ref): Message | undefined;
}

export const refAt = (place: number): Ref => `m${place + 1}`;

/** What a handoff itself has in place of a place. */
export const nowhere = -1;

/** An empty record. */
export function createRecord(options: LedgerOptions): ConversationRecord {
  const ledger = createLedger(options);
  const messages: Message[] = [];
  const places = new Map<string, number[]>();
  const views = new Map<string, View>();
  const prompts = new Set<number>();

  function append(message: Message, hash: string): number {
    const place = messages.length;
    messages.push(message);
    ledger.add(message);
    const known = places.get(hash);
    if (known) known.push(place);
    else places.set(hash, [place]);
    return place;
  }

  /** The next place of an equal message; a hash alone is no proof. */
  function placeAfter(message: Message, hash: string, last: number): number | undefined {
    const known = places.get(hash) ?? [];
    for (let i = firstAfter(known, last); i < known.length; i++) {
      const place = known[i];
      const found = place === undefined ? undefined : messages[place];
      if (place !== undefined && found && isSame(found, message)) return place;
    }
    return undefined;
  }

  function ingest(list: readonly Message[]): readonly number[] {
    const view = newestView(list, views);
    const find = view?.reader();
    const conversationStart = list.findIndex((message) => message.role !== 'system');
    // What came after a view was made lies behind everything that it was made of.
    let last = view ? view.size - 1 : -1;
    let lastSystem = -1;
    return list.map((message, at) => {
      const hash = messageHash(message);
      const shown = find?.(hash);
      if (shown !== undefined) return shown;
      if (at < conversationStart) {
        // A system prompt may change at any time; where it stands says nothing about the messages behind it.
        lastSystem = placeAfter(message, hash, lastSystem) ?? append(message, hash);
        prompts.add(lastSystem);
        return lastSystem;
      }
      last = placeAfter(message, hash, last) ?? append(message, hash);
      return last;
    });
  }

  function rememberView(list: readonly Message[], listPlaces: readonly number[]): void {
    const isDerived = (message: Message, at: number): boolean => messages[listPlaces[at] ?? nowhere] !== message;
    const sign = list.find(isHandoff) ?? list.find(isDerived);
    if (!sign) return;
    const hashOf = (place: number): string | undefined => {
      const original = messages[place];
      return original && messageHash(original);
    };
    const made = createView({ list, places: listPlaces, hashOf, size: messages.length });
    // Newest last: the order of the map tells which of two views is newer.
    views.delete(messageHash(sign));
    views.set(messageHash(sign), made);
  }

  return {
    ledger,
    prompts,
    get size() {
      return messages.length;
    },
    ingest,
    rememberView,
    message: (ref) => messages[Number(ref.slice(1)) - 1],
  };
}

/** A list as it was sent, to be recognised when it comes back with more behind it. */
interface View {
  /** How many messages the record had. */
  readonly size: number;
  /** Gives the place of each message of a returning list, asked in order; undefined for what the view does not have. */
  reader(): (hash: string) => number | undefined;
}

interface ViewSource {
  readonly list: readonly Message[];
  readonly places: readonly number[];
  readonly hashOf: (place: number) => string | undefined;
  readonly size: number;
}

function createView({ list, places, hashOf, size }: ViewSource): View {
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
    reader: () => {
      let last = -1;
      return (hash) => {
        const known = rows.get(hash);
        const row = known?.[firstAfter(known, last)];
        if (row === undefined) return undefined;
        last = row;
        return places[row] ?? nowhere;
      };
    },
  };
}

/** The newest view whose sign stands in the list. */
function newestView(list: readonly Message[], views: ReadonlyMap<string, View>): View | undefined {
  if (views.size === 0) return undefined;
  const hashes = new Set(list.map(messageHash));
  let newest: View | undefined;
  for (const [sign, view] of views) if (hashes.has(sign)) newest = view;
  return newest;
}

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

const isSame = (a: Message, b: Message): boolean =>
  a === b || (a.role === b.role && a.name === b.name && JSON.stringify(a.parts) === JSON.stringify(b.parts));
