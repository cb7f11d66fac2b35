/**
 * Mends late-system, misplaced-part, empty-part, empty-result, missing-name and broken-arguments; and at the end
 * dangling-reasoning and empty-message, which the steps before may leave behind.
 */
import { parseJson } from '../../shared/json.ts';
import type { Message, Part, ResultContent, ToolCallPart, ToolResultPart } from '../../transcript/message.ts';
import { hasValidArguments, isBlank, isSealed, misplaced, resultsAreLate, speaks } from '../../transcript/validate.ts';

/** One thing that was changed. */
export interface RepairChange {
  /** Index in the list that came in. */
  readonly at: number;
  readonly action: 'removed' | 'moved' | 'renamed' | 'rewritten' | 'added' | 'merged';
  readonly detail: string;
}

/** A message on its way through the steps, with its index in the list that came in. */
export interface Entry {
  readonly message: Message;
  readonly at: number;
}

/** Where the steps write down what they do. */
export type Note = (at: number, action: RepairChange['action'], detail: string) => void;

/** Each message with parts that its role may have, whole and in order. */
export function mendParts(entries: readonly Entry[], note: Note): readonly Entry[] {
  const start = entries.findIndex(({ message }) => message.role !== 'system');
  return entries.flatMap((entry, index) => {
    const late = start !== -1 && index > start && entry.message.role === 'system';
    const placed = placeParts(late ? asNote(entry, note) : entry, note);
    return placed.map((one) => ({ at: one.at, message: mendMessage(one, note) }));
  });
}

/** Systems may speak only at the start; what they say later is passed on as a note of the host. */
function asNote({ message, at }: Entry, note: Note): Entry {
  note(at, 'rewritten', 'a late system message is now a user note');
  const parts = message.parts.map(
    (part): Part => (part.type === 'text' ? { ...part, text: `<system-note>\n${part.text}\n</system-note>` } : part),
  );
  // How the format wrote the system message would make it one again.
  const { extra: _, ...plain } = message;
  return { at, message: { ...plain, role: 'user', origin: 'host', parts } };
}

function placeParts(entry: Entry, note: Note): readonly Entry[] {
  const { message, at } = entry;
  const { role, parts } = message;
  const wrong = parts.filter((part) => misplaced(part, role));
  if (wrong.length === 0) return [role === 'assistant' ? entry : resultsFirst(entry, note)];
  const results = wrong.filter((part) => part.type === 'toolResult' && !part.server);
  if (results.length > 0) {
    note(at, 'moved', `tool results out of the ${role} message`);
    const rest = parts.filter((part) => !results.includes(part));
    return [
      ...placeParts({ at, message: { ...message, parts: rest } }, note),
      { at, message: { role: 'tool', parts: results } },
    ];
  }
  const contents = role === 'tool' ? wrong.filter(isContent) : [];
  for (const { type } of wrong.filter((part) => role !== 'tool' || !isContent(part)))
    note(at, 'removed', `a ${type} part of a ${role} message`);
  const right = { ...message, parts: parts.filter((part) => !wrong.includes(part)) };
  if (contents.length === 0) return [{ at, message: right }];
  note(at, 'moved', 'parts of a tool message into its result');
  return [{ at, message: withContents(right, contents) }];
}

const isContent = (part: Part): part is Extract<Part, ResultContent> =>
  part.type === 'text' || part.type === 'image' || part.type === 'file';

/** Text and images beside the results of a tool message go into its last result. */
function withContents(message: Message, contents: readonly Extract<Part, ResultContent>[]): Message {
  const at = message.parts.findLastIndex((part) => part.type === 'toolResult');
  const last = message.parts[at];
  if (last?.type !== 'toolResult')
    return { ...message, role: 'user', origin: 'host', parts: [...contents, ...message.parts] };
  const whole = { ...last, content: [...last.content, ...contents] };
  return { ...message, parts: message.parts.with(at, whole) };
}

