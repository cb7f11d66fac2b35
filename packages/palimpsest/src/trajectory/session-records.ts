/** The conversations of a store as records of training data, one after the other: never more of them in memory than one. */
import { createHash } from 'node:crypto';
import { PalimpsestError, redact } from '@palimpsest/core';
import { redactedMessage } from '@palimpsest/core/formats';
import { conversationTitle } from '@palimpsest/core/search';
import { checkKnownOptions, type JsonObject, type JsonValue, type KnownOptions } from '@palimpsest/core/settings';
import {
  type Conversation,
  exportSession,
  type Instant,
  isBrokenAnswer,
  type SessionId,
  type Store,
} from '@palimpsest/core/store';
import { type TrajectoryLayout, trajectoryRecord } from '@palimpsest/core/trajectories';
import type { RecordSource } from './record-source.ts';

/** Which conversations; all of what is set must hold. */
export interface SessionRecordsFilter {
  /** Any session of each conversation; its sub-agents come along. */
  readonly ids?: readonly SessionId[];
  /** Active at or after, and before. */
  readonly since?: Instant;
  readonly until?: Instant;
  /** Where they come from, such as `codex`. */
  readonly sources?: readonly string[];
  /** The folder, or one above it. */
  readonly project?: string;
  /** A part of the name of the model, in any case. */
  readonly model?: string;
  /** A part of the title, in any case. */
  readonly title?: string;
}

/** Which conversations are written, and how. */
export interface SessionRecordsOptions extends TrajectoryLayout {
  /** @default all conversations */
  readonly filter?: SessionRecordsFilter;
  /** Leaves credentials in. @default false */
  readonly raw?: boolean;
}

/** Records of a store. */
export interface SessionRecords extends RecordSource {
  /** How many conversations were found; those in which nothing was said become no record. */
  readonly conversations: number;
}

/**
 * The conversations of a store, each as one record with `id`, `source`, `model`, and `parent_id` for a sub-agent or a branch: all
 * that was said in its sessions, without what was taken back, and never what a compression made of it. Oldest first. Recognised
 * credentials are masked unless `raw` is set. Throws `BAD_OPTION`.
 *
 * @example
 * import { openStore } from '@palimpsest/core/store';
 * import { compressTrajectoryFiles, sessionRecords } from 'palimpsest';
 * await using store = await openStore({ path: 'palimpsest.db' });
 * const from = await sessionRecords(store, { to: 'sharegpt', filter: { sources: ['codex'] } });
 * await compressTrajectoryFiles({ inputs: [], from, output: 'runs.jsonl' });
 */
export async function sessionRecords(store: Store, options: SessionRecordsOptions): Promise<SessionRecords> {
  checkKnownOptions<SessionRecordsOptions>('sessionRecords', options, known);
  const { filter = {}, raw = false, to, calls, reasoning } = options;
  checkKnownOptions<SessionRecordsFilter>('sessionRecords', filter, knownFilter);
  const found = await placesIn(store, filter);
  const layout = { to, ...(calls && { calls }), ...(reasoning && { reasoning }) };
  const state = createHash('sha256')
    .update(JSON.stringify([found, layout, raw]))
    .digest('hex')
    .slice(0, 32);
  return {
    name: 'sessions',
    identity: { sessions: state },
    conversations: found.length,
    bytes: linesOf(store, found, { ...layout, raw }),
  };
}

const known: KnownOptions<SessionRecordsOptions> = {
  to: true,
  calls: true,
  reasoning: true,
  filter: true,
  raw: { expected: 'true or false', holds: (value) => typeof value === 'boolean' },
};

const knownFilter: KnownOptions<SessionRecordsFilter> = {
  ids: true,
  since: true,
  until: true,
  sources: true,
  project: true,
  model: true,
  title: true,
};

/** What is held of each conversation until its turn comes. */
interface Place {
  readonly id: SessionId;
  readonly tip: SessionId;
  readonly startedAt: Instant;
  /** Tell whether something was said or taken back since. */
  readonly lastActiveAt: Instant;
  readonly messages: number;
  readonly source: string;
  readonly model: string | undefined;
  readonly parent: SessionId | undefined;
}

