/** `palimpsest outputs list` and `search`: the saved results, and lines of them; and how the commands over them name and show one. */
import { PalimpsestError, redact } from '@palimpsest/core';
import {
  bytesText,
  isEnvelope,
  type OutputScope,
  type OutputStore,
  outputMeant,
  outputsIn,
  placesOf,
  type SavedOutput,
  type Store,
  size,
} from '@palimpsest/core/store';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { findSession, shortIds } from '../find-session.ts';
import { openStoreFor, type StoreFlags } from '../open-store.ts';
import { numberOf } from '../option-values.ts';
import { progressCount } from '../progress.ts';
import { glyph, type Screen, styled } from '../render/screen.ts';
import { table } from '../render/table.ts';
import { oneLine, thousands, timeStamp, timeText, visible } from '../render/text.ts';
import { stdoutScreen, type Terminal, writeJson, writeLines, writeNotes, writeResult } from '../terminal.ts';
import { maskedPiece, type NumberedLine, numberedLines } from './outputs-text.ts';

interface OutputsListFlags extends StoreFlags {
  readonly session?: string;
  readonly limit?: string;
}

export async function runOutputsList(flags: OutputsListFlags, terminal: Terminal): Promise<ExitCode> {
  const limit = numberOf(flags.limit ?? '20', { option: '--limit', from: 1 });
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

// `palimpsest outputs search`: lines of saved results.

interface OutputsSearchFlags extends StoreFlags {
  readonly session?: string;
  readonly limit?: string;
}

/** What is looked for, and in which output; without one in all. */
export async function runOutputsSearch(
  [query, id]: readonly [string, string | undefined],
  flags: OutputsSearchFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const limit = numberOf(flags.limit ?? '20', { option: '--limit', from: 1, to: mostPlaces });
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

// What the commands over saved results share: which are meant, and what is told of them.

/** Where to look: in all results, or in those of a conversation. Throws as `findSession` does. */
export async function outputScope(store: Store, session: string | undefined): Promise<OutputScope> {
  if (session === undefined) return { outputs: store.outputs };
  const chain = await store.sessions.chain((await findSession(store, session)).id);
  return { outputs: store.outputs, sessionIds: chain.map(({ id }) => id) };
}

/** More lines than this are no help in an error. */
const mostListed = 12;

/** The output that is meant by an id or the beginning of one. Throws `ID_UNKNOWN` and `ID_AMBIGUOUS`. */
export async function requireOutput(id: string, scope: OutputScope): Promise<SavedOutput> {
  const meant = await outputMeant(id, scope);
  if (meant.type === 'found') return meant.output;
  const shown = JSON.stringify(id.slice(0, 80));
  const evidence = { output: id.slice(0, 80) };
  if (meant.type === 'none') {
    const message = `there is no saved output ${shown}: give its id, or at least the first four characters of it (\`palimpsest outputs list\` shows the ids)`;
    throw new PalimpsestError('ID_UNKNOWN', message, { evidence });
  }
  const lines = meant.outputs.slice(0, mostListed).map((one) => `  ${one.id}  ${toolOf(one) ?? ''}`.trimEnd());
  const more = meant.outputs.length > mostListed ? [`  … and ${meant.outputs.length - mostListed} more`] : [];
  const message = `several saved outputs begin with ${shown}: give more of the id\n${[...lines, ...more].join('\n')}`;
  throw new PalimpsestError('ID_AMBIGUOUS', message, { evidence });
}

/** The name of its tool for a person: whatever a client called it, in one line. */
export const toolOf = ({ tool }: SavedOutput): string | undefined =>
  tool === undefined ? undefined : oneLine(redact(tool));

/** An output for programs. */
export const outputRow = (output: SavedOutput): object => ({
  id: output.id,
  tool: output.tool === undefined ? null : redact(output.tool),
  characters: output.characters,
  bytes: output.bytes,
  lines: output.lines,
  savedAt: timeStamp(output.savedAt),
  session: output.sessionId ?? null,
});

/** More places than anybody reads. */
export const mostPlaces = 100_000;

// Saved results as a table: one row each.

/** From this width on there is room for the session. */
const wideFrom = 100;

/** A result, and the name of its tool in one line. */
interface OutputRow {
  readonly output: SavedOutput;
  readonly tool: string | undefined;
}

function outputTable(rows: readonly OutputRow[], screen: Screen): readonly string[] {
  if (rows.length === 0) return [];
  const sessions = shortIds(rows.flatMap(({ output }) => output.sessionId ?? []));
  const shortOf = new Map(
    rows.flatMap(({ output }) => output.sessionId ?? []).map((id, at) => [id, sessions[at] ?? id]),
  );
  const isWide = screen.columns >= wideFrom;
  const columns = [
    { title: 'id', style: 'cyan' as const, whole: true as const },
    { title: 'saved' },
    { title: 'size', align: 'right' as const },
    { title: 'lines', align: 'right' as const },
    ...(isWide ? [{ title: 'session' }] : []),
    { title: 'tool', gives: true as const },
  ];
  const cells = rows.map(({ output, tool }) => [
    output.id,
    timeText(output.savedAt),
    bytesText(output.bytes),
    thousands(output.lines),
    ...(isWide ? [shortOf.get(output.sessionId ?? '') ?? glyph(screen, '–', '-')] : []),
    tool ?? glyph(screen, '–', '-'),
  ]);
  return table(columns, cells, { screen, indent: 0 });
}

// Lines that a search in saved results found, one result below the other.

/** A result, the name of its tool in one line, and the places in it. */
interface FoundOutputRow {
  readonly output: SavedOutput;
  readonly tool: string | undefined;
  readonly places: readonly NumberedLine[];
}

function foundOutputs(rows: readonly FoundOutputRow[], screen: Screen): readonly string[] {
  return rows.flatMap(({ output, tool, places }, at) => {
    const about = [tool ?? 'tool unknown', size(output), timeText(output.savedAt)].join('  ');
    return [
      ...(at === 0 ? [] : ['']),
      `${styled(output.id, 'cyan', screen)}  ${styled(about, 'dim', screen)}`,
      ...places.map((place) => `${lineNumber(place, screen)} ${visible(place.text)}`),
    ];
  });
}

const lineNumber = ({ line, char }: NumberedLine, screen: Screen): string =>
  styled(`${line}${char === null ? '' : ` at char ${char}`}:`, 'dim', screen);

// Lines of a saved result with their numbers; those that were asked for have a mark.

/** More of a line is not shown with its number. */
const mostOfLine = 2_000;

export function outputLines(lines: readonly NumberedLine[], screen: Screen): readonly string[] {
  const width = Math.max(0, ...lines.map(({ line }) => String(line).length));
  return lines.flatMap((row, at) => {
    const before = lines[at - 1];
    const gap = before && row.line > before.line + 1 ? [styled(glyph(screen, '⋮', '...'), 'dim', screen)] : [];
    const sign = row.match ? glyph(screen, '▶', '>') : ' ';
    const number = styled(String(row.line).padStart(width), row.match ? 'cyan' : 'dim', screen);
    const place = row.char === null ? '' : styled(`at char ${row.char}: `, 'dim', screen);
    return [...gap, `${sign} ${number}  ${place}${shown(row, screen)}`.trimEnd()];
  });
}

function shown({ text, line, characters }: NumberedLine, screen: Screen): string {
  // Masking changes the length by a little.
  if (characters === null || characters <= mostOfLine) return visible(text);
  const rest = characters - mostOfLine;
  const more = `${glyph(screen, '…', '...')} ${thousands(rest)} more characters: --lines ${line} --chars ${mostOfLine + 1}-`;
  return `${visible(text.slice(0, mostOfLine).toWellFormed())}${styled(more, 'dim', screen)}`;
}
