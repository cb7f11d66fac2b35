/** `palimpsest memory edit` and `scan`: the files in the person's editor, and what in a text must not be remembered. */
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import { type MemoryFile, scanMemory } from '@palimpsest/core/memory';
import type { MemoryAct } from '@palimpsest/core/store';
import type { Call } from '../commands/build.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { entriesOf, type MemoryFlags, openMemoryFor } from '../open-memory.ts';
import { badOption, bothGiven } from '../option-values.ts';
import { actRow, changeLines, fileRow, fullness, threatLines, threatRows, undoLine } from '../render/memory-entries.ts';
import { counted, linesOf, oneLine } from '../render/text.ts';
import { type Terminal, writeResult } from '../terminal.ts';
import { textFrom } from '../text-input.ts';

export async function runMemoryEdit({ words: [which = 'memory'], flags, terminal }: Call<MemoryFlags>): Promise<void> {
  const target = which === 'user' ? 'user' : 'memory';
  if (target === 'user' && flags.everywhere) throw bothGiven('user', '--everywhere');
  const editor = terminal.env.VISUAL || terminal.env.EDITOR;
  const opened = await openMemoryFor(flags, terminal, { mayBeNew: true });
  await using _store = opened.store;
  const { memory } = opened;
  // What was written before is no part of this edit.
  await memory.reconcile();
  const files = memory.files();
  const { path } = await files.read(target);
  if (!editor)
    throw badOption(`expected VISUAL or EDITOR to name your editor, got neither: set one, or edit ${path} yourself`);
  await folderFor(path);
  const code = await edited(editor, path, terminal);
  const act = await memory.reconcile();
  const file = await files.read(target);
  await writeResult(terminal, {
    json: () => ({
      command: 'memory edit',
      store: opened.path,
      file: fileRow(file),
      editor: { code },
      act: act ? actRow(act) : null,
    }),
    notes: opened.notes,
    remarks: linesOf(code !== 0 && `the editor ended with ${code ?? 'a signal'}`, ...warnings(act, file)),
    lines: (screen) => {
      if (terminal.quiet) return [];
      if (!act) return [`nothing was changed in ${oneLine(path)}`];
      return [`taken in: ${oneLine(act.reason)}`, ...changeLines(act.changes, screen), undoLine(act.id)];
    },
  });
}

function warnings(act: MemoryAct | undefined, file: MemoryFile): readonly string[] {
  const after = act?.changes.map((change) => change.after) ?? [];
  const found = after.filter(({ status, text }) => status === 'live' && scanMemory(text).length > 0);
  const waiting = after.filter(({ status }) => status === 'pending').map(({ id }) => id);
  return linesOf(
    found.length > 0 &&
      `${found.map(({ id }) => id).join(', ')}: the scan finds something in it, so it is kept from the model: palimpsest memory scan`,
    waiting.length > 0 &&
      `${act?.what === 'hold' ? 'a command of an agent runs now, which may have written there' : 'the files lie in a checkout, where others write too'}: approve ${waiting.join(', ')} with palimpsest memory approve`,
    file.chars > file.limit && `the file has ${fullness(file)}: nothing can be added before something goes`,
  );
}

/** Of a project that nothing was remembered of yet. */
async function folderFor(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  } catch (cause) {
    const message = `The folder ${dirname(path)} cannot be made: check that you may write there, or set memory.folder.`;
    throw new PalimpsestError('FILE_UNREADABLE', message, { evidence: { path: dirname(path) }, cause });
  }
}

/** Ends with the editor; its exit code, null where a signal ended it. The line of the setting may hold options. */
function edited(editor: string, path: string, terminal: Terminal): Promise<number | null> {
  const options = { stdio: 'inherit', cwd: terminal.cwd, env: { ...terminal.env } } as const;
  const child =
    terminal.platform === 'win32'
      ? spawn(`${editor} "${path}"`, { ...options, shell: true })
      : spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], options);
  // Ctrl-C is the editor's while it runs.
  let release: (() => void) | undefined;
  const hold = (): void => {
    release = terminal.onInterrupt?.(hold);
  };
  hold();
  return new Promise<number | null>((resolve, reject) => {
    child.on('error', (cause) => {
      reject(new PalimpsestError('FILE_UNREADABLE', `The editor cannot be started: ${editor}.`, { cause }));
    });
    child.on('close', resolve);
  }).finally(() => release?.());
}

// `palimpsest memory scan`.

/** A text that is looked at, and what it is called in a report. */
interface Scanned {
  readonly label: string;
  readonly text: string;
  /** Of the memory. */
  readonly entry?: string;
}

export async function runMemoryScan({ words: [file], flags, terminal }: Call<MemoryFlags>): Promise<ExitCode> {
  const { texts, notes } = file === undefined ? await remembered(flags, terminal) : await textIn(file, terminal);
  const found = texts.flatMap((one) => {
    const threats = scanMemory(one.text);
    return threats.length > 0 ? [{ ...one, threats }] : [];
  });
  const count = found.reduce((sum, { threats }) => sum + threats.length, 0);
  await writeResult(terminal, {
    json: () => ({
      command: 'memory scan',
      input: file ?? null,
      scanned: texts.length,
      threats: found.flatMap(({ text, threats, entry = null }) =>
        threatRows(text, threats).map((row) => ({ entry, ...row })),
      ),
    }),
    notes,
    lines: () => found.flatMap(({ label, text, threats }) => [label, ...threatLines(text, threats)]),
    done: count > 0 ? `${counted(count, 'finding')}` : `nothing found in ${scannedText(texts, file)}`,
  });
  return count > 0 ? exitCodes.finding : exitCodes.fine;
}

const scannedText = (texts: readonly Scanned[], file: string | undefined): string =>
  file === undefined ? `${entriesText(texts)} of the memory` : oneLine(texts[0]?.label ?? file);

const entriesText = (texts: readonly Scanned[]): string => (texts.length === 1 ? '1 entry' : `${texts.length} entries`);

interface Scannable {
  readonly texts: readonly Scanned[];
  readonly notes: readonly string[];
}

async function textIn(file: string, terminal: Terminal): Promise<Scannable> {
  const { text, label, notes } = await textFrom(file, terminal);
  return { texts: [{ label: label === '-' ? 'standard input' : oneLine(label), text }], notes };
}

async function remembered(flags: MemoryFlags, terminal: Terminal): Promise<Scannable> {
  const opened = await openMemoryFor(flags, terminal);
  await using _store = opened.store;
  const entries = await entriesOf(opened, ['live', 'pending']);
  const texts = entries.map(({ id, text, status, confirmedAt }) => ({
    label: `${id}${status === 'pending' ? ', which waits' : confirmedAt === undefined ? '' : ', which you confirmed'}`,
    text,
    entry: id,
  }));
  return { texts, notes: opened.notes };
}
