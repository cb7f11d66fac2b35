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
import { glyph, type Screen, styled } from '../../terminal/screen.ts';
import { visible } from '../../terminal/visible.ts';
import type { Call } from '../commands/build.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { findSession, mostListed, openStoreFor, type StoreFlags, shortIds } from '../open-store.ts';
import { badOption, numberOf } from '../option-values.ts';
import { withProgress } from '../progress.ts';
import { copied, gives, right, tableOf } from '../render/table.ts';
import { firstOf, linesOf, oneLine, thousands, timeStamp, timeText } from '../render/text.ts';
import { stdoutScreen, writeJson, writeLines, writeNotes, writeResult } from '../terminal.ts';
import { maskedPiece, type NumberedLine, numberedLines } from './outputs-text.ts';

interface OutputsFlags extends StoreFlags {
  readonly session?: string;
  readonly limit?: string;
}

export async function runOutputsList({ flags, terminal }: Call<OutputsFlags>): Promise<void> {
  const limit = numberOf(flags.limit ?? '20', { option: '--limit', from: 1 });
  const { store, path, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const found = await outputsIn(await outputScope(opened, flags.session));
  const shown = found.slice(0, limit);
  const hasMore = found.length > limit;
  await writeResult(terminal, {
    json: () => ({ command: 'outputs list', store: path, outputs: shown.map(outputRow), hasMore }),
    notes,
    remarks: linesOf(
      hasMore && `showing ${limit} of ${found.length}: --limit N shows more, --session S shows one conversation`,
      found.length === 0 && none,
    ),
    lines: (screen) => outputTable(shown, screen),
  });
}

const none = 'there are no saved outputs';

function outputTable(outputs: readonly SavedOutput[], screen: Screen): readonly string[] {
  const ids = outputs.flatMap(({ sessionId }) => sessionId ?? []);
  const shorts = shortIds(ids);
  const shortOf = new Map(ids.map((id, at) => [id, shorts[at]]));
  if (outputs.length === 0) return [];
  return tableOf(
    outputs,
    [
      ['id', ({ id }) => id, copied],
      ['saved', ({ savedAt }) => timeText(savedAt)],
      ['size', ({ bytes }) => bytesText(bytes), right],
      ['lines', ({ lines }) => thousands(lines), right],
      ['session', ({ sessionId = '' }) => shortOf.get(sessionId) ?? '–', { from: 100 }],
      ['tool', (output) => toolOf(output) ?? '–', gives],
    ],
    { screen, indent: 0 },
  );
}

// `palimpsest outputs search`: lines of saved results.

/** The words are what is looked for, and the output; without one in all. */
export async function runOutputsSearch({ words, flags, terminal }: Call<OutputsFlags>): Promise<ExitCode> {
  const [query = '', id] = words;
  const limit = numberOf(flags.limit ?? '20', { option: '--limit', from: 1, to: mostPlaces });
  if (query.trim() === '')
    throw badOption('expected a word to look for, got an empty query: `palimpsest outputs list` shows what is saved');
  const { store, path, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const searched = await outputsFor(id, await outputScope(opened, flags.session));
  const { found, isCut } = await withProgress(terminal, 'outputs searched', (advance) =>
    foundIn(opened.outputs, searched, { query, limit, advance }),
  );
  const code = found.length > 0 ? exitCodes.fine : exitCodes.finding;
  if (terminal.json) {
    const placeRow = ({ line, char, text }: NumberedLine): object => ({ line, char, text });
    const outputs = found.map(({ output, places }) => ({ ...outputRow(output), places: places.map(placeRow) }));
    const about = { query, store: path, searched: searched.length, hasMore: isCut };
    await writeJson(terminal, { command: 'outputs search', ...about, outputs, notes });
    return code;
  }
  await writeNotes(terminal, notes);
  await writeLines(terminal.stdout, foundLines(found, stdoutScreen(terminal)));
  const [first] = found;
  const remarks = linesOf(
    searched.length === 0 && none,
    searched.length > 0 && !first && noMatch,
    isCut && 'there may be more matches: --limit N shows more',
    first && howToReadOn(first),
  );
  await writeNotes(terminal, remarks);
  return code;
}

export const noMatch = 'no line contains every word: try fewer words, or parts of words';

interface FoundOutput {
  readonly output: SavedOutput;
  readonly places: readonly NumberedLine[];
}

async function outputsFor(id: string | undefined, scope: OutputScope): Promise<readonly SavedOutput[]> {
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
    const places: NumberedLine[] = [];
    for (const { line, char, text } of await placesOf(outputs, output.id, { query, limit: left, show: maskedPiece })) {
      if (char !== undefined) places.push({ line, char, match: true, text: redact(text), characters: null });
      else places.push(...(await numberedLines(outputs, output, { from: line, to: line, marked: new Set([line]) })));
    }
    if (places.length > 0) found.push({ output, places });
    left -= places.length;
  }
  return { found, isCut: left <= 0 };
}

/** Characters of a long line before a place and from it on. */
const charsAround = [500, 1_500] as const;

function howToReadOn({ output: { id }, places: [place] }: FoundOutput): string | undefined {
  if (place === undefined) return undefined;
  const { line, char } = place;
  if (char === null) return `palimpsest outputs read ${id} --around ${line} shows the lines around a match`;
  const chars = `${Math.max(1, char - charsAround[0])}-${char + charsAround[1]}`;
  return `palimpsest outputs read ${id} --lines ${line} --chars ${chars} shows more of a long line`;
}

const foundLines = (found: readonly FoundOutput[], screen: Screen): readonly string[] =>
  found.flatMap(({ output, places }, at) => {
    const about = [toolOf(output) ?? 'tool unknown', size(output), timeText(output.savedAt)].join('  ');
    const number = ({ line, char }: NumberedLine): string =>
      styled(`${line}${char === null ? '' : ` at char ${char}`}:`, 'dim', screen);
    return linesOf(
      at > 0 && '',
      `${styled(output.id, 'cyan', screen)}  ${styled(about, 'dim', screen)}`,
      places.map((place) => `${number(place)} ${visible(place.text)}`),
    );
  });

// What the commands over saved results share: which are meant, and what is told of them.

/** Where to look: in all results, or in those of a conversation. Throws as `findSession` does. */
export async function outputScope(store: Store, session: string | undefined): Promise<OutputScope> {
  if (session === undefined) return { outputs: store.outputs };
  const chain = await store.sessions.chain((await findSession(store, session)).id);
  return { outputs: store.outputs, sessionIds: chain.map(({ id }) => id) };
}

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
  const lines = meant.outputs.map((one) => `  ${one.id}  ${toolOf(one) ?? ''}`.trimEnd());
  const listed = firstOf(lines, mostListed, (rest) => `  … and ${rest} more`);
  const message = `several saved outputs begin with ${shown}: give more of the id\n${listed.join('\n')}`;
  throw new PalimpsestError('ID_AMBIGUOUS', message, { evidence });
}

