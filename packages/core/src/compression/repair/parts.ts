/** Mends late-system, misplaced-part, empty-part, empty-result, missing-name and broken-arguments. */
import { parseJson } from '../../shared/json.ts';
import type { Message, Part, ResultContent, ToolCallPart, ToolResultPart } from '../../transcript/message.ts';
import { hasValidArguments, isBlank, misplaced, resultsAreLate } from '../../transcript/validate.ts';
import type { Entry, Note } from './entry.ts';

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
  const wrong = message.parts.filter((part) => misplaced(part, message.role));
  if (wrong.length === 0) return [message.role === 'assistant' ? entry : resultsFirst(entry, note)];
  const right = message.parts.filter((part) => !misplaced(part, message.role));
  const results = wrong.filter((part) => part.type === 'toolResult' && !part.server);
  if (results.length > 0) {
    note(at, 'moved', `tool results out of the ${message.role} message`);
    return [
      ...placeParts(
        { at, message: { ...message, parts: message.parts.filter((part) => !results.includes(part)) } },
        note,
      ),
      { at, message: { role: 'tool', parts: results } },
    ];
  }
  const contents = wrong.filter((part) => part.type === 'text' || part.type === 'image' || part.type === 'file');
  for (const part of wrong) {
    if (message.role !== 'tool' || !isContent(part))
      note(at, 'removed', `a ${part.type} part of a ${message.role} message`);
  }
  if (message.role !== 'tool' || contents.length === 0) return [{ at, message: { ...message, parts: right } }];
  return [{ at, message: withContents({ ...message, parts: right }, contents, note.bind(undefined, at)) }];
}

const isContent = (part: Part): boolean => part.type === 'text' || part.type === 'image' || part.type === 'file';

type NoteHere = (action: 'moved', detail: string) => void;

/** Text and images beside the results of a tool message go into its last result. */
function withContents(message: Message, contents: readonly ResultContent[], note: NoteHere): Message {
  note('moved', 'parts of a tool message into its result');
  const last = message.parts.findLastIndex((part) => part.type === 'toolResult');
  if (last === -1) return { ...message, role: 'user', origin: 'host', parts: [...contents, ...message.parts] };
  const parts = message.parts.map((part, index) =>
    index === last && part.type === 'toolResult' ? { ...part, content: [...part.content, ...contents] } : part,
  );
  return { ...message, parts };
}

function resultsFirst(entry: Entry, note: Note): Entry {
  const { message, at } = entry;
  if (!resultsAreLate(message.parts)) return entry;
  note(at, 'moved', 'tool results to the start of their message');
  const isResult = (part: Part): boolean => part.type === 'toolResult';
  const parts = [...message.parts.filter(isResult), ...message.parts.filter((part) => !isResult(part))];
  return { at, message: { ...message, parts } };
}

function mendMessage({ message, at }: Entry, note: Note): Message {
  let changed = false;
  const parts = message.parts.flatMap((part): readonly Part[] => {
    const mended = mendPart(part, (action, detail) => note(at, action, detail));
    if (mended !== part) changed = true;
    return mended ? [mended] : [];
  });
  return changed ? { ...message, parts } : message;
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
