/** What can be told about a shell command without running it. */
import type { JsonValue } from '../shared/json.ts';
import type { ToolCallPart } from '../transcript/message.ts';
import { callArguments } from './tool-kinds.ts';

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
export function hidesExitCode(command: string): boolean {
  return /[|;\n]/.test(withoutQuotes(innerCommand(command)));
}

/** True when every command of the line only shows what is there. */
export function onlyShows(command: string): boolean {
  return segments(command).every((segment) => {
    const words = segment.replace(wrapper, '');
    const isShowing = [showingGit, showingLogs, showingCmdlet].some((pattern) => pattern.test(words));
    return words === '' || showing.has(programOf(words)) || isShowing;
  });
}

/** The names of the programs that a command line runs. */
export function programsOf(command: string): readonly string[] {
  return segments(command).map((segment) => programOf(segment.replace(wrapper, '')));
}

const programOf = (words: string): string => /^(?:\S*\/)?(\S*)/.exec(words)?.[1] ?? '';

/** True when the last command of the line uses exit code 1 as an answer, not as a failure. */
export function asksByExitCode(command: string): boolean {
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
