/** `palimpsest outputs list`: the saved results. */
import { outputsIn } from '@palimpsest/core';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openStoreFor, type StoreFlags } from '../open-store.ts';
import { outputTable } from '../render/output-list.ts';
import { stdoutScreen, type Terminal, writeJson, writeNotes, writeReport } from '../terminal.ts';
import { mostLines, numberOption, outputRow, outputScope, toolOf } from './outputs-find.ts';

export interface OutputsListFlags extends StoreFlags {
  readonly session?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

const defaultLimit = 20;

export async function runOutputsList(flags: OutputsListFlags, terminal: Terminal): Promise<ExitCode> {
  const limit = flags.limit === undefined ? defaultLimit : numberOption(flags.limit, '--limit', [1, mostLines]);
  const { store, path, notes } = await openStoreFor(flags, terminal, { mustExist: true });
  await using opened = store;
  const found = await outputsIn(await outputScope(opened, flags.session));
  const shown = found.slice(0, limit);
  const hasMore = found.length > limit;
  if (flags.json) {
    const outputs = shown.map(outputRow);
    await writeJson(terminal.stdout, { command: 'outputs list', store: path, outputs, hasMore, notes });
    return exitCodes.fine;
  }
  const more = hasMore
    ? [`showing ${limit} of ${found.length}: --limit N shows more, --session S shows one conversation`]
    : [];
  const none = found.length === 0 ? ['there are no saved outputs'] : [];
  await writeNotes(terminal, [...notes, ...more, ...none], flags);
  const rows = shown.map((output) => ({ output, tool: toolOf(output) }));
  if (rows.length > 0) await writeReport(terminal, outputTable(rows, stdoutScreen(terminal, flags)), flags);
  return exitCodes.fine;
}
