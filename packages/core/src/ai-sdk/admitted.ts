/**
 * Tool results that are too large for the window, on their way to the model: saved whole, and their start stands for them. A
 * result is shaped once, when it is first said, and keeps its shape whatever the window of a later model is.
 */
import { saidHashes } from '../conversation/ask.ts';
import type { RollingHashes } from '../conversation/said.ts';
import { keepShape, shapeOf } from '../conversation/shapes.ts';
import { createOutputBudget, type OutputBudgetOptions, spilledTexts, spillTexts } from '../output/budget.ts';
import { charsOf, leastChars } from '../output/tool-output.ts';
import { defined } from '../shared/defined.ts';
import type { SessionId } from '../store/ids.ts';
import type { Message, Part, ToolResultPart } from '../transcript/message.ts';
import { remember, type SaidList } from './callers.ts';
import type { Door } from './door.ts';
import type { Prompt } from './interface.ts';

/**
 * The messages of a prompt with their tool results inside the room there is; the same objects where nothing had to change. A
 * result that was replaced once is replaced by the same text again, and one that was whole stays whole, so that the conversation
 * is recognised and no cached prompt breaks.
 */
export async function admitted(door: Door, prompt: Prompt, messages: readonly Message[]): Promise<readonly Message[]> {
  const list: Message[] = [];
  let hashes: RollingHashes = [];
  const placeOf = (message: Message): string => {
    hashes = saidHashes(list, { hashes, size: hashes.length });
    return saidHashes([...list, message], { hashes, size: hashes.length }).at(-1) ?? '';
  };
  for (const message of messages) {
    if (message.role !== 'tool') list.push(message);
    else list.push(door.weighed.get(message) ?? (await admittedMessage(door, message, { prompt, list, placeOf })));
  }
  return list.some((message, at) => message !== messages[at]) ? list : messages;
}

/** A prompt, and what of it was admitted so far. */
interface Coming {
  readonly prompt: Prompt;
  readonly list: readonly Message[];
  /** What a message is found by that comes next, as its client sends it. */
  readonly placeOf: (message: Message) => string;
}

async function admittedMessage(door: Door, message: Message, coming: Coming): Promise<Message> {
  const replaced = await replacedMessage(door, message, coming);
  door.weighed.set(message, replaced);
  return replaced;
}

async function replacedMessage(door: Door, message: Message, { prompt, list, placeOf }: Coming): Promise<Message> {
  const results = message.parts.filter((part) => part.type === 'toolResult');
  // What is so short is always whole.
  if (results.every((part) => charsOf(part) < leastChars)) return message;
  // A conversation that another process began has many results, and no call that was made here.
  const sessionId = sessionOf(door, results, () => ({ messages: prompt.slice(0, list.length), same: list }));
  const place = placeOf(message);
  const known = door.admitted.get(place);
  // Saved again in another session, a result is found there too.
  const isKnown = known !== undefined && known.sessionId === sessionId;
  // All results of an answer are weighed together, once.
  const parts = isKnown ? known.parts : await shaped(door, results, { sessionId, place });
  if (!isKnown) remember(door.admitted, place, { sessionId, parts });
  if (parts.every((part, at) => part === results[at])) return message;
  const replaced = new Map<Part, ToolResultPart>(results.map((part, at) => [part, parts[at] ?? part]));
  return {
    ...message,
    parts: message.parts.map((part) => replaced.get(part) ?? part),
  };
}

/** The session whose model has asked for one of the results. */
function sessionOf(
  { callers }: Door,
  results: readonly ToolResultPart[],
  before: () => SaidList,
): SessionId | undefined {
  for (const { callId } of results) {
    const id = callers.sessionOf(callId, before);
    if (id !== undefined) return id;
  }
  return undefined;
}

interface Place {
  readonly sessionId: SessionId | undefined;
  /** What the message is found by, as it came. */
  readonly place: string;
}

/** The results of an answer: in the shape that they were said in before, by whichever process and model, else weighed now. */
async function shaped(
  door: Door,
  results: readonly ToolResultPart[],
  { sessionId, place }: Place,
): Promise<readonly ToolResultPart[]> {
  const store = await door.store();
  const options = budgetFor(door, { outputs: store.outputs, ...defined({ sessionId }) });
  const shape = await shapeOf(store, place);
  if (shape === 'whole') return results;
  if (shape) return spillTexts(results, shape, options);
  const parts = await createOutputBudget(options).admitTurn(results);
  const spilled = spilledTexts(results, parts);
  if (spilled.length > 0) await keepShape(store, place, spilled);
  return parts;
}

function budgetFor(door: Door, where: Pick<OutputBudgetOptions, 'outputs' | 'sessionId'>): OutputBudgetOptions {
  const { options, contextLength } = door;
  return {
    ...where,
    ...defined({ contextLength, config: options.output }),
    onSaveFailure: (error) => {
      const message = 'A tool result was cut, because it could not be saved.';
      door.notify({ type: 'bypassed', level: 'warn', message, error });
    },
  };
}
