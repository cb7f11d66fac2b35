/** `palimpsest search`: conversations of the store that hold something on a query. */
import type { Role, Summarizer } from '@palimpsest/core';
import {
  type Discovery,
  discover,
  type Embedder,
  type FoundGroup,
  type FoundMessage,
  filterRoles,
  type GroupSummary,
  recentConversations,
  type SearchScope,
  summarizeGroups,
} from '@palimpsest/core/search';
import { isBrokenAnswer, type Store } from '@palimpsest/core/store';
import type { SessionSearchConfig } from '../../config/config.ts';
import { chooseSummarizer } from '../../models/resolve-model.ts';
import { clip, type Screen, styled } from '../../terminal/screen.ts';
import { visible } from '../../terminal/visible.ts';
import type { Call } from '../commands/build.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import {
  conversationRow,
  findSession,
  type OpenedStore,
  openStoreFor,
  type StoreFlags,
  untitled,
} from '../open-store.ts';
import {
  badOption,
  given,
  namesIn,
  numberOf,
  projectFolder,
  quoted,
  type TimeFlags,
  timeRange,
} from '../option-values.ts';
import { interruptible } from '../progress.ts';
import { counted, linesOf, oneLine, timeStamp, timeText, wrap } from '../render/text.ts';
import { readSettings } from '../settings.ts';
import { stdoutScreen, type Terminal, writeJson, writeNotes, writeReport, writeResult } from '../terminal.ts';
import { namedModel, refusedKeys, type WantedModel, type WriterFlags, wantedName } from '../writer/choose-writer.ts';
import { conversationTable } from './sessions.ts';

interface SearchFlags extends StoreFlags, TimeFlags, WriterFlags {
  readonly limit?: string;
  readonly role?: string;
  readonly source?: string;
  readonly project?: string;
  readonly session?: string;
  readonly vectors?: boolean;
  /** How the summarizer was named once. */
  readonly model?: string | false;
}

/** Characters of a passage: about three lines. */
const passageCharacters = 240;

export async function runSearch({ words, flags: typed, terminal }: Call<SearchFlags>): Promise<ExitCode> {
  const flags: SearchFlags = typed.model === undefined ? typed : { summarizer: typed.model, ...typed };
  const query = words.join(' ').trim();
  const narrowed = scopeOf(flags, terminal);
  const writer = query === '' ? undefined : await searchWriter(flags, terminal);
  const opened = await openStoreFor(flags, terminal);
  await using store = opened.store;
  const session = flags.session === undefined ? undefined : (await findSession(store, flags.session)).id;
  const scope = { ...narrowed, ...given({ session }) };
  const task: Task = { query, opened, writer, terminal };
  const found = query === '' ? await showRecent(scope, task) : await showFound(scope, task, flags.vectors ?? false);
  return found > 0 ? exitCodes.fine : exitCodes.finding;
}

interface Task {
  readonly query: string;
  readonly opened: OpenedStore;
  readonly writer: SearchWriter | undefined;
  readonly terminal: Terminal;
}

async function showFound(scope: SearchScope, task: Task, byMeaning: boolean): Promise<number> {
  const { query, opened, writer, terminal } = task;
  const meaning = byMeaning ? await meaningOf(opened.store) : undefined;
  const by = given({ vectors: meaning?.vectors });
  const found = await discover(opened.store, { query, scope, passageCharacters, now: Date.now(), ...by });
  const { groups } = found;
  const notes = linesOf(opened.notes, writer?.notes, meaning?.note, remarksOn(found));
  if (terminal.json) {
    const summaries = await summariesOf(found, task);
    const conversations = groups.map((group, i) => groupJson(group, summaries[i]));
    const outcome = { found: found.searched, corrected: found.corrected, relaxed: found.relaxed };
    const about = { conversations, ...outcome, model: writer?.model?.name ?? null, notes };
    await writeJson(terminal, { command: 'search', query, store: opened.path, ...about });
    return groups.length;
  }
  await writeNotes(terminal, notes);
  const summaries = await summariesOf(found, task);
  const screen = stdoutScreen(terminal);
  const lines = groups.flatMap((group, i) => [...(i === 0 ? [] : ['']), ...groupLines(group, summaries[i], screen)]);
  await writeReport(terminal, lines);
  const id = groups[0]?.hits[0]?.stored.id ?? 'ID';
  const next = `palimpsest read ${id} shows a message in full; --around 5 adds five messages before and after it`;
  if (groups.length > 0) await writeNotes(terminal, [next]);
  return groups.length;
}

