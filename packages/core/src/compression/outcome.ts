/**
 * Whether a tool call worked. What the result says about itself comes first: flags, exit codes, error fields. Then what the
 * tool is for: what a search or a file shows are words of others. Words come last. It would rather answer "unknown" than
 * call a failure a success.
 */
import type { ToolCallPart, ToolResultPart } from '../transcript/message.ts';
import { type LineEvidence, lineEvidence, namesFault, plainLine, saysPassed } from './failure-lines.ts';
import { type ResultReport, readReport, type Trust } from './result-report.ts';
import { asksByExitCode, commandOf, hidesExitCode, onlyShows, programsOf } from './shell-command.ts';
import { readsJson, returnsContent, searchedWords, type ToolKind, toolKind } from './tool-kinds.ts';
import { complaintsIn, contentComplains, isRefusal, toolReply, wasEnded } from './tool-reply.ts';

/** How a call ended. */
export interface Outcome {
  /** Undefined when nothing in the result tells. */
  readonly ok: boolean | undefined;
  readonly exitCode?: number;
  /** What a person would look at first, at most 160 characters; only for a call that failed. */
  readonly firstErrorLine?: string;
}

const maxErrorChars = 160;

/** The outcome of a call. Without `call` the name in the result decides how it is read. Linear in the result's length. */
export function outcomeOf(call: ToolCallPart | undefined, result: ToolResultPart): Outcome {
  const known = outcomes.get(result);
  if (known && known.call === call) return known.outcome;
  const outcome = readOutcome(call, result);
  outcomes.set(result, { call, outcome });
  return outcome;
}

/** The ledger and every compression ask again about the same results. */
const outcomes = new WeakMap<ToolResultPart, { call: ToolCallPart | undefined; outcome: Outcome }>();

function readOutcome(call: ToolCallPart | undefined, result: ToolResultPart): Outcome {
  const asked = call ?? { name: result.name ?? '' };
  const kind = toolKind(asked);
  const isProgram = kind === 'shell' || kind === 'code';
  const command = isProgram && call ? commandOf(call) : undefined;
  const shows = kind === 'shell' && command !== undefined && onlyShows(command);
  const isContent = !isProgram && returnsContent(kind, asked);
  const report = readReport(result, trustIn({ isProgram, shows, isContent, call }));
  const ok = isProgram
    ? programWorked({ command, shows }, result, report)
    : toolWorked({ kind, isContent, call }, result, report);
  const exitCode = report.exitCode === undefined ? {} : { exitCode: report.exitCode };
  if (ok !== false) return { ok, ...exitCode };
  const line = firstErrorLine(report);
  return { ok, ...exitCode, ...(line ? { firstErrorLine: line } : {}) };
}

interface Reader {
  readonly isProgram: boolean;
  readonly shows: boolean;
  readonly isContent: boolean;
  readonly call: ToolCallPart | undefined;
}

function trustIn({ isProgram, shows, isContent, call }: Reader): Trust {
  if (isProgram) return shows ? 'envelope' : 'all';
  if (!isContent) return 'all';
  return call && readsJson(call) ? 'none' : 'fields';
}

interface Program {
  readonly command: string | undefined;
  /** It only shows what is there. */
  readonly shows: boolean;
}

/** Shells and interpreters: the exit code decides unless the command line hides it. */
function programWorked(
  { command, shows }: Program,
  { isError }: ToolResultPart,
  report: ResultReport,
): boolean | undefined {
  const { exitCode, body } = report;
  const programs = shows && command !== undefined ? programsOf(command) : [];
  if (exitCode === 1 && command && asksByExitCode(command)) {
    if (shows ? complaintsIn(body, programs) === 'none' : !strongest(body)) return undefined;
  }
  if (isError || report.failed || (exitCode !== undefined && exitCode !== 0)) return false;
  if (report.running) return undefined;
  if (exitCode === 0 || isError === false || report.failed === false) {
    const hidden = command === undefined || hidesExitCode(command);
    return !(hidden && !shows && strongest(body) === 'certain');
  }
  if (wasEnded(body)) return false;
  if (!shows) return outputWorked(report);
  const complaints = complaintsIn(body, programs);
  return complaints === 'all' ? false : complaints === 'none' && body !== '' ? true : undefined;
}

