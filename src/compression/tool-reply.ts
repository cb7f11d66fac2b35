/**
 * What a tool says in its own words, told apart from what it shows: an opening sentence, a complaint in place of content.
 * Words in quotes, paths and names are those of others. Every pattern looks at single lines of bounded length.
 */
import { lineEvidence, plainLine, saysPassed } from './failure-lines.ts';

const maxLineChars = 1_000;
/** A complaint is short; longer than this, a text that begins like one is content. */
const maxReplyChars = 2_000;

const worked =
  /\b(?:success(?:ful|fully)?|updated|created|written|wrote|applied|saved|replaced|edited|completed?|finished|sent|done|ok)\b/i;
/** Most sentences that begin with a participle say what was done: "Clicked", "Navigated to", "Deleted". */
const began = /^(?!Fail|Tim|Abort|Block|Cancel|Crash|Deni|Expect|Interrupt|Ne|Refus|Reject|Un)[A-Z][a-z]+ed\b/;
/** How hosts and tools open when nothing was done. */
const refused =
  /^(?:The user (?:doesn't|does not) want to|(?:User|The user|Operation|Request|Permission)\b.{0,40}\b(?:rejected|denied|cancell?ed|declined)|\[?Request interrupted|(?:Path|File|Directory) (?:does not exist|not found)|(?:Path|File|Directory|Permission)\b.{0,200}\b(?:not found|denied)\W*$|No (?:match|changes?) (?:found|made)|No \w+ was\b|old_?(?:string|str|text) (?:was )?not found|String to replace not found|Unknown tool|Request failed\b|HTTP(?:\/[\d.]+)? (?:error )?[45]\d\d|File content \(.{0,40}\) exceeds|Tool .{0,80} not found|Aborted|E[A-Z]{3,14}: |(?:net::)?ERR_[A-Z]|(?:[\w-]+ ){0,3}error(?: -?\d+)?: )/i;
const denial =
  /\b(?:not|no such|cannot|can't|couldn't|doesn't|didn't|isn't|wasn't|unable|unknown|invalid|fail(?:s|ed|ure)?|error|exception|denied|rejected|refused|blocked|cancell?ed|aborted|interrupted|crashed|timed? ?out|exceed(?:s|ed)|already exists)\b/i;
/** A search that found nothing has worked. */
const foundNone = /\b(?:no|0|without|none)\b.{0,80}\b(?:found|match\w*|results?|hits?|entries|documents?|available)\b/i;
/** How logs mark their lines, and how files and searches number them. */
const shown = /^(?:\[[A-Z]+\]|\d+[\t→|:]|\S{1,200}:\d+[:\t])/;

/** What a tool that does something says of it: its first line, where it is short enough to be a reply. */
export function toolReply(body: string): 'worked' | 'failed' | 'unclear' {
  const line = firstLine(body);
  if (refused.test(line)) return 'failed';
  const own = ownWords(line);
  if (began.test(own) || saysPassed(line)) return 'worked';
  if (body.length <= maxReplyChars && lineEvidence(line)) return 'failed';
  const isDenied = body.length <= maxReplyChars && (denial.test(own) || /^No \w/.test(own));
  const isDone = worked.test(ownWords(body.slice(0, 300)));
  if (isDenied === isDone) return 'unclear';
  return isDone ? 'worked' : 'failed';
}

/** True for the opening of a host that did not carry a call out. */
export const isRefusal = (body: string): boolean => refused.test(firstLine(body));

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
  if (opening === undefined || more.length > 2 || shown.test(opening) || foundNone.test(opening)) return false;
  if (more.some((line) => lineEvidence(line))) return false;
  const line = withoutWords(opening, asked);
  if (refused.test(line) || lineEvidence(line)) return true;
  if (more.length > 0 || line !== opening || line.length > 200) return false;
  const own = ownWords(line);
  // "Symbol not found" is an answer to a search; that a path was not found is none.
  if (asked !== '' && /\bnot found\b/i.test(own) && !/\b(?:path|file|directory|folder)\b/i.test(own)) return false;
  return /\w\W+\w/.test(own) && denial.test(own);
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
  line
    .replace(/"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”|‘[^’]*’|«[^»]*»/g, ' ')
    .replace(/\S*[\w)][./\\:_=][\w(]\S*/g, ' ')
    .trim();

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
