/** Writes a handoff out: under each heading the facts, what a summary says there, and the record's lines. */
import { nothingToTell } from '../../language/headings.ts';
import { lineBelow, modelLine, opensRow, pointerRow, quoted, type Speaker, speakerRow } from '../handoff-rows.ts';
import type { HandoffLine, LineReason, Ref } from '../result.ts';
import { headerWithPath } from '../step-file.ts';
import { type SummaryLine, summaryLines } from '../summary-lines.ts';
import type { Place } from './chooser.ts';
import type { LineStats, TermStats } from './corpus.ts';
import { holderOf } from './holds.ts';
import { heldAmong } from './name-index.ts';
import { type OutlineLine, position } from './names.ts';
import { callsOf, wordsOf } from './places.ts';
import { isTableRow, type Said, withTables } from './tables.ts';
import type { SectionContent, Template } from './templates.ts';
import { joined, styleOf, type ToldLine } from './told.ts';

/** What a body is written with. */
export interface BodyInput {
  readonly template: Template;
  /** The row above the lines of a place: who, with which tool, and whether it failed. */
  readonly headerOf: (place: Place) => StepHeader;
  /** A name as the index shows it. */
  readonly nameOf: (term: TermStats) => string;
  /** What the messages from the first to the last index are about, in a few words. */
  readonly gistOf: (first: number, last: number) => readonly string[];
  /** What stands around names, in a few words. Present where the index has short rows, each with words of its own. */
  readonly wordsAround?: (names: readonly TermStats[]) => readonly string[];
  /** A model's summary of the same messages. */
  readonly summary?: string;
}

/** What stands above the lines of a step, and whom it names; `noted` where it tells of calls. */
export interface StepHeader {
  readonly text: string;
  readonly speaker: Speaker;
  /** Index of the first message that its names may have been seen in, where a handoff that was made elsewhere tells of them. */
  readonly since?: number;
}

/** What was chosen for a body. */
export interface Draft {
  outline: readonly OutlineLine[];
  readonly lines: { readonly line: LineStats; readonly place: Place }[];
  /** The message whose words ended a request's turn, and the request. */
  readonly closings: ReadonlyMap<number, Ref>;
  /** Bare names by row of the index. */
  readonly names: Map<number, readonly TermStats[]>;
  /** Lines of the summary. */
  readonly told: ToldLine[];
  /** True when the summary stands in it as it is. */
  readonly isWhole: boolean;
}

/** A row of a handoff. */
interface Row {
  /** Index of the message it stems from; -1 for a row of a summary. */
  readonly at: number;
  /** Absent where no message is known that bears it out. */
  readonly ref?: Ref;
  readonly text: string;
  /** True for the user's own words, quoted from the record, and what came of them. */
  readonly isUsers?: boolean;
  readonly why: LineReason;
}

/** A heading of the template with what stands under it. */
interface Section {
  readonly heading: string;
  readonly rows: readonly Row[];
}

/** The body of a handoff, and which of its lines stem from which message. */
export function render(input: BodyInput, draft: Draft): { body: string; lines: readonly HandoffLine[] } {
  const { template, summary } = input;
  const sections = sectionsOf(template, rowsByContent(input, draft)).filter(({ rows }) => rows.length > 0);
  const isWhole = draft.isWhole && summary !== undefined;
  const page = isWhole ? wholeSummary(summary, sections) : sections.flatMap(withHeading);
  const lines = page.flatMap(({ section, row: { ref, text, why } }) =>
    ref === undefined ? [] : [{ section, ref, text, why }],
  );
  return { body: page.map(({ row }) => row.text).join('\n'), lines };
}

/** A row as it is written out, with the heading above it. */
interface Written {
  readonly section: string;
  readonly row: Row;
}

const plainRow = (text: string): Row => ({ at: -1, text, why: 'summary' });
const plain = (text: string): Written => ({ section: '', row: plainRow(text) });
const under = (section: string, rows: readonly Row[]): readonly Written[] => rows.map((row) => ({ section, row }));
const withHeading = ({ heading, rows }: Section): readonly Written[] => [
  plain(`## ${heading}`),
  ...under(heading, rows),
];

/** What stands in the user's own words, above everything that others say of it. */
const userWords: ReadonlySet<SectionContent | undefined> = new Set(['task', 'goal', 'constraints', 'asks']);

/** Rows by what they are about; those of a summary under headings that do not tell have none. */
type RowsByContent = Map<SectionContent | undefined, readonly Row[]>;