/** What a program printed, where no exit code tells. */
function outputWorked({ body }: ResultReport): boolean | undefined {
  const evidence = strongest(body);
  const tail = body.slice(-maxSummaryChars).split('\n').slice(-maxSummaryLines);
  if (evidence === 'certain') return false;
  if (tail.some((line) => saysPassed(plainLine(line)))) return true;
  if (evidence || isRefusal(body)) return false;
  return toolReply(tail.findLast((line) => line.trim() !== '') ?? '') === 'worked' || undefined;
}

/** Test runners sum up at the end. */
const maxSummaryLines = 30;
const maxSummaryChars = 4_000;

interface Tool {
  readonly kind: ToolKind;
  /** What it returns is the text of others. */
  readonly isContent: boolean;
  readonly call: ToolCallPart | undefined;
}

/** All other tools: their own fields and flags, then what they say at the start. */
function toolWorked(
  { kind, isContent, call }: Tool,
  result: ToolResultPart,
  report: ResultReport,
): boolean | undefined {
  const { body, exitCode, failed } = report;
  if (result.isError || (exitCode ?? 0) !== 0) return false;
  // A file that is read may itself be a JSON error; the tool's own word that it worked settles that.
  if (failed) return isContent && result.isError === false;
  if (result.isError === false || failed === false || exitCode === 0) return true;
  if (body === '') return undefined;
  if (kind === 'delegate' || kind === 'ask') return !isRefusal(body);
  if (isContent) return report.isJson || !contentComplains(body, call ? searchedWords(kind, call) : '');
  // The fields of a JSON value are data; what it says in words stands in its body.
  const reply = report.isJson && /^[{[]/.test(body) ? 'unclear' : toolReply(body, call?.name ?? result.name);
  if (reply !== 'unclear') return reply === 'worked';
  // An action in a browser mostly brings the page back; one line may be a complaint that nobody knows.
  const tells = kind === 'edit' || kind === 'write' || kind === 'other' || (kind === 'browser' && !body.includes('\n'));
  return tells ? undefined : true;
}

function strongest(body: string): LineEvidence {
  let found: LineEvidence;
  for (const line of linesOf(body)) {
    const evidence = lineEvidence(line);
    if (evidence === 'certain') return evidence;
    found ??= evidence ?? (namesFault(line) ? 'likely' : undefined);
  }
  return found;
}

/** Lines that say that something failed, but not what. */
const bare = /^\W*(?:FAIL(?:ED|URES?)?|error|errors|Traceback \(most recent call last\))\W*$/i;
/** A place in a file, as compilers and linters put before what they found there. */
const located = /^[^\s:]{1,200}:\d+(?::\d+)?: \S/;
/** A command that a runner repeats before its output. */
const echoed = /^(?:\[[\w:.-]{1,40}\] )?[$>] /;
const wrapping = /^<\/?(?:tool_use_error|error)>$|^### (?:Error|Result)$/;

function firstErrorLine(report: ResultReport): string | undefined {
  let first: string | undefined;
  let named: string | undefined;
  let inTraceback = false;
  for (const raw of linesOf(report.body)) {
    const line = raw.trim();
    if (!line || wrapping.test(line)) continue;
    if (inTraceback && !/^\s/.test(raw)) return shortLine(line);
    inTraceback ||= line.startsWith('Traceback (most recent');
    if (bare.test(line) || located.test(line)) named ??= line;
    if (inTraceback || bare.test(line)) continue;
    if (lineEvidence(raw)) return shortLine(line);
    if (!echoed.test(line)) first ??= line;
  }
  const line = report.message ?? named ?? first;
  return line === undefined ? undefined : shortLine(line);
}

function shortLine(text: string): string {
  const line = text
    .replace(/<\/?tool_use_error>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= maxErrorChars
    ? line
    : `${line
        .slice(0, maxErrorChars - 1)
        .toWellFormed()
        .replace(/\ufffd$/, '')}…`;
}

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf('\n', start);
    yield plainLine(text.slice(start, end === -1 ? undefined : end));
    if (end === -1) return;
    start = end + 1;
  }
}
