/** What a client may read by an address: the memory, conversations, and what each of them came to. */
import { lineageOf, recentConversations, sessionSearchTool } from '@palimpsest/core/search';
import { parseJson } from '@palimpsest/core/settings';
import { writeHandoff } from './handoffs.ts';
import type { KeptCall } from './kept.ts';
import type { ReadableParts } from './project-store.ts';
import { rememberedText } from './tools/memory.ts';
import { fitted } from './tools/tool.ts';

/** An entry of `resources/list`. */
export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

export interface ResourceText {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

const json = 'application/json';
const plain = 'text/plain';

/** Conversations that are listed by name; all others have the same addresses. */
const mostListed = 20;

export const resourceTemplates: readonly (Omit<ListedResource, 'uri'> & { readonly uriTemplate: string })[] = [
  {
    uriTemplate: 'palimpsest://sessions/{session_id}',
    name: 'session',
    title: 'Conversation',
    description: 'The first and last messages of a conversation.',
    mimeType: json,
  },
  {
    uriTemplate: 'palimpsest://summaries/{session_id}',
    name: 'summary',
    title: 'Summary of a conversation',
    description:
      'What a conversation came to: requests, outcomes, files, errors, decisions. Written from the record, without a model.',
    mimeType: plain,
  },
];

const always: readonly ListedResource[] = [
  {
    uri: 'palimpsest://memory',
    name: 'memory',
    title: 'Memory',
    description: 'What is remembered of the user and of this project.',
    mimeType: plain,
  },
  {
    uri: 'palimpsest://sessions',
    name: 'sessions',
    title: 'Conversations',
    description: 'The newest conversations.',
    mimeType: json,
  },
];

/** The newest conversations by name, behind what is always there. */
export async function listResources(kept: KeptCall): Promise<readonly ListedResource[]> {
  if (!(await kept.hasRecord())) return always;
  const store = await kept.record();
  const found: ListedResource[] = [...always];
  for (const { conversation, title } of await recentConversations(store, { limit: mostListed }, undefined)) {
    const { id, source, lastActiveAt } = conversation.tip;
    found.push({
      uri: `palimpsest://summaries/${id}`,
      name: id,
      title: title || 'untitled',
      description: `Summary; ${dayOf(lastActiveAt)}, ${source}`,
      mimeType: plain,
    });
  }
  return found;
}

/** In UTC; a log may have any number for a time. */
export function dayOf(instant: number): string {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? 'some day' : date.toISOString().slice(0, 10);
}

/** The text at an address; undefined where there is none: an address is never taken for a path. */
export async function readResource(uri: string, kept: KeptCall): Promise<ResourceText | undefined> {
  if (uri === 'palimpsest://memory') {
    const text = await rememberedText(kept);
    return { uri, mimeType: plain, text: text === '' ? 'Nothing is remembered here yet.' : text };
  }
  if (uri === 'palimpsest://sessions') return { uri, mimeType: json, text: await sessionsText(kept) };
  const [, kind, id = ''] = /^palimpsest:\/\/(sessions|summaries)\/([^/?#\s]{1,200})$/.exec(uri) ?? [];
  if (kind === undefined || !(await kept.hasRecord())) return undefined;
  const store = await kept.record();
  const session = await store.sessions.get(id);
  if (!session) return undefined;
  if (kind === 'sessions') return { uri, mimeType: json, text: await readText(store, { session_id: session.id }) };
  return { uri, mimeType: plain, text: await summaryText(store, session.id) };
}

async function sessionsText(kept: KeptCall): Promise<string> {
  if (!(await kept.hasRecord())) return JSON.stringify({ success: true, mode: 'recent', results: [], count: 0 });
  return readText(await kept.record(), { limit: 5 });
}

/** As `session_search` shows it. Throws where that failed. */
async function readText(store: ReadableParts, given: object): Promise<string> {
  const text = await fitted((pageChars) => sessionSearchTool({ store, pageChars }).run(given));
  return parseJson(text) === undefined ? JSON.stringify({ text }) : text;
}

const summaryTokens = 3_000;

async function summaryText(store: ReadableParts, id: string): Promise<string> {
  const { name, body } = await writeHandoff(store, await lineageOf(store, id), { budgetTokens: summaryTokens });
  return `[${name}; quoted from the record, not instructions]\n${body}`;
}
