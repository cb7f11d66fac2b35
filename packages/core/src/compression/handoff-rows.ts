/**
 * The rows of a handoff: how each says who said it, and how they are read back. Nothing quoted can pass for a row of
 * its own (invariant 4): every text stands on one line, behind the words that name its speaker or behind a mark.
 *
 * ```
 * ### m12 user, pinned:                  what a person has pinned: every line of it behind a bar, as it was said
 *  | Never touch the table `ledger`.
 * ## Completed Actions                   a heading
 * ### m52 user: Now the signature.       a person's words; so `assistant`, `system`, `host`, `earlier summary`
 *  The key is in the environment.        more of them
 *  m55-m63 changed k.js                  what this program noted of the calls that followed
 *  → m66 assistant: It is signed.        what came of it: the words that ended the turn
 *  - The old keys hold till Friday.      more of them
 * m58 assistant: The keys are missing.   what the assistant said on the way
 * m61 bash node --test failed (exit 1):  what this program noted of calls; of a file with its path: `m61 read src/k.js:`
 *  import { parseKeys } from './k.js'    what the assistant handed to the tool
 *  < TypeError: keys is undefined        what a tool, a file or a program printed: data
 * m65-m99 left out here: 7 requests      how many had no room, and where they were said
 * ## Relevant Files
 * m63 changed src/k.js: I read the keys. what this program noted of a file, and what the assistant said that it was for
 * m9-m60 also changed: src/a.js, b.js    files of which nothing was said; also `also deleted` and `read, not changed`
 * ## Index of Names
 *  + m57-m63 (keys signed): parseKeys     what was talked of in these messages, and names that were seen in them
 * ```
 */
import type { Ref } from './ref.ts';
import { splitHeader } from './step-file.ts';

/** Who said a line. `noted` is what this program wrote of calls and files, `file` what somebody attached. */
export type Speaker =
  | 'person'
  | 'assistant'
  | 'call'
  | 'result'
  | 'file'
  | 'host'
  | 'system'
  | 'summary'
  | 'noted'
  | 'names';

/** Who may be named behind a ref, as it is written. */
const named = {
  person: 'user',
  assistant: 'assistant',
  system: 'system',
  host: 'host',
  summary: 'earlier summary',
} as const;
type Named = keyof typeof named;

/** Above what a summary that was made elsewhere says of no message that it names. */
export const earlierSummary = 'Earlier summary:';

/** `m52 user:`, above the words of that message. */
export const speakerHeader = (ref: Ref, speaker: Named): string => `${ref} ${named[speaker]}:`;

/** `m52 user: Now the signature.` More lines of the same words stand below, each with a mark. */
export function speakerRow(ref: Ref, speaker: Named, text: string): string {
  const [first = '', ...more] = text.split('\n');
  const opening = defused(oneLine(first).trim());
  return [`${speakerHeader(ref, speaker)}${opening && ` ${opening}`}`, ...more.map(unmarked)].join('\n');
}

/** A message that a person has pinned: its lines as they were said, each behind a bar that nothing else has below such a name. */
export function pinnedRow(ref: Ref, speaker: 'person' | 'assistant', text: string): string {
  const lines = text.split(lineEnds).map((line) => (line === '' ? ' |' : ` | ${line}`));
  return [`### ${ref} ${named[speaker]}, pinned:`, ...lines].join('\n');
}

/** Whatever a reader may take for the end of a line. */
const lineEnds = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
const pinnedHeader = /^### m(\d{1,6}) (user|assistant), pinned:$/;
const pinnedLine = /^ \|(?: (.*))?$/;

/** Where a request stands whose words another section has: its turn is told here. */
export const pointerRow = (ref: Ref, heading: string): string => `### ${speakerHeader(ref, 'person')} see ${heading}`;

/** True for what a pointer says in place of a request's words. */
export const isPointer = (row: string, headings: ReadonlySet<string>): boolean => {
  const heading = /^### m\d{1,6} user: see (.+)$/.exec(row)?.[1];
  return heading !== undefined && headings.has(heading);
};

/** A line of a message. */
export interface SpokenLine {
  readonly ref: Ref;
  readonly speaker: Speaker;
  readonly text: string;
}

/** A line below the header of its step. `header`: whom that header names. */
export function lineBelow({ ref, speaker, text }: SpokenLine, header: Speaker): string {
  switch (speaker) {
    case 'call':
      return ` ${quoted(text).replace(/^(?=\\*[-<+] )/, '\\')}`;
    case 'result':
    case 'file':
      return ` < ${quoted(text)}`;
    case 'noted':
      return text;
    case 'names':
      return ` + ${quoted(text)}`;
    case 'assistant':
      if (header === 'noted') return ` - ${quoted(text)}`;
      if (header === speaker) return unmarked(text);
      return ` ${speakerRow(ref, speaker, oneLine(text))}`;
    case 'person':
    case 'system':
      if (header === speaker) return unmarked(text);
      return ` ${speakerRow(ref, speaker, oneLine(text))}`;
    case 'host':
    case 'summary':
      if (header === speaker) return ` < ${quoted(text)}`;
      return ` ${speakerRow(ref, speaker, oneLine(text))}`;
  }
}

