/** What a call is about, in one line: its command, file, query, address or subject. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { ToolCallPart } from '../../transcript/message.ts';
import type { ToolKind } from '../tool-kinds.ts';

export interface TargetInput {
  readonly kind: ToolKind;
  readonly command: string | undefined;
  readonly path: string | undefined;
  readonly input: JsonObject;
  readonly call: ToolCallPart;
}

const targetKeys = [
  'pattern',
  'query',
  'url',
  'title',
  'subject',
  'question',
  'name',
  'skill',
  'description',
  'prompt',
  'message',
  'text',
];

/** The target of a call; empty when its arguments name nothing. */
export function targetOf({ kind, command, path, input, call }: TargetInput): string {
  if (command !== undefined) return commandLine(command);
  const named = firstString(input, targetKeys) ?? (kind === 'ask' ? questions(input) : undefined);
  if (kind === 'search') return oneLine([named, path].filter(Boolean).join(' in '));
  if (path !== undefined) return path;
  if (named !== undefined) return oneLine(named);
  if (call.inputType === 'text') return oneLine(call.input);
  const values = Object.values(input).flatMap((value: JsonValue) =>
    typeof value === 'string' || typeof value === 'number' ? [String(value)] : [],
  );
  return oneLine(values.slice(0, 2).join(', '));
}

/** The first of the keys whose value says something. */
export function firstString(input: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = input[key];
    if (typeof value === 'string' && value.trim()) return value.trim();
  }
  return undefined;
}

function questions({ questions: list }: JsonObject): string | undefined {
  if (!Array.isArray(list)) return undefined;
  const asked = list.flatMap((entry: JsonValue) =>
    isJsonObject(entry) ? (firstString(entry, ['question', 'title', 'header']) ?? []) : [],
  );
  return asked.join(' ') || undefined;
}

/** A text that an argument holds as a here-document is represented by its first line, as agents write commit messages. */
const documentArgument = /"?\$\(\s*cat\s*<<-?\s*(['"]?)[\w.-]+\1[^\n]*\n\s*([^\n]*)/g;
const openingChars = 2000;

function commandLine(command: string): string {
  const opening = command.slice(0, openingChars).toWellFormed();
  return oneLine(opening.replace(/[ \t]*\\\r?\n\s*/g, ' ').replace(documentArgument, '"$2"'));
}

/** The first line that says something; `cd somewhere &&` in front of a command does not. */
function oneLine(text: string): string {
  const line = text.split('\n').find((each) => each.trim() && !/^\s*(?:#|set -\w+\s*$)/.test(each)) ?? '';
  return line.trim().replace(/^cd (?:"[^"]*"|'[^']*'|\S+) *(?:&&|;) */, '');
}