/** The name of its tool for a person: whatever a client called it, in one line. */
export const toolOf = ({ tool }: SavedOutput): string | undefined =>
  tool === undefined ? undefined : oneLine(redact(tool));

/** An output for programs. */
export const outputRow = ({ id, tool, characters, bytes, lines, savedAt, sessionId }: SavedOutput): object => ({
  id,
  tool: tool === undefined ? null : redact(tool),
  characters,
  bytes,
  lines,
  savedAt: timeStamp(savedAt),
  session: sessionId ?? null,
});

export const mostPlaces = 100_000;

/** More of a line is not shown with its number. */
const mostOfLine = 2_000;

/** Lines of a saved result with their numbers; those that were asked for have a mark. */
export function outputLines(lines: readonly NumberedLine[], screen: Screen): readonly string[] {
  const width = Math.max(0, ...lines.map(({ line }) => String(line).length));
  return lines.flatMap((row, at) => {
    const before = lines[at - 1];
    const sign = row.match ? glyph(screen, '▶', '>') : ' ';
    const number = styled(String(row.line).padStart(width), row.match ? 'cyan' : 'dim', screen);
    const place = row.char === null ? '' : styled(`at char ${row.char}: `, 'dim', screen);
    return linesOf(
      before && row.line > before.line + 1 && styled(glyph(screen, '⋮', '...'), 'dim', screen),
      `${sign} ${number}  ${place}${shown(row, screen)}`.trimEnd(),
    );
  });
}

function shown({ text, line, characters }: NumberedLine, screen: Screen): string {
  // Masking changes the length by a little.
  if (characters === null || characters <= mostOfLine) return visible(text);
  const rest = thousands(characters - mostOfLine);
  const more = `${glyph(screen, '…', '...')} ${rest} more characters: --lines ${line} --chars ${mostOfLine + 1}-`;
  return `${visible(text.slice(0, mostOfLine).toWellFormed())}${styled(more, 'dim', screen)}`;
}
