/** `palimpsest formats`: the table of formats. */
import { formats } from '@palimpsest/core/formats';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { table } from '../render/table.ts';
import { type GlobalFlags, stdoutScreen, type Terminal, writeJson, writeReport } from '../terminal.ts';

export async function runFormats(flags: GlobalFlags, terminal: Terminal): Promise<ExitCode> {
  const rows = formats.map(({ name, title, write }) => ({ name, title, reads: true, writes: write !== undefined }));
  if (flags.json) {
    await writeJson(terminal.stdout, { command: 'formats', formats: rows });
    return exitCodes.fine;
  }
  const columns = [
    { title: 'format' },
    { title: 'read' },
    { title: 'write' },
    { title: 'description', gives: true as const },
  ];
  const cells = rows.map(({ name, title, writes }) => [name, 'yes', writes ? 'yes' : 'no', title]);
  await writeReport(terminal, table(columns, cells, { screen: stdoutScreen(terminal, flags) }), flags);
  return exitCodes.fine;
}
