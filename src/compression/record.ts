/**
 * The record of a conversation while a process follows it: every message once, in the order it was first seen, under
 * the number by which handoffs and stubs name it. A list that was compressed in between is recognised: its messages
 * are found again, what stands for others is not taken for something new.
 */
import { messageHash } from '../transcript/identity.ts';
import type { Message } from '../transcript/message.ts';
import { unwrapHandoff } from './handoff-block.ts';
import { createLedger, type Ledger, type LedgerOptions } from './ledger/ledger.ts';
import type { Ref } from './result.ts';

export interface ConversationRecord {
  readonly ledger: Ledger;
  readonly size: number;
  /**
   * Takes a list as it would be sent. Returns for each message its place in the record, from 0; -1 for one that stands
   * for others (a handoff that this record made). Messages not seen before are appended.
   */
  ingest(messages: readonly Message[]): readonly number[];
  /** Remembers what a message of the record was turned into. */
  remember(derived: Message, place: number): void;
  /** Remembers a handoff: it stands for others, and for the message that it was merged into, if any. */
  rememberHandoff(carrier: Message): void;
  /** The message of a reference, exactly as it came in; undefined for a number that was not given. */
  message(ref: Ref): Message | undefined;
}

export const refAt = (place: number): Ref => `m${place + 1}`;

/** An empty record. */
export function createRecord(options: LedgerOptions): ConversationRecord {
  const ledger = createLedger(options);
  const messages: Message[] = [];
  const places = new Map<string, number[]>();
  const derived = new Map<string, number>();

  function append(message: Message, hash: string): number {
    const place = messages.length;
    messages.push(message);
    ledger.add(message);
    const known = places.get(hash);
    if (known) known.push(place);
    else places.set(hash, [place]);
    return place;
  }

  function ingest(list: readonly Message[]): readonly number[] {
    let last = -1;
    return list.map((message) => {
      const hash = messageHash(message);
      const place = nextPlace(places.get(hash), last) ?? derived.get(hash) ?? append(message, hash);
      last = Math.max(last, place);
      return place;
    });
  }

  return {
    ledger,
    get size() {
      return messages.length;
    },
    ingest,
    remember: (message, place) => derived.set(messageHash(message), place),
    rememberHandoff: (carrier) => {
      const words = unwrapHandoff(carrier);
      const merged = words && messageHash({ ...carrier, parts: [...words.before, ...words.after] });
      const place = merged === undefined ? undefined : places.get(merged)?.at(-1);
      derived.set(messageHash(carrier), place ?? -1);
    },
    message: (ref) => messages[Number(ref.slice(1)) - 1],
  };
}

/** Equal messages may stand several times in a conversation: each finds the next place behind the one before it. */
function nextPlace(known: readonly number[] | undefined, last: number): number | undefined {
  return known?.find((place) => place > last);
}
