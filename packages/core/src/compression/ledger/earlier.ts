/**
 * What a summary that opens a list tells: its lines under its own headings, whoever wrote it, ours from another machine
 * among them. Nobody here said them, and nothing here bears them out: they stand in a section of their own, under the name
 * of an earlier summary, and pass from handoff to handoff as that.
 *
 * ```
 * ## Earlier Summary
 * m1 earlier summary: Key Decisions:
 *  - Files go to object storage rather than the database, because blobs made the nightly dump four times as large.
 * ```
 */
import { nothingSaid } from '../../language/headings.ts';
import type { Message } from '../../transcript/message.ts';
import { withoutMarkers } from '../../transcript/summary-text.ts';
import { carriesCalls, messageText } from '../../transcript/text.ts';
import { unwrapHandoff } from '../handoff-block.ts';
import { earlierSummary, type HandoffRow, lineBelow, readRows, speakerRow, unnumbered } from '../handoff-rows.ts';
import type { Ref } from '../result.ts';
import { contentOfHeading, summaryLines } from '../summary-lines.ts';
import { askType, decisionStrength } from './cues.ts';
import { textLines } from './lines.ts';
import type { OutlineLine } from './names.ts';
import { earlierHeading, type SectionContent } from './templates.ts';
import { enter, type Heading, opensList } from './told.ts';

/** A line of an earlier summary. */
export interface EarlierFact {
  /** The message that the summary stands in. */
  readonly ref: Ref;
  /** False where a handoff of ours does not say which message that was. */
  readonly isNamed: boolean;
  /** The heading above it, as it reads; empty where there is none. */
  readonly heading: string;
  /** What that heading is about; `quotes` are messages of the user, one after the other. */
  readonly about: Heading['about'];
  readonly text: string;
}

/** The lines of the summary that a message carries; none where it carries none. Linear in its length. */
export function earlierIn(message: Message, ref: Ref): readonly EarlierFact[] {
  const handoff = unwrapHandoff(message);
  if (!handoff) return [];
  const { body, tag } = handoff;
  const about = { ref, isNamed: true };
  return tag ? readRows(withoutMarkers(body)).flatMap((row) => ownFact(row, about)) : factsIn(body, about);
}

/** With these words opencode puts the answer of its summary before a model. */
const opencodeAsks = /^\s*What did we do so far\?\s*$/;
const leastHeadings = 3;