async function placesIn(store: Store, filter: SessionRecordsFilter): Promise<readonly Place[]> {
  const { since, until, project, ids } = filter;
  const roots = ids && new Set(await Promise.all(ids.map((id) => rootOf(store, id))));
  const query = {
    sides: true,
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(project !== undefined && { project }),
  };
  const places: Place[] = [];
  // In one read: between two pages, a conversation in which something is said moves to the first one, and is missed.
  const all = await store.sessions.list({ ...query, limit: Number.MAX_SAFE_INTEGER });
  for (const one of all) if (await isMeant(store, one, filter)) places.push(await placeOf(store, one));
  const chosen = roots ? withSides(places, roots) : places;
  return chosen.toSorted((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1));
}

async function rootOf(store: Store, id: SessionId): Promise<SessionId> {
  const session = await store.sessions.get(id);
  if (session) return session.rootId;
  throw new PalimpsestError('ID_UNKNOWN', `no conversation has the id ${JSON.stringify(id)}`, {
    evidence: { session: id },
  });
}

/** Those that are meant, and what descends from them. */
function withSides(places: readonly Place[], roots: ReadonlySet<SessionId>): readonly Place[] {
  const meant = new Set(roots);
  for (let size = -1; size !== meant.size; ) {
    size = meant.size;
    for (const { id, parent } of places) if (parent !== undefined && meant.has(parent)) meant.add(id);
  }
  return places.filter(({ id }) => meant.has(id));
}

async function isMeant(
  store: Store,
  conversation: Conversation,
  { sources, model, title }: SessionRecordsFilter,
): Promise<boolean> {
  const { root, tip } = conversation;
  if (isBrokenAnswer(root)) return false;
  if (sources && !sources.includes(root.source)) return false;
  if (model !== undefined && ![root.model, tip.model].some((name) => holds(name, model))) return false;
  return title === undefined || holds(await conversationTitle(store, conversation), title);
}

const holds = (text: string | undefined, part: string): boolean =>
  text?.toLowerCase().includes(part.toLowerCase()) ?? false;

async function placeOf(store: Store, { root, tip }: Conversation): Promise<Place> {
  const above = root.parentId === undefined ? undefined : await store.sessions.get(root.parentId);
  return {
    id: root.id,
    tip: tip.id,
    startedAt: root.startedAt,
    lastActiveAt: tip.lastActiveAt,
    messages: tip.messages,
    source: root.source,
    model: tip.model ?? root.model,
    parent: above?.rootId,
  };
}

interface LineOptions extends TrajectoryLayout {
  readonly raw: boolean;
}

async function* linesOf(store: Store, places: readonly Place[], options: LineOptions): AsyncGenerator<Uint8Array> {
  for (const place of places) {
    const line = await lineOf(store, place, options);
    if (line !== undefined) yield Buffer.from(`${line}\n`);
  }
}

/** Undefined where nothing was said. */
async function lineOf(store: Store, place: Place, { raw, ...layout }: LineOptions): Promise<string | undefined> {
  const { messages, tools } = await exportSession(store, place.tip);
  const shown = raw ? messages : messages.map(redactedMessage);
  const { id, parent, source, model } = place;
  const fields: JsonObject = {
    id,
    ...(parent === undefined ? {} : { parent_id: parent }),
    source,
    ...(model === undefined ? {} : { model }),
  };
  const about = tools && { tools: raw ? tools : tools.map(redactedJson) };
  try {
    return trajectoryRecord(shown, { ...layout, fields, ...about }).text;
  } catch (error) {
    if (PalimpsestError.isInstance(error) && error.code === 'TRAJECTORY_BROKEN') return undefined;
    throw error;
  }
}

function redactedJson(value: JsonValue): JsonValue {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map(redactedJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redactedJson(member)]));
}
