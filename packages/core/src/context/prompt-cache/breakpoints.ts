/** Where cached prefixes end in a list of messages, whatever form the messages are sent in. */
import { checkKnownOptions } from '../../shared/options/known-options.ts';
import type { Message, Part } from '../../transcript/message.ts';
import { carriesResults } from '../../transcript/text.ts';
import { type CacheLayout, type CacheRow, layOut } from './layout.ts';

/** Where a cached prefix ends: behind this part of this message. */
export interface Breakpoint {
  /** Index in the list. */
  readonly message: number;
  /** Index in its parts. */
  readonly part: number;
}

/**
 * Who reads the breakpoints, and so what can carry one.
 * `anthropic`: every part but reasoning and empty texts.
 * `openrouter`: texts and tool results, as parts of the content.
 * `litellm`: the same, but no tool results, which the router copies to where Anthropic refuses them.
 */
export type CacheTarget = 'anthropic' | 'openrouter' | 'litellm';

/** How long cached text is kept after its last use: five minutes, or an hour at a higher price. */
export type CacheTtl = '5m' | '1h';

/** How breakpoints are planned. */
export interface BreakpointOptions {
  /** @default 'system_and_3' */
  readonly layout?: CacheLayout;
  /** @default 'anthropic' */
  readonly target?: CacheTarget;
}

/** What every function of this folder does unless it is told otherwise. */
export const breakpointDefaults = { layout: 'system_and_3', target: 'anthropic' } as const;

/**
 * At most four breakpoints, in order, each on a part that can carry one. Reads the list and changes nothing.
 *
 * @example
 * import { fromOpenAiChat, planBreakpoints } from '@palimpsest/core';
 * const messages = fromOpenAiChat([{ role: 'user', content: 'Move the ledgers.' }]);
 * planBreakpoints(messages); // [{ message: 0, part: 0 }]
 */
export function planBreakpoints(messages: readonly Message[], options: BreakpointOptions = {}): readonly Breakpoint[] {
  checkKnownOptions('planBreakpoints', options, { layout: true, target: true });
  const { layout, target } = { ...breakpointDefaults, ...options };
  const carriers = messages.map(({ parts }) => parts.findLastIndex((part) => carries(part, target)));
  const rows = messages.map((message, at) => ({ role: roleOf(message), canCarry: carriers[at] !== -1 }));
  return layOut(rows, layout).map((message) => ({ message, part: carriers[message] ?? 0 }));
}

function roleOf(message: Message): CacheRow['role'] {
  if (message.role === 'system' || message.role === 'assistant') return message.role;
  return message.role === 'tool' || carriesResults(message) ? 'tool' : 'user';
}

/** Thinking cannot be marked, and a text without a visible character makes Anthropic refuse the request. */
function carries(part: Part, target: CacheTarget): boolean {
  switch (part.type) {
    case 'text':
      return part.text.trim() !== '';
    case 'toolResult':
      return target === 'anthropic' || (target === 'openrouter' && part.content.some((one) => carries(one, target)));
    case 'toolCall':
    case 'image':
    case 'file':
      return target === 'anthropic';
    case 'reasoning':
    case 'other':
      return false;
  }
}