/** The model on this machine, and what a person should know of its vectors. */
async function meaningOf(store: Store): Promise<{ readonly vectors: Embedder; readonly note: string | false }> {
  const { loadMiniLm } = await import('@palimpsest/core/search');
  const vectors = await loadMiniLm();
  const seen = (await store.vectors.models()).find(({ name }) => name === vectors.name)?.messages ?? 0;
  const missing = (await store.messages.count()) - seen;
  const note = `${counted(missing, 'message')} ${missing === 1 ? 'has' : 'have'} no vectors yet and can be found by words only: run \`palimpsest vectors build\``;
  return { vectors, note: missing > 0 && note };
}

async function summariesOf({ groups }: Discovery, task: Task): Promise<readonly GroupSummary[]> {
  const { query, opened, writer, terminal } = task;
  if (!writer?.model || groups.length === 0) return [];
  const { model: summarizer, config } = writer;
  if (!terminal.json)
    await writeNotes(terminal, [`${summarizer.name} reads ${counted(groups.length, 'conversation')}`]);
  const { maxConcurrency, totalTimeoutSeconds } = config;
  const totalTimeoutMs = totalTimeoutSeconds * 1_000;
  return await interruptible(terminal, (signal) =>
    summarizeGroups(opened.store, groups, { summarizer, query, maxConcurrency, totalTimeoutMs, signal }),
  );
}

async function showRecent(scope: SearchScope, { opened, terminal }: Task): Promise<number> {
  const recent = await recentConversations(opened.store, scope, undefined);
  const found = recent.map(({ conversation, title }) => ({ ...conversation, title }));
  await writeResult(terminal, {
    json: () => {
      const about = { command: 'search', query: '', store: opened.path, conversations: found.map(conversationRow) };
      return { ...about, found: found.length, corrected: [], relaxed: false, model: null };
    },
    notes: opened.notes,
    remarks: found.length === 0 ? ['no conversation matches'] : [],
    lines: (screen) => conversationTable(found, screen),
  });
  return found.length;
}

const remarksOn = ({ groups, searched, corrected, relaxed }: Discovery): readonly string[] =>
  linesOf(
    corrected.map(({ from, to }) => `"${from}" was not found; "${to}" was searched as well`),
    relaxed && 'nothing matches the whole query; these come closest',
    groups.length === 0 && 'no match: try fewer or other words, or a prefix*',
    searched > groups.length && `showing ${groups.length} of ${searched} conversations: --limit N shows more`,
  );

/** What the flags narrow the search to. Throws `BAD_OPTION` for a value that is none. */
function scopeOf({ limit, role, source, project, since, until }: SearchFlags, { cwd }: Terminal): SearchScope {
  const roles = role === undefined ? undefined : rolesOf(role);
  const sources = source === undefined ? [] : namesIn(source);
  return {
    limit: numberOf(limit ?? '5', { option: '--limit', from: 1, to: 50, evidence: 'limit' }),
    ...timeRange({ since, until }),
    ...given({
      roles,
      sources: sources.length > 0 ? sources : undefined,
      project: project === undefined ? undefined : projectFolder(project, cwd),
    }),
  };
}