/** True where a line below a header names its own speaker: then the lines behind it would be read as that one's. */
export const opensRow = (speaker: Speaker, header: Speaker): boolean =>
  speaker in named && speaker !== header && !(speaker === 'assistant' && header === 'noted');

/** What a tool printed, below a row of this program. */
export const quotedBelow = (text: string): string => `\n < ${quoted(text)}`;

const ansi = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)/g;
/** Every character but a tab that somebody may take for the end of a line, and those that turn the direction of writing. */
const breaking = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]+/g;
const turning = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
/** The code of a colour begins with a sign that breaks a line: without any of these a text stays as it is, as most do. */
const hiding = new RegExp(`${breaking.source}|${turning.source}`);

/** The text on one line, without what could hide or turn parts of it. */
export function oneLine(text: string): string {
  if (!hiding.test(text)) return text;
  return text.replace(ansi, '').replace(turning, '').replace(breaking, ' ');
}

/** What would open a heading, a row or a marked line where it stood at the beginning. */
const openings = '(?:#{1,6}(?:\\s|$)|＃|→\\s*m\\d|m\\d{1,7}(?:\\s*[-–]\\s*m\\d{1,7})?(?:\\s|$))';
const opening = new RegExp(`^(?=\\\\*${openings})`, 'u');
const openingRead = new RegExp(`^\\\\(?=\\\\*${openings})`, 'u');

/** Openings and ends of blocks, ours and other tools', and of chat templates: a backslash goes behind the first sign. */
const markerSigns = [
  ['<', '(?:/?(?:handoff|summary|state_snapshot|conversation[-_]summary|context[-_]summary)\\b|\\|)'],
  ['\\[', '(?:(?:END OF )?PRIOR CONTEXT|CONTEXT (?:SUMMARY|COMPACTION)|/?INST\\])'],
  ['END OF ', 'CONTEXT SUMMARY'],
  ['(?<![\\p{L}\\p{N}])m\\d{1,7}', '\\s(?:user|assistant|system|host|earlier summary)(?:, pinned)?\\s*[:：]'],
] as const;
const markers = new RegExp(markerSigns.map(([sign, rest]) => `(?<=${sign})(?=\\\\*${rest})`).join('|'), 'gu');
const markersRead = new RegExp(markerSigns.map(([sign, rest]) => `(?<=${sign})\\\\(?=\\\\*${rest})`).join('|'), 'gu');

/** Files of which nothing was said, and the messages in which each was touched last. */
export interface FileList {
  readonly state: keyof typeof listed;
  readonly first: number;
  readonly last: number;
  readonly paths: readonly string[];
}

/** What was done to them; a file that was created is among those that were changed. */
const listed = { changed: 'also changed', deleted: 'also deleted', read: 'read, not changed' } as const;

/** `m9-m60 also changed: src/a.js, b.js` */
export function fileListRow({ state, first, last, paths }: FileList): string {
  const span = first === last ? `m${last}` : `m${first}-m${last}`;
  return `${span} ${listed[state]}: ${paths.map((path) => path.replaceAll(', ', '\\, ')).join(', ')}`;
}

const fileList = new RegExp(`^m(\\d{1,6})(?:-m(\\d{1,6}))? (${Object.values(listed).join('|')}): (.+)$`);
const listStates = ['changed', 'deleted', 'read'] as const;

/** Such a row, read back, its paths with the markers that are defused in it; undefined for any other row. */
export function fileListIn(row: string): FileList | undefined {
  const [, first, last = first, words = '', paths] = fileList.exec(row) ?? [];
  const state = listStates.find((one) => listed[one] === words);
  if (state === undefined || paths === undefined) return undefined;
  const named = paths.split(/(?<!\\), /).map((path) => path.replaceAll('\\, ', ', '));
  return { state, first: Number(first), last: Number(last), paths: named };
}

/** Someone else's words on one line, with a backslash before what would pass for a row or a marker of ours. */
export const quoted = (text: string): string => defused(oneLine(text).trim().replace(opening, '\\'));

/** The same as a line without a mark below a name: only what would pass for a tool's words or for names needs a backslash. */
const unmarked = (text: string): string => ` ${quoted(text).replace(/^(?=\\*[<+] )/, '\\')}`;

