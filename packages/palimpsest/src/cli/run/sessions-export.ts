/** `palimpsest sessions export`: a stored conversation as a file of any format. */
import { type FormatName, writeTranscript } from '@palimpsest/core';
import { writableFormats } from '@palimpsest/core/formats';
import { exportSession } from '@palimpsest/core/store';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openStoreFor, type StoreFlags } from '../open-store.ts';
import { outputFile } from '../output-file.ts';
import { keptForSession, transcriptWithKept } from '../plugins/kept-text.ts';
import { counted } from '../render/text.ts';
import { findSession } from '../sessions/find-session.ts';
import { type Terminal, writeNotes, writePieces } from '../terminal.ts';

export interface SessionsExportFlags extends StoreFlags {
  readonly to?: FormatName;
  readonly output?: string;
  readonly force?: boolean;
  readonly view?: boolean;
}

/** What a conversation of a tool is written as whose own format can only be read. */
const otherwise: FormatName = 'openai-chat';

export async function runSessionsExport(
  wanted: string,
  flags: SessionsExportFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const isFile = flags.output !== undefined && flags.output !== '-';
  const output = isFile && (await outputFile(flags.output, { terminal, force: flags.force, store: flags.store }));
  const { store, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const { id, rootId } = await findSession(opened, wanted);
  const stored = await exportSession(opened, id, { what: flags.view ? 'view' : 'conversation' });
  const transcript = flags.view ? transcriptWithKept(stored, await keptForSession(opened, rootId)) : stored;
  const own = writableFormats.includes(transcript.format) ? transcript.format : otherwise;
  const format = flags.to ?? own;
  const pieces = writeTranscript(transcript, format);
  if (output) await output.write(pieces);
  else await writePieces(terminal.stdout, pieces);
  const said = `${counted(transcript.messages.length, 'message')} written as ${format}${isFile ? ` to ${flags.output}` : ''}`;
  const lost = format === transcript.format ? [] : ['fields that only the original format has were left out'];
  await writeNotes(terminal, [...notes, ...lost, ...(isFile ? [said] : [])], flags);
  return exitCodes.fine;
}
