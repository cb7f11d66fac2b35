/** What is remembered, as a person reads it and as programs get it: entries, acts, and threats in a text. */
import { redact } from '@palimpsest/core';
import type { MemoryFile, Threat } from '@palimpsest/core/memory';
import type { MemoryAct, MemoryActor, MemoryEntry, MemorySource } from '@palimpsest/core/store';
import { clip, glyph, type Screen, styled } from '../../terminal/screen.ts';
import { visible } from '../../terminal/visible.ts';
import { fill, oneLine, thousands, timeStamp, timeText, wrap } from './text.ts';

/** A file may hold what its editor should not have written into it. */
export const shownEntry = ({ text }: Pick<MemoryEntry, 'text'>): string => redact(text);

const sourceNames: Readonly<Record<MemorySource, string>> = {
  person: 'you',
  model: 'the model',
  'own-tool': 'a tool',
  'outside-tool': 'an outside tool',
  document: 'a document',
};

const actorNames: Readonly<Record<MemoryActor, string>> = {
  person: 'you',
  file: 'by hand',
  model: 'the model',
  curator: 'the curator',
  runtime: 'the runtime',
  import: 'an import',
};

const dayText = (instant: number): string => timeText(instant).slice(0, 10);

/** The end of a day is the beginning of the next one. */
const lastDay = (until: number): string => dayText(until - 1);

/** A command to copy, short enough for the narrowest screen. */
export const undoLine = (act: string): string => `undo: palimpsest memory undo ${act}`;

/** What an entry says, and below it what is known of it. */
export function entryLines(entry: MemoryEntry, screen: Screen, facts: readonly string[] = []): readonly string[] {
  const { id, kind, source, statedAt, until, confirmedAt, key, status } = entry;
  const head = `  ${styled(fill(id, idWidth), 'cyan', screen)} `;
  const indent = ' '.repeat(idWidth + 3);
  const room = Math.max(20, screen.columns - indent.length);
  const about = [
    kind,
    status === 'live' || status === 'pending' ? undefined : status,
    `said by ${sourceNames[source]}`,
    dayText(statedAt),
    until === undefined ? undefined : `until ${lastDay(until)}`,
    key === undefined ? undefined : `key ${oneLine(key)}`,
    confirmedAt === undefined || source === 'person' ? undefined : 'confirmed by you',
    ...facts,
  ].filter((fact) => fact !== undefined);
  const [first = '', ...more] = visible(shownEntry(entry))
    .split('\n')
    .flatMap((line) => wrap(line, room));
  const below = wrap(about.join(glyph(screen, ' · ', ', ')), room).map((line) => styled(line, 'dim', screen));
  return [head + first, ...[...more, ...below].map((line) => indent + line)];
}

const idWidth = 4;

/** Absent members are null, so that every entry has all of them. */
export const entryRow = (entry: MemoryEntry): object => ({
  id: entry.id,
  status: entry.status,
  target: entry.target,
  project: entry.project ?? null,
  kind: entry.kind,
  text: shownEntry(entry),
  key: entry.key ?? null,
  value: entry.value === undefined ? null : redact(entry.value),
  source: entry.source,
  sessionId: entry.sessionId ?? null,
  messages: entry.messages,
  replaces: entry.replaces,
  createdAt: timeStamp(entry.createdAt),
  updatedAt: timeStamp(entry.updatedAt),
  statedAt: timeStamp(entry.statedAt),
  until: timeOrNull(entry.until),
  confirmedAt: timeOrNull(entry.confirmedAt),
});

const timeOrNull = (instant: number | undefined): string | null => (instant === undefined ? null : timeStamp(instant));

export const fileRow = ({ target, path, chars, limit, percent, entries }: MemoryFile): object => ({
  target,
  path,
  chars,
  limit,
  percent,
  entries: entries.length,
});

/** `12 % of 2,200 characters`. */
export const fullness = ({ percent, limit }: Pick<MemoryFile, 'percent' | 'limit'>): string =>
  `${percent} % of ${thousands(limit)} characters`;

// Acts.

export const actRow = ({ id, at, actor, what, reason, sessionId, undoes, undoneBy, changes }: MemoryAct): object => ({
  id,
  at: timeStamp(at),
  actor,
  what,
  reason: redact(reason),
  sessionId: sessionId ?? null,
  undoes: undoes ?? null,
  undoneBy: undoneBy ?? null,
  changes: changes.map(({ before, after }) => ({ before: before ? entryRow(before) : null, after: entryRow(after) })),
});

export function actLines(act: MemoryAct, screen: Screen): readonly string[] {
  const { id, at, actor, what, reason, undoneBy, undoes } = act;
  const undone = undoneBy === undefined ? '' : ` (taken back by ${undoneBy})`;
  const of = undoes === undefined ? '' : ` ${undoes}`;
  const head = `${styled(fill(id, idWidth), 'cyan', screen)}  ${timeText(at)}  ${actorNames[actor]}: ${oneLine(what)}${of}${undone}`;
  return [
    head,
    ...wrap(oneLine(redact(reason)), Math.max(20, screen.columns - 6)).map(
      (line) => `      ${styled(line, 'dim', screen)}`,
    ),
    ...changeLines(act.changes, screen),
  ];
}

/** What became of each entry: `+` is remembered since, `-` no longer, `?` waits, `~` is known better. */
export const changeLines = (changes: MemoryAct['changes'], screen: Screen): readonly string[] =>
  changes.map(({ before, after }) => {
    const text = oneLine(shownEntry(after));
    return `      ${markOf(before, after)} ${clip(`${after.id}  ${text}`, Math.max(20, screen.columns - 8), glyph(screen, '…', '~'))}`;
  });

function markOf(before: MemoryEntry | undefined, after: MemoryEntry): string {
  if (before?.status === after.status) return '~';
  if (after.status === 'live') return '+';
  return after.status === 'pending' ? '?' : '-';
}

// Threats.

/** Where a threat stands, as editors count it: lines and characters from 1. */
function placeOf(text: string, { start }: Pick<Threat, 'start'>): { readonly line: number; readonly column: number } {
  const before = text.slice(0, start).split('\n');
  return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 };
}

/** Findings of one text, for programs. */
export const threatRows = (text: string, threats: readonly Threat[]): readonly object[] =>
  threats.map((threat) => ({
    class: threat.class,
    what: threat.what,
    start: threat.start,
    end: threat.end,
    ...placeOf(text, threat),
    excerpt: excerptOf(text, threat, threats),
  }));

export const threatLines = (text: string, threats: readonly Threat[]): readonly string[] =>
  threats.map((threat) => {
    const { line, column } = placeOf(text, threat);
    return `  line ${line}, character ${column}: ${threat.class}: ${threat.what}: ${excerptOf(text, threat, threats)}`;
  });

/** Its words where they may be shown, with the signs that nobody sees as codes. */
function excerptOf(text: string, { start, end }: Threat, threats: readonly Threat[]): string {
  const isSecret = threats.some((one) => one.class === 'credential' && one.start < end && start < one.end);
  if (isSecret) return '[credential]';
  const shown = redact(oneLine(text.slice(start, Math.max(end, start + 1))));
  const seen = shown.replaceAll(/[\p{Cf}\p{Co}\p{Cn}]/gu, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
  return clip(`“${seen}”`, 80);
}
