/** `palimpsest memory add`, `replace` and `remove`: what a person writes is checked, saved at once, and told. */
import {
  type MemoryAbout,
  type MemoryOperation,
  type MemoryRefusal,
  type MemoryWritten,
  scanMemory,
} from '@palimpsest/core/memory';
import type { MemoryEntry, MemoryKind } from '@palimpsest/core/store';
import type { Call } from '../commands/build.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { findEntry, isPerson, type MemoryFlags, type OpenedMemory, openMemoryFor } from '../open-memory.ts';
import { badOption, bothGiven, given, timeOf } from '../option-values.ts';
import { entryRow, fileRow, shownEntry, threatLines, threatRows, undoLine } from '../render/memory-entries.ts';
import { oneLine, thousands } from '../render/text.ts';
import { type Terminal, writeResult } from '../terminal.ts';
import { textFrom } from '../text-input.ts';

interface AddFlags extends MemoryFlags {
  readonly user?: boolean;
  readonly kind?: MemoryKind;
  readonly key?: string;
  readonly value?: string;
  readonly until?: string;
}

export async function runMemoryAdd({ words: [word], flags, terminal }: Call<AddFlags>): Promise<ExitCode> {
  const { user, everywhere, project, kind, key, value } = flags;
  if (user && everywhere) throw bothGiven('--user', '--everywhere');
  if (user && project !== undefined) throw bothGiven('--user', '--project');
  if ((key === undefined) !== (value === undefined))
    throw badOption('expected --key and --value together, got only one');
  const until =
    flags.until === undefined ? undefined : timeOf('--until', flags.until, { now: Date.now(), edge: 'end' });
  const text = word === undefined && key !== undefined ? `${key}: ${value}` : await textOf(word, terminal);
  const opened = await openMemoryFor(flags, terminal, { mayBeNew: true });
  await using _store = opened.store;
  const target = user ? 'user' : 'memory';
  const about = { ...writer(flags, terminal, text), target, ...given({ kind, key, value, until }) } as const;
  return await perform('memory add', opened, { operation: { action: 'add', content: text }, about, terminal });
}

export async function runMemoryReplace({ words, flags, terminal }: Call<MemoryFlags>): Promise<ExitCode> {
  const [wanted = '', word] = words;
  const text = await textOf(word, terminal);
  const opened = await openMemoryFor(flags, terminal);
  await using _store = opened.store;
  const entry = await findEntry(opened, wanted);
  const operation = { action: 'replace', entry: { text: entry.text }, content: text } as const;
  const about = { ...writer(flags, terminal, text), ...placeOf(entry) };
  return await perform('memory replace', opened, { operation, about, terminal });
}

export async function runMemoryRemove({ words: [wanted = ''], flags, terminal }: Call<MemoryFlags>): Promise<ExitCode> {
  const opened = await openMemoryFor(flags, terminal);
  await using _store = opened.store;
  const entry = await findEntry(opened, wanted);
  const operation = { action: 'remove', entry: { text: entry.text } } as const;
  const about = { ...writer(flags, terminal), ...placeOf(entry) };
  return await perform('memory remove', opened, { operation, about, terminal });
}

async function textOf(word: string | undefined, terminal: Terminal): Promise<string> {
  if (word === undefined) throw badOption('expected the TEXT to remember, or --key and --value, got neither');
  return word === '-' ? (await textFrom('-', terminal)).text : word;
}

/** What comes without a person may be an agent that was told to: it waits. */
const writer = (flags: MemoryFlags, terminal: Terminal, text = ''): MemoryAbout =>
  isPerson(flags, terminal)
    ? { actor: 'person', source: 'person', ...doubtOf(text, flags, terminal) }
    : {
        actor: 'model',
        source: 'own-tool',
        confirm: true,
        reason: 'It came by the command, without a person at a terminal.',
      };

/** A word for the person is not enough for what the scan doubts: whoever runs the command can give it. */
function doubtOf(text: string, { force }: MemoryFlags, { stderr }: Terminal): Pick<MemoryAbout, 'confirm' | 'reason'> {
  if (force || stderr.isTTY || scanMemory(text).length === 0) return {};
  return { confirm: true, reason: 'The scan finds something in it, and no person was at a terminal.' };
}

