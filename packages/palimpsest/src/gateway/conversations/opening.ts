/**
 * The thought that a turn began with. With a budget for thinking, Anthropic refuses a turn that does not begin with a thought
 * (anomalyco/opencode#3077), and a model may have thought at its start alone, which was compressed away. So the step that opened the turn
 * comes back, its bytes as the client sent them, signature and all; the results of its calls are in the handoff and are left out.
 */
import type { Message } from '@palimpsest/core';
import { isJsonObject } from '@palimpsest/core/settings';
import type { Body } from '@palimpsest/core/wire';

/** A thought that takes more of the window than this is not worth its room. */
const openingShare = 0.1;
/** Characters of a token, rather too few than too many. */
const charsPerToken = 3;

/**
 * The messages with the step that opened the turn behind its request, where it is needed and was lost; else the same messages. It is
 * the same one for every request of the turn, so that a cache holds.
 */
export function withOpening(said: Body, messages: readonly Message[], contextLength: number): readonly Message[] {
  if (!wantsThoughts(said) || beginsWithThought(turnIn(messages)) !== false) return messages;
  const [opening, ...rest] = turnIn(said.messages);
  if (!opening || beginsWithThought([opening]) !== true) return messages;
  const end = rest.findIndex((message) => !carriesResults(message));
  const group = [opening, ...(end < 0 ? rest : rest.slice(0, end)).map(shortened)];
  const chars = group.reduce((sum, { parts }) => sum + JSON.stringify(parts).length, 0);
  if (group.length === 1 || chars / charsPerToken > contextLength * openingShare) return messages;
  return messages.toSpliced(newestIn(messages) + 1, 0, ...group);
}

const wantsThoughts = ({ dialect, value }: Body): boolean =>
  dialect === 'anthropic' && isJsonObject(value.thinking) && value.thinking.type === 'enabled';

/** Undefined for a turn in which nothing was answered yet. */
const beginsWithThought = ([opening]: readonly Message[]): boolean | undefined =>
  opening && opening.parts[0]?.type === 'reasoning';

/** What was answered behind the newest message that is no result of a tool. */
function turnIn(messages: readonly Message[]): readonly Message[] {
  const turn = messages.slice(newestIn(messages) + 1);
  const first = turn.findIndex(({ role }) => role === 'assistant');
  return first < 0 ? [] : turn.slice(first);
}

const newestIn = (messages: readonly Message[]): number =>
  messages.findLastIndex((message) => message.role === 'user' && !carriesResults(message));

const carriesResults = ({ parts }: Message): boolean =>
  parts.some((part) => part.type === 'toolResult' && part.server !== true);

const leftOut = { type: 'text', text: '[left out: the summary above tells what came of it]' } as const;

const shortened = (message: Message): Message => ({
  ...message,
  parts: message.parts.map((part) => (part.type === 'toolResult' ? { ...part, content: [leftOut] } : part)),
});