function resultsFirst({ message, at }: Entry, note: Note): Entry {
  if (!resultsAreLate(message.parts)) return { message, at };
  note(at, 'moved', 'tool results to the start of their message');
  const isResult = (part: Part): boolean => part.type === 'toolResult';
  const parts = [...message.parts.filter(isResult), ...message.parts.filter((part) => !isResult(part))];
  return { at, message: { ...message, parts } };
}

function mendMessage({ message, at }: Entry, note: Note): Message {
  const here: NotePart = (action, detail) => note(at, action, detail);
  const parts = message.parts.flatMap((part) => mendPart(part, here) ?? []);
  const isSame = parts.length === message.parts.length && parts.every((part, i) => part === message.parts[i]);
  return isSame ? message : { ...message, parts };
}

type NotePart = (action: 'removed' | 'rewritten' | 'added', detail: string) => void;

function mendPart(part: Part, note: NotePart): Part | undefined {
  if (isBlank(part)) {
    note('removed', `an empty ${part.type} part`);
    return undefined;
  }
  if (part.type === 'toolCall') return mendCall(part, note);
  return part.type === 'toolResult' && !part.server ? mendResult(part, note) : part;
}

/** The member that holds arguments that were no JSON object. */
export const brokenArguments = 'broken_arguments';

function mendCall(part: ToolCallPart, note: NotePart): ToolCallPart {
  const named = part.name ? part : { ...part, name: 'unknown_tool' };
  if (named !== part) note('rewritten', `the missing tool name of call ${part.callId}`);
  if (hasValidArguments(named)) return named;
  note('rewritten', `the broken arguments of call ${part.callId}`);
  // A lone string is what SDKs keep of a text that they could not parse.
  const value = parseJson(named.input);
  const text = typeof value === 'string' ? value : named.input;
  const input = text.trim() === '' ? '{}' : JSON.stringify({ [brokenArguments]: text });
  return { ...named, input };
}

function mendResult(part: ToolResultPart, note: NotePart): ToolResultPart {
  const content = part.content.filter((one) => !isBlank(one));
  if (content.length === part.content.length && content.length > 0) return part;
  note(content.length > 0 ? 'removed' : 'added', `empty text in the result of ${part.callId}`);
  return { ...part, content: content.length > 0 ? content : [{ type: 'text', text: '(no output)' }] };
}

// The last step.

const noReply = '[no visible reply]';
/** What stands for an assistant message of which nothing but lost calls was there. */
export const removedCall = '[a tool call was removed: its result was lost]';

/** True for an assistant message in which nobody speaks: a repair put the words there. */
export const isPlaceholder = ({ role, parts }: Message): boolean =>
  role === 'assistant' &&
  parts.every((part) => part.type !== 'text' || part.text === noReply || part.text === removedCall);

/** Every message with content; assistant messages without any say so, others are left out. */
export function completeMessages(entries: readonly Entry[], note: Note): readonly Entry[] {
  return entries.flatMap(({ message, at }) => {
    const whole = completed(withoutDangling(message, at, note), at, note);
    return whole ? [{ at, message: whole }] : [];
  });
}

function withoutDangling(message: Message, at: number, note: Note): Message {
  if (message.role !== 'assistant' || !message.parts.some(speaks)) return message;
  const end = message.parts.findLastIndex((part) => part.type !== 'reasoning' || !isSealed(part));
  if (end === message.parts.length - 1) return message;
  note(at, 'removed', 'signed reasoning that led to nothing');
  return { ...message, parts: message.parts.slice(0, end + 1) };
}

function completed(message: Message, at: number, note: Note): Message | undefined {
  if (message.parts.some(speaks)) return message;
  if (message.role === 'assistant') {
    note(at, 'added', 'a text to an assistant message without any');
    return { ...message, parts: [...message.parts, { type: 'text', text: noReply }] };
  }
  note(at, 'removed', `an empty ${message.role} message`);
  return undefined;
}
