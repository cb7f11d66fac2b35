/**
 * The thought that a turn began with. With a budget for thinking, Anthropic refuses a turn that does not begin with a thought
 * (anomalyco/opencode#3077), and a model may have thought at its start alone, which was compressed away.
 */
import type { Message } from './message.ts';
import { carriesResults } from './text.ts';

/** Where the step is looked for, and what it may take. */
export interface TurnOpeningOptions {
  /** Everything that was said: what its client sent. */
  readonly said: readonly Message[];
  /** Tokens of the window. */
  readonly contextLength: number;
}

/** A thought that takes more of the window than this is not worth its room. */
const openingShare = 0.1;
/** Characters of a token, rather too few than too many. */
const charsPerToken = 3;

/**
 * Messages that were shortened, with the step that opened their turn behind its request, as it was said, where it began with a thought
 * and is lost: the rest of the turn may think then. The results of its calls are left out, a summary tells what came of them. The same
 * messages where the turn begins with a thought, there is no such step, or it takes a tenth of the window. It is the same one for every
 * request of the turn, so that a cache holds.
 */
export function withTurnOpening(
  messages: readonly Message[],
  { said, contextLength }: TurnOpeningOptions,
): readonly Message[] {
  if (beginsWithThought(messages) !== false) return messages;
  const [opening, ...rest] = turnIn(said);
  if (!opening || !isThought(opening) || messages.includes(opening)) return messages;
  const end = rest.findIndex((message) => message.role !== 'tool' && !carriesResults(message));
  const results = (end < 0 ? rest : rest.slice(0, end)).map(shortened);
  const group = [opening, ...results];
  const chars = group.reduce((sum, { parts }) => sum + JSON.stringify(parts).length, 0);
  if (results.length === 0 || chars / charsPerToken > contextLength * openingShare) return messages;
  return messages.toSpliced(newestIn(messages) + 1, 0, ...group);
}

/** Whether the newest turn begins with a thought; undefined where nothing was answered in it yet. */
export function beginsWithThought(messages: readonly Message[]): boolean | undefined {
  const [opening] = turnIn(messages);
  return opening && isThought(opening);
}

const isThought = ({ parts }: Message): boolean => parts[0]?.type === 'reasoning';

/** What was answered behind the newest message that is no result of a tool. */
function turnIn(messages: readonly Message[]): readonly Message[] {
  const turn = messages.slice(newestIn(messages) + 1);
  const first = turn.findIndex(({ role }) => role === 'assistant');
  return first < 0 ? [] : turn.slice(first);
}

const newestIn = (messages: readonly Message[]): number =>
  messages.findLastIndex((message) => message.role === 'user' && !carriesResults(message));

const leftOut = { type: 'text', text: '[left out: the summary above tells what came of it]' } as const;

const shortened = (message: Message): Message => ({
  ...message,
  parts: message.parts.map((part) => (part.type === 'toolResult' ? { ...part, content: [leftOut] } : part)),
});
