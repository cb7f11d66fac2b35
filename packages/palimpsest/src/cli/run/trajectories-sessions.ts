/** `--from-sessions`: the conversations of the store that the options mean, as records of training data. */
import type { TrajectoryLayout } from '@palimpsest/core/trajectories';
import type { RecordSource } from '../../trajectory/record-source.ts';
import { type SessionRecordsFilter, sessionRecords } from '../../trajectory/session-records.ts';
import { findSession, openStoreFor, type StoreFlags } from '../open-store.ts';
import { badOption, given, namesIn, projectFolder, type TimeFlags, timeRange } from '../option-values.ts';
import { counted, linesOf } from '../render/text.ts';
import type { Terminal } from '../terminal.ts';

export interface SessionFlags extends StoreFlags, TimeFlags {
  readonly fromSessions?: boolean;
  readonly source?: string;
  readonly project?: string;
  readonly model?: string;
  readonly title?: string;
  readonly raw?: boolean;
}

/** Where the records of a command come from, and what a person should know of that. */
export interface TakenRecords {
  readonly inputs: readonly string[];
  readonly from?: RecordSource;
  readonly notes: readonly string[];
}

interface Wanted {
  readonly words: readonly string[];
  readonly flags: SessionFlags;
  readonly terminal: Terminal;
  /** How conversations of the store are written. */
  readonly layout: TrajectoryLayout;
}

/** Runs `use` with the inputs that were typed, or with those of the store, which is open meanwhile. Throws `BAD_OPTION`. */
export async function withRecords<T>(
  { words, flags, terminal, layout }: Wanted,
  use: (records: TakenRecords) => Promise<T>,
): Promise<T> {
  if (!flags.fromSessions) {
    refuseFilters(flags);
    return use({ inputs: words, notes: [] });
  }
  const { since, until, source, project, model, title, raw } = flags;
  const range = timeRange({ since, until });
  const { store, notes } = await openStoreFor(flags, terminal, { readOnly: true });
  await using opened = store;
  const ids: string[] = [];
  for (const word of words) ids.push((await findSession(opened, word)).id);
  const filter: SessionRecordsFilter = {
    ...range,
    ...given({
      ids: ids.length > 0 ? ids : undefined,
      sources: source === undefined ? undefined : namesIn(source),
      project: project === undefined ? undefined : projectFolder(project, terminal.cwd),
      model,
      title,
    }),
  };
  const from = await sessionRecords(opened, { ...layout, filter, raw: raw ?? false });
  const said = raw ? 'credentials are left in' : 'recognised credentials are masked (--raw leaves them in)';
  const note =
    from.conversations === 0
      ? 'no conversation matches'
      : `${counted(from.conversations, 'conversation')} of the store; ${said}`;
  // The store stays open until the last record was read.
  return await use({ inputs: [], from, notes: linesOf(notes, note) });
}

/** A filter without `--from-sessions` would be left out without a word. */
function refuseFilters(flags: SessionFlags): void {
  const names = ['since', 'until', 'source', 'project', 'model', 'title', 'raw', 'store'] as const;
  const name = names.find((one) => flags[one] !== undefined);
  if (name !== undefined)
    throw badOption(
      `expected --${name} beside --from-sessions, got it for files: add --from-sessions, or leave it out`,
    );
}