/** True for a message in which a program asks for the summary that follows it. */
export function asksForSummary(message: Message, following: Message | undefined): boolean {
  if (message.role !== 'user' || following?.role !== 'assistant' || carriesCalls(following)) return false;
  if (!opencodeAsks.test(messageText(message))) return false;
  return (messageText(following).match(/^## \S/gm)?.length ?? 0) >= leastHeadings;
}

type About = Pick<EarlierFact, 'ref' | 'isNamed'>;

/** A draft that some models write before the summary itself. */
const draftBefore =
  /^\s*(?:<analysis>[\s\S]*?<\/analysis>|Analysis:[^\S\n]*\n[\s\S]*?(?=\n(?:Summary:[^\S\n]*\n|<summary>)))/;

function factsIn(body: string, about: About): readonly EarlierFact[] {
  const facts: EarlierFact[] = [];
  const headings: Heading[] = [];
  for (const line of summaryLines(withoutMarkers(body.replace(draftBefore, '')))) {
    if (line.type === 'heading' && !opensList(headings, line)) {
      enter(headings, line);
      continue;
    }
    if (line.type === 'code' || line.type === 'fence' || saysNothing(line.content)) continue;
    const telling = headings.findLast((one) => one.about !== undefined) ?? headings.at(-1);
    const heading = telling?.title ?? '';
    textLines(line.text, 'summary', (text) => facts.push({ ...about, heading, about: telling?.about, text }));
  }
  return facts;
}

const saysNothing = (content: string): boolean => nothingSaid.test(content.replace(/^[(（](.*)[)）]$/u, '$1'));

/** What a row of a handoff says whose numbers count another conversation. */
function ownFact(row: HandoffRow, about: About): readonly EarlierFact[] {
  const { section: heading, speaker } = row;
  if (speaker === 'names') return [];
  const known = contentOfHeading(heading);
  const isDone = known === 'actions' || known === undefined;
  const subject = speaker === 'person' ? 'asks' : isDone && speaker === 'noted' ? 'actions' : known;
  return [{ ...about, heading, about: subject, text: unnumbered(row) }];
}

/** What a handoff of ours tells of summaries before it; `spare` is where it keeps what stems from no message. */
export function earlierInRows(rows: readonly HandoffRow[], spare: number): readonly EarlierFact[] {
  const facts: EarlierFact[] = [];
  let heading = '';
  let above: string | undefined;
  for (const { number, speaker, section, text } of rows) {
    if (speaker !== 'summary' || indexRow.test(text)) continue;
    const place = `${number ?? ''} ${section}`;
    if (above !== place) heading = section === earlierHeading ? '' : section;
    above = place;
    const title = titleIn(text);
    if (title !== undefined) heading = title;
    else {
      const about = { ref: `m${number ?? spare}` as const, isNamed: number !== undefined };
      facts.push({ ...about, heading, about: contentOfHeading(heading), text });
    }
  }
  return facts;
}

/** `m15-m16 grid.ts: names`: of an index of names, which every handoff makes anew. */
const indexRow = /^m\d{1,6}(?:-m\d{1,6})?(?: \S+)?: /;

/** The heading that a line is; undefined for a line of a list, or of running text. */
const titleIn = (text: string): string | undefined => /^(?![-*•\d])(.{1,90})[:：]$/u.exec(text)?.[1];

/** Worth of a line by what its heading is about: what is wanted and what holds before what was done. */
const worth: Readonly<Record<Exclude<Heading['about'], undefined>, number>> = {
  constraints: 1.2,
  task: 1,
  goal: 1,
  asks: 1,
  quotes: 1,
  decisions: 1,
  remaining: 0.9,
  progress: 0.8,
  blocked: 0.7,
  waiting: 0.7,
  checks: 0.5,
  elsewhere: 0.7,
  earlier: 0.7,
  state: 0.6,
  files: 0.6,
  answers: 0.4,
  actions: 0.35,
  names: 0.1,
};
const otherWorth = 0.7;
/** What a line adds by its own words: a rule, a choice and its reason, a path or an id. */
const cueWorth = { rule: 0.5, decision: 0.17, name: 0.15 } as const;
const name = /[\w.-]+\/[\w./-]+\.\w+|\b[A-Za-z]{2,}-?\d{2,}|\b\d+-\w+/;
/** An answer of the user of fewer characters, and what it is worth. */
const briefChars = 16;
const briefWorth = 0.2;
/** Each line of a heading makes the next one of it worth less, so that every heading says something. */
const decay = 0.85;

/** What earlier summaries may take of a handoff: in a small one, in a roomy one. */
const share = { small: 0.07, roomy: 0.35 } as const;

/** What rows of earlier summaries are made with. */
export interface EarlierInput {
  readonly facts: readonly EarlierFact[];
  readonly covers: (ref: Ref) => boolean;
  readonly budget: number;
  /** From 0 in a small handoff to 1 in a roomy one. */
  readonly room: number;
  readonly count: (text: string) => number;
}

/** The rows of earlier summaries, a row for each heading, as many lines as their share has room for. */
export function earlierLines({ facts, covers, budget, room, count }: EarlierInput): readonly OutlineLine[] {
  const covered = facts.filter(({ ref }) => covers(ref));
  let left = budget * (share.small + (share.roomy - share.small) * room);
  const taken = new Set<EarlierFact>();
  const opened = new Set<string>();
  for (const fact of mostWanted(covered, count)) {
    const row = rowOf(fact);
    const tokens = count(fact.text) + 2 + (opened.has(row) ? 0 : count(fact.heading) + rowTokens);
    if (tokens > left) continue;
    left -= tokens;
    opened.add(row);
    taken.add(fact);
  }
  const rows = Map.groupBy(
    covered.filter((fact) => taken.has(fact)),
    rowOf,
  );
  return [...rows.values()].map(written);
}

/** Tokens of what opens a row. */
const rowTokens = 6;
const rowOf = ({ ref, heading }: EarlierFact): string => `${ref} ${heading}`;

function mostWanted(facts: readonly EarlierFact[], count: (text: string) => number): readonly EarlierFact[] {
  const seen = new Map<string, number>();
  const scored = facts.map((fact) => {
    const before = seen.get(rowOf(fact)) ?? 0;
    seen.set(rowOf(fact), before + 1);
    return { fact, score: (worthOf(fact) * decay ** before) / (count(fact.text) + rowTokens) ** 0.5 };
  });
  return scored.sort((a, b) => b.score - a.score).map(({ fact }) => fact);
}

function worthOf({ about, text }: EarlierFact): number {
  // "Yes" and "the second one" say nothing without what they answer.
  const base =
    text.length < briefChars && about === 'quotes' ? briefWorth : about === undefined ? otherWorth : worth[about];
  const rule = askType(text) === 'constraint' ? cueWorth.rule : 0;
  return base + rule + cueWorth.decision * decisionStrength(text) + (name.test(text) ? cueWorth.name : 0);
}

function written(facts: readonly EarlierFact[]): OutlineLine {
  const [{ ref, isNamed, heading } = none] = facts;
  const content: SectionContent = 'earlier';
  const lines = [...(heading === '' ? [] : [`${heading}:`]), ...facts.map(({ text }) => text)];
  if (isNamed) return { content, ref, text: speakerRow(ref, 'summary', lines.join('\n')) };
  const below = lines.map((text) => lineBelow({ ref, speaker: 'summary', text }, 'summary'));
  return { content, ref, text: [earlierSummary, ...below].join('\n') };
}

const none: EarlierFact = { ref: 'm0', isNamed: false, heading: '', about: undefined, text: '' };
