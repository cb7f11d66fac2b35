/** Commands that run where a conversation begins, is compressed, or ends. In files under `hooks`. */
import { type Field, group, isObject, listOf, numberFrom, text, wrong } from '@palimpsest/core/settings';

/** A command that is told an event as JSON, and may answer in JSON. */
export interface HookCommand {
  /** A line for the shell, or a program and its arguments. */
  readonly command: string | readonly string[];
  /** Milliseconds after which it is ended. @default 5000 */
  readonly timeoutMs: number;
}

/** The commands of each event, in the order in which they run. */
export interface HooksConfig {
  /** Before a compression; each may answer with `veto` and `keep`. @default [] */
  readonly compressionStart: readonly HookCommand[];
  /** After a compression, with its sizes. @default [] */
  readonly compressionEnd: readonly HookCommand[];
  /** Where a session begins or is read back. @default [] */
  readonly sessionStart: readonly HookCommand[];
  /** Where a compression has opened the session that goes on. @default [] */
  readonly sessionContinue: readonly HookCommand[];
  /** Where a conversation really ends. @default [] */
  readonly sessionEnd: readonly HookCommand[];
}

/** No command for any event. */
export const hooksDefaults: HooksConfig = {
  compressionStart: [],
  compressionEnd: [],
  sessionStart: [],
  sessionContinue: [],
  sessionEnd: [],
};

/** How long a command may take unless it says otherwise. */
const defaultTimeoutMs = 5_000;

const words = listOf(text, 1);

const commandLine: Field<string | readonly string[]> = {
  expected: 'a line for the shell, or a list of a program and its arguments',
  parse(value, place) {
    if (Array.isArray(value)) return words.parse(value, place);
    return typeof value === 'string' && value.trim() !== ''
      ? value
      : wrong(value, { expected: commandLine.expected, place });
  },
};

const whole = group<HookCommand>({ command: commandLine, timeoutMs: numberFrom(1, 600_000, 'whole') });

/** A missing timeout takes its default; a missing command has none. */
const hookCommand: Field<HookCommand> = {
  expected: 'an object with command and, if it needs more or less than 5000, timeout_ms',
  parse(value, place) {
    if (!isObject(value)) return wrong(value, { expected: hookCommand.expected, place });
    // What was read from a file is parsed once more with everything else, and then it is written as in code.
    const { timeoutMs = defaultTimeoutMs, ...given } = value;
    const key = place.keys === 'snake_case' ? 'timeout_ms' : 'timeoutMs';
    return whole.parse({ [key]: timeoutMs, ...given }, place);
  },
};

/** The field of the whole section. */
export const hooksField: Field<HooksConfig> = group<HooksConfig>(
  {
    compressionStart: listOf(hookCommand),
    compressionEnd: listOf(hookCommand),
    sessionStart: listOf(hookCommand),
    sessionContinue: listOf(hookCommand),
    sessionEnd: listOf(hookCommand),
  },
  hooksDefaults,
);
