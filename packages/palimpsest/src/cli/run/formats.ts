/** `palimpsest formats`: the table of formats. */
import { formats } from '@palimpsest/core/formats';
import type { Call } from '../commands/build.ts';
import { gives, tableOf } from '../render/table.ts';
import { stdoutScreen, writeJson, writeReport } from '../terminal.ts';

export async function runFormats({ terminal }: Call<object>): Promise<void> {
  const rows = formats.map(({ name, title, write }) => ({ name, title, reads: true, writes: write !== undefined }));
  if (terminal.json) return writeJson(terminal, { command: 'formats', formats: rows });
  const lines = tableOf(
    rows,
    [
      ['format', ({ name }) => name],
      ['read', () => 'yes'],
      ['write', ({ writes }) => (writes ? 'yes' : 'no')],
      ['description', ({ title }) => title, gives],
    ],
    { screen: stdoutScreen(terminal) },
  );
  await writeReport(terminal, lines);
}
