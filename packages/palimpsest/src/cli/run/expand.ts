/** `palimpsest expand`: the exact original of messages. */
import { type Expanded, expand, type Message, PalimpsestError } from '@palimpsest/core';
import { readableText } from '@palimpsest/core/formats';
import { expandSession, sourceRanges, spansOf } from '@palimpsest/core/search';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { findSession } from '../find-session.ts';
import { openInput } from '../input.ts';
import { fileAndExample, type InputFlags, type LoadedConversation, loadConversation } from '../load.ts';
import { callsById, kindOf, kindTitles, toolsOf } from '../message-kinds.ts';
import { openStoreFor, type StoreFlags } from '../open-store.ts';
import { requireOneForm } from '../option-values.ts';
import { styled } from '../render/screen.ts';
import { visible } from '../render/text.ts';
import {
  type GlobalFlags,
  stderrScreen,
  type Terminal,
  writeJson,
  writeLines,
  writeNotes,
  writePieces,
} from '../terminal.ts';

export interface ExpandFlags extends InputFlags, StoreFlags {
  readonly raw?: boolean;
}

/** What names messages and no file. */
const refsOnly = /^\[?m?\d[\d\sm,;.[\]–—-]*$/i;

/** `words` are FILE and the refs, or the refs alone with `--example` and with `--session` of the store. */
export async function runExpand(words: readonly string[], flags: ExpandFlags, terminal: Terminal): Promise<ExitCode> {
  const isStored = flags.session !== undefined && !flags.example && (words[0] === undefined || refsOnly.test(words[0]));
  const [file, ...rest] = flags.example || isStored ? [undefined, ...words] : words;
  if (flags.example && rest[0] !== undefined && !refsOnly.test(rest[0])) throw fileAndExample(rest[0]);
  const refs = rest.join(' ');
  if (!refs) {
    throw new PalimpsestError(
      'BAD_OPTION',
      'expected the refs of the messages to show, such as: palimpsest expand FILE m42',
    );
  }
  requireOneForm(flags);
  if (isStored && flags.session !== undefined) return expandStored(flags.session, refs, { flags, terminal });
  const keptBytes: Uint8Array[] = [];
  // Standard input cannot be read a second time, so its bytes are kept while they pass.
  const isStream = !flags.example && file === '-';
  const tee = flags.raw && isStream ? (chunk: Uint8Array) => void keptBytes.push(chunk.slice()) : undefined;
  const loaded = await loadConversation(file, flags, tee ? { terminal, tee } : { terminal });
  const found = expand(loaded.messages, refs);
  if (flags.raw) await writeRaw(found, { loaded, keptBytes, terminal, flags });
  else if (flags.json) await writeJson(terminal.stdout, jsonOf(loaded, found));
  else await writeText(found, { loaded, terminal, flags });
  return exitCodes.fine;
}

/** The same for a conversation of the store. */
async function expandStored(
  wanted: string,
  refs: string,
  { flags, terminal }: { readonly flags: ExpandFlags; readonly terminal: Terminal },
): Promise<ExitCode> {
  if (flags.raw) {
    const message = '--raw needs FILE: for a message in the store, use `palimpsest read ID --raw`';
    throw new PalimpsestError('BAD_OPTION', message);
  }
  const { store, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const { id } = await findSession(opened, wanted);
  const found = await expandSession(opened, id, refs);
  const messages = found.map(({ message }) => message);
  if (flags.json) await writeJson(terminal.stdout, { command: 'expand', session: id, messages: found, notes });
  else await writeText(found, { loaded: { messages, notes }, terminal, flags });
  return exitCodes.fine;
}

interface Target {
  readonly loaded: Pick<LoadedConversation, 'messages' | 'notes'>;
  readonly terminal: Terminal;
  readonly flags: GlobalFlags;
}

interface RawTarget extends Target {
  readonly loaded: LoadedConversation;
  readonly keptBytes: readonly Uint8Array[];
}

/** The text alone on standard output, so that it can be piped as it is; who said it on stderr. */
async function writeText(
  found: readonly Pick<Expanded, 'ref' | 'message'>[],
  { loaded, terminal, flags }: Target,
): Promise<void> {
  await writeNotes(terminal, loaded.notes, flags);
  const calls = callsById(loaded.messages);
  for (const [index, { ref, message }] of found.entries()) {
    const tools = toolsOf(message, calls).join(', ');
    const about = [ref, kindTitles[kindOf(message)], tools, message.time].filter(Boolean).join('  ');
    if (!flags.quiet) await writeLines(terminal.stderr, [styled(about, 'dim', stderrScreen(terminal, flags))]);
    const text = readableText(message);
    const isLast = index === found.length - 1;
    // A terminal must not be driven by what a transcript holds; a pipe gets every character as it is.
    const shown = terminal.stdout.isTTY ? `${visible(text)}\n` : isLast ? text : `${text}\n`;
    await writePieces(terminal.stdout, [shown]);
  }
}

/** The bytes of the records in the file; a line break divides two records, because none of them ends with one. */
async function writeRaw(found: readonly Expanded[], { loaded, keptBytes, terminal, flags }: RawTarget): Promise<void> {
  const spans = spansOf(found.map(({ message }) => message));
  const without = found.filter(({ message }) => !message.source?.length).map(({ ref }) => ref);
  if (without.length > 0) {
    const message = `${without.join(', ')} ${without.length === 1 ? 'has' : 'have'} no record of ${without.length === 1 ? 'its' : 'their'} own in the file: omit --raw`;
    throw new PalimpsestError('ID_UNKNOWN', message, { evidence: { ref: without[0] } });
  }
  const again = loaded.path === undefined ? streamOf(keptBytes) : (await openInput(loaded.path, terminal)).bytes;
  const ranges = await sourceRanges(again, spans);
  await writeNotes(terminal, loaded.notes, flags);
  const pieces = ranges.flatMap((bytes, index) => (index === 0 ? [bytes] : ['\n', bytes]));
  await writePieces(terminal.stdout, terminal.stdout.isTTY ? [...pieces, '\n'] : pieces);
}

async function* streamOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void, undefined> {
  yield* chunks;
}

/** The document of `--json`; docs/guide/expand.md describes it. */
function jsonOf(loaded: LoadedConversation, found: readonly Expanded[]): unknown {
  return {
    command: 'expand',
    input: { file: loaded.label, format: loaded.format, conversation: loaded.index + 1 },
    messages: found.map(({ ref, message }): { ref: string; message: Message } => ({ ref, message })),
    notes: loaded.notes,
  };
}
