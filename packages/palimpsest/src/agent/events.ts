/** What an agent tells whoever shows it: a screen, a script that reads lines of JSON, a test. */
import type { ContextCompression, ConversationNotice } from '@palimpsest/core';
import type { Notice } from '@palimpsest/core/ai-sdk';

/** Tokens of one call, as the provider reported them; absent where it did not. */
export interface StepUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
}

/** How a turn ended. */
export type TurnEnd =
  | { readonly reason: 'done' }
  /** A person stopped it; what was said until then is kept. */
  | { readonly reason: 'interrupted' }
  /** The model called the same tool with the same result again and again, or took more steps than it may. */
  | { readonly reason: 'loop' | 'limit'; readonly message: string }
  /** The call failed for good; `message` is one sentence, `advice` what a person can do. */
  | { readonly reason: 'failed'; readonly message: string; readonly advice?: string; readonly error: unknown };

/** Why a request came: sent while nothing was going on, put between two steps, behind a turn, or once more. */
export type RequestKind = 'send' | 'steer' | 'follow_up' | 'retry';

/** In the order in which it happens. `agent` is set for what a sub-agent does: the id of the call of `delegate`. */
export type AgentEvent = AgentEventBody & { readonly agent?: string };

type AgentEventBody =
  /** A conversation begins or goes on. `messages` were said before. */
  | {
      readonly type: 'session';
      readonly sessionId: string;
      readonly model: string;
      readonly project: string;
      readonly messages: number;
    }
  | { readonly type: 'request'; readonly kind: RequestKind; readonly text: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** A text or a thought is complete. */
  | { readonly type: 'text_end' }
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly input: unknown }
  /** What a running tool prints, as it comes. */
  | { readonly type: 'tool_output'; readonly id: string; readonly text: string }
  | {
      readonly type: 'tool_result';
      readonly id: string;
      readonly name: string;
      readonly isError: boolean;
      readonly text: string;
    }
  /** A call of the model is over. */
  | {
      readonly type: 'step';
      readonly sessionId: string;
      /** Of the request, as it was reckoned before the call. */
      readonly contextTokens: number;
      readonly usage: StepUsage;
    }
  /** A compression that the next request waits for has begun; one that comes to nothing has no `compressed`. */
  | { readonly type: 'compressing'; readonly sessionId: string; readonly tokens: number }
  | { readonly type: 'compressed'; readonly report: ContextCompression }
  | { readonly type: 'notice'; readonly notice: ConversationNotice | Notice }
  /** `sessionId` is the session to resume. */
  | { readonly type: 'turn_end'; readonly sessionId: string; readonly end: TurnEnd };

/** Hears what happens. What it throws ends the turn. */
export type OnAgentEvent = (event: AgentEvent) => void;
