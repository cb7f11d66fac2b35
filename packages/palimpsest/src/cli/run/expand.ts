/** `palimpsest expand`: the exact original of messages. */
import { type Expanded, expand, type Message, PalimpsestError } from '@palimpsest/core';
import { readableText } from '@palimpsest/core/formats';
import { expandSession, sourceRanges, spansOf } from '@palimpsest/core/search';
import type { Call } from '../commands/build.ts';
import { findSession } from '../find-session.ts';
import { openInput } from '../input.ts';
import { fileAndExample, type InputFlags, inputDocument, type LoadedConversation, loadConversation } from '../load.ts';
import { callsById, kindOf, kindTitles, toolsOf } from '../message-kinds.ts';
import { openStoreFor, type StoreFlags } from '../open-store.ts';
import { badOption, bothGiven, given } from '../option-values.ts';
import { styled } from '../render/screen.ts';
import { visible } from '../render/text.ts';
import { stderrScreen, type Terminal, writeJson, writeLines, writeNotes, writePieces } from '../terminal.ts';

type ExpandFlags = InputFlags & StoreFlags & { readonly raw?: boolean };

/** What names messages and no file. */
const refsOnly = /^\[?m?\d[\d\sm,;.[\]–—-]*$/i;

/** The words are FILE and the refs, or the refs alone with `--example` and with `--session` of the store. */
export async function runExpand({ words, flags, terminal }: Call<ExpandFlags>): Promise<void> {
  const { example, session, raw } = flags;
  const isStored = session !== undefined && !example && (words[0] === undefined || refsOnly.test(words[0]));
  const [file, ...rest] = example || isStored ? [undefined, ...words] : words;
  if (example && rest[0] !== undefined && !refsOnly.test(rest[0])) throw fileAndExample(rest[0]);
  const refs = rest.join(' ');
  if (!refs) throw badOption('expected the refs of the messages to show, such as: palimpsest expand FILE m42');
  if (terminal.json && raw) throw bothGiven('--json', '--raw', { option: '--raw' });
  if (isStored) return expandStored({ wanted: session, refs }, flags, terminal);
  const keptBytes: Uint8Array[] = [];
  // Standard input cannot be read a second time, so its bytes are kept while they pass.
  const isKept = raw && !example && file === '-';
  const tee = isKept ? (chunk: Uint8Array) => void keptBytes.push(chunk.slice()) : undefined;
  const loaded = await loadConversation(file, flags, { terminal, ...given({ tee }) });
  const found = expand(loaded.messages, refs);
  if (raw) return writeRaw(found, loaded, { keptBytes, terminal });
  if (!terminal.json) return writeText(found, loaded, terminal);
  const messages = found.map(({ ref, message }): { ref: string; message: Message } => ({ ref, message }));
  await writeJson(terminal, { command: 'expand', input: inputDocument(loaded), messages, notes: loaded.notes });
}

/** The same for a conversation of the store. */
async function expandStored(
  { wanted, refs }: { readonly wanted: string; readonly refs: string },
  flags: ExpandFlags,
  terminal: Terminal,
): Promise<void> {
  if (flags.raw) throw badOption('--raw needs FILE: for a message in the store, use `palimpsest read ID --raw`');
  const { store, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const { id } = await findSession(opened, wanted);
  const found = await expandSession(opened, id, refs);
  if (terminal.json) return writeJson(terminal, { command: 'expand', session: id, messages: found, notes });
  await writeText(found, { messages: found.map(({ message }) => message), notes }, terminal);
}

/** The text alone on standard output, so that it can be piped as it is; who said it on stderr. */
async function writeText(
  found: readonly Pick<Expanded, 'ref' | 'message'>[],
  { messages, notes }: Pick<LoadedConversation, 'messages' | 'notes'>,
  terminal: Terminal,
): Promise<void> {
  await writeNotes(terminal, notes);
  const calls = callsById(messages);
  for (const [index, { ref, message }] of found.entries()) {
    const tools = toolsOf(message, calls).join(', ');
    const about = [ref, kindTitles[kindOf(message)], tools, message.time].filter(Boolean).join('  ');
    if (!terminal.quiet) await writeLines(terminal.stderr, [styled(about, 'dim', stderrScreen(terminal))]);
    const text = readableText(message);
    const isLast = index === found.length - 1;
    // A terminal must not be driven by what a transcript holds; a pipe gets every character as it is.
    await writePieces(terminal.stdout, [terminal.stdout.isTTY ? `${visible(text)}\n` : isLast ? text : `${text}\n`]);
  }
}

/** The bytes of the records in the file; a line break divides two records, because none of them ends with one. */
async function writeRaw(
  found: readonly Expanded[],
  { path, notes }: LoadedConversation,
  { keptBytes, terminal }: { readonly keptBytes: readonly Uint8Array[]; readonly terminal: Terminal },
): Promise<void> {
  const spans = spansOf(found.map(({ message }) => message));
  const without = found.filter(({ message }) => !message.source?.length).map(({ ref }) => ref);
  if (without.length > 0) {
    const has = without.length === 1 ? 'has no record of its own' : 'have no record of their own';
    const evidence = { ref: without[0] };
    throw new PalimpsestError('ID_UNKNOWN', `${without.join(', ')} ${has} in the file: omit --raw`, { evidence });
  }
  const again = path === undefined ? streamOf(keptBytes) : (await openInput(path, terminal)).bytes;
  const ranges = await sourceRanges(again, spans);
  await writeNotes(terminal, notes);
  const pieces = ranges.flatMap((bytes, index) => (index === 0 ? [bytes] : ['\n', bytes]));
  await writePieces(terminal.stdout, terminal.stdout.isTTY ? [...pieces, '\n'] : pieces);
}

async function* streamOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