function rowsByContent(input: BodyInput, draft: Draft): RowsByContent {
  const { outline: facts, told } = draft;
  const rows: RowsByContent = new Map();
  for (const [content, group] of Map.groupBy(facts, ({ content }) => content)) {
    const isUsers = userWords.has(content);
    rows.set(
      content,
      group.map(({ ref, text }) => ({ at: position(ref) - 1, ref, text, isUsers, why: 'fact' })),
    );
  }
  // A rule holds whatever came of it: how its turn ended stands where it was said.
  const homes = new Map(
    facts
      .filter(({ text, content }) => content !== 'constraints' && /^(?:### )?m\d+ (?:user|host):/.test(text))
      .map(({ ref, content }) => [ref, content]),
  );
  const add = (content: SectionContent, row: Row): void => {
    rows.set(content, [...(rows.get(content) ?? []), row]);
  };
  for (const [place, group] of Map.groupBy(draft.lines, (one) => one.place)) {
    const own = group.map(({ line }) => line).sort(inConversation);
    const { message, isWords } = wordsOf(place);
    if (!isWords) {
      for (const row of stepRows(input, place, own)) add('actions', row);
      continue;
    }
    const ref: Ref = `m${message + 1}`;
    const ask = draft.closings.get(message);
    const home = ask && homes.get(ask);
    const text = speakerRow(ref, 'assistant', spoken(own));
    if (ask && home)
      add(home, { at: position(ask) - 1, ref, text: ` → ${text}`, isUsers: userWords.has(home), why: 'outcome' });
    else add('actions', { at: message, ref, text, why: 'chosen' });
  }
  for (const row of nameRows(input, draft)) add('names', row);
  for (const row of pointers(input, homes, rows.get('actions') ?? [])) add('actions', row);
  // The sort is stable: a request with what came of it stands before the steps of its turn.
  for (const list of rows.values()) (list as Row[]).sort((a, b) => a.at - b.at);
  for (const [about, group] of Map.groupBy(told, ({ about }) => about)) {
    const own = rows.get(about) ?? [];
    rows.set(about, userWords.has(about) ? [...own, ...toldRows(group)] : [...toldRows(group), ...own]);
  }
  return rows;
}

/** The rows of the index: what was seen where. */
function nameRows(input: BodyInput, { names, lines }: Draft): readonly Row[] {
  if (names.size === 0) return [];
  const { nameOf, wordsAround } = input;
  const holds = holderOf(lines.map(({ line }) => line.text).join('\n'));
  return [...names.values()].flatMap((listed): readonly Row[] => {
    const shown = wholeNames(listed, nameOf).filter((term) => !holds(nameOf(term)));
    return (wordsAround ? shortRows(shown) : [shown]).flatMap((own) => (own.length > 0 ? [nameRow(input, own)] : []));
  });
}

function nameRow({ headerOf, gistOf, nameOf, wordsAround }: BodyInput, names: readonly TermStats[]): Row {
  const seen = names.map(({ lastMessage }) => lastMessage);
  const since = seen.map((message) => headerOf(callsOf(message)).since ?? message);
  const [first, at] = [Math.min(...since), Math.max(...seen)];
  const span = first === at ? `m${at + 1}` : `m${first + 1}-m${at + 1}`;
  const gist = (wordsAround ? wordsAround(names) : gistOf(first, at)).join(' ');
  const text = quoted(names.map(nameOf).join(' '));
  return { at, ref: `m${at + 1}`, text: ` + ${span}${gist && ` (${quoted(gist)})`}: ${text}`, why: 'name' };
}

/** So many names share the words of a short row. */
const namesInShortRow = 12;

/** Names that were said together stay together. */
function shortRows(names: readonly TermStats[]): readonly (readonly TermStats[])[] {
  const inOrder = names.toSorted((a, b) => a.lastMessage - b.lastMessage);
  return Array.from({ length: Math.ceil(inOrder.length / namesInShortRow) }, (_, at) =>
    inOrder.slice(at * namesInShortRow, (at + 1) * namesInShortRow),
  );
}

/** The names of a row that stand in no longer one of it: asked for each time that the index is written, and the same for the same list. */
function wholeNames(listed: readonly TermStats[], nameOf: BodyInput['nameOf']): readonly TermStats[] {
  const known = wholeNamesOf.get(listed);
  if (known) return known;
  const isHeld = heldAmong(listed.map(nameOf));
  const whole = listed.filter((term) => !isHeld(nameOf(term)));
  wholeNamesOf.set(listed, whole);
  return whole;
}

const wholeNamesOf = new WeakMap<readonly TermStats[], readonly TermStats[]>();

/** The index as it is written out, heading included. */
export function indexOf(input: BodyInput, draft: Draft): string {
  const rows = nameRows(input, draft).map(({ text }) => text);
  const heading = input.template.sections.find(({ holds }) => holds.includes('names'))?.heading;
  return [...(heading === undefined ? [] : [`## ${heading}`]), ...rows].join('\n');
}

/** A request whose words stand in another section, where rows of its turn are told: else they would seem another one's. */
function pointers(
  { template }: BodyInput,
  homes: ReadonlyMap<Ref, SectionContent>,
  actions: readonly Row[],
): readonly Row[] {
  const own = template.sections.find(({ holds }) => holds.includes('actions'));
  const starts = [...homes.keys()].map((ref) => position(ref) - 1).sort((a, b) => a - b);
  return [...homes].flatMap(([ref, content]): readonly Row[] => {
    const home = template.sections.find(({ holds }) => holds.includes(content));
    if (!home || home === own) return [];
    const at = position(ref) - 1;
    const end = starts.find((start) => start > at) ?? Number.POSITIVE_INFINITY;
    const hasRows = actions.some((row) => row.at > at && row.at < end);
    return hasRows ? [{ at, ref, text: pointerRow(ref, home.heading), why: 'fact' }] : [];
  });
}

const inConversation = (a: LineStats, b: LineStats): number => a.lastMessage - b.lastMessage || a.lastLine - b.lastLine;

/** Sentences of one message as they were said: on one line, points of lists below it, with a mark where others are left out. */
function spoken(lines: readonly LineStats[]): string {
  let text = '';
  let last: Said | undefined;
  for (const line of withTables(lines)) {
    const said = line.text.replaceAll('**', '');
    const isApart =
      listPoint.test(said) ||
      isTableRow(said) ||
      (line.told.length === 0 && /[{}();=]/.test(said)) ||
      isPointAlone(last?.text ?? '');
    const gap = last === undefined ? '' : isApart ? '\n' : line.lastLine === last.lastLine + 1 ? ' ' : '\n';
    text = gap === ' ' ? joined(text, said) : text + gap + said;
    last = line;
  }
  return text;
}

/** A point of a list or a title that no sign ends: what follows is another line of the message. */
const isPointAlone = (said: string): boolean =>
  said.length < wholeChars && !/[.!?。！？:：;；,，、…*"')\]`]$/.test(said);
const wholeChars = 80;

const listPoint = /^(?:[-*•]|\d{1,3}[.)])\s/;

/** What a step's calls were handed and printed, under its header. */
function stepRows(input: BodyInput, place: Place, own: readonly LineStats[]): readonly Row[] {
  const at = wordsOf(place).message;
  const ref: Ref = `m${at + 1}`;
  const header = input.headerOf(place);
  // A line that says nothing but the path of the file in the header: it stands there, once.
  const isOfHeader = ({ speaker, text }: LineStats): boolean =>
    speaker === 'call' && headerWithPath(header.text, text) !== undefined;
  const named = own.find(isOfHeader);
  const rows = own
    .filter((line) => line !== named)
    .map(({ text, speaker, lastMessage }) => {
      const isApart = speaker === 'noted' || opensRow(speaker, header.speaker);
      return {
        isApart,
        isNoted: speaker === 'noted',
        text: lineBelow({ ref: `m${lastMessage + 1}`, speaker, text }, header.speaker),
      };
    });
  // Rows of their own stand above the header: below it, what follows them would pass for more of their words. What
  // this program noted of a turn keeps its space: without it, it would be a row of a file.
  const apart = rows
    .filter(({ isApart }) => isApart)
    .map(({ text, isNoted }) => (isNoted ? ` ${text}` : text.trimStart()));
  const texts = rows.filter(({ isApart }) => !isApart).map(({ text }) => text);
  const opening = (named && headerWithPath(header.text, named.text)) ?? (header.text || `${ref} noted:`);
  const below = named || texts.length > 0 ? [opening, ...texts] : [];
  return [...apart, ...below].map((text) => ({ at, ref, text, why: 'chosen' }));
}

function sectionsOf({ sections }: Template, rows: RowsByContent): readonly Section[] {
  const held = new Set(sections.flatMap(({ holds }) => holds));
  const homeless = [...rows.keys()].filter((content) => content !== undefined && !held.has(content));
  const home = sections.find(({ holds }) => holds.includes('actions')) ?? sections.at(-1);
  // What a summary says under headings that do not tell goes where nothing else does.
  const free = sections.findLast(({ holds }) => holds.length === 0) ?? home;
  return sections.map((section) => {
    const contents = [
      ...(section === free ? [undefined] : []),
      ...section.holds,
      ...(section === home ? homeless : []),
    ];
    return { heading: section.heading, rows: contents.flatMap((content) => rows.get(content) ?? []) };
  });
}

// What a model's summary says: lines that were chosen, or the whole of it with the ledger's rows.

/** Chosen lines of one section in their own order, with the indents and fences that they need. */
function toldRows(told: readonly ToldLine[]): readonly Row[] {
  const rows: Row[] = [];
  let fence: ToldLine | undefined;
  let before: ToldLine | undefined;
  const close = (): void => {
    if (fence) rows.push(modelRow(`${indentOf(fence)}${fenceMarks(fence.line.text)}`));
    fence = undefined;
  };
  for (const line of told.toSorted((a, b) => a.number - b.number || a.piece - b.piece)) {
    if (fence && !line.leads.includes(fence)) close();
    if (line.type === 'fence') fence = line;
    // Code that was left out must not look as if it had never been there.
    if (line.type === 'code' && fence && before?.number !== line.number - 1) rows.push(modelRow(`${indentOf(line)}…`));
    const last = before?.number === line.number ? rows.pop() : undefined;
    const gap = before?.piece === line.piece - 1 ? '' : '… ';
    rows.push(modelRow(last ? joined(last.text, gap + line.line.text) : indented(line)));
    before = line;
  }
  close();
  return rows;
}

/** Lines of code stand as deep as their fence. */
const indentOf = ({ leads }: ToldLine): string => '  '.repeat(leads.filter(({ type }) => type === 'text').length);

function indented(line: ToldLine): string {
  const indent = indentOf(line);
  return `${indent}${line.piece > 0 ? '… ' : ''}${line.line.text.replaceAll('\n', `\n${indent}`)}`;
}

const fenceMarks = (text: string): string => /^(?:`{3,}|~{3,})/.exec(text)?.[0] ?? '```';

/** Models are asked to name the messages that a line rests on: `(m42)`, `(m40-m45)`. */
const cited = /\(m(\d{1,6})(?:\s*[-–,]\s*m\d{1,6})*\)/;

/** A row of what a model wrote; it cannot pass for one of the record. */
function modelRow(said: string): Row {
  const text = said.split('\n').map(modelLine).join('\n');
  const number = cited.exec(text)?.[1];
  return number === undefined ? plainRow(text) : { at: -1, ref: `m${Number(number)}`, text, why: 'summary' };
}

/** Above a summary that has no heading of its own. */
const ownHeading = 'Summary';

/**
 * The summary as it is, and the ledger's sections: under the same heading where the summary has it, the user's words
 * before what the summary says and the rest behind; without one, sections with the user's words above the summary and
 * the others below.
 */
function wholeSummary(summary: string, sections: readonly Section[]): readonly Written[] {
  const told = summaryLines(summary);
  const places = sections.map((section) => placeIn(told, section));
  const apart = places.filter(({ start }) => start < 0).map(({ section }) => section);
  const page = apart.filter(hasUsers).flatMap(withHeading);
  const write = ({ heading, rows }: Section, isUsers: boolean): void => {
    const own = rows.filter((row) => Boolean(row.isUsers) === isUsers);
    page.push(...under(heading, own));
  };
  // What begins without a heading must not pass for the user's words above it.
  if (page.length > 0) page.push(plain(told[0]?.type === 'heading' ? '' : `\n## ${ownHeading}`));
  for (const [at, line] of told.entries()) {
    const place = places.find(({ start, end }) => at > start && at < end && start >= 0);
    const isRepeatedBlank = line.type === 'blank' && page.at(-1)?.row.text === '';
    // "None" is no longer true where the ledger adds something.
    const isUntrue = place !== undefined && nothingToTell.test(line.content);
    if (!isRepeatedBlank && !isUntrue) page.push(...under(line.heading, [summaryRow(line)]));
    for (const { section, start, last } of places) {
      if (at === start) write(section, true);
      if (at === last) write(section, false);
    }
  }
  const fences = told.filter(({ type }) => type === 'fence');
  // A fence that the model left open must not swallow what follows.
  if (fences.length % 2 === 1) page.push(plain(fenceMarks(fences.at(-1)?.content ?? '')));
  const below = apart.filter((section) => !hasUsers(section));
  return [...page, ...(below.length > 0 ? [plain('')] : []), ...below.flatMap(withHeading)];
}

const hasUsers = ({ rows }: Section): boolean => rows.some(({ isUsers }) => isUsers);

const summaryRow = ({ type, text }: SummaryLine): Row =>
  type === 'heading' || type === 'blank' ? plainRow(modelLine(text).trimEnd()) : modelRow(text);

/** Where the summary has a section: its heading (-1 for nowhere), the line where the next one begins, its last words. */
interface Spot {
  readonly section: Section;
  readonly start: number;
  readonly end: number;
  readonly last: number;
}

function placeIn(told: readonly SummaryLine[], section: Section): Spot {
  const name = section.heading.toLowerCase();
  const start = told.findIndex(({ type, heading }) => type === 'heading' && heading.toLowerCase() === name);
  const opening = told[start];
  if (!opening) return { section, start: -1, end: -1, last: -1 };
  const style = styleOf(opening.text);
  const after = told.findIndex(({ type, text }, at) => at > start && type === 'heading' && styleOf(text) === style);
  const end = after < 0 ? told.length : after;
  return { section, start, end, last: told.findLastIndex(({ type }, at) => at < end && type !== 'blank') };
}
