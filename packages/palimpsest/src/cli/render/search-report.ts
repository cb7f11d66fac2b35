/** What a search found and what was read of it, for a person and for programs. */
import type { Discovery, FoundGroup, FoundMessage, GroupSummary, Lineage, ShownMessage } from '@palimpsest/core/search';
import { isBrokenAnswer } from '@palimpsest/core/store';
import { untitled } from '../find-session.ts';
import { glyph, type Screen, styled } from './screen.ts';
import { counted, oneLine, thousands, timeStamp, timeText, visible, wrap } from './text.ts';
import { clip } from './width.ts';

interface SearchReportOptions {
  /** For each group; empty where no model is asked. */
  readonly summaries: readonly GroupSummary[];
  readonly screen: Screen;
}

/** Passages of one conversation that are shown. */
const mostPassages = 3;
const indent = '  ';

export function searchReport({ groups }: Discovery, { summaries, screen }: SearchReportOptions): readonly string[] {
  return groups.flatMap((group, i) => [
    ...(i === 0 ? [] : ['']),
    ...headLines(group, screen),
    ...summaryLines(summaries[i], screen),
    ...group.hits.slice(0, mostPassages).flatMap((found) => passageLines(found, screen)),
    ...moreLine(group, screen),
  ]);
}

function headLines({ root, tip, title }: FoundGroup, screen: Screen): readonly string[] {
  const days = [timeText(root.startedAt).slice(0, 10), timeText(tip.lastActiveAt).slice(0, 10)];
  const when = days[0] === days[1] ? timeText(root.startedAt) : days.join(' to ');
  const name = oneLine(title) || untitled;
  const about = [when, oneLine(tip.source), kindOf(root)].join('  ').trimEnd();
  const whole = `${tip.id}  ${about}`;
  const project = oneLine(tip.project ?? '');
  return [
    styled(clip(name, screen.columns), 'bold', screen),
    ...[...(whole.length <= screen.columns ? [whole] : [tip.id, about]), project]
      .filter(Boolean)
      .map((line) => styled(clip(line, screen.columns), 'dim', screen)),
  ];
}

function kindOf(root: FoundGroup['root']): string {
  if (isBrokenAnswer(root)) return 'broken off';
  return root.relation === 'side' ? 'sub-agent' : '';
}

function summaryLines(summary: GroupSummary | undefined, screen: Screen): readonly string[] {
  if (summary === undefined) return [];
  if (summary.type === 'failed') {
    return wrapped(`no summary: ${oneLine(summary.why)}`, screen).map((line) => styled(line, 'yellow', screen));
  }
  const changes = summary.changes === 1 ? '1 statement' : `${summary.changes} statements`;
  const marks = [
    ...(summary.changes > 0 ? [`(${changes} without support in the record, removed or corrected)`] : []),
    ...(summary.cut ? ['(cut: too long)'] : []),
  ];
  return [
    ...visible(summary.text)
      .split('\n')
      .flatMap((line) => wrapped(line, screen)),
    ...marks.map((mark) => indent + styled(mark, 'dim', screen)),
  ];
}

const wrapped = (line: string, { columns }: Screen): readonly string[] =>
  wrap(line, columns - indent.length).map((piece) => (indent + piece).trimEnd());

function passageLines({ stored, hit, speaker, tools, passage }: FoundMessage, screen: Screen): readonly string[] {
  const who = [speaker, hit.name, ...tools].map((word) => oneLine(word ?? '')).filter(Boolean);
  const head = `${styled(stored.id, 'cyan', screen)}  ${styled(`${timeText(hit.time)}  ${who.join(' ')}`, 'dim', screen)}`;
  const text = markedLine(passage, screen);
  return [
    `${indent}${head}`,
    ...wrap(text, screen.columns - 2 * indent.length).map((line) => indent + indent + shownMarks(line, screen)),
  ];
}

/** Stand for the two ends of a match while lines are broken: private characters, which no text keeps. */
const marks = ['\ue000', '\ue001'] as const;
/** The ends where there are no colours. */
const plainMarks = ['>>>', '<<<'] as const;
const ends = /[\ue000\ue001]/g;

function markedLine({ text, marks: spans, cutBefore, cutAfter }: FoundMessage['passage'], screen: Screen): string {
  const [open, close] = screen.colour ? marks : plainMarks;
  const plain = (piece: string): string => visible(piece.replaceAll(ends, ' ').replaceAll(/\s+/g, ' '));
  const pieces: string[] = [];
  let from = 0;
  for (const [start, end] of spans) {
    pieces.push(plain(text.slice(from, start)), open, plain(text.slice(start, end)).replaceAll(' ', '\u00a0'), close);
    from = end;
  }
  const line = `${pieces.join('')}${plain(text.slice(from))}`.trim();
  return `${cutBefore ? '…' : ''}${line}${cutAfter ? '…' : ''}`;
}

