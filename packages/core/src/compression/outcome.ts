/**
 * Whether a tool call worked. What the result says about itself comes first: flags, exit codes, error fields. Then what the
 * tool is for: what a search or a file shows are words of others. Words come last. It would rather answer "unknown" than
 * call a failure a success.
 */

import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../shared/json.ts';
import type { ToolCallPart, ToolResultPart } from '../transcript/message.ts';
import { type LineEvidence, lineEvidence, namesFault, plainLine, saysPassed } from './failure-lines.ts';
import { type ResultReport, readReport, type Trust } from './result-report.ts';
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

// What can be told about a shell command without running it.

const maxCommandChars = 4_000;

/** Commands that only show what is there: failures in their output belong to what they show. */
const showing = new Set(
  (
    'cat bat head tail less more sed awk grep egrep fgrep zgrep zcat rg ag ls find fd tree wc sort uniq cut tr jq yq diff ' +
    'cmp stat file echo printf cd pwd which type env printenv date true sleep basename dirname column nl tac strings ' +
    'journalctl dmesg man history gh command'
  ).split(' '),
);
const showingGit = /^git (?:-C \S+ |--no-pager )*(?:log|diff|show|status|grep|blame|branch|ls-files|rev-parse)\b/;
/** The verbs of PowerShell that only look. */
const showingCmdlet = /^(?:Get|Select|Where|Format|Sort|Measure|Out|Write|Test|Show|Find|Compare)-[A-Z]/i;
/** Containers, clusters and services show what they wrote by one word: `docker logs`, `kubectl logs`, `heroku logs`. */
const showingLogs = /^\S+(?: \S+){0,4} logs?(?:\s|$)/;
/** What stands before the command that counts, and may itself have options. */
const wrapper =
  /^(?:\w+=\S* +|(?:sudo|time|nohup|nice|stdbuf|xargs|env)(?: +-\S+)* +|command +(?!-)|timeout(?: +-\S+)* +\S+ +)+/;

