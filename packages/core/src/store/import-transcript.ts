/** Brings conversations that other tools wrote into a store, and only what is new of those that it knows. */

import { defined } from '../shared/defined.ts';
import { checkKnownOptions, type KnownOptions } from '../shared/options/known-options.ts';
import { type Message, messageHash, type Transcript } from '../transcript/message.ts';
import { carriesResults, toolCalls, toolResults } from '../transcript/text.ts';
import { saveSurroundings, withoutLines } from './export-session.ts';
import type { Instant, SessionId } from './ids.ts';
import {
  alone,
  type ImportOutcome,
  type ImportPlace,
  linkOrWait,
  linkWaiting,
  type Placed,
  placeFor,
  untilSettled,
} from './import-place.ts';
import { contentIds, messageBody } from './message-body.ts';
import { appendInBatches, batches } from './message-store.ts';
import { beginInBatches, type Session, type SessionDraft } from './session-store.ts';
import type { Store } from './store.ts';
import { cleanTitle, titleNumber } from './title.ts';

/** What the caller knows of the file that is imported. */
export interface ImportOptions {
  /** The file, for reports. */
  readonly path?: string;
  /** The folder the agent worked in. @default what the transcript says */
  readonly project?: string;
  /** What a person calls the conversation. @default the title in the transcript */
  readonly title?: string;
  /** When the file was last written: the time of messages in formats that tell none. @default now */
  readonly modifiedAt?: Instant;
  /** Only says what would be done. @default false */
  readonly dryRun?: boolean;
}

const known: KnownOptions<ImportOptions> = { path: true, project: true, title: true, modifiedAt: true, dryRun: true };

/** One conversation that was imported. */
export interface ImportedSession {
  /** Absent where nothing was made. */
  readonly sessionId?: SessionId;
  readonly sourceId: string;
  readonly outcome: ImportOutcome;
  /** True for a conversation of a sub-agent, or a branch off the main one. */
  readonly isSide: boolean;
  /** Messages of the transcript. */
  readonly messages: number;
  /** Those that the session did not show before, and those of them that no session did. */
  readonly appended: number;
  readonly stored: number;
  /** Messages at the end of a log that is being written right now, left for the next import. */
  readonly heldBack: number;
}

/**
 * Imports the conversations of one file, the main one first: a session each, side conversations under the one that they
 * branched from. A conversation is known again by its source's own id, or by how it opens. Importing again adds what is
 * new; where the beginning has changed a branch is made that shares what is the same, and nothing is lost. Several
 * processes may import the same file at once.
 *
 * @throws PalimpsestError `BAD_MESSAGES` for what cannot be stored, `STORE_BUSY` while another process imports the same
 *   conversation for long, and whatever the store throws
 */
export function importTranscripts(
  store: Store,
  transcripts: readonly Transcript[],
  options: ImportOptions = {},
): Promise<readonly ImportedSession[]> {
  return importAt(Date.now, store, { transcripts, options });
}

/** The same by another clock. */
export async function importAt(
  clock: () => Instant,
  store: Store,
  { transcripts, options = {} }: { readonly transcripts: readonly Transcript[]; readonly options?: ImportOptions },
): Promise<readonly ImportedSession[]> {
  checkKnownOptions('importTranscripts', options, known);
  const ids = sourceIdentities(transcripts);
  const done: { transcript: Transcript; imported: ImportedSession }[] = [];
  const sessionOf = (id: string | undefined): SessionId | undefined =>
    done.find(({ transcript }) => transcript.id !== undefined && transcript.id === id)?.imported.sessionId;
  for (const [at, transcript] of transcripts.entries()) {
    if (transcript.messages.length === 0) continue;
    const { sideOf, format } = transcript;
    const near = sideOf === undefined ? undefined : (sessionOf(sideOf) ?? done[0]?.imported.sessionId);
    const far = sideOf === undefined || near !== undefined ? undefined : await store.sessions.bySource(format, sideOf);
    const wanted = draftOf(transcript, { sourceId: ids[at] ?? '', parentId: near ?? far?.id, clock, options });
    done.push({ transcript, imported: await importOne(store, wanted, options) });
  }
  return done.map(({ imported }) => imported);
}

