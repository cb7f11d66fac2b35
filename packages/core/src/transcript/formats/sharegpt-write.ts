/** Messages into ShareGPT entries. */
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { FormatName, Message, Part } from '../message.ts';
import { resultText } from '../text.ts';
import { callsText, usualNames } from './sharegpt-read.ts';
import { attachmentMark, fieldsOf, hintsOf, isBlank, originFormat } from './wire.ts';
import { withClientToolsOnly } from './written-lines.ts';

const format = 'sharegpt';

/**
 * Entries of a list. The format holds text: attachments become short marks, reasoning and ids are left out, calls become
 * `function_call` and results `observation` entries.
 */
export function toShareGpt(messages: readonly Message[], from: FormatName = format): readonly JsonObject[] {
  return messages.flatMap((message) => {
    if (originFormat(message, from) === format) return writeOwn(message);
    return withClientToolsOnly(message).flatMap(writeForeign);
  });
}

function writeOwn(message: Message): readonly JsonObject[] {
  const hints = hintsOf(message.extra, format);
  const fields = fieldsOf(message.extra, format);
  const [first, ...more] = message.parts;
  const calls = message.parts.filter((part) => part.type === 'toolCall');
  // What was added to a message by hand may be more than one entry can say.
  if (more.length > 0 && calls.length !== message.parts.length) return writeForeign(message);
  const speaker = calls.length > 0 ? 'call' : message.role;
  const name = typeof hints.from === 'string' ? hints.from : usualNames[speaker];
  const text = calls.length > 0 ? callsText(calls) : undefined;
  const value = text === undefined ? ownValue(first, hints.value) : hints.calls === text ? hints.value : text;
  const [nameKey, valueKey] = hints.keys === 'role' ? ['role', 'content'] : ['from', 'value'];
  return [{ [nameKey]: name, ...(value === undefined ? {} : { [valueKey]: value }), ...fields }];
}

function ownValue(part: Part | undefined, shape: JsonValue | undefined): JsonValue | undefined {
  if (part === undefined) return shape === 'absent' ? undefined : '';
  if (part.type === 'other') return part.value;
  if (part.type !== 'toolResult') return textOf(part);
  const [content] = part.content;
  if (content === undefined && shape === 'absent') return undefined;
  return part.content.length === 1 && content?.type === 'other' ? content.value : resultText(part);
}

function writeForeign(message: Message): readonly JsonObject[] {
  const calls = message.parts.filter((part) => part.type === 'toolCall');
  const results = message.parts.filter((part) => part.type === 'toolResult');
  const text = message.parts
    .map(textOf)
    .filter((piece) => !isBlank(piece))
    .join('\n\n');
  const role = message.role === 'tool' ? 'user' : message.role;
  return [
    ...results.map((part) => ({ from: usualNames.tool, value: resultText(part) })),
    ...(isBlank(text) ? [] : [{ from: usualNames[role], value: text }]),
    ...(calls.length > 0 ? [{ from: usualNames.call, value: callsText(calls) }] : []),
  ];
}

function textOf(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
    case 'file':
      return attachmentMark(part);
    case 'reasoning':
    case 'toolCall':
    case 'toolResult':
    case 'other':
      return '';
  }
}