/** Matches in colour; a match is on one line, with spaces again. */
const shownMarks = (line: string, screen: Screen): string =>
  line
    .replaceAll(/\ue000(.*?)\ue001/g, (_, match: string) => styled(match, 'yellow', screen))
    .replaceAll('\u00a0', ' ');

function moreLine({ hits, more }: FoundGroup, screen: Screen): readonly string[] {
  const left = more + Math.max(0, hits.length - mostPassages);
  return left > 0 ? [styled(`${indent}and ${counted(left, 'more message')}`, 'dim', screen)] : [];
}

// Messages of the store, for a person: one below the other, each with its id.

interface ReadReportOptions {
  readonly screen: Screen;
  /** The message that was asked for. */
  readonly named?: string;
}

/** The conversation that messages are from, and its title. */
interface ReadLineage {
  readonly lineage: Lineage;
  readonly title: string;
}

export function conversationLine({ lineage, title }: ReadLineage, screen: Screen): string {
  const about = [oneLine(title) || untitled, lineage.tip.id, counted(lineage.size, 'message')];
  return styled(about.join('  '), 'bold', screen);
}

export const readReport = (messages: readonly ShownMessage[], options: ReadReportOptions): readonly string[] =>
  messages.flatMap((message) => messageLines(message, options));

function messageLines(message: ShownMessage, { screen, named }: ReadReportOptions): readonly string[] {
  const { id, time, speaker, name, tools, text, to, characters } = message;
  const who = [speaker, name, ...tools].map((word) => oneLine(word ?? '')).filter(Boolean);
  const sign = id === named ? `${glyph(screen, '▶', '>')} ` : '';
  const rest = characters - to;
  return [
    '',
    `${sign}${styled(id, 'cyan', screen)}  ${styled(`${timeText(time)}  ${who.join(' ')}`, 'dim', screen)}`,
    ...visible(text).split('\n'),
    ...(rest > 0 ? [styled(`${thousands(rest)} more characters: palimpsest read ${id}`, 'dim', screen)] : []),
  ];
}

/** How many messages are not shown; nothing for none. */
export const betweenLine = (messages: number, screen: Screen): readonly string[] =>
  messages > 0
    ? ['', styled(`${glyph(screen, '…', '...')} ${counted(messages, 'message')} not shown`, 'dim', screen)]
    : [];

// What was found, for programs; `docs/guide/search.md` describes it.

interface SearchAbout {
  readonly query: string;
  readonly store: string;
  /** For each group; empty where no model is asked. */
  readonly summaries: readonly GroupSummary[];
  readonly model: string | undefined;
  readonly notes: readonly string[];
}

/** The document of `--json`. */
export function searchJson(found: Discovery, { query, store, summaries, model, notes }: SearchAbout): object {
  return {
    command: 'search',
    query,
    store,
    conversations: found.groups.map((group, i) => groupJson(group, summaries[i])),
    found: found.searched,
    corrected: found.corrected,
    relaxed: found.relaxed,
    model: model ?? null,
    notes,
  };
}

function groupJson({ root, tip, title, hits, more }: FoundGroup, summary: GroupSummary | undefined): object {
  return {
    session: tip.id,
    rootId: root.id,
    relation: root.relation,
    parentId: root.parentId ?? null,
    title: title || null,
    source: tip.source,
    project: tip.project ?? null,
    model: tip.model ?? null,
    startedAt: timeStamp(root.startedAt),
    lastActiveAt: timeStamp(tip.lastActiveAt),
    ...summaryJson(summary),
    messages: hits.map(hitJson),
    more,
  };
}

function summaryJson(summary: GroupSummary | undefined): object {
  if (summary === undefined) return {};
  if (summary.type === 'failed') return { summary: null, noSummary: summary.why };
  const { text, changes, cut } = summary;
  return { summary: text, summaryChanges: changes, summaryCut: cut };
}

function hitJson({ stored, hit, speaker, tools, passage }: FoundMessage): object {
  const { sessionId, position, time, name, score } = hit;
  return {
    id: stored.id,
    session: sessionId,
    position,
    time: timeStamp(time),
    speaker,
    ...(name === undefined ? {} : { name }),
    tools,
    passage,
    score: Math.round(score * 1_000) / 1_000,
  };
}
