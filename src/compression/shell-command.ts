/** What can be told about a shell command without running it. */
import type { JsonValue } from '../shared/json.ts';
import type { ToolCallPart } from '../transcript/message.ts';
import { callArguments } from './tool-kinds.ts';

const maxCommandChars = 4_000;

/** Commands that only show what is there: failures in their output belong to what they show. */
const showing = new Set(
  (
    'cat head tail less more sed awk grep egrep fgrep rg ag ls find fd tree wc sort uniq cut tr jq yq diff cmp stat file ' +
    'echo printf cd pwd which type env date true sleep basename dirname xargs column nl tac strings journalctl gh'
  ).split(' '),
);
const showingGit = /^git (?:-C \S+ |--no-pager )*(?:log|diff|show|status|grep|blame|branch|ls-files|rev-parse)\b/;

/** Commands that exit with 1 to say "nothing found" or "they differ". */
const asking = /^(?:e?grep|fgrep|rg|ag|diff|cmp|test|\[|git (?:-C \S+ )?(?:diff|grep))(?:\s|$)/;

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
  return /[|;\n]/.test(withoutQuotes(command));
}

/** True when every command of the line only shows what is there. */
export function onlyShows(command: string): boolean {
  return segments(command).every((segment) => {
    const words = segment.replace(/^(?:\w+=\S* |sudo |command |time )+/, '');
    return words === '' || showingGit.test(words) || showing.has(/^\S+/.exec(words)?.[0] ?? '');
  });
}

/** True when the last command of the line uses exit code 1 as an answer, not as a failure. */
export function asksByExitCode(command: string): boolean {
  return asking.test(segments(command).at(-1) ?? '');
}

function segments(command: string): readonly string[] {
  return withoutQuotes(command)
    .split(/&&|\|\||[|;\n]/)
    .map((segment) => segment.trim());
}

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
