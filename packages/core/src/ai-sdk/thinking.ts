/**
 * Thinking that a program asks Claude for. With a budget for it, a turn has to begin with a thought, or the request is refused
 * (anomalyco/opencode#3077); Claude may have thought at the start of the turn only, which was compressed away.
 */
import type { Message } from '../transcript/message.ts';
import { carriesResults } from '../transcript/text.ts';
import type { CallOptions } from './interface.ts';

/** False for a call that asks for thoughts, in a turn that does not begin with one. */
export function canThink({ providerOptions }: CallOptions, messages: readonly Message[]): boolean {
  const { thinking } = providerOptions?.anthropic ?? {};
  if (typeof thinking !== 'object' || thinking === null || Reflect.get(thinking, 'type') !== 'enabled') return true;
  const [opening] = turnIn(messages);
  return opening === undefined || opening.parts[0]?.type === 'reasoning';
}

/** What was said behind the newest message that is no result of a tool. */
function turnIn(messages: readonly Message[]): readonly Message[] {
  const turn = messages.slice(newestIn(messages) + 1);
  const first = turn.findIndex(({ role }) => role === 'assistant');
  return first < 0 ? [] : turn.slice(first);
}

const newestIn = (messages: readonly Message[]): number =>
  messages.findLastIndex((message) => message.role === 'user' && !carriesResults(message));

/** A thought that takes more of the window than this is not worth its room. */
const openingShare = 0.1;
/** Characters of a token, rather too few than too many. */
const charsPerToken = 3;

/**
 * The messages with the step that has opened the turn behind its request, where that begins with a thought and was compressed away:
 * so the rest of the turn may think. What came of its calls stands in the summary. Undefined where there is no such step, or it is
 * too long for the window. The same for every step of the turn, so that a cache holds.
 */
export function withOpening(
  messages: readonly Message[],
  { asked, contextLength }: { readonly asked: readonly Message[]; readonly contextLength: number },
): readonly Message[] | undefined {
  const [opening, ...rest] = turnIn(asked);
  if (opening?.parts[0]?.type !== 'reasoning' || messages.includes(opening)) return undefined;
  const end = rest.findIndex(({ role }) => role !== 'tool');
  const results = (end < 0 ? rest : rest.slice(0, end)).map(shortened);
  const group = [opening, ...results];
  const chars = group.reduce((sum, { parts }) => sum + JSON.stringify(parts).length, 0);
  if (results.length === 0 || chars / charsPerToken > contextLength * openingShare) return undefined;
  return messages.toSpliced(newestIn(messages) + 1, 0, ...group);
}

const leftOut = { type: 'text', text: '[left out: the summary above tells what came of it]' } as const;

const shortened = (message: Message): Message => ({
  ...message,
  parts: message.parts.map((part) => (part.type === 'toolResult' ? { ...part, content: [leftOut] } : part)),
});

/** The call without thinking. */
export const withoutThinking = (call: CallOptions): CallOptions => ({
  ...call,
  providerOptions: {
    ...call.providerOptions,
    anthropic: { ...call.providerOptions?.anthropic, thinking: { type: 'disabled' } },
  },
});