function rolesOf(text: string): readonly Role[] {
  const words = namesIn(text.toLowerCase());
  const roles = words.flatMap((word) => filterRoles.find((role) => role === word) ?? []);
  if (roles.length > 0 && roles.length === words.length) return roles;
  const form = `a list of roles, separated by commas (${filterRoles.join(', ')})`;
  throw badOption(`expected --role to be ${form}, got ${quoted(text, 60)}`, { role: text.slice(0, 60) });
}

interface SearchWriter {
  readonly config: SessionSearchConfig;
  /** Undefined where nobody is to write. */
  readonly model: Summarizer | undefined;
  readonly notes: readonly string[];
}

const section = 'auxiliary.session_search';

/**
 * Who sums up what was found: a model that was named, else the configured one, else nobody. A project's file names none:
 * whoever gets a project from somebody else would send the conversations of all other projects, and a key, to an address of
 * their choice.
 * @throws SummarizerError `no_provider` when a model that was named cannot be used
 */
async function searchWriter(flags: WriterFlags, terminal: Terminal): Promise<SearchWriter> {
  const { all, own } = await readSettings(terminal);
  const config = own.config.auxiliary.sessionSearch;
  const refused = refusedKeys(all, section).map((key) => `${section}.${key}`);
  const are = refused.length === 1 ? 'is' : 'are';
  const ignored = `${refused.join(', ')} in the project's configuration ${are} ignored: set ${section} in your own.`;
  const named = namedModel(flags);
  const first = named === undefined ? configuredModel(config) : named;
  const isConfigured = named === undefined && first !== undefined;
  const note = `${first && wantedName(first)} writes a summary of each conversation, as ${section} says (--no-summarizer turns that off)`;
  const notes = linesOf(own.notes, refused.length > 0 && ignored, isConfigured && note);
  if (!first) return { config, model: undefined, notes };
  const { loadWriter } = await import('../writer/load-writer.ts');
  const choice = { first, isNamed: named !== undefined };
  return { config, model: (await loadWriter(choice, { env: terminal.env, timeouts: config })).first, notes };
}

function configuredModel(config: SessionSearchConfig): WantedModel | undefined {
  if (config.model === null && config.baseUrl !== null) return { baseUrl: config.baseUrl };
  const choice = chooseSummarizer(config);
  return choice.type === 'chosen' ? choice.first : undefined;
}

// One conversation that was found, for a person.

/** Passages of one conversation that are shown. */
const mostPassages = 3;
const indent = '  ';

function groupLines(group: FoundGroup, summary: GroupSummary | undefined, screen: Screen): readonly string[] {
  const left = group.more + Math.max(0, group.hits.length - mostPassages);
  return linesOf(
    headLines(group, screen),
    summary && summaryLines(summary, screen),
    group.hits.slice(0, mostPassages).flatMap((found) => passageLines(found, screen)),
    left > 0 && styled(`${indent}and ${counted(left, 'more message')}`, 'dim', screen),
  );
}

function headLines({ root, tip, title }: FoundGroup, screen: Screen): readonly string[] {
  const days = [timeText(root.startedAt).slice(0, 10), timeText(tip.lastActiveAt).slice(0, 10)];
  const when = days[0] === days[1] ? timeText(root.startedAt) : days.join(' to ');
  const kind = isBrokenAnswer(root) ? 'broken off' : root.relation === 'side' ? 'sub-agent' : '';
  const about = [when, oneLine(tip.source), kind].join('  ').trimEnd();
  const whole = `${tip.id}  ${about}`;
  const facts = [...(whole.length <= screen.columns ? [whole] : [tip.id, about]), oneLine(tip.project ?? '')];
  return [
    styled(clip(oneLine(title) || untitled, screen.columns), 'bold', screen),
    ...facts.filter(Boolean).map((line) => styled(clip(line, screen.columns), 'dim', screen)),
  ];
}

