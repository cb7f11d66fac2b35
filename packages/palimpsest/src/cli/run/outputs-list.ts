/** `palimpsest outputs list`: the saved results. */
import { outputsIn } from '@palimpsest/core';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openStoreFor, type StoreFlags } from '../open-store.ts';
import { outputTable } from '../render/output-list.ts';
import { type Terminal, writeResult } from '../terminal.ts';
import { mostLines, numberOption, outputRow, outputScope, toolOf } from './outputs-find.ts';

export interface OutputsListFlags extends StoreFlags {
  readonly session?: string;
  readonly limit?: string;
}

const defaultLimit = 20;

export async function runOutputsList(flags: OutputsListFlags, terminal: Terminal): Promise<ExitCode> {
  const limit = flags.limit === undefined ? defaultLimit : numberOption(flags.limit, '--limit', [1, mostLines]);
  const { store, path, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const found = await outputsIn(await outputScope(opened, flags.session));
  const shown = found.slice(0, limit);
  const hasMore = found.length > limit;
  const json = (): object => ({ command: 'outputs list', store: path, outputs: shown.map(outputRow), hasMore });
  const remarks = [
    ...(hasMore
      ? [`showing ${limit} of ${found.length}: --limit N shows more, --session S shows one conversation`]
      : []),
    ...(found.length === 0 ? ['there are no saved outputs'] : []),
  ];
  const rows = shown.map((output) => ({ output, tool: toolOf(output) }));
  await writeResult({ json, notes, remarks, lines: (screen) => outputTable(rows, screen) }, flags, terminal);
  return exitCodes.fine;
}