const placeOf = ({ target, project }: MemoryEntry): Pick<MemoryAbout, 'target' | 'scope'> => ({
  target,
  scope: project === undefined ? 'everywhere' : 'project',
});

interface Work {
  readonly operation: MemoryOperation;
  readonly about: MemoryAbout;
  readonly terminal: Terminal;
}

async function perform(command: string, opened: OpenedMemory, { operation, about, terminal }: Work): Promise<ExitCode> {
  const { memory, path, notes } = opened;
  const written = await memory.apply([operation], about);
  const text = operation.action === 'remove' ? '' : operation.content;
  const threats = scanMemory(text);
  await writeResult(terminal, {
    json: () => ({
      command,
      store: path,
      ...writtenRow(written),
      threats: threatRows(text, threats),
    }),
    notes,
    lines: () => {
      if (written.type === 'refused') return refusedLines(written, text);
      return terminal.quiet ? [] : [...doneLines(written), ...secondLook(written, threatLines(text, threats))];
    },
  });
  return written.type === 'refused' ? exitCodes.finding : exitCodes.fine;
}

/** What a person may have pasted without noticing. */
function secondLook(written: MemoryWritten, threats: readonly string[]): readonly string[] {
  if (written.type !== 'saved' || !written.act || threats.length === 0) return [];
  return ['the scan finds something in it; it is remembered because you wrote it:', ...threats];
}

/** What became of a write, for programs. `status` is `saved`, `unchanged`, `waits` or `refused`. */
export function writtenRow(written: MemoryWritten): object {
  const file = fileRow(written.file);
  if (written.type === 'refused') return { status: 'refused', refusal: written.refusal, act: null, entries: [], file };
  const entries = written.entries.map(entryRow);
  if (written.type === 'waits') return { status: 'waits', act: null, entries, file };
  const { act, removed, archived } = written;
  return {
    status: act ? 'saved' : 'unchanged',
    act: act?.id ?? null,
    entries,
    removed: removed.map(entryRow),
    archived,
    file,
  };
}

/** What was done, and how it is taken back. */
export function doneLines(written: Exclude<MemoryWritten, { type: 'refused' }>): readonly string[] {
  const ids = written.entries.map(({ id }) => id);
  if (written.type === 'waits')
    return ['NOT remembered yet: it waits for a person at a terminal', `  palimpsest memory approve ${ids.join(' ')}`];
  const { act, entries, removed } = written;
  if (!act) return [`nothing to change: ${ids.join(', ')} said so already`];
  const named = (all: readonly MemoryEntry[]): string =>
    all.map((entry) => `${entry.id} (${oneLine(shownEntry(entry))})`).join(', ');
  const instead = removed.length === 0 ? '' : `, in place of ${named(removed)}`;
  const done =
    entries.length > 0 ? `remembered: ${named(entries)}${instead}` : `no longer remembered: ${named(removed)}`;
  return [done, undoLine(act.id)];
}

/** Why nothing was written, where in the text, and what can be done. */
export function refusedLines(
  { refusal, file }: Extract<MemoryWritten, { type: 'refused' }>,
  text: string,
): readonly string[] {
  const head = `not remembered: ${reasonOf(refusal, file)}`;
  if (refusal.type !== 'blocked') return [head];
  const isSecret = refusal.refusal.findings?.includes('credential') ?? false;
  const advice = isSecret
    ? 'a credential is never remembered: leave it out'
    : 'if it is meant as you wrote it, add --force: then it is shown to the model as it stands';
  return [head, ...threatLines(text, scanMemory(text)), advice];
}

function reasonOf(
  refusal: MemoryRefusal,
  { chars, limit, path }: Extract<MemoryWritten, { type: 'refused' }>['file'],
): string {
  switch (refusal.type) {
    case 'blocked':
      return 'the scan finds something in it';
    case 'full':
      return `${oneLine(path)} has ${thousands(chars)} of ${thousands(limit)} characters, and this would make ${thousands(refusal.needed)}: remove or shorten something first, or see what palimpsest memory curate --dry-run would retire`;
    case 'separator':
      return 'the text has a line of § alone, which stands between entries: add them one by one';
    case 'empty':
    case 'no-operation':
      return 'the text is empty';
    case 'ambiguous':
      return 'several entries have this text: give the id of one';
    case 'not-found':
    case 'changed':
      return 'the entry was changed meanwhile: look at it again with palimpsest memory show';
  }
}
