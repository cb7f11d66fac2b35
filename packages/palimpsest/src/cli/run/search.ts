/** `palimpsest search`: conversations of the store that hold something on a query. */
import { PalimpsestError, type Role, type Summarizer } from '@palimpsest/core';
import {
  type Discovery,
  discover,
  type Embedder,
  filterRoles,
  type GroupSummary,
  recentConversations,
  type SearchScope,
  summarizeGroups,
  summaryLimits,
} from '@palimpsest/core/search';
import { platformTimers } from '@palimpsest/core/settings';
import type { Store } from '@palimpsest/core/store';
import type { SessionSearchConfig } from '../../config/config.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { chooseSummarizer } from '../../models/choose-summarizer.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { conversationRow, findSession } from '../find-session.ts';
import { interruptible } from '../interruption.ts';
import { isFromProject, loadOwnSettings, loadSettings } from '../load-settings.ts';
import { type OpenedStore, openStoreFor, type StoreFlags } from '../open-store.ts';
import { numberOf, projectFolder, type TimeFlags, timeRange } from '../option-values.ts';
import { searchJson, searchReport } from '../render/search-report.ts';
import { conversationTable } from '../render/session-report.ts';
import { counted } from '../render/text.ts';
import { stdoutScreen, type Terminal, writeJson, writeNotes, writeReport, writeResult } from '../terminal.ts';
import { namesWriter, type WantedModel, type WriterFlags, wantedName } from '../writer/choose-writer.ts';
import { loadWriter } from '../writer/load-writer.ts';

