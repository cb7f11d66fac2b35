/** `palimpsest memory approve`, `reject`, `undo` and `forget`: what only the person decides. */
import { PalimpsestError } from '@palimpsest/core';
import { type MemoryWritten, scanMemory } from '@palimpsest/core/memory';
import type { MemoryAct, MemoryEntry } from '@palimpsest/core/store';
import type { Call } from '../commands/build.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { entryWithId, type MemoryFlags, type OpenedMemory, openMemoryFor, requirePerson } from '../open-memory.ts';
import { quoted } from '../option-values.ts';
import { actLines, actRow, shownEntry, threatRows, undoLine } from '../render/memory-entries.ts';
import { oneLine } from '../render/text.ts';
import { writeResult } from '../terminal.ts';
import { isAgreed } from '../terminal-question.ts';
import { doneLines, refusedLines, writtenRow } from './memory-write.ts';

export async function runMemoryApprove({ words, flags, terminal }: Call<MemoryFlags>): Promise<ExitCode> {
  requirePerson(flags, terminal);
  const opened = await openMemoryFor(flags, terminal);
  await using _store = opened.store;
  const decided: { readonly entry: MemoryEntry; readonly written: MemoryWritten }[] = [];
  for (const entry of await waitingEntries(opened, words))
    decided.push({ entry, written: await opened.memory.approve(entry.id) });
  await writeResult(terminal, {
    json: () => ({
      command: 'memory approve',
      store: opened.path,
      results: decided.map(({ entry, written }) => ({
        id: entry.id,
        ...writtenRow(written),
        threats: written.type === 'refused' ? threatRows(entry.text, scanMemory(entry.text)) : [],
      })),
    }),
    notes: opened.notes,
    lines: () =>
      decided.flatMap(({ entry, written }) => {
        if (written.type === 'refused') return [`${entry.id}:`, ...refusedLines(written, entry.text)];
        return terminal.quiet ? [] : doneLines(written);
      }),
  });
  return decided.some(({ written }) => written.type === 'refused') ? exitCodes.finding : exitCodes.fine;
}

interface RejectFlags extends MemoryFlags {
  readonly reason?: string;
}

export async function runMemoryReject({ words, flags, terminal }: Call<RejectFlags>): Promise<void> {
  const opened = await openMemoryFor(flags, terminal);
  await using _store = opened.store;
  const acts: MemoryAct[] = [];
  for (const { id } of await waitingEntries(opened, words)) acts.push(await opened.memory.reject(id, flags.reason));
  await writeResult(terminal, {
    json: () => ({ command: 'memory reject', store: opened.path, acts: acts.map(actRow) }),
    notes: opened.notes,
    lines: () => (terminal.quiet ? [] : [`rejected: ${words.join(', ')}`, ...acts.map(({ id }) => undoLine(id))]),
  });
}

/** All of them wait, or nothing is decided. */
async function waitingEntries({ memory }: OpenedMemory, ids: readonly string[]): Promise<readonly MemoryEntry[]> {
  const waiting = new Map((await memory.pending()).map((entry) => [entry.id, entry]));
  return [...new Set(ids)].map((id) => {
    const entry = waiting.get(id);
    if (entry) return entry;
    const known = waiting.size === 0 ? 'nothing waits' : `these wait: ${[...waiting.keys()].join(', ')}`;
    const message = `expected the id of an entry that waits here, got ${quoted(id)}: ${known}. Nothing was decided`;
    throw new PalimpsestError('ID_UNKNOWN', message, { evidence: { id: id.slice(0, 40) } });
  });
}

export async function runMemoryUndo({ words: [id = ''], flags, terminal }: Call<MemoryFlags>): Promise<void> {
  requirePerson(flags, terminal);
  const opened = await openMemoryFor(flags, terminal);
  await using _store = opened.store;
  // Acts of other projects are not seen from here, nor taken back.
  if (!(await opened.memory.history()).some((act) => act.id === id)) {
    const message = `there is no act ${quoted(id)} of this project or of everywhere: palimpsest memory history lists them`;
    throw new PalimpsestError('ID_UNKNOWN', message, { evidence: { id: id.slice(0, 40) } });
  }
  const act = await opened.memory.undo(id);
  await writeResult(terminal, {
    json: () => ({ command: 'memory undo', store: opened.path, act: actRow(act) }),
    notes: opened.notes,
    lines: (screen) => (terminal.quiet ? [] : actLines(act, screen)),
  });
}

export async function runMemoryForget({ words: [id = ''], flags, terminal }: Call<MemoryFlags>): Promise<void> {
  const opened = await openMemoryFor(flags, terminal);
  await using _store = opened.store;
  const entry = await entryWithId(opened, id);
  const question = `${id}  ${oneLine(shownEntry(entry))}\nDelete it for good, from the history too?`;
  const isWanted = flags.yes || (await isAgreed(question, 'a forgotten entry cannot be restored', terminal));
  if (isWanted) await opened.memory.forget(id);
  await writeResult(terminal, {
    json: () => ({ command: 'memory forget', store: opened.path, id, forgotten: isWanted }),
    notes: opened.notes,
    done: isWanted ? `forgotten: ${id}, with everything that the history said of it` : 'nothing was deleted',
  });
}
