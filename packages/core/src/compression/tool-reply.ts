/**
 * What a tool says in its own words, told apart from what it shows: an opening sentence, a complaint in place of content.
 * Words in quotes, paths and names are those of others. Every pattern looks at single lines of bounded length.
 */

import {
  denialWords,
  deniedAbroad,
  foundNoneWords,
  participleOpenings,
  refusedOpenings,
  workedAbroad,
  workedWords,
} from '../language/outcomes.ts';
import { lineEvidence, plainLine, saysPassed } from './failure-lines.ts';

const maxLineChars = 1_000;
/** A complaint is short; longer than this, a text that begins like one is content. */
const maxReplyChars = 2_000;

/** How logs mark their lines, and how files and searches number them. */
const shown = /^(?:\[[A-Z]+\]|\d+[\t→|:]|\S{1,200}:\d+[:\t])/;

/**
 * What a tool that does something says of it: its first line, where it is short enough to be a reply. What it is called for is
 * no failure of it: `cancel_order` has worked where it says "cancelled".
 */
export function toolReply(body: string, toolName = ''): 'worked' | 'failed' | 'unclear' {
  const line = firstLine(body);
  const said = ownWords(line);
  const own = withoutVerbsOf(toolName, said);
  if (refusedOpenings.test(own === said ? line : own)) return 'failed';
  if (participleOpenings.test(own) || saysPassed(line)) return 'worked';
  if (body.length <= maxReplyChars && lineEvidence(line)) return 'failed';
  const isDenied =
    body.length <= maxReplyChars && (denialWords.test(own) || /^No \w/.test(own) || deniedAbroad.test(own));
  const isDone = own !== said || workedWords.test(ownWords(body.slice(0, 300))) || workedAbroad.test(own);
  if (isDenied === isDone) return 'unclear';
  return isDone ? 'worked' : 'failed';
}

/** The sentence without the participles of the verbs that a tool is named after. */
function withoutVerbsOf(toolName: string, said: string): string {
  const verbs = new Set((toolName.toLowerCase().match(/[a-z]{4,}/g) ?? []).map((word) => word.slice(0, 4)));
  return said.replace(/\b[a-z]{4,}ed\b/gi, (word) => (verbs.has(word.slice(0, 4).toLowerCase()) ? '' : word));
}

/** What hosts write last when they ended a program, and when somebody else did. */
const ended =
  /^\W*(?:(?:The )?(?:command|execution|script)\b.{0,20}\b)?(?:timed out|timeout(?: after|:)|OOMKilled|signal: killed)\b|^Process was killed\b/i;

/** True where the last line says that the program was ended before it was through. */
export const wasEnded = (body: string): boolean =>
  ended.test(body.slice(body.trimEnd().lastIndexOf('\n') + 1).slice(0, maxLineChars));

/** True for the opening of a host that did not carry a call out. */
export const isRefusal = (body: string): boolean => refusedOpenings.test(firstLine(body));

/**
 * How much of what programs show is complaints, each line behind the name of its program: `grep: x: No such file`. What
 * stands behind the first of them is part of it.
 */
export function complaintsIn(body: string, programs: readonly string[]): 'all' | 'some' | 'none' {
  const names = new Set([...programs, 'sh', 'bash', 'zsh', 'dash', 'error', 'fatal']);
  const isComplaint = (line: string): boolean => names.has(/^(?:\/\S*\/)?([\w.[-]+) ?:/.exec(line)?.[1] ?? '');
  const [first, ...more] = firstLines(body, 20);
  if (first !== undefined && isComplaint(first)) return more.length <= 3 || more.every(isComplaint) ? 'all' : 'some';
  return isComplaint(body.slice(body.lastIndexOf('\n') + 1).slice(0, maxLineChars)) ? 'some' : 'none';
}

/** True where a tool that returns the text of others has a complaint in its place. `asked`: the words it searched for. */
export function contentComplains(body: string, asked: string): boolean {
  if (body.length > maxReplyChars) return false;
  const [opening, ...more] = firstLines(body, 5).filter((line) => !/^\s/.test(line));
  if (opening === undefined || more.length > 2 || shown.test(opening) || foundNoneWords.test(opening)) return false;
  if (more.some((line) => lineEvidence(line))) return false;
  const line = withoutWords(opening, asked);
  if (refusedOpenings.test(line) || lineEvidence(line)) return true;
  if (more.length > 0 || line !== opening || line.length > 200) return false;
  const own = ownWords(line);
  if (asked === '' && own.length <= 60 && deniedAbroad.test(own)) return true;
  // "Symbol not found" is an answer to a search; that a path was not found is none.
  if (asked !== '' && /\bnot found\b/i.test(own) && !/\b(?:path|file|directory|folder)\b/i.test(own)) return false;
  return /\w\W+\w/.test(own) && denialWords.test(own);
}

/** What was searched for stands in every hit. */
function withoutWords(line: string, asked: string): string {
  const words = asked.slice(0, maxLineChars).match(/[\p{L}\d]{3,}/gu) ?? [];
  const found = new Set(words.map((word) => word.toLowerCase()));
  return found.size === 0
    ? line
    : line.replace(/[\p{L}\d]{3,}/gu, (word) => (found.has(word.toLowerCase()) ? '' : word));
}

/** Without what stands in quotes, and without names and paths: those are the words of others. */
const ownWords = (line: string): string =>
  withoutQuotes(line)
    .replace(/\S+/g, (word) => (namePart.test(word) ? ' ' : word))
    .trim();

/** What only a path or the name of a member has inside. */
const namePart = /[\w)][./\\:_=][\w(]/;

const closingMarks: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '“': '”', '‘': '’', '«': '»' };

/** Every quotation becomes a blank. A mark that is never closed is no more than a sign. */
function withoutQuotes(line: string): string {
  const rest: string[] = [];
  const unclosed = new Set<string>();
  let from = 0;
  for (const { 0: mark, index } of line.matchAll(/["'`“‘«]/g)) {
    if (index < from || unclosed.has(mark)) continue;
    const end = line.indexOf(closingMarks[mark] ?? mark, index + 1);
    if (end < 0) {
      unclosed.add(mark);
      continue;
    }
    rest.push(line.slice(from, index));
    from = end + 1;
  }
  return [...rest, line.slice(from)].join(' ');
}

const firstLine = (body: string): string => firstLines(body, 1)[0] ?? '';

/** What wraps an error, and says no more. */
const wrapping = /^(?:<\/?(?:tool_use_error|error)>|### (?:Error|Result))$/;

function firstLines(body: string, count: number): readonly string[] {
  const lines = body
    .slice(0, count * maxLineChars)
    .split('\n', count * 2)
    .map(plainLine);
  return lines.filter((line) => line.trim() !== '' && !wrapping.test(line)).slice(0, count);
}
