/** `palimpsest outputs search`: lines of saved results. */
import { isEnvelope, outputsIn, PalimpsestError, placesOf, redact } from '@palimpsest/core';
import type { OutputStore, SavedOutput, Store } from '@palimpsest/core/store';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openStoreFor, type StoreFlags } from '../open-store.ts';
import { progressCount } from '../progress.ts';
import { foundOutputs } from '../render/output-search.ts';
import { stdoutScreen, type Terminal, writeJson, writeLines, writeNotes } from '../terminal.ts';
import { numberOption, outputRow, outputScope, requireOutput, toolOf } from './outputs-find.ts';
import { maskedPiece } from './outputs-mask.ts';
import { type NumberedLine, numberedLines } from './outputs-text.ts';

export interface OutputsSearchFlags extends StoreFlags {
  readonly session?: string;
  readonly limit?: string;
}

const usualPlaces = 20;

/** What is looked for, and in which output; without one in all. */
export async function runOutputsSearch(
  [query, id]: readonly [string, string | undefined],
  flags: OutputsSearchFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const limit = flags.limit === undefined ? usualPlaces : numberOption(flags.limit, '--limit', [1, 100_000]);
  if (query.trim() === '') throw emptyQuery();
  const { store, path, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const searched = await outputsFor(opened, id, flags);
  const progress = progressCount(terminal, 'outputs searched', flags);
  const task = { query, limit, advance: progress.advance };
  const { found, isCut } = await foundIn(opened.outputs, searched, task).finally(progress.end);
  const code = found.length > 0 ? exitCodes.fine : exitCodes.finding;
  if (flags.json) {
    const outputs = found.map(({ output, places }) => ({ ...outputRow(output), places: places.map(placeRow) }));
    const about = { query, store: path, searched: searched.length, hasMore: isCut };
    await writeJson(terminal.stdout, { command: 'outputs search', ...about, outputs, notes });
    return code;
  }
  const screen = stdoutScreen(terminal, flags);
  const rows = found.map(({ output, places }) => ({ output, tool: toolOf(output), places }));
  await writeNotes(terminal, notes, flags);
  await writeLines(terminal.stdout, foundOutputs(rows, screen));
  await writeNotes(terminal, remarks({ found, searched, isCut }), flags);
  return code;
}

const placeRow = ({ line, char, text }: NumberedLine): object => ({ line, char, text });

/** An output that holds the words, and where. */
interface FoundOutput {
  readonly output: SavedOutput;
  readonly places: readonly NumberedLine[];
}

async function outputsFor(
  store: Store,
  id: string | undefined,
  { session }: OutputsSearchFlags,
): Promise<readonly SavedOutput[]> {
  const scope = await outputScope(store, session);
  // The text of an envelope is an output of its own.
  if (id === undefined) return (await outputsIn(scope)).filter(({ tool }) => !isEnvelope(tool));
  try {
    return [await requireOutput(id, scope)];
  } catch (error) {
    if (!PalimpsestError.isInstance(error) || error.code !== 'ID_UNKNOWN') throw error;
    const message = `${error.message}. Put a query of several words in quotation marks`;
    throw new PalimpsestError('ID_UNKNOWN', message, { evidence: { output: id.slice(0, 80) } });
  }
}

interface Task {
  readonly query: string;
  readonly limit: number;
  /** Told how many results are done. */
  readonly advance: (done: number, all: number) => void;
}

/** Searches one result after the other until there are enough places. */
async function foundIn(
  outputs: OutputStore,
  searched: readonly SavedOutput[],
  { query, limit, advance }: Task,
): Promise<{ readonly found: readonly FoundOutput[]; readonly isCut: boolean }> {
  const found: FoundOutput[] = [];
  let left = limit;
  for (const [done, output] of searched.entries()) {
    advance(done, searched.length);
    if (left <= 0) return { found, isCut: true };
    const hits = await placesOf(outputs, output.id, { query, limit: left, show: maskedPiece });
    const places: NumberedLine[] = [];
    for (const { line, char, text } of hits) {
      if (char !== undefined) places.push({ line, char, match: true, text: redact(text), characters: null });
      else places.push(...(await numberedLines(outputs, output, { from: line, to: line, marked: new Set([line]) })));
    }
    if (places.length > 0) found.push({ output, places });
    left -= places.length;
  }
  return { found, isCut: left <= 0 };
}

interface Answer {
  readonly found: readonly FoundOutput[];
  readonly searched: readonly SavedOutput[];
  readonly isCut: boolean;
}

function remarks({ found, searched, isCut }: Answer): readonly string[] {
  const [first] = found;
  return [
    ...(searched.length === 0 ? ['there are no saved outputs'] : []),
    ...(searched.length > 0 && !first ? ['no line contains every word: try fewer words, or parts of words'] : []),
    ...(isCut ? ['there may be more matches: --limit N shows more'] : []),
    ...(first ? howToReadOn(first) : []),
  ];
}

/** Characters of a long line before a place and from it on. */
const charsAround = [500, 1_500] as const;

function howToReadOn({ output: { id }, places: [place] }: FoundOutput): readonly string[] {
  if (place === undefined) return [];
  const { line, char } = place;
  if (char === null) return [`palimpsest outputs read ${id} --around ${line} shows the lines around a match`];
  const chars = `${Math.max(1, char - charsAround[0])}-${char + charsAround[1]}`;
  return [`palimpsest outputs read ${id} --lines ${line} --chars ${chars} shows more of a long line`];
}

function emptyQuery(): PalimpsestError {
  const message = 'expected a word to look for, got an empty query: `palimpsest outputs list` shows what is saved';
  return new PalimpsestError('BAD_OPTION', message, { evidence: {} });
}
