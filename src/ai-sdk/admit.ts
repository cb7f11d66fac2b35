/** Tool results that are too large for the window, on their way to the model: saved whole, and their start stands for them. */
import { createOutputBudget } from '../output/budget.ts';
import { charsOf, textsOf } from '../output/tool-output.ts';
import { contentHash } from '../shared/hash.ts';
import type { Message, Part, ToolResultPart } from '../transcript/message.ts';
import { type Door, remember } from './door.ts';

/**
 * The messages with their tool results inside the room there is; the same objects where nothing had to change. A result that
 * was replaced once is replaced by the same text again, so that no cached prompt breaks.
 */
export async function admitted(door: Door, messages: readonly Message[]): Promise<readonly Message[]> {
  const list: Message[] = [];
  for (const message of messages) {
    if (message.role !== 'tool') list.push(message);
    else list.push(door.weighed.get(message) ?? (await admittedMessage(door, message)));
  }
  return list.some((message, at) => message !== messages[at]) ? list : messages;
}

async function admittedMessage(door: Door, message: Message): Promise<Message> {
  const replaced = await replacedMessage(door, message);
  door.weighed.set(message, replaced);
  return replaced;
}

async function replacedMessage(door: Door, message: Message): Promise<Message> {
  const results = message.parts.filter((part) => part.type === 'toolResult');
  const known = results.map((part) => knownFor(door, part));
  // All results of an answer are weighed together, once.
  const parts = known.every((part) => part !== undefined) ? known : await weighed(door, results);
  if (parts.every((part, at) => part === results[at])) return message;
  const replaced = new Map<Part, ToolResultPart>(results.map((part, at) => [part, parts[at] ?? part]));
  return {
    ...message,
    parts: message.parts.map((part) => replaced.get(part) ?? part),
  };
}

/** What was decided about a result before. */
function knownFor({ admitted: decided }: Door, part: ToolResultPart): ToolResultPart | undefined {
  const known = decided.get(part.callId);
  if (known?.chars !== charsOf(part)) return undefined;
  if (!known.replaced) return part;
  // Ids that are counted up come again, and many tools cut what they give at the same length.
  return known.replaced.hash === hashOf(part) ? known.replaced.by : undefined;
}

const hashOf = (part: ToolResultPart): string =>
  contentHash(
    textsOf(part)
      .map(({ text }) => text)
      .join('\n'),
  );

async function weighed(door: Door, results: readonly ToolResultPart[]): Promise<readonly ToolResultPart[]> {
  const { options, contextLength, callers } = door;
  const { outputs } = await door.store();
  const sessionId = results.map(({ callId }) => callers.get(callId)).find((id) => id !== undefined);
  const budget = createOutputBudget({
    outputs,
    ...(contextLength === undefined ? {} : { contextLength }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(options.output === undefined ? {} : { config: options.output }),
    onSaveFailure: (error) => {
      const message = 'A tool result was cut, because it could not be saved.';
      door.notify({ type: 'bypassed', level: 'warn', message, error });
    },
  });
  const parts = await budget.admitTurn(results);
  for (const [at, result] of results.entries()) {
    const part = parts[at] ?? result;
    const replaced = part === result ? undefined : { hash: hashOf(result), by: part };
    remember(door.admitted, result.callId, { chars: charsOf(result), replaced });
  }
  return parts;
}
