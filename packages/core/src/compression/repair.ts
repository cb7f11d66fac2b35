/**
 * Makes any list of messages valid for every provider and says what it changed. Each step mends the rules of
 * `transcript/validate.ts` that its file names; what is taken out here is still in the record.
 */

import { checkKnownOptions } from '../shared/options/known-options.ts';
import type { Message } from '../transcript/message.ts';
import { mergeUsers } from './assemble.ts';
import { pairTools, reuniteResults } from './repair/pairs.ts';
import { completeMessages, type Entry, mendParts, type Note, type RepairChange } from './repair/parts.ts';
import { isSoundList } from './repair/sound.ts';

/** What a repair does where there are two ways. */
export interface RepairOptions {
  /**
   * What becomes of a call whose result was lost: `remove` takes it out, `stub` gives it a result that says so. A last
   * group whose results are still to come is left alone in both cases.
   * @default 'remove'
   */
  readonly unanswered?: 'remove' | 'stub';
  /**
   * Also put a user message first and merge user messages in a row.
   * @default false
   */
  readonly strictRoles?: boolean;
}

/** The valid list, and what was changed to make it so. */
export interface Repaired {
  readonly messages: readonly Message[];
  readonly changes: readonly RepairChange[];
}

/**
 * The list made valid; the same list object when it already was. Repairing twice changes nothing more.
 *
 * @example
 * import { fromOpenAiChat, repair } from '@palimpsest/core';
 * const messages = fromOpenAiChat([{ role: 'user', content: 'Move the ledgers.' }]);
 * const { messages: valid, changes } = repair(messages, { unanswered: 'stub' });
 */
export function repair(messages: readonly Message[], options: RepairOptions = {}): Repaired {
  checkKnownOptions('repair', options, { unanswered: true, strictRoles: true });
  const changes: RepairChange[] = [];
  const note: Note = (at, action, detail) => changes.push({ at, action, detail });
  const list = repairedEntries(messages, options, note).map((entry) => entry.message);
  const final = options.strictRoles ? withStrictRoles(list, note) : list;
  return changes.length === 0 ? { messages, changes } : { messages: final, changes };
}

/** The valid list with the index that each message had in the list that came in; roles are not made strict. */
export function repairedEntries(
  messages: readonly Message[],
  options: Pick<RepairOptions, 'unanswered'>,
  note: Note = () => undefined,
): readonly Entry[] {
  const entries = messages.map((message, at) => ({ message, at }));
  if (isSoundList(messages)) return entries;
  const paired = pairTools(reuniteResults(mendParts(entries, note), note), options.unanswered ?? 'remove', note);
  return completeMessages(paired, note);
}

const opening: Message = {
  role: 'user',
  origin: 'host',
  parts: [{ type: 'text', text: '[System: the conversation begins here]' }],
};

function withStrictRoles(messages: readonly Message[], note: Note): readonly Message[] {
  const start = messages.findIndex((message) => message.role !== 'system');
  const first = messages[start];
  let list = messages;
  if (first && first.role !== 'user') {
    list = messages.toSpliced(start, 0, opening);
    note(start, 'added', 'a user message before the first assistant message');
  }
  const merged = mergeUsers(list);
  if (merged !== list) note(0, 'merged', `${list.length - merged.length} user messages into the ones before them`);
  return merged;
}
