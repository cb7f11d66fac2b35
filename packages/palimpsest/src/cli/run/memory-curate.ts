/** `palimpsest memory curate` and `episodes`: the memory put in order, and what conversations were about. */
import { randomUUID } from 'node:crypto';
import { PalimpsestError, redact, type Summarizer } from '@palimpsest/core';
import { type CuratorOptions, type CuratorReport, defaultMemoryLimits, runCurator } from '@palimpsest/core/memory';
import { type MemoryStore, type Store, type StoredEpisode, writeEpisode } from '@palimpsest/core/store';
import { type Screen, styled } from '../../terminal/screen.ts';
import { visible } from '../../terminal/visible.ts';
import type { Call } from '../commands/build.ts';
import { type MemoryFlags, type OpenedMemory, openMemoryFor } from '../open-memory.ts';
import { openStoreFor, type StoreFlags, shortIds } from '../open-store.ts';
import { given, numberOf, projectFolder, timeRange } from '../option-values.ts';
import { interruptible, withProgress } from '../progress.ts';
import { actLines, actRow } from '../render/memory-entries.ts';
import { counted, linesOf, oneLine, timeStamp, timeText, wrap } from '../render/text.ts';
import { heardSettings } from '../settings.ts';
import { type Terminal, writeResult } from '../terminal.ts';
import { chooseWriter, type WriterFlags, wantedName } from '../writer/choose-writer.ts';

interface CurateFlags extends MemoryFlags, WriterFlags {
  readonly dryRun?: boolean;
}

export async function runMemoryCurate({ flags, terminal }: Call<CurateFlags>): Promise<void> {
  const opened = await openMemoryFor(flags, terminal);
  await using _store = opened.store;
  const { dryRun = false } = flags;
  const { model, notes } = await judgeFor(flags, terminal);
  const report = await interruptible(
    terminal,
    (signal) => curated(opened, { dryRun, signal, ...given({ model }) }),
    'interrupted: palimpsest memory history tells what was done before',
  );
  if (report.state === 'busy') {
    const message = 'Another process puts this memory in order right now. Nothing was changed: try again in a minute.';
    throw new PalimpsestError('STORE_BUSY', message);
  }
  await writeResult(terminal, {
    json: () => ({
      command: 'memory curate',
      store: opened.path,
      dryRun,
      plan: report.plan.map(planRow),
      acts: report.acts.map(actRow),
      skipped: report.skipped.length,
      modelError: report.modelError ?? null,
    }),
    notes: [...opened.notes, ...notes],
    remarks: linesOf(
      report.modelError !== undefined &&
        `what is in doubt was left as it is, because the model failed: ${oneLine(redact(report.modelError))}`,
      report.skipped.length > 0 &&
        `${counted(report.skipped.length, 'act')} left out, because an entry was changed meanwhile: run it again`,
    ),
    lines: (screen) =>
      dryRun
        ? report.plan.flatMap(({ what, reason }) => [styled(what, 'bold', screen), ...reasonLines(reason, screen)])
        : report.acts.flatMap((act) => actLines(act, screen)),
    done: outcome(report, dryRun),
  });
}

const planRow = ({ what, reason, changes }: CuratorReport['plan'][number]): object => ({
  what,
  reason: redact(reason),
  entries: changes.flatMap((change) => (change.type === 'set' ? [change.id] : [])),
});

const reasonLines = (reason: string, screen: Screen): readonly string[] =>
  wrap(oneLine(redact(reason)), Math.max(20, screen.columns - 4)).map((line) => `  ${line}`);

function outcome({ plan, acts }: CuratorReport, dryRun: boolean): string {
  if (plan.length === 0) return 'everything is in order: nothing to do';
  if (dryRun) return `would do ${counted(plan.length, 'act')}; nothing was changed`;
  return `${counted(acts.length, 'act')} done; to take one back: palimpsest memory undo ID`;
}

