/** Gives a stored conversation back as a transcript, which every format's writer takes. */
import { defined } from '../shared/defined.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../shared/json.ts';
import { checkKnownOptions } from '../shared/options/known-options.ts';
import { type FormatName, formatNames, type Message, type Transcript } from '../transcript/message.ts';
import type { SessionId } from './ids.ts';
import type { Session } from './session-store.ts';
import { type Store, surroundingsTool } from './store.ts';

/** What of a conversation is given back. */
export interface ExportOptions {
  /**
   * What is given back: everything that was ever said in the conversation, or the view of its newest session, which is
   * what its model sees now.
   * @default conversation
   */
  readonly what?: 'conversation' | 'view';
}

/** What sessions without a format of their own are written as. */
const ownFormat: FormatName = 'openai-chat';

/**
 * The conversation of a session. One that was imported comes back as it was read, with what its format keeps around the
 * messages; `compressions` tells where Palimpsest compressed it since.
 *
 * @throws PalimpsestError `ID_UNKNOWN` for a session that does not exist
 */
export async function exportSession(store: Store, id: SessionId, options: ExportOptions = {}): Promise<Transcript> {
  checkKnownOptions('exportSession', options, { what: true });
  const { what = 'conversation' } = options;
  const chain = await store.sessions.chain(id);
  const [root] = chain;
  const tip = chain.at(-1);
  // A chain holds at least the session itself.
  if (!root || !tip) return { format: ownFormat, messages: [] };
  const about = aboutOf(root, chain);
  if (what === 'view' && root !== tip) {
    const view = await store.messages.view(tip.id);
    return { ...about, messages: view.map(({ message }) => message) };
  }
  const { messages, compressions } = await wholeOf(store, chain);
  const read = await restoreSurroundings(store, root.id, { ...about, messages });
  const all = [...(read.compressions ?? []), ...compressions];
  return { ...read, ...(all.length > 0 ? { compressions: all } : {}) };
}

/** The format that a conversation is written in when nobody names one. */
const formatOfSession = ({ source }: Pick<Session, 'source'>): FormatName =>
  formatNames.find((name) => name === source) ?? ownFormat;

function aboutOf(root: Session, chain: readonly Session[]): Omit<Transcript, 'messages'> {
  // A title that the source gave may have got a number here; the source's own stands in the surroundings.
  const title = chain.findLast((session) => session.title !== undefined && session.titleFrom !== 'source')?.title;
  const { id, project, model } = root;
  return {
    format: formatOfSession(root),
    id,
    ...defined({ title, model, workingDirectory: project }),
  };
}

interface Whole {
  readonly messages: Transcript['messages'];
  readonly compressions: readonly number[];
}

/** What was said in each session of a chain, behind what was said in those before it; what was taken back is left out. */
async function wholeOf(store: Store, chain: readonly Session[]): Promise<Whole> {
  const messages: Transcript['messages'][number][] = [];
  const compressions: number[] = [];
  const takenBack = await store.sessions.takenBack(chain[0]?.id ?? '');
  let said = 0;
  let before: Session | undefined;
  for (const session of chain) {
    const view = await store.messages.view(session.id);
    if (messages.length > 0 && before?.endReason !== 'undo') compressions.push(messages.length);
    for (const { origin, message } of view) {
      // What a continuation opened with was made of what is known already, or carried over.
      if (origin !== undefined) continue;
      const at = said++;
      if (!takenBack.some(({ first, last }) => at >= first && at <= last)) messages.push(message);
    }
    before = session;
  }
  return { messages, compressions: compressions.filter((at) => at < messages.length) };
}

// What a transcript holds besides its messages: the fields around them, records that are no messages, where lines stood. A
// writer of the same format needs it to give back the file that was read. It is kept as saved output of the session, so
// that it goes when the session goes; a log that has grown adds what is new, so that importing often costs no more.

/** What earlier versions called it. */
const earlierName = 'import';

/** As `JSON.parse` gives it back. */
interface Surroundings {
  /** The members of the transcript that are neither its messages nor known to its session. */
  readonly about: JsonObject;
  /** Records that are no messages. */
  readonly records: readonly JsonValue[];
  /** For each message the lines of the file that it stood in. */
  readonly lines: readonly JsonValue[];
}

/** What an import adds to those before it: both lists are cut to a length, then go on. */
interface Addition extends Surroundings {
  readonly recordsFrom: number;
  readonly linesFrom: number;
}

const nothing: Surroundings = { about: {}, records: [], lines: [] };

/** The message without the lines that it stood on, so that it is the same message wherever a file has it. */
export function withoutLines(message: Message): Message {
  if (!lineNumbers(message)) return message;
  return withEntries(message, ({ line: _, ...entry }) => entry);
}

/** Keeps what stands around the messages of a session, if there is anything new. */
export async function saveSurroundings(store: Store, sessionId: SessionId, transcript: Transcript): Promise<void> {
  const known = await additionsOf(store, sessionId);
  const now = surroundingsOf(transcript);
  const addition = known.length === 0 ? whole(now) : additionTo(known.reduce(added, nothing), now);
  if (!addition) return;
  // The number keeps equal additions apart.
  const text = JSON.stringify({ number: known.length, ...addition });
  await store.outputs.save(text, { tool: surroundingsTool, sessionId });
}

function whole(now: Surroundings): Addition | undefined {
  const isNothing = Object.keys(now.about).length === 0 && now.records.length === 0 && now.lines.length === 0;
  return isNothing ? undefined : { ...now, recordsFrom: 0, linesFrom: 0 };
}

