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
  const newest = messages.findLastIndex((message) => message.role === 'user' && !carriesResults(message));
  const opening = messages.slice(newest + 1).find(({ role }) => role === 'assistant');
  return opening === undefined || opening.parts[0]?.type === 'reasoning';
}

/** The call without thinking. */
export const withoutThinking = (call: CallOptions): CallOptions => ({
  ...call,
  providerOptions: {
    ...call.providerOptions,
    anthropic: { ...call.providerOptions?.anthropic, thinking: { type: 'disabled' } },
  },
});
