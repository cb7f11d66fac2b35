/** Tool results that are too large for the window, on their way to the model: saved whole, and their start stands for them. */
import { createOutputBudget } from '../output/budget.ts';
import { charsOf, textsOf } from '../output/tool-output.ts';
import { contentHash } from '../shared/hash.ts';
import type { SessionId } from '../store/ids.ts';
import type { Message, Part, ToolResultPart } from '../transcript/message.ts';
import type { Door } from './door.ts';
import type { Prompt } from './interface.ts';
import { remember } from './remember.ts';
import type { SaidList } from './said-before.ts';

/**
 * The messages of a prompt with their tool results inside the room there is; the same objects where nothing had to change. A
 * result that was replaced once is replaced by the same text again, so that no cached prompt breaks.
 */
export async function admitted(door: Door, prompt: Prompt, messages: readonly Message[]): Promise<readonly Message[]> {
  const list: Message[] = [];
  for (const message of messages) {
    if (message.role !== 'tool') list.push(message);
    else list.push(door.weighed.get(message) ?? (await admittedMessage(door, message, { prompt, list })));
  }
  return list.some((message, at) => message !== messages[at]) ? list : messages;
}

/** A prompt, and what of it was admitted so far. */
interface Coming {
  readonly prompt: Prompt;
  readonly list: readonly Message[];
}

async function admittedMessage(door: Door, message: Message, coming: Coming): Promise<Message> {
  const replaced = await replacedMessage(door, message, coming);
  door.weighed.set(message, replaced);
  return replaced;
}

async function replacedMessage(door: Door, message: Message, { prompt, list }: Coming): Promise<Message> {
  const results = message.parts.filter((part) => part.type === 'toolResult');
  const before: SaidList = { messages: prompt.slice(0, list.length), same: list };
  const known = results.map((part) => knownFor(door, part, before));
  // All results of an answer are weighed together, once.
  const parts = known.every((part) => part !== undefined) ? known : await weighed(door, results, before);
  if (parts.every((part, at) => part === results[at])) return message;
  const replaced = new Map<Part, ToolResultPart>(results.map((part, at) => [part, parts[at] ?? part]));
  return {
    ...message,
    parts: message.parts.map((part) => replaced.get(part) ?? part),
  };
}

/** What was decided about a result before. */
function knownFor(door: Door, part: ToolResultPart, before: SaidList): ToolResultPart | undefined {
  const known = door.admitted.get(part.callId);
  if (known?.chars !== charsOf(part)) return undefined;
  if (!known.replaced) return part;
  // Ids that are counted up come again, and many tools cut what they give at the same length; saved again in another session,
  // it is found there too.
  const { hash, sessionId, by } = known.replaced;
  return hash === hashOf(part) && sessionId === sessionOf(door, [part], before) ? by : undefined;
}

/** The session whose model has asked for one of the results. */
function sessionOf(
  { callers, options }: Door,
  results: readonly ToolResultPart[],
  before: SaidList,
): SessionId | undefined {
  for (const { callId } of results) {
    const id = callers.sessionOf(callId, before);
    if (id !== undefined) return id;
  }
  return options.sessionId;
}

const hashOf = (part: ToolResultPart): string =>
  contentHash(
    textsOf(part)
      .map(({ text }) => text)
      .join('\n'),
  );

async function weighed(
  door: Door,
  results: readonly ToolResultPart[],
  before: SaidList,
): Promise<readonly ToolResultPart[]> {
  const { options, contextLength } = door;
  const { outputs } = await door.store();
  const sessionId = sessionOf(door, results, before);
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
    const replaced = part === result ? undefined : { hash: hashOf(result), sessionId, by: part };
    remember(door.admitted, result.callId, { chars: charsOf(result), replaced });
  }
  return parts;
}