/** A conversation with the session that it would be. */
interface Wanted {
  readonly transcript: Transcript;
  readonly sourceId: string;
  readonly draft: SessionDraft & { readonly startedAt: Instant };
  readonly messages: readonly Message[];
  readonly heldBack: number;
}

interface Drafting {
  readonly sourceId: string;
  readonly parentId: SessionId | undefined;
  readonly clock: () => Instant;
  readonly options: ImportOptions;
}

function draftOf(transcript: Transcript, { sourceId, parentId, clock, options }: Drafting): Wanted {
  const { modifiedAt = clock(), path, project = transcript.workingDirectory } = options;
  const { format: source, title, model, sideOf } = transcript;
  const size = settledSize(transcript.messages, clock());
  const names = sideOf === undefined ? [options.title, title] : [title];
  const named = names.find((name) => name !== undefined && cleanTitle(name, 'source') !== undefined);
  const draft = {
    source,
    sourceId,
    startedAt: firstTime(transcript.messages) ?? modifiedAt,
    ...(sideOf === undefined ? {} : ({ relation: 'side' } as const)),
    ...defined({ parentId, sourcePath: path, project, model }),
    ...(named === undefined ? {} : { title: named, titleFrom: titleFrom(named, options) }),
  };
  const messages = transcript.messages.slice(0, size).map(withoutLines);
  return { transcript, sourceId, draft, messages, heldBack: transcript.messages.length - size };
}

const titleFrom = (title: string, options: ImportOptions): 'user' | 'source' =>
  title === options.title ? 'user' : 'source';

function firstTime(messages: readonly Message[]): Instant | undefined {
  const time = Date.parse(messages.find((message) => message.time !== undefined)?.time ?? '');
  return Number.isNaN(time) ? undefined : time;
}

async function importOne(store: Store, wanted: Wanted, options: ImportOptions): Promise<ImportedSession> {
  if (wanted.messages.length === 0) return importedAs(wanted, { outcome: 'waiting' });
  if (options.dryRun) return importedAs(wanted, await placeFor(store, placed(wanted)));
  const name = `import:${wanted.draft.source}:${wanted.sourceId}`;
  return alone(store, name, () => untilSettled(() => writeOne(store, wanted)));
}

async function writeOne(store: Store, wanted: Wanted): Promise<ImportedSession> {
  const place = await placeFor(store, placed(wanted));
  const [, ...later] = batches(wanted.messages.slice(place.size));
  // What cannot be written down must not leave a session without it. A single batch is refused as a whole.
  if (later.length > 0) requireBodies(wanted, place);
  const { session, stored } = await writeMessages(store, wanted, place).catch((error: unknown) => {
    requireBodies(wanted, place);
    throw error;
  });
  await saveSurroundings(store, session.id, settled(wanted));
  await noteTitle(store, session, wanted);
  await noteDescent(store, session, wanted);
  return { ...importedAs(wanted, place), sessionId: session.id, stored };
}

/** Throws `BAD_MESSAGES` for the first new message that cannot be written down, by its place in the whole list. */
function requireBodies({ messages }: Wanted, { size }: ImportPlace): void {
  for (const [at, message] of messages.slice(size).entries()) messageBody(message, size + at);
}

/** Adds what is new to the session that is known, or begins one with it. */
async function writeMessages(
  store: Store,
  { draft, messages }: Wanted,
  { session: known, outcome, size }: ImportPlace,
): Promise<{ readonly session: Session; readonly stored: number }> {
  const time = draft.startedAt;
  if (known && outcome !== 'branched') {
    const append = { messages: messages.slice(size), expectedSize: size, time };
    const isMore = append.messages.length > 0;
    return { session: known, stored: isMore ? (await appendInBatches(store.messages, known.id, append)).added : 0 };
  }
  const branch = known ? { parentId: known.id, relation: draft.relation ?? ('branch' as const) } : {};
  // In one step with its first messages: nothing that ends it may leave a session without any.
  const { session, appended } = await beginInBatches(store, { ...draft, ...branch }, { messages, time });
  return { session, stored: appended.added };
}

