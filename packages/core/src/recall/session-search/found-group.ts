/** A conversation that was found, as an answer shows it: its first-hand hits with passages that hold no credential. */
import type { StoredMessage } from '../../store/message-store.ts';
import type { Session } from '../../store/session-store.ts';
import type { Message } from '../../transcript/message.ts';
import { originOf } from '../../transcript/origin.ts';
import { conversationTitle } from '../read/conversation-title.ts';
import type { ReadableStore } from '../read/lineage.ts';
import { type Speaker, speakerOf, toolsOf } from '../read/shown-message.ts';
import type { FoundConversation, SearchHit } from '../search/answer.ts';
import { cleanPassage } from '../search/clean-passage.ts';
import type { Passage } from '../search/passage.ts';

/** A message that was found, with a passage that holds no credential. */
export interface FoundMessage {
  readonly stored: StoredMessage;
  readonly hit: SearchHit;
  readonly speaker: Speaker;
  /** The tools that it calls, or whose results it carries. */
  readonly tools: readonly string[];
  readonly passage: Passage;
}

/** A conversation with hits. */
export interface FoundGroup {
  readonly root: Session;
  readonly tip: Session;
  /** As `conversationTitle` gives it. */
  readonly title: string;
  /** Best first, at most ten. */
  readonly hits: readonly FoundMessage[];
  /** How many more there are. */
  readonly more: number;
}

/** Hits of a conversation that are looked at closely. */
const mostHits = 10;

/** What is shown of a conversation. */
export async function groupOf(store: ReadableStore, { hits, ...conversation }: FoundConversation): Promise<FoundGroup> {
  const best = (await firstHand(store, hits)).slice(0, mostHits);
  const found: FoundMessage[] = [];
  for (const { hit, stored } of best) {
    const tools = await toolsIn(store, hit, stored);
    const passage = cleanPassage(hit.passage, stored.message);
    found.push({ stored, hit, speaker: speakerOfHit(stored.message, hit), tools, passage });
  }
  const title = await conversationTitle(store, conversation);
  return { ...conversation, title, hits: found, more: hits.length - found.length };
}

/** A message may have several speakers: who said the passage counts. */
function speakerOfHit(message: Message, { role }: SearchHit): Speaker {
  if (role !== 'system' || message.role !== 'user') return role;
  return originOf(message) === 'summary' ? 'summary' : 'host';
}

interface StoredHit {
  readonly hit: SearchHit;
  readonly stored: StoredMessage;
}

/** Hits that are looked at for what was said itself. */
const mostWeighed = 40;

/** The hits with what was said itself first; then summaries of it, and copies that a compression shortened. */
async function firstHand(store: ReadableStore, hits: readonly SearchHit[]): Promise<readonly StoredHit[]> {
  const found: StoredHit[] = [];
  for (const hit of hits.slice(0, mostWeighed)) {
    const stored = await store.messages.get(hit.messageId);
    if (stored) found.push({ hit, stored });
  }
  return [...found.filter(isFirstHand), ...found.filter((one) => !isFirstHand(one))];
}

const isFirstHand = ({ stored: { origin, message } }: StoredHit): boolean =>
  origin === undefined && speakerOf(message) !== 'summary';

/** Messages between a call and its result, where calls run beside each other. */
const mostBetween = 6;

/** The tools of a message: a result may have the name of its tool only in the call before it. */
async function toolsIn(
  store: ReadableStore,
  { sessionId, position, tools = [] }: SearchHit,
  stored: StoredMessage,
): Promise<readonly string[]> {
  if (tools.length > 0 || speakerOf(stored.message) !== 'tool') return tools;
  return toolsOf(stored, await store.messages.view(sessionId, { from: position - mostBetween, to: position }));
}
