/** Writes a handoff out: under each heading the facts, what a summary says there, and the record's lines. */
import { lineBelow, type Speaker, speakerRow } from '../handoff-rows.ts';
import type { HandoffLine, Ref } from '../result.ts';
import type { LineStats } from './corpus.ts';
import { type OutlineLine, position } from './outline-line.ts';
import type { SectionContent, Template } from './templates.ts';
import type { ToldLine } from './told.ts';
import { type LedgerSection, type Row, toldRows, wholeSummary } from './told-rows.ts';

/** What a body is written with. */
export interface BodyInput {
  readonly template: Template;
  /** The row above a step's lines: who, with which tool, and whether it failed. */
  readonly headerOf: (step: number) => StepHeader;
  /** A model's summary of the same messages. */
  readonly summary?: string;
}

/** What stands above the lines of a step, and whom it names; `noted` where it tells of calls. */
export interface StepHeader {
  readonly text: string;
  readonly speaker: Speaker;
}

/** What was chosen for a body. */
export interface Draft {
  readonly outline: readonly OutlineLine[];
  readonly lines: { readonly line: LineStats; readonly step: number }[];
  /** Bare names by step. */
  readonly names: Map<number, string[]>;
  /** Lines of the summary. */
  readonly told: ToldLine[];
  /** True when the summary stands in it as it is. */
  readonly isWhole: boolean;
}

/** From this strength on, a line stands under the decisions instead of its step. */
const decisionStrength = 2;

/** The body of a handoff, and which of its lines stem from which message. */
export function render(input: BodyInput, draft: Draft): { body: string; lines: readonly HandoffLine[] } {
  const rows = rowsByContent(input, draft);
  const sections = sectionsOf(input.template, rows);
  if (draft.isWhole && input.summary !== undefined) return wholeSummary(input.summary, sections);
  const lines: HandoffLine[] = [];
  const texts: string[] = [];
  for (const { heading, content } of sections) {
    if (content.length === 0) continue;
    texts.push(`## ${heading}`);
    for (const { ref, text } of content) {
      texts.push(text);
      if (ref !== undefined) lines.push({ section: heading, ref, text });
    }
  }
  return { body: texts.join('\n'), lines };
}

/** What stands in the user's own words, above everything that others say of it. */
const userWords: ReadonlySet<SectionContent | undefined> = new Set(['task', 'goal', 'constraints', 'asks']);

/** Rows by what they are about; those of a summary under headings that do not tell have none. */
type RowsByContent = ReadonlyMap<SectionContent | undefined, readonly Row[]>;

function rowsByContent(input: BodyInput, draft: Draft): RowsByContent {
  const rows = new Map<SectionContent | undefined, Row[]>();
  const add = (content: SectionContent | undefined, row: Row): void => {
    const list = rows.get(content);
    if (list) list.push(row);
    else rows.set(content, [row]);
  };
  const decided = decisionRows(draft);
  for (const { content, ref, text } of draft.outline) {
    // A line that was chosen later may say the same and more.
    if (content === 'decisions' && decided.some((row) => row.text.startsWith(text))) continue;
    add(content, { at: position(ref) - 1, ref, text, isUsers: userWords.has(content) });
  }
  for (const row of decided) add('decisions', row);
  rows.get('decisions')?.sort((a, b) => a.at - b.at);
  for (const row of stepRows(input, draft)) add('actions', row);
  // The sort is stable: a request with what came of it stands before the steps of its turn.
  rows.get('actions')?.sort((a, b) => a.at - b.at);
  for (const [about, told] of Map.groupBy(draft.told, ({ about }) => about)) {
    const own = rows.get(about) ?? [];
    rows.set(about, userWords.has(about) ? [...own, ...toldRows(told)] : [...toldRows(told), ...own]);
  }
  return rows;
}

/** The assistant's or a person's own words that say what was chosen; nobody else decides anything. */
const isDecision = ({ speaker, voice, strength }: LineStats): boolean =>
  (speaker === 'assistant' || speaker === 'person') &&
  (voice === 'agent' || voice === 'user') &&
  strength >= decisionStrength;

function decisionRows({ lines }: Draft): readonly Row[] {
  const said = lines.filter(({ line }) => isDecision(line)).map(({ line }) => line);
  said.sort((a, b) => a.lastMessage - b.lastMessage || a.lastLine - b.lastLine);
  return said.map(({ text, speaker, lastMessage }) => {
    const ref: Ref = `m${lastMessage + 1}`;
    return { at: lastMessage, ref, text: speakerRow(ref, speaker === 'person' ? 'person' : 'assistant', text) };
  });
}

function stepRows(input: BodyInput, { lines, names }: Draft): readonly Row[] {
  const chosen = Map.groupBy(
    lines.filter(({ line }) => !isDecision(line)),
    ({ step }) => step,
  );
  const steps = [...new Set([...chosen.keys(), ...names.keys()])].sort((a, b) => a - b);
  return steps.flatMap((step): Row[] => {
    const own = (chosen.get(step) ?? []).map(({ line }) => line);
    own.sort((a, b) => a.lastMessage - b.lastMessage || a.lastLine - b.lastLine);
    const ref: Ref = `m${step + 1}`;
    // A line that was taken later may show a name that was listed before.
    const listed = (names.get(step) ?? []).filter((name) => !own.some(({ text }) => text.includes(name)));
    const header = input.headerOf(step);
    // Rows of their own stand above the header: what is below it is of the step.
    const noted = own.filter(({ speaker }) => speaker === 'noted').map(({ text }) => text);
    const texts = own
      .filter(({ speaker }) => speaker !== 'noted')
      .map(({ text, speaker, lastMessage }) =>
        lineBelow({ ref: `m${lastMessage + 1}`, speaker, text }, header.speaker),
      );
    if (listed.length > 0) texts.push(lineBelow({ ref, speaker: 'names', text: listed.join(' ') }, header.speaker));
    const rows = texts.length > 0 ? [header.text || `${ref} noted:`, ...texts] : [];
    return [...noted, ...rows].map((text) => ({ at: step, ref, text }));
  });
}

function sectionsOf(template: Template, rows: RowsByContent): readonly LedgerSection[] {
  const { sections } = template;
  const held = new Set(sections.flatMap(({ holds }) => holds));
  const homeless = [...rows.keys()].filter((content) => content !== undefined && !held.has(content));
  const home = sections.find(({ holds }) => holds.includes('actions')) ?? sections.at(-1);
  // What a summary says under headings that do not tell goes where nothing else does.
  const free = sections.findLast(({ holds }) => holds.length === 0) ?? home;
  return sections.map((section) => {
    const contents: readonly (SectionContent | undefined)[] = [
      ...(section === free ? [undefined] : []),
      ...section.holds,
      ...(section === home ? homeless : []),
    ];
    return { heading: section.heading, content: contents.flatMap((content) => rows.get(content) ?? []) };
  });
}