/** Commands that exit with 1 to say "nothing found" or "they differ". */
const asking =
  /^(?:e?grep|fgrep|rg|ag|diff|cmp|test|\[{1,2}|which|command -v|pgrep|git (?:-C \S+ )?(?:diff|grep))(?:\s|$)/;

/** The command line of a call of a shell tool, or the code of a code tool; undefined when there is none. */
export function commandOf(call: ToolCallPart): string | undefined {
  if (call.inputType === 'text') return call.input || undefined;
  const input = callArguments(call);
  const action = input.action;
  const nested = typeof action === 'object' && action !== null && 'command' in action ? action.command : undefined;
  return commandText(input.command ?? input.cmd ?? input.script ?? input.code ?? input.chars ?? nested);
}

/** True when the exit code of the line is not the exit code of what it runs: pipes, `;` and `||` hide it. */
function hidesExitCode(command: string): boolean {
  return /[|;\n]/.test(withoutQuotes(innerCommand(command)));
}

/** True when every command of the line only shows what is there. */
function onlyShows(command: string): boolean {
  return segments(command).every((segment) => {
    const words = segment.replace(wrapper, '');
    const isShowing = [showingGit, showingLogs, showingCmdlet].some((pattern) => pattern.test(words));
    return words === '' || showing.has(programOf(words)) || isShowing;
  });
}

/** The names of the programs that a command line runs. */
function programsOf(command: string): readonly string[] {
  return segments(command).map((segment) => programOf(segment.replace(wrapper, '')));
}

const programOf = (words: string): string => /^(?:\S*\/)?(\S*)/.exec(words)?.[1] ?? '';

/** True when the last command of the line uses exit code 1 as an answer, not as a failure. */
function asksByExitCode(command: string): boolean {
  return asking.test(segments(command).at(-1) ?? '');
}

function segments(command: string): readonly string[] {
  return withoutQuotes(innerCommand(command))
    .split(/&&|\|\||[|;\n]/)
    .map((segment) => segment.trim());
}

/** What `bash -lc "…"` runs. */
const innerCommand = (command: string): string =>
  /^(?:\/\S*\/)?(?:ba|z|da)?sh -\w*c (['"])(.*)\1$/s.exec(command.trim().slice(0, maxCommandChars))?.[2] ?? command;

function withoutQuotes(command: string): string {
  return command.slice(0, maxCommandChars).replace(/'[^']*'|"(?:[^"\\]|\\.)*"|\\./g, '_');
}

/** Shells are also called as a list: `["bash", "-lc", "npm test"]`. */
function commandText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value || undefined;
  if (!Array.isArray(value)) return undefined;
  const words = value.filter((word) => typeof word === 'string');
  const flag = words.findIndex((word) => /^-\w*c$/.test(word));
  return (flag > 0 && words[flag + 1] ? words.slice(flag + 1) : words).join(' ') || undefined;
}

// What a tool does, by its name, for the tools of Claude Code, Codex, Copilot CLI, Gemini CLI, Cursor, pi, opencode,
// Hermes, SWE-agent and MCP servers. Stubs, outcomes and the ledger treat tools of one kind alike.

export type ToolKind =
  | 'shell'
  | 'code'
  | 'read'
  | 'write'
  | 'edit'
  | 'search'
  | 'web'
  | 'browser'
  | 'delegate'
  | 'todo'
  | 'memory'
  | 'skill'
  | 'ask'
  | 'notebook'
  | 'other';

/** Names in lower case without separators, so that `read_file`, `ReadFile` and `read-file` are one name. */
const namesOfKind: Readonly<Record<Exclude<ToolKind, 'browser' | 'other'>, string>> = {
  shell:
    'bash shell terminal sh zsh powershell pwsh cmd execcommand executecommand localshell localshellcall shellcommand ' +
    'containerexec shellexec execshell remoteexec executeshell executeshellcommand bashcommand execute exec runterminalcmd runterminalcommand runshellcommand runcommand unifiedexec writestdin writebash ' +
    'readbash stopbash bashoutput killshell killbash process bashcodeexecution runinterminal command terminalcommand',
  code: 'executecode codeexecutor codeexecution codeinterpreter python runpython ipython jupyter runcode repl javascript evaluate',
  read:
    'read readfile view viewfile cat open openfile goto scrollup scrolldown readmanyfiles readmcpresource viewimage ' +
    'readmcpresourcetool readoutput getfilecontents gettextfilecontents fsread readtextfile readmultiplefiles readmediafile',
  write: 'write writefile create createfile writetofile fswrite savefile deletefile',
  edit:
    'edit editfile multiedit patch applypatch strreplace strreplaceeditor strreplacebasededittool replace insert ' +
    'replaceinfile searchreplace texteditor texteditorcodeexecution undoedit editblock',
  search:
    'grep glob search find list ls rg ripgrep searchfiles searchfile searchdir findfile listdir listdirectory listfiles ' +
    'grepfiles grepsearch filesearch codebasesearch codesearch searchfilecontent lsp toolsearch sessionsearch searchoutput searchcode',
  web:
    'webfetch websearch webextract webcrawl fetch fetchurl googlewebsearch readurl openurl httprequest urlfetch ' +
    'fetchwebpage fetchcopilotclidocumentation',
  delegate:
    'task agent delegate delegatetask spawnagent sendinput wait subagent dispatchagent readagent taskoutput taskstop ' +
    'agentoutput mixtureofagents newtask runsubagent',
  todo:
    'todo todowrite todoread updateplan updatetodo taskcreate taskupdate taskget tasklist writetodos manageTodolist ' +
    'todolist exitplanmode enterplanmode plan reportintent',
  memory: 'memory savememory storememory remember updatememory recall',
  skill: 'skill skillview skillslist skillmanage slashcommand useskill activateskill',
  ask: 'askuserquestion askuser clarify question requestuserinput askfollowupquestion askquestions',
  notebook: 'notebookedit notebookread editnotebook readnotebook runnotebookcell',
};

const kindOfName: ReadonlyMap<string, ToolKind> = new Map(
  // Object.entries keeps the literal keys of a constant record, which its type forgets.
  (Object.entries(namesOfKind) as [ToolKind, string][]).flatMap(([kind, names]) =>
    names.split(' ').map((name): [string, ToolKind] => [name.toLowerCase(), kind]),
  ),
);

/** What the tool of a call does. Unknown tools are `other`; tools with several commands are told apart by the input. */
export function toolKind(call: { readonly name: string; readonly input?: string }): ToolKind {
  const name = plainName(call.name);
  const compact = name.replace(/[^a-z0-9]/g, '');
  if (/^(browser|computer|playwright|puppeteer)/.test(name) || browserServer.test(call.name)) return 'browser';
  const kind = kindOfName.get(compact) ?? 'other';
  return kind === 'edit' && call.input?.includes('"command"') ? editorKind(call.input) : kind;
}

/** Servers that drive a browser, by the part of a name that says which server a tool is of. */
const browserServer = /^mcp__[a-z_-]*(?:playwright|puppeteer|browser|chrome|selenium)/i;

/** Words in names of tools that bring something and change nothing. */
const bringing =
  /(?:^|_)(?:get|list|search|find|lookup|query|fetch|read|show|view|describe|scrape|extract|snapshot|console|text|content|ocr)(?:_|$)/;

/** True for a tool whose results are mostly the words of others: what it read, found or fetched. */
function returnsContent(kind: ToolKind, { name }: { readonly name: string }): boolean {
  if (['read', 'search', 'web', 'delegate', 'ask'].includes(kind)) return true;
  const words = plainName(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2')).replaceAll('-', '_');
  return ['browser', 'other', 'memory', 'notebook'].includes(kind) && bringing.test(words);
}

/** True for a call that reads a file of JSON, whose fields are not those of the tool. */
function readsJson(call: ToolCallPart): boolean {
  const values = toolKind(call) === 'read' ? Object.values(callArguments(call)) : [];
  return values.some((value) => typeof value === 'string' && /\.(?:json[lc5]?|ipynb|webmanifest|har)$/i.test(value));
}

/** What a search was asked for; empty for every other tool. */
function searchedWords(kind: ToolKind, call: ToolCallPart): string {
  if (kind === 'read') return '';
  const { query, pattern, regex, q, search } = callArguments(call);
  return [query, pattern, regex, q, search].filter((one) => typeof one === 'string').join(' ');
}

/** The name without the server or namespace before it: `mcp__files__read_file` and `functions.read_file` are `read_file`. */
export function plainName(name: string): string {
  return name
    .replace(/^mcp__.*?__/, '')
    .replace(/^.*[./:](?=[^./:]+$)/, '')
    .toLowerCase();
}

/** The arguments of a call as an object; empty for free-form or broken input. */
export function callArguments(call: ToolCallPart): JsonObject {
  if (call.inputType === 'text') return {};
  const value = parseJson(call.input);
  return isJsonObject(value) ? value : {};
}

function editorKind(input: string): ToolKind {
  const value = parseJson(input);
  const command = isJsonObject(value) ? value.command : undefined;
  if (command === 'view') return 'read';
  return command === 'create' ? 'write' : 'edit';
}
