/** What an import comes to. */
import type { FormatName } from '@palimpsest/core';
import type { ImportOutcome } from '@palimpsest/core/store';
import type { FileOutcome } from './import-files.ts';

/** Sums over files of one format, or over all. */
export interface ImportTotals {
  readonly files: number;
  readonly sessions: number;
  /** How many sessions had each outcome. */
  readonly outcomes: Readonly<Record<ImportOutcome, number>>;
  /** Messages in what was read, those that their sessions did not show before, and those of them that no session did. */
  readonly messages: number;
  readonly appended: number;
  readonly stored: number;
  readonly heldBack: number;
}

type ReadFile = Extract<FileOutcome, { readonly status: 'read' }>;

/** Files that were read. */
export const readFiles = (outcomes: readonly FileOutcome[]): readonly ReadFile[] =>
  outcomes.filter((outcome) => outcome.status === 'read');

export function totalsOf(files: readonly ReadFile[]): ImportTotals {
  const sessions = files.flatMap((file) => file.sessions);
  const sum = (of: 'messages' | 'appended' | 'stored' | 'heldBack'): number =>
    sessions.reduce((total, session) => total + session[of], 0);
  const count = (outcome: ImportOutcome): number => sessions.filter((session) => session.outcome === outcome).length;
  return {
    files: files.length,
    sessions: sessions.length,
    outcomes: {
      new: count('new'),
      grown: count('grown'),
      branched: count('branched'),
      unchanged: count('unchanged'),
      waiting: count('waiting'),
    },
    messages: sum('messages'),
    appended: sum('appended'),
    stored: sum('stored'),
    heldBack: sum('heldBack'),
  };
}

/** The same for each format, in the order in which the formats were first met. */
export function totalsByFormat(files: readonly ReadFile[]): readonly (readonly [FormatName, ImportTotals])[] {
  const formats = [...new Set(files.map(({ format }) => format))];
  return formats.map((format) => [format, totalsOf(files.filter((file) => file.format === format))]);
}
