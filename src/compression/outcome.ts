/**
 * Whether a tool call worked, read from what its result says: flags, exit codes, error fields, test summaries and error
 * lines. It would rather answer "unknown" than call a failure a success.
 */
import type { ToolCallPart, ToolResultPart } from '../transcript/message.ts';
import { type LineEvidence, lineEvidence, plainLine } from './failure-lines.ts';
import { type ResultReport, readReport } from './result-report.ts';
import { asksByExitCode, commandOf, hidesExitCode, onlyShows } from './shell-command.ts';
import { type ToolKind, toolKind } from './tool-kinds.ts';

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
  const kind = toolKind(call ?? { name: result.name ?? '' });
  const runs = kind === 'shell' || kind === 'code';
  const report = readReport(result, runs || kind === 'edit' || kind === 'write' || kind === 'other');
  const ok = runs ? programWorked(call, result, report) : toolWorked(kind, result, report);
  const exitCode = report.exitCode === undefined ? {} : { exitCode: report.exitCode };
  if (ok !== false) return { ok, ...exitCode };
  const line = firstErrorLine(report);
  return { ok, ...exitCode, ...(line ? { firstErrorLine: line } : {}) };
}

/** Shells and interpreters: the exit code decides unless the command line hides it. */
function programWorked(
  call: ToolCallPart | undefined,
  result: ToolResultPart,
  report: ResultReport,
): boolean | undefined {
  const command = call && commandOf(call);
  const { exitCode } = report;
  if (exitCode === 1 && command && asksByExitCode(command) && !strongest(report.body)) return undefined;
  if (result.isError || report.failed || (exitCode !== undefined && exitCode !== 0)) return false;
  if (report.running) return undefined;
  const shows = command !== undefined && onlyShows(command);
  if (exitCode === 0 || result.isError === false || report.failed === false) {
    const hidden = command === undefined || hidesExitCode(command);
    return !(hidden && !shows && strongest(report.body) === 'certain');
  }
  return !shows && strongest(report.body) ? false : shows ? openingWorked(report) : undefined;
}

/** All other tools: what they return is mostly text of others, so only the opening counts. */
function toolWorked(kind: ToolKind, result: ToolResultPart, report: ResultReport): boolean | undefined {
  if (result.isError || (report.exitCode ?? 0) !== 0) return false;
  const returnsContent = kind === 'read' || kind === 'search' || kind === 'web';
  // A file that is read may itself be a JSON error; the tool's own word that it worked settles that.
  if (report.failed) return returnsContent && result.isError === false;
  if (result.isError === false && returnsContent) return true;
  if (openingWorked(report) === false) return false;
  if (result.isError === false || report.failed === false || report.exitCode === 0) return true;
  if (report.body === '') return undefined;
  if (kind === 'edit' || kind === 'write' || kind === 'other')
    return saysSuccess.test(report.body.slice(0, 300)) || undefined;
  return true;
}

const saysSuccess =
  /\b(?:success(?:ful|fully)?|updated|created|written|wrote|applied|saved|replaced|edited|done|ok)\b/i;
const saysFailure =
  /^(?:The user (?:doesn't|does not) want to|(?:User|The user) (?:rejected|denied|cancelled|declined)|\[?Request interrupted|(?:Path|File|Directory) (?:does not exist|not found)|No (?:match|changes?) (?:found|made)|old_?(?:string|str|text) (?:was )?not found|String to replace not found|Unknown tool|Request failed\b|HTTP (?:error )?[45]\d\d|File content \(.{0,40}\) exceeds|Tool .{0,80} not found|Aborted)/i;

/** Longer than this, a text that begins like an error is taken for content. */
const maxErrorTextChars = 2_000;

function openingWorked(report: ResultReport): boolean | undefined {
  const line = plainLine(/^[^\n]*/.exec(report.body.slice(0, 1_000))?.[0] ?? '');
  if (saysFailure.test(line)) return false;
  return report.body.length <= maxErrorTextChars && lineEvidence(line) ? false : undefined;
}

function strongest(body: string): LineEvidence {
  let found: LineEvidence;
  for (const line of linesOf(body)) {
    const evidence = lineEvidence(line);
    if (evidence === 'certain') return evidence;
    found ??= evidence;
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
