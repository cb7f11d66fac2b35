/** What the body of a request looks like in one dialect, as far as its messages are read, kept and changed. */
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import type { Message } from '../../message.ts';
import type { Dialect } from '../answer.ts';
import type { ReadContext } from '../bodies.ts';

/** Something that a client asks its provider to do with the conversation by itself. */
export interface ProviderAct {
  /** The member that asks, or the type of the item that does. */
  readonly field: string;
  /** What is asked for, in the provider's words; absent where the field says it. */
  readonly type?: string;
}

/** Ids of calls and of what answers them, where a pair may stand in two messages. */
export interface Pairs {
  readonly calls: readonly string[];
  readonly answers: readonly string[];
}

/** One dialect: which members a body has, and how its messages are read and written. */
export interface BodyFormat {
  readonly dialect: Dialect;
  /** The member with the list of messages. */
  readonly list: string;
  /** True where a body without the list is whole: the provider has what was said. */
  readonly mayLackList?: true;
  /** Members that may hold the system prompt. */
  readonly systems: readonly string[];
  /** True where further system prompts at the start become parts of that member; elsewhere they are messages. */
  readonly joinsSystems?: true;
  readonly toolLists: readonly string[];
  /** Where a body says how many tokens may be written: paths of members, the one that counts first. */
  readonly maxTokens: readonly (readonly string[])[];
  /** A list that is written as one text: the message it means. */
  plain?(text: string): JsonObject;
  /** Reads elements of the list; each message says by its `source` which ones it stems from. */
  read(values: readonly JsonValue[], context: ReadContext): readonly Message[];
  readSystem(value: JsonValue, name: string): Message | undefined;
  /** The elements of a message. */
  write(message: Message): readonly JsonValue[];
  /** The value of the member for the system prompt. */
  writeSystem(message: Message): JsonValue | undefined;
  /** A new message with one text, in the smallest form that the dialect has. */
  brief(role: 'system' | 'user' | 'assistant', text: string): JsonObject;
  acts(body: JsonObject): readonly ProviderAct[];
  /** The member that says that the provider keeps what was said before. */
  continues(body: JsonObject): string | undefined;
  /** Pairs that the checks of the dialect do not look at. */
  pairs?(values: readonly JsonValue[]): Pairs;
  /** Why a provider would refuse elements where they stand; only for what its dialect does not check. `before` are those of the original. */
  misplaced?(values: readonly JsonValue[], before: readonly JsonValue[]): string | undefined;
}

/** The acts that entries of a list ask for, by their `type`. */
export const actsIn = (field: string, list: readonly JsonObject[]): readonly ProviderAct[] =>
  list.map(({ type }) => ({ field, ...(typeof type === 'string' ? { type } : {}) }));