export interface SearchFlags extends StoreFlags, TimeFlags, WriterFlags {
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

export async function runSearch(words: readonly string[], given: SearchFlags, terminal: Terminal): Promise<ExitCode> {
  const { model } = given;
  const flags = model === undefined ? given : { summarizer: model, ...given };
  const query = words.join(' ').trim();
  const scope = scopeOf(flags, terminal);
  const writer = query === '' ? undefined : await searchWriter(flags, terminal);
  const opened = await openStoreFor(flags, terminal);
  await using _ = opened.store;
  const task: Task = { query, opened, writer, flags, terminal };
  const inSession = flags.session === undefined ? {} : { session: (await findSession(opened.store, flags.session)).id };
  return query === ''
    ? await showRecent({ ...scope, ...inSession }, task)
    : await showFound({ ...scope, ...inSession }, task);
}

interface Task {
  readonly query: string;
  readonly opened: OpenedStore;
  readonly writer: SearchWriter | undefined;
  readonly flags: SearchFlags;
  readonly terminal: Terminal;
}

async function showFound(scope: SearchScope, task: Task): Promise<ExitCode> {
  const { query, opened, writer, flags, terminal } = task;
  const meaning = flags.vectors ? await meaningOf(opened.store) : undefined;
  const found = await discover(opened.store, {
    query,
    scope,
    passageCharacters,
    now: Date.now(),
    ...(meaning ? { vectors: meaning.vectors } : {}),
  });
  const notes = [...opened.notes, ...(writer?.notes ?? []), ...(meaning?.notes ?? []), ...remarksOn(found)];
  if (flags.json) {
    const summaries = await summariesOf(found, opened.store, task);
    const about = { query, store: opened.path, notes, model: writer?.model?.name };
    await writeJson(terminal.stdout, searchJson(found, { ...about, summaries }));
  } else {
    await writeNotes(terminal, notes, flags);
    const summaries = await summariesOf(found, opened.store, task);
    await writeReport(terminal, searchReport(found, { summaries, screen: stdoutScreen(terminal, flags) }), flags);
    if (found.groups.length > 0) await writeNotes(terminal, [howToGoOn(found)], flags);
  }
  return found.groups.length > 0 ? exitCodes.fine : exitCodes.finding;
}

/** The model on this machine, and what a person should know of its vectors. */
async function meaningOf(store: Store): Promise<{ readonly vectors: Embedder; readonly notes: readonly string[] }> {
  const { loadMiniLm } = await import('@palimpsest/core/search');
  const vectors = await loadMiniLm();
  const seen = (await store.vectors.models()).find(({ name }) => name === vectors.name)?.messages ?? 0;
  const missing = (await store.messages.count()) - seen;
  const note = `${counted(missing, 'message')} ${missing === 1 ? 'has' : 'have'} no vectors yet and can be found by words only: run \`palimpsest vectors build\``;
  return { vectors, notes: missing > 0 ? [note] : [] };
}

async function summariesOf(
  { groups }: Discovery,
  store: Store,
  { query, writer, flags, terminal }: Task,
): Promise<readonly GroupSummary[]> {
  if (!writer?.model || groups.length === 0) return [];
  const { model: summarizer, config } = writer;
  if (!flags.json)
    await writeNotes(terminal, [`${summarizer.name} reads ${counted(groups.length, 'conversation')}`], flags);
  const { maxConcurrency, totalTimeoutSeconds } = config;
  const limits = { ...summaryLimits, maxConcurrency, totalTimeoutMs: totalTimeoutSeconds * 1_000 };
  return await interruptible(terminal, (signal) =>
    summarizeGroups(store, groups, { summarizer, query, limits, timers: platformTimers, signal }),
  );
}

async function showRecent(scope: SearchScope, { opened, flags, terminal }: Task): Promise<ExitCode> {
  const recent = await recentConversations(opened.store, scope, undefined);
  const found = recent.map(({ conversation, title }) => ({ ...conversation, title }));
  const { path: store, notes } = opened;
  const json = (): object => {
    const conversations = found.map(conversationRow);
    const outcome = { found: found.length, corrected: [], relaxed: false, model: null };
    return { command: 'search', query: '', store, conversations, ...outcome };
  };
  const remarks = found.length === 0 ? ['no conversation matches'] : [];
  await writeResult({ json, notes, remarks, lines: (screen) => conversationTable(found, screen) }, flags, terminal);
  return found.length > 0 ? exitCodes.fine : exitCodes.finding;
}

function remarksOn({ groups, searched, corrected, relaxed }: Discovery): readonly string[] {
  return [
    ...corrected.map(({ from, to }) => `"${from}" was not found; "${to}" was searched as well`),
    ...(relaxed ? ['nothing matches the whole query; these come closest'] : []),
    ...(groups.length === 0 ? ['no match: try fewer or other words, or a prefix*'] : []),
    ...(searched > groups.length
      ? [`showing ${groups.length} of ${searched} conversations: --limit N shows more`]
      : []),
  ];
}

function howToGoOn({ groups }: Discovery): string {
  const id = groups[0]?.hits[0]?.stored.id ?? 'ID';
  return `palimpsest read ${id} shows a message in full; --around 5 adds five messages before and after it`;
}

/** What the flags narrow the search to. Throws `BAD_OPTION` for a value that is none. */
function scopeOf({ limit, role, source, project, since, until }: SearchFlags, { cwd }: Terminal): SearchScope {
  const roles = role === undefined ? undefined : rolesOf(role);
  const sources = source
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  return {
    limit: numberOf(limit ?? '5', { option: '--limit', from: 1, to: 50, evidence: 'limit' }),
    ...timeRange({ since, until }),
    ...(roles ? { roles } : {}),
    ...(sources && sources.length > 0 ? { sources } : {}),
    ...(project === undefined ? {} : { project: projectFolder(project, cwd) }),
  };
}

function rolesOf(text: string): readonly Role[] {
  const words = text
    .toLowerCase()
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
  const roles = words.flatMap((word) => filterRoles.find((role) => role === word) ?? []);
  if (roles.length > 0 && roles.length === words.length) return roles;
  const message = `expected --role to be a list of roles, separated by commas (${filterRoles.join(', ')}), got ${JSON.stringify(text.slice(0, 60))}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { role: text.slice(0, 60) } });
}

// Who sums up what a search found: a model that was named, else the configured one, else nobody.

interface SearchWriter {
  readonly config: SessionSearchConfig;
  /** Undefined where nobody is to write. */
  readonly model: Summarizer | undefined;
  readonly notes: readonly string[];
}

const section = 'auxiliary.session_search';
const guarded: readonly string[] = ['provider', 'model', 'base_url'].map((key) => `${section}.${key}`);

/**
 * The model of a search. A project's file names none: whoever gets a project from somebody else would send the
 * conversations of all other projects, and a key, to an address of their choice.
 * @throws SummarizerError `no_provider` when a model that was named cannot be used
 * @throws BAD_OPTION for flags that exclude each other, and for a base URL that is none
 */
async function searchWriter(flags: WriterFlags, terminal: Terminal): Promise<SearchWriter> {
  const own = await loadOwnSettings(terminal);
  const config = own.config.auxiliary.sessionSearch;
  const notes = [...own.notes, ...refusedNotes(await loadSettings(terminal))];
  const wanted = wantedModel(flags, config);
  if (!wanted) return { config, model: undefined, notes };
  const { first } = await loadWriter(
    { type: 'model', first: wanted, isNamed: namesWriter(flags), notes: [] },
    { env: terminal.env, timeouts: config },
  );
  const note = `${wantedName(wanted)} writes a summary of each conversation, as ${section} says (--no-summarizer turns that off)`;
  return { config, model: first, notes: namesWriter(flags) ? notes : [...notes, note] };
}

function wantedModel(flags: WriterFlags, config: SessionSearchConfig): WantedModel | undefined {
  const { summarizer: model, baseUrl } = flags;
  if (model === false && baseUrl !== undefined) {
    throw new PalimpsestError('BAD_OPTION', 'expected --base-url or --no-summarizer, got both: omit one of them');
  }
  if (model === false) return undefined;
  if (namesWriter(flags)) {
    return { ...(model === undefined ? {} : { model }), ...(baseUrl === undefined ? {} : { baseUrl }) };
  }
  if (config.model === null && config.baseUrl !== null) return { baseUrl: config.baseUrl };
  const choice = chooseSummarizer(config);
  return choice.type === 'chosen' ? choice.first : undefined;
}

function refusedNotes({ settings }: LoadedConfig): readonly string[] {
  const given = settings.filter(({ key, source }) => guarded.includes(key) && isFromProject(source));
  if (given.length === 0) return [];
  const keys = given.map(({ key }) => key).join(', ');
  return [
    `${keys} in the project's configuration ${given.length === 1 ? 'is' : 'are'} ignored: set ${section} in your own.`,
  ];
}