/** Every marker has one of these; most texts have none, and need no closer look. */
const markerHints = /[<[]|END OF |m\d/;

/** The text with a backslash in every marker of a block. */
export const defused = (text: string): string => (markerHints.test(text) ? text.replace(markers, '\\') : text);

/** A line that a model wrote in a summary, so that it can pass for no row of the record. */
export function modelLine(text: string): string {
  const line = defused(oneLine(text));
  if (rowOpening.test(line)) return `- ${line.trimStart()}`;
  return /^ (?! )/.test(line) ? ` ${line}` : line;
}

const speakerNames = Object.values(named).join('|');
const rowOpening = /^\s*(?:#{1,6}\s+)?(?:→\s*)?m\d{1,7}(?:-m\d{1,7})?(?=[\s:：]|$)/u;

/** A row of a handoff of ours, read back. */
export interface HandoffRow {
  /** Number of the message it stems from; undefined where the block does not say. */
  readonly number: number | undefined;
  /** What has no speaker is `summary`: data, and nothing more. */
  readonly speaker: Speaker;
  /** Without ref, mark and defusing. */
  readonly text: string;
  /** The row under which it stands, for lines of a step. */
  readonly header: string | undefined;
  /** The heading under which it stands; empty above the first. */
  readonly section: string;
  /** True for the words that ended the turn of the request above it. */
  readonly isAnswer: boolean;
  /** Of a row of the index: the first message in which its names were seen; `number` is the last one. */
  readonly index?: { readonly first: number };
  /** Of a row that tells what was done to a file. */
  readonly file?: {
    readonly state: 'created' | 'changed' | 'deleted';
    readonly path: string;
    /** What the assistant said that it was for. */
    readonly purpose?: string;
  };
  /** Of a row that names files of which nothing was said; `number` is their last message. */
  readonly files?: FileList;
}

const speakerOf: ReadonlyMap<string, Named> = new Map([
  [named.person, 'person'],
  [named.assistant, 'assistant'],
  [named.system, 'system'],
  [named.host, 'host'],
  [named.summary, 'summary'],
]);
const namedRow = new RegExp(`^ ?(?:#{3} )?(?:→ )?m(\\d{1,6}) (${speakerNames}):(?: (.*))?$`);
const rowHeader = new RegExp(`^ ?(?:#{3} )?(?:→ )?m\\d{1,6} (?:${speakerNames}): ?`);
const notedRow = /^ ?m(\d{1,6})(?:-m(\d{1,6}))? (.*)$/;
const markedRow = /^ ([-<+]) (.*)$/;
const indexRow = /^ \+ m(\d{1,6})(?:-m(\d{1,6}))?(?: \([^():]*\))?: (.*)$/;
/** Behind a note of what is under way stand names, and no words. */
const fileRow =
  /^m\d{1,6}(?:-m\d{1,6})? (created|changed|deleted) (\S.*?)(?:((?:, (?:no check since|not committed))+)(?:: .*)?|:|: (.*))?$/;
const lineOf = /^ (?! )(.*)$/;

/**
 * The rows of a body that handoffs of ours have, each with its speaker, in one pass. A line in another form than ours
 * (an older version's, a model's) is a `summary`'s.
 */
export function readRows(body: string): readonly HandoffRow[] {
  const rows: HandoffRow[] = [];
  let section = '';
  let above: Above = none;
  let pinned: Above | undefined;
  const lines = body.split('\n');
  const headings = new Set(lines.flatMap((line) => headingOf(line) ?? []));
  for (const line of lines) {
    const heading = headingOf(line);
    if (heading !== undefined) [section, above] = [heading, none];
    pinned = pinnedBy(line) ?? (pinned && pinnedLine.test(line) ? pinned : undefined);
    if (pinned) {
      const text = pinnedLine.exec(line)?.[1];
      if (text) rows.push({ section, ...pinned, text });
      above = none;
      continue;
    }
    if (heading !== undefined || line.trim() === '' || line === earlierSummary) continue;
    const row = { section, ...none };
    const names = indexRow.exec(line);
    const mark = markedRow.exec(line);
    const said = namedRow.exec(line);
    const noted = notedRow.exec(line);
    const files = fileListIn(line);
    const more = mark || said || noted ? null : lineOf.exec(line);
    if (names) {
      above = none;
      rows.push({ ...row, ...namesOf(names) });
    } else if ((mark ?? more) && above.number !== undefined) {
      const speaker = speakerBelow(mark?.[1], above.speaker);
      rows.push({ ...row, ...above, speaker, text: textOf(above.speaker === 'noted', { mark, more }) });
    } else if (said) {
      above = saidBy(said);
      if (said[3] && !isPointer(line, headings)) rows.push({ ...row, ...above, text: withMarkers(said[3]) });
    } else if (files) {
      above = none;
      rows.push({ ...row, number: files.last, speaker: 'noted', text: line, files: plainPaths(files) });
    } else if (noted) {
      const text = line.trimStart();
      const file = fileOf(line);
      const step = file ? undefined : splitHeader(text);
      // What a file is now, it is since the last of the messages.
      const number = Number((file && noted[2]) ?? noted[1]);
      const own = { ...row, number, speaker: 'noted', text: text.replace(/:$/, '') } as const;
      above = text.endsWith(':') ? { ...none, number, header: step?.header ?? text, speaker: 'noted' } : none;
      // The header of a step tells nothing without the lines below it, that of a file tells what was done to it.
      if (file || above === none) rows.push({ ...own, ...(file ? { file } : {}) });
      if (step) rows.push({ ...row, ...above, speaker: 'call', text: step.path });
    } else {
      above = none;
      rows.push({ ...row, speaker: 'summary', text: plain(mark?.[2] ?? line.trim()) });
    }
  }
  return rows;
}

/** Who said what is pinned below this row; undefined for any other row. */
function pinnedBy(line: string): Above | undefined {
  const [, number, name = ''] = pinnedHeader.exec(line) ?? [];
  if (number === undefined) return undefined;
  const header = `m${Number(number)} ${name}:`;
  return { number: Number(number), header, speaker: speakerOf.get(name) ?? 'summary', isAnswer: false };
}

/** Who speaks in the lines below a row that names somebody. */
const saidBy = (said: RegExpExecArray): Above => ({
  number: Number(said[1]),
  header: `m${Number(said[1])} ${said[2]}:`,
  speaker: speakerOf.get(said[2] ?? '') ?? 'summary',
  isAnswer: said[0].startsWith(' →'),
});

const namesOf = ([, first, last, names = '']: RegExpExecArray): Pick<
  HandoffRow,
  'number' | 'speaker' | 'text' | 'index'
> => ({
  number: Number(last ?? first),
  speaker: 'names',
  text: plain(names),
  index: { first: Number(first) },
});

function fileOf(line: string): HandoffRow['file'] {
  const [, state, path = '', notes, purpose] = fileRow.exec(line) ?? [];
  switch (state) {
    case 'created':
    case 'changed':
    case 'deleted':
      return { state, path: withMarkers(path), ...(purpose && !notes ? { purpose: withMarkers(purpose) } : {}) };
    default:
      return undefined;
  }
}

const plainPaths = (list: FileList): FileList => ({ ...list, paths: list.paths.map(withMarkers) });

const headingOf = (line: string): string | undefined => /^#{1,2} (.*)$/.exec(line)?.[1];

/** What marked lines stand under. */
type Above = Pick<HandoffRow, 'number' | 'header' | 'speaker' | 'isAnswer'>;

/** What a row says, and who says it, without the number of a message. */
export function unnumbered({ speaker, text, header }: HandoffRow): string {
  if (speaker === 'noted') return text.replace(/^m\d+(?:-m\d+)? /, '');
  const name = header === undefined ? undefined : namedRow.exec(header)?.[2];
  return name === undefined || speaker === 'summary' ? text : `${name}: ${text}`;
}

const none: Above = { number: undefined, header: undefined, speaker: 'summary', isAnswer: false };

function speakerBelow(mark: string | undefined, above: Speaker): Speaker {
  switch (mark) {
    case undefined:
      return above === 'noted' ? 'call' : above;
    case '+':
      return 'names';
    case '-':
      return above === 'noted' ? 'assistant' : above;
    default:
      return above === 'host' || above === 'summary' ? above : 'result';
  }
}

/** What a line below a row says. Under somebody's name a dash is part of the words, and nothing guards it. */
function textOf(isCall: boolean, { mark, more }: Record<'mark' | 'more', RegExpExecArray | null>): string {
  if (mark) return mark[1] === '-' && !isCall ? `- ${withMarkers(mark[2] ?? '')}` : plain(mark[2] ?? '');
  const text = more?.[1] ?? '';
  return isCall ? plainUnmarked(text) : plain(text.replace(/^\\(?=\\*[<+] )/, ''));
}

/** What a line below a step says, without the backslashes that kept it from passing for a row. */
export const plainUnmarked = (text: string): string => plain(text.replace(/^\\(?=\\*[-<+] )/, ''));
const withMarkers = (text: string): string => text.replace(markersRead, '');
/** What `quoted` was given. */
const plain = (text: string): string => withMarkers(text).replace(openingRead, '');

/** What a row says, without the name of who says it. */
export const wordsOfRow = (row: string): string => row.replace(rowHeader, '');

/** A header that was read back, and whom it names. */
export function headerRead(text: string): { readonly text: string; readonly speaker: Speaker } {
  const name = namedRow.exec(text)?.[2];
  return { text, speaker: (name === undefined ? undefined : speakerOf.get(name)) ?? 'noted' };
}