/** Only what is seen from here: nothing of one project is shown in another. */
async function curated(
  { memory, store }: OpenedMemory,
  options: Pick<CuratorOptions, 'dryRun' | 'model' | 'signal'>,
): Promise<CuratorReport> {
  await memory.reconcile();
  const { entries } = memory;
  const seen: MemoryStore = {
    ...entries,
    list: (filter) => entries.list({ project: memory.project ?? null, ...filter }),
  };
  const owner = `command ${randomUUID()}`;
  return runCurator({ store: seen, leases: store.leases, owner, limits: defaultMemoryLimits, ...options });
}

interface Judge {
  /** Undefined where the rules alone decide. */
  readonly model?: Summarizer;
  readonly notes: readonly string[];
}

/** The model that was named, else the configured one. Throws `BAD_OPTION`, and `no_provider` for one that was named. */
async function judgeFor({ summarizer, baseUrl }: CurateFlags, terminal: Terminal): Promise<Judge> {
  const heard = await heardSettings(terminal);
  const { first, isNamed, notes } = chooseWriter(given({ summarizer, baseUrl }), heard);
  if (!first) return { notes };
  const { loadWriter } = await import('../writer/load-writer.ts');
  const timeouts = heard.all.config.auxiliary.compression;
  const loaded = await loadWriter({ first, isNamed }, { env: terminal.env, timeouts });
  const note = `${wantedName(first)} decides what is in doubt, as auxiliary.compression says (--no-summarizer turns that off)`;
  return { model: loaded.first, notes: isNamed ? [] : [note] };
}

// `palimpsest memory episodes`.

interface EpisodesFlags extends StoreFlags {
  readonly project?: string;
  readonly since?: string;
  readonly limit?: string;
  readonly write?: boolean;
}

export async function runMemoryEpisodes({ words: [query], flags, terminal }: Call<EpisodesFlags>): Promise<void> {
  const limit = numberOf(flags.limit ?? '20', { option: '--limit', from: 1 });
  const { since } = timeRange({ since: flags.since });
  const project = flags.project === undefined ? undefined : projectFolder(flags.project, terminal.cwd);
  const { store, path, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const written = flags.write ? await writeMissing(opened, terminal) : 0;
  const found = await opened.episodes.list(given({ query, since, project, limit: limit + 1 }));
  const shown = found.slice(0, limit);
  const hasMore = found.length > limit;
  await writeResult(terminal, {
    json: () => ({ command: 'memory episodes', store: path, written, episodes: shown.map(episodeRow), hasMore }),
    notes,
    remarks: linesOf(
      flags.write && `wrote ${counted(written, 'episode')}`,
      hasMore && `showing ${limit} episodes: --limit N shows more`,
      shown.length === 0 && 'no episode matches; --write writes those of conversations that have none',
    ),
    lines: (screen) => episodeLines(shown, screen),
  });
}

/** A conversation in which nothing was said worth a line has none, also afterwards. */
async function writeMissing(store: Store, terminal: Terminal): Promise<number> {
  const all = await store.sessions.list({ limit: Number.MAX_SAFE_INTEGER });
  return withProgress(terminal, 'conversations read', async (advance) => {
    let written = 0;
    for (const [at, { tip }] of all.entries()) {
      if (!(await store.episodes.get(tip.id)) && (await writeEpisode(store, tip.id))) written++;
      advance(at + 1, all.length);
    }
    return written;
  });
}

const episodeRow = ({ sessionId, project, text, startedAt, endedAt }: StoredEpisode): object => ({
  sessionId,
  project: project ?? null,
  text,
  startedAt: timeStamp(startedAt),
  endedAt: timeStamp(endedAt),
});

function episodeLines(episodes: readonly StoredEpisode[], screen: Screen): readonly string[] {
  const ids = shortIds(episodes.map(({ sessionId }) => sessionId));
  return episodes.flatMap(({ project, text, endedAt }, at) => {
    const where = project === undefined ? '' : `  ${oneLine(project)}`;
    const lines = visible(text)
      .split('\n')
      .flatMap((line) => wrap(line, Math.max(20, screen.columns - 2)));
    return [
      `${styled(ids[at] ?? '', 'cyan', screen)}  ${timeText(endedAt)}${where}`,
      ...lines.map((line) => `  ${line}`),
      '',
    ];
  });
}