const importedAs = (
  { sourceId, transcript, messages, heldBack }: Wanted,
  { outcome, size = messages.length, session }: Partial<ImportPlace> & Pick<ImportPlace, 'outcome'>,
): ImportedSession => ({
  ...(session && outcome !== 'branched' ? { sessionId: session.id } : {}),
  sourceId,
  outcome,
  heldBack,
  stored: 0,
  isSide: transcript.sideOf !== undefined,
  messages: transcript.messages.length,
  appended: Math.max(0, messages.length - size),
});

const placed = ({ draft, sourceId, messages }: Wanted): Placed => ({ source: draft.source, sourceId, messages });

/** The part of the transcript that was imported. */
function settled({ transcript, heldBack }: Wanted): Transcript {
  if (heldBack === 0) return transcript;
  const messages = transcript.messages.slice(0, transcript.messages.length - heldBack);
  const { compressions, ...rest } = transcript;
  const open = compressions?.filter((at) => at < messages.length) ?? [];
  return { ...rest, messages, ...(open.length > 0 ? { compressions: open } : {}) };
}

/** Tools give titles late and change them; one that a person gave here stays. */
async function noteTitle(store: Store, session: Session, { draft }: Wanted): Promise<void> {
  const { title, titleFrom: from = 'source' } = draft;
  const clean = title === undefined ? undefined : cleanTitle(title, from);
  const known = session.title;
  if (clean === undefined || clean === known) return;
  if (known !== undefined && titleNumber(known).base === clean) return;
  await store.sessions.title(session.id, clean, from);
}

/** A side conversation may come before the one that it branched off. */
async function noteDescent(store: Store, session: Session, { transcript }: Wanted): Promise<void> {
  const { format: source, id, sideOf } = transcript;
  if (sideOf !== undefined && session.parentId === undefined && session.relation === 'side')
    await linkOrWait(store, session, { source, id: sideOf });
  if (id !== undefined) await linkWaiting(store, session.id, { source, id });
}

// How much of a log that is being written will stay as it is.

/** A log whose newest message is younger than this may be written to right now. */
const unsettledMilliseconds = 60_000;

/**
 * How many messages will stay. A log that is being written may still give its newest answer further parts, and results of
 * its calls go before whatever else was said meanwhile. An answer is settled by what follows when all its calls have
 * results, and any answer when nothing came for a minute.
 */
function settledSize(messages: readonly Message[], now: Instant): number {
  const newest = Date.parse(messages.at(-1)?.time ?? '');
  if (!(Math.abs(now - newest) < unsettledMilliseconds)) return messages.length;
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  const answer = messages[at];
  if (!answer) return messages.length;
  const later = messages.slice(at + 1);
  const results = new Set([answer, ...later].flatMap(toolResults).map(({ callId }) => callId));
  const waits = toolCalls(answer).some(({ callId }) => !results.has(callId));
  return waits || later.every(carriesResults) ? at : messages.length;
}

// Which session of a tool a transcript is: the id by which it is known again when it has grown, moved or been copied.

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Gives the conversations of one file their ids, in their order. */
function sourceIdentities(transcripts: readonly Transcript[]): readonly string[] {
  const counts = new Map<string, number>();
  const main = transcripts.find(({ sideOf }) => sideOf === undefined);
  return transcripts.map((transcript) => {
    const id = sourceIdentity(transcript, main);
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id}#${count}`;
  });
}

/**
 * An id that no other session can have is taken as it is. A sub-agent's short one counts within its conversation, and
 * those of other tools may be numbers: their conversation is told by how it opens, up to the first request.
 */
function sourceIdentity(transcript: Transcript, main: Transcript | undefined): string {
  const { id, sideOf } = transcript;
  if (id !== undefined && uuid.test(id)) return id;
  if (sideOf !== undefined) return `${main?.id ?? sideOf}/${id ?? sideOf}`;
  return id === undefined ? opening(transcript) : `${id}/${opening(transcript)}`;
}

function opening({ messages }: Transcript): string {
  const request = messages.findIndex(({ role }) => role === 'user');
  const hashes = messages.slice(0, request < 0 ? 1 : request + 1).map(messageHash);
  return contentIds(hashes.join('\n')).ids[0] ?? '';
}