function additionTo(before: Surroundings, now: Surroundings): Addition | undefined {
  if (isOlder(now, before)) return undefined;
  const recordsFrom = sharedStart(before.records, now.records);
  const linesFrom = sharedStart(before.lines, now.lines);
  const isAllKnown = recordsFrom === now.records.length && linesFrom === now.lines.length;
  if (isAllKnown && JSON.stringify(before.about) === JSON.stringify(now.about)) return undefined;
  const { about } = now;
  const [records, lines] = [now.records.slice(recordsFrom), now.lines.slice(linesFrom)];
  return { about, records, lines, recordsFrom, linesFrom };
}

/** The transcript as its file had it; its messages are those of the session from the first on. */
export async function restoreSurroundings(
  store: Store,
  sessionId: SessionId,
  transcript: Transcript,
): Promise<Transcript> {
  const { about, records, lines } = (await additionsOf(store, sessionId)).reduce(added, nothing);
  const { id, title, sideOf, tools, compressions, extra, keeps } = about;
  const { format } = transcript;
  return {
    ...transcript,
    messages: transcript.messages.map((message, at) => withLines(message, lines[at])),
    ...(typeof id === 'string' ? { id } : {}),
    ...(typeof title === 'string' ? { title: transcript.title ?? title } : {}),
    ...(typeof sideOf === 'string' ? { sideOf } : {}),
    ...(Array.isArray(tools) ? { tools } : {}),
    ...(Array.isArray(compressions) ? { compressions: compressions.filter(isNumber) } : {}),
    ...(isJsonObject(extra) ? { extra: { format, fields: keeps === true ? { ...extra, records } : extra } } : {}),
  };
}

function surroundingsOf(transcript: Transcript): Surroundings {
  const { id, title, sideOf, messages, tools, compressions, extra, format } = transcript;
  const { records, ...fields } = extra?.format === format ? extra.fields : {};
  const kept = Array.isArray(records) ? records : undefined;
  const lines = messages.map((message) => lineNumbers(message) ?? null);
  const about = {
    ...defined({ id, title, sideOf }),
    ...(tools ? { tools } : {}),
    ...(compressions ? { compressions } : {}),
    ...(extra?.format === format ? { extra: kept ? fields : extra.fields } : {}),
    ...(kept ? { keeps: true } : {}),
  };
  return { about, records: kept ?? [], lines: lines.some((one) => one !== null) ? lines : [] };
}

/** True for what an earlier copy of the same file gives. */
const isOlder = (now: Surroundings, before: Surroundings): boolean =>
  now.lines.length < before.lines.length || now.records.length < before.records.length;

const added = (before: Surroundings, { about, records, recordsFrom, lines, linesFrom }: Addition): Surroundings => ({
  about,
  records: [...before.records.slice(0, recordsFrom), ...records],
  lines: [...before.lines.slice(0, linesFrom), ...lines],
});

function sharedStart(before: readonly JsonValue[], now: readonly JsonValue[]): number {
  const isSame = (at: number): boolean => JSON.stringify(now[at]) === JSON.stringify(before[at]);
  let shared = 0;
  while (shared < Math.min(before.length, now.length) && isSame(shared)) shared++;
  return shared;
}

async function additionsOf(store: Store, sessionId: SessionId): Promise<readonly Addition[]> {
  const lists = await Promise.all(
    [earlierName, surroundingsTool].map((tool) => store.outputs.list(sessionId, { tool })),
  );
  const found: { number: number; addition: Addition }[] = [];
  for (const { id } of lists.flat()) {
    const value = parseJson((await store.outputs.read(id)).text);
    const addition = isJsonObject(value) ? additionFrom(value) : undefined;
    if (isJsonObject(value) && addition) found.push({ number: Number(value.number), addition });
  }
  return found.sort((a, b) => a.number - b.number).map(({ addition }) => addition);
}

function additionFrom({ about, records, recordsFrom, lines, linesFrom }: JsonObject): Addition | undefined {
  if (!isJsonObject(about) || !isList(records) || !isList(lines)) return undefined;
  if (!isNumber(recordsFrom) || !isNumber(linesFrom)) return undefined;
  return { about, records, recordsFrom, lines, linesFrom };
}

/** The numbers of the lines that a message of a log was read from. */
function lineNumbers(message: Message): readonly number[] | undefined {
  const entries = message.extra?.fields.lines;
  if (!isList(entries)) return undefined;
  const numbers = entries.map((entry) => (isJsonObject(entry) ? entry.line : undefined));
  return numbers.every(isNumber) ? numbers : undefined;
}

function withLines(message: Message, lines: JsonValue | undefined): Message {
  const entries = message.extra?.fields.lines;
  if (!isList(entries) || !isList(lines) || lines.length !== entries.length) return message;
  return withEntries(message, (entry, at) => ({ line: lines[at] ?? null, ...entry }));
}

function withEntries(message: Message, change: (entry: JsonObject, at: number) => JsonObject): Message {
  const { extra } = message;
  if (!extra || !isList(extra.fields.lines)) return message;
  const lines = extra.fields.lines.map((entry, at) => (isJsonObject(entry) ? change(entry, at) : entry));
  return { ...message, extra: { ...extra, fields: { ...extra.fields, lines } } };
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isList = (value: unknown): value is readonly JsonValue[] => Array.isArray(value);
