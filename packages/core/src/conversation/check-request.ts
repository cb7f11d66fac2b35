/** Refuses what is no request and no outcome, before anything is done about it. */
import { isObject } from '../shared/options/schema.ts';
import type { CallOutcome, ContextRequest } from './request.ts';
import { wrongOption } from './wrong-option.ts';

/** What goes with the messages of a request. @throws BAD_OPTION */
export function checkRequest({ sessionId, maxTokens, recall, signal, tools }: Omit<ContextRequest, 'messages'>): void {
  if (tools !== undefined && !(Array.isArray(tools) && tools.every(isDefinition))) {
    throw wrongOption('tools', 'a list of definitions', tools);
  }
  if (sessionId !== undefined && typeof sessionId !== 'string') {
    throw wrongOption('sessionId', 'the id of a session', sessionId);
  }
  if (maxTokens !== undefined && (typeof maxTokens !== 'number' || Number.isNaN(maxTokens))) {
    throw wrongOption('maxTokens', 'a number of tokens', maxTokens);
  }
  if (recall !== undefined && typeof recall !== 'string') throw wrongOption('recall', 'a text', recall);
  // Of whatever realm: test runners bring their own.
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function')
    throw wrongOption('signal', 'an AbortSignal', signal);
}

const isDefinition = (tool: unknown): boolean => tool !== undefined && typeof tool !== 'function';

const outcomes: Readonly<Record<CallOutcome['type'], true>> = { answered: true, failed: true, aborted: true };

/** @throws BAD_OPTION */
export function checkOutcome(outcome: CallOutcome): void {
  const given: unknown = outcome;
  if (isObject(given) && typeof given.type === 'string' && Object.hasOwn(outcomes, given.type)) return;
  const came = isObject(given) ? given.type : given;
  throw wrongOption('outcome', `one of type ${Object.keys(outcomes).join(', ')}`, came);
}
