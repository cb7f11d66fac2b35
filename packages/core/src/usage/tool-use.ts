/** Which tools conversations used, counted from what was said in them. */
import { checkKnownOptions } from '../shared/options/known-options.ts';
import type { Instant } from '../store/ids.ts';
import type { StoredMessage } from '../store/message-store.ts';
import type { Session } from '../store/session-store.ts';
import type { Store } from '../store/store.ts';
import { estimateTextTokens } from '../tokens/estimate.ts';
import type { ToolResultPart } from '../transcript/message.ts';
import { toolCalls, toolResults } from '../transcript/text.ts';

/** Which messages are looked at. */
export interface ToolUseOptions {
  /** Said at or after. @default the first message */
  readonly since?: Instant;
  /** Said before, in sessions that began before. @default the last message */
  readonly until?: Instant;
  /** How many messages are read at most: of the conversations that were active last, the newest first. @default 20,000 */
  readonly mostMessages?: number;
  /** Told from time to time how many messages were read so far. */
  readonly onProgress?: (messages: number) => void;
}

/** How many messages are read where nothing else is said. */
export const usualMostMessages = 20_000;

/** What a tool was used for. */
export interface ToolUse {
  readonly name: string;
  readonly calls: number;
  /** Calls that failed, where the log tells. */
  readonly errors: number;
  /** Estimated from the text of its results. */
  readonly resultTokens: number;
}

/** The tools of a time, those with most calls first. */
export interface ToolUses {
  readonly tools: readonly ToolUse[];
  /** How many messages were read. */
  readonly messages: number;
  /** False where there were more messages than were read: then older calls are missing. */
  readonly isWhole: boolean;
}

/**
 * Counts calls of tools and estimates what their results brought into contexts. Messages that a compression carried over
 * and those that a branch shares with what it came from count once. The work grows with the number of messages that are
 * read. Throws `BAD_OPTION` for an option that is none, and whatever the store throws.
 */
export async function toolUse(store: Store, options: ToolUseOptions = {}): Promise<ToolUses> {
  checkKnownOptions('toolUse', options, { since: true, until: true, mostMessages: true, onProgress: true });
  const {
    since = Number.NEGATIVE_INFINITY,
    until = Number.POSITIVE_INFINITY,
    mostMessages = usualMostMessages,
  } = options;
  const count: Count = { since, until, tools: new Map(), messages: 0, mostMessages, isWhole: true };
  for (let offset = 0; count.isWhole; offset += rowsPerPage) {
    const active = options.since === undefined ? {} : { since };
    const rows = await store.sessions.list({ ...active, sides: true, limit: rowsPerPage, offset });
    for (const { tip } of rows)
      for (const session of (await store.sessions.chain(tip.id)).toReversed())
        if (session.lastActiveAt >= since && session.startedAt < until) {
          await countSession(store, session, count);
          options.onProgress?.(count.messages);
        }
    if (rows.length < rowsPerPage) break;
  }
  const tools = [...count.tools.values()];
  return {
    tools: tools.toSorted((a, b) => b.calls - a.calls || b.resultTokens - a.resultTokens || (a.name < b.name ? -1 : 1)),
    messages: count.messages,
    isWhole: count.isWhole,
  };
}

const rowsPerPage = 100;
/** How many messages are in memory at once. */
const pageSize = 100;

interface Count {
  readonly since: Instant;
  readonly until: Instant;
  readonly tools: Map<string, { name: string; calls: number; errors: number; resultTokens: number }>;
  messages: number;
  readonly mostMessages: number;
  isWhole: boolean;
}

/** From its end, as far as something was said in the time. */
async function countSession(store: Store, session: Session, count: Count): Promise<void> {
  const start = await sharedSize(store, session);
  // Results come before their calls here, and only calls surely name the tool.
  const results = new Map<string, ToolResultPart[]>();
  for (let to = session.messages; to > start && count.isWhole; to -= pageSize) {
    const page = await store.messages.view(session.id, { from: Math.max(start, to - pageSize), to });
    const later = page.filter(({ time }) => time >= count.since);
    for (const stored of later.toReversed())
      if (stored.time < count.until && stored.origin === undefined) countMessage(stored, { count, results });
    if (later.length === 0) break;
  }
  for (const left of results.values()) for (const result of left) takeResult(count, result.name ?? '', result);
}

/** How many messages a branch begins with that are those of the session that it came from. */
async function sharedSize(store: Store, { id, relation, parentId }: Session): Promise<number> {
  if (relation !== 'branch' || parentId === undefined) return 0;
  const [own, before] = [await store.messages.viewIds(id), await store.messages.viewIds(parentId)];
  const differs = own.findIndex((one, place) => one !== before[place]);
  return differs === -1 ? own.length : differs;
}

function countMessage(
  { message }: StoredMessage,
  { count, results }: { readonly count: Count; readonly results: Map<string, ToolResultPart[]> },
): void {
  count.isWhole &&= count.messages < count.mostMessages;
  if (!count.isWhole) return;
  count.messages++;
  for (const result of toolResults(message))
    results.set(result.callId, [...(results.get(result.callId) ?? []), result]);
  for (const { callId, name } of toolCalls(message)) {
    entryOf(count, name).calls++;
    for (const result of results.get(callId) ?? []) takeResult(count, name, result);
    results.delete(callId);
  }
}

function takeResult(count: Count, name: string, { content, isError }: ToolResultPart): void {
  if (name === '') return;
  const entry = entryOf(count, name);
  if (isError) entry.errors++;
  for (const part of content) if (part.type === 'text') entry.resultTokens += estimateTextTokens(part.text);
}

function entryOf({ tools }: Count, name: string): { calls: number; errors: number; resultTokens: number } {
  const entry = tools.get(name) ?? { name, calls: 0, errors: 0, resultTokens: 0 };
  tools.set(name, entry);
  return entry;
}