function summaryLines(summary: GroupSummary, screen: Screen): readonly string[] {
  const wrapped = (line: string): readonly string[] =>
    wrap(line, screen.columns - indent.length).map((piece) => (indent + piece).trimEnd());
  if (summary.type === 'failed')
    return wrapped(`no summary: ${oneLine(summary.why)}`).map((line) => styled(line, 'yellow', screen));
  const changes = summary.changes === 1 ? '1 statement' : `${summary.changes} statements`;
  const marks = linesOf(
    summary.changes > 0 && `(${changes} without support in the record, removed or corrected)`,
    summary.cut && '(cut: too long)',
  );
  const text = visible(summary.text).split('\n').flatMap(wrapped);
  return [...text, ...marks.map((mark) => indent + styled(mark, 'dim', screen))];
}

function passageLines({ stored, hit, speaker, tools, passage }: FoundMessage, screen: Screen): readonly string[] {
  const who = [speaker, hit.name, ...tools].map((word) => oneLine(word ?? '')).filter(Boolean);
  const about = styled(`${timeText(hit.time)}  ${who.join(' ')}`, 'dim', screen);
  const text = wrap(markedLine(passage, screen), screen.columns - 2 * indent.length);
  return [
    `${indent}${styled(stored.id, 'cyan', screen)}  ${about}`,
    ...text.map((line) => indent + indent + shownMarks(line, screen)),
  ];
}

/** Stand for the two ends of a match while lines are broken: private characters, which no text keeps. */
const marks = ['\ue000', '\ue001'] as const;
/** The ends where there are no colours. */
const plainMarks = ['>>>', '<<<'] as const;
const ends = /[\ue000\ue001]/g;

function markedLine({ text, marks: spans, cutBefore, cutAfter }: FoundMessage['passage'], screen: Screen): string {
  const [open, close] = screen.colour ? marks : plainMarks;
  const plain = (piece: string): string => visible(piece.replaceAll(ends, ' ').replaceAll(/\s+/g, ' '));
  const pieces: string[] = [];
  let from = 0;
  for (const [start, end] of spans) {
    pieces.push(plain(text.slice(from, start)), open, plain(text.slice(start, end)).replaceAll(' ', '\u00a0'), close);
    from = end;
  }
  const line = `${pieces.join('')}${plain(text.slice(from))}`.trim();
  return `${cutBefore ? '…' : ''}${line}${cutAfter ? '…' : ''}`;
}

/** Matches in colour; a match is on one line, with spaces again. */
const shownMarks = (line: string, screen: Screen): string =>
  line
    .replaceAll(/\ue000(.*?)\ue001/g, (_, match: string) => styled(match, 'yellow', screen))
    .replaceAll('\u00a0', ' ');

// The same for programs; `docs/guide/search.md` describes it.

const groupJson = ({ root, tip, title, hits, more }: FoundGroup, summary: GroupSummary | undefined): object => ({
  session: tip.id,
  rootId: root.id,
  relation: root.relation,
  parentId: root.parentId ?? null,
  title: title || null,
  source: tip.source,
  project: tip.project ?? null,
  model: tip.model ?? null,
  startedAt: timeStamp(root.startedAt),
  lastActiveAt: timeStamp(tip.lastActiveAt),
  ...summaryJson(summary),
  messages: hits.map(hitJson),
  more,
});

function summaryJson(summary: GroupSummary | undefined): object {
  if (summary === undefined) return {};
  if (summary.type === 'failed') return { summary: null, noSummary: summary.why };
  const { text, changes, cut } = summary;
  return { summary: text, summaryChanges: changes, summaryCut: cut };
}

const hitJson = ({ stored, hit, speaker, tools, passage }: FoundMessage): object => ({
  id: stored.id,
  session: hit.sessionId,
  position: hit.position,
  time: timeStamp(hit.time),
  speaker,
  ...given({ name: hit.name }),
  tools,
  passage,
  score: Math.round(hit.score * 1_000) / 1_000,
});
