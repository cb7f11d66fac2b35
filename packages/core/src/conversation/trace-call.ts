/** What the span of a call tells of its conversation, and of what became of it. */
import { classifyFailure } from '../provider/errors/classify.ts';
import { modelInfo } from '../tokens/models.ts';
import { type CallAbout, endCall } from '../tracing/call-span.ts';
import { namedModel } from '../tracing/conventions.ts';
import { normaliseUsage } from '../usage/normalise.ts';
import { type Pending, type Step, wholeStart } from './live.ts';
import type { CallOutcome, NextStep, PreparedContext } from './request.ts';

/** Who makes the models of a family, for names without a provider. */
const vendors: Readonly<Record<string, string>> = {
  openai: 'openai',
  claude: 'anthropic',
  'claude-4.7': 'anthropic',
  gemini: 'gemini',
  deepseek: 'deepseek',
  mistral: 'mistral',
};

/** A context that is about to be sent. */
export function aboutCall({ runtime, live, asked }: Step, { size, maxTokens }: PreparedContext): CallAbout {
  const { model } = runtime.settings;
  const { session, view, said } = live;
  return {
    ...namedModel(model, vendors[modelInfo(model)?.family ?? '']),
    conversationId: session.rootId,
    sessionId: session.id,
    contextTokens: size.tokens,
    isCompacted: view.length !== said.length || wholeStart(view) !== view.length,
    maxTokens: maxTokens ?? asked.call.maxTokens,
  };
}

/** Ends the span of a call, unless the call is tried again. */
export function noteEnd({ span }: Pick<Pending, 'span'>, outcome: CallOutcome, next: NextStep): void {
  if (!span || next.type === 'retry') return;
  if (outcome.type === 'failed') {
    endCall(span, { outcome: 'failed', failure: classifyFailure(outcome.error).reason });
    return;
  }
  const { type, usage, model } = outcome;
  const counted = next.type === 'done' ? next.usage : undefined;
  endCall(span, {
    outcome: type,
    usage: counted ?? normaliseUsage(usage),
    model: model?.replace(/^[^/]*\//, ''),
  });
}
