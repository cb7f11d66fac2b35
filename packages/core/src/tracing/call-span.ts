/**
 * The call of a model that a program makes itself, between `prepare` and `settle`: one span over all its tries. Where the call is in a
 * span already, as the telemetry of an SDK makes one, that span is given what it cannot know, and there is no second one.
 */
import { defined } from '../shared/defined.ts';
import { type CallTokens, genAi, type NamedModel, usageAttributes } from './conventions.ts';
import { activeSpan, failSpan, openSpan, type Span } from './tracer.ts';

/** A call that is under way. */
export interface CallSpan {
  readonly span: Span;
  /** False for the span of somebody else, who ends it. */
  readonly isOwn: boolean;
  tries: number;
}

/** A context that is about to be sent. */
export interface CallAbout extends NamedModel {
  readonly conversationId: string;
  readonly sessionId: string;
  /** As they were reckoned. */
  readonly contextTokens: number;
  /** True where what was said stands in it in short. */
  readonly isCompacted: boolean;
  readonly maxTokens?: number | undefined;
}

const inferences: ReadonlySet<unknown> = new Set(['chat', 'generate_content', 'text_completion']);

/** Begins the span of a call, or goes on with that of the try before; undefined where nobody listens. */
export function openCall(earlier: CallSpan | undefined, about: () => CallAbout): CallSpan | undefined {
  const active = earlier ? undefined : activeSpan();
  const others = active && inferences.has(active.attributes?.[genAi.operation]) ? active : undefined;
  const known = earlier ?? (others && { span: others, isOwn: false, tries: 0 }) ?? opened(about);
  if (!known) return undefined;
  const { conversationId, sessionId, contextTokens, isCompacted, maxTokens } = about();
  known.tries++;
  known.span.setAttributes(
    defined({
      [genAi.conversation]: conversationId,
      [genAi.compacted]: isCompacted || undefined,
      [genAi.maxTokens]: maxTokens,
      'palimpsest.session.id': sessionId,
      'palimpsest.context.tokens': contextTokens,
    }),
  );
  return known;
}

function opened(about: () => CallAbout): CallSpan | undefined {
  const span = openSpan(() => {
    const { provider, model } = about();
    return {
      name: `chat ${model}`,
      kind: 'client',
      attributes: { [genAi.operation]: 'chat', [genAi.provider]: provider, [genAi.requestModel]: model },
    };
  });
  return span && { span, isOwn: true, tries: 0 };
}

/** How a call ended. */
export interface CallEnd {
  readonly outcome: 'answered' | 'failed' | 'aborted';
  readonly usage?: CallTokens | undefined;
  /** The model that answered, where it is known. */
  readonly model?: string | undefined;
  /** What kind of failure it was. */
  readonly failure?: string | undefined;
}

/** Ends it. */
export function endCall(call: CallSpan | undefined, { outcome, usage, model, failure }: CallEnd): void {
  if (!call) return;
  const { span, isOwn, tries } = call;
  const ours = { 'palimpsest.call.outcome': outcome, 'palimpsest.call.tries': tries };
  if (!isOwn) {
    span.setAttributes(ours);
    return;
  }
  span.setAttributes({ ...ours, ...usageAttributes(usage), ...defined({ [genAi.responseModel]: model }) });
  if (failure !== undefined) failSpan(span, failure);
  span.end();
}
