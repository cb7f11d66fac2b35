/** Under which keys the formats keep their messages. */

const listKeys: ReadonlySet<string> = new Set([
  'messages',
  'traj',
  'conversations',
  'conversation',
  'history',
  'input',
  'output',
  'items',
  'contents',
  'candidates',
]);

/** These also occur inside a single message, such as the `output` of a function call. */
const ambiguousKeys: ReadonlySet<string> = new Set([
  'conversation',
  'input',
  'output',
  'items',
  'contents',
  'candidates',
]);

const messageKeys: ReadonlySet<string> = new Set(['role', 'call_id', 'type']);

/** True for a key that only a message or an item has, never the object around a list of them. */
export const isMessageKey = (key: string): boolean => messageKeys.has(key);

/** True when a list under the key is a list of messages; `isMessage` says that its object looks like a message. */
export const isListKey = (key: string, isMessage: boolean): boolean =>
  listKeys.has(key) && !(isMessage && ambiguousKeys.has(key));
